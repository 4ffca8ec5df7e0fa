"""The version of the installed package, `__version__`."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("gatewalk")
except PackageNotFoundError:  # used from a source tree that was never installed
    __version__ = "0+unknown"
