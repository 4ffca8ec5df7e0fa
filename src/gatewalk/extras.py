"""Optional dependencies: which extra of the package brings a library, and whether the library is there.

A command asks for them before it begins to work, so that hours of runs are not lost to a missing library.
"""

from __future__ import annotations

import importlib.util
import sys
from typing import Literal

from gatewalk.errors import MissingExtra

Library = Literal["matplotlib", "pandas", "pyarrow", "distributed", "pysat", "sklearn", "sympy"]
_EXTRAS: dict[Library, str] = {
    "matplotlib": "plot",
    "pandas": "data",
    "pyarrow": "data",
    "distributed": "dask",
    "pysat": "sat",
    "sklearn": "learn",
    "sympy": "sympy",
}


def need(library: Library, purpose: str) -> None:
    """Raise `MissingExtra` if the library is not installed, without importing it.

    Examples
    --------
    >>> need("matplotlib", "drawing figures")
    """
    if not is_there(library):
        raise MissingExtra(_EXTRAS[library], purpose)


def is_there(library: str) -> bool:
    """Whether a library is installed, without importing it."""
    if library in sys.modules:  # None there means that imports of it are blocked
        return sys.modules[library] is not None
    return importlib.util.find_spec(library) is not None
