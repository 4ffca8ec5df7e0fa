"""When and with what a page was made: time, machine, versions."""

from __future__ import annotations

import importlib.metadata
import platform
import time

from gatewalk.campaign.store import processor

PACKAGES = ("gatewalk", "numpy", "numba", "scipy", "matplotlib")


def provenance() -> list[tuple[str, str]]:
    """Pairs of names and values, such as the time and the versions of packages."""
    found = [
        ("made", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())),
        ("processor", processor()),
        ("system", platform.system()),
        ("python", platform.python_version()),
    ]
    for package in PACKAGES:
        try:
            found.append((package, importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
