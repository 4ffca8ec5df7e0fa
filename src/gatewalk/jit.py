"""The one way a function becomes a kernel: compiled by Numba, cached on disk, free of the GIL."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def kernel(function: F) -> F:
    """Compile a module-level function; nothing in it may touch a Python object."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def inlined(function: F) -> F:
    """As `kernel`, merged into its callers before optimisation: for the small steps of a hot loop."""
    return cast(F, numba.njit(cache=True, nogil=True, inline="always")(function))
