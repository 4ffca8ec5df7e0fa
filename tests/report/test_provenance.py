"""With what a page was made."""

from __future__ import annotations

from gatewalk.report.provenance import PACKAGES, provenance
from gatewalk.version import __version__


def test_versions_are_named() -> None:
    found = dict(provenance())
    assert found["gatewalk"] == __version__
    assert set(PACKAGES) <= set(found)
    assert found["made"].endswith("UTC")
