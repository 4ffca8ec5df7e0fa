"""The ways a function becomes a kernel: compiled by Numba, cached on disk, free of the GIL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np

from gatewalk import kernel_cache

F = TypeVar("F", bound=Callable[..., object])
Int: TypeAlias = int | np.integer[Any]  # a whole number in a kernel


def kernel(function: F) -> F:
    """Compile a module-level function; nothing in it may touch a Python object."""
    return _compiled(function)


def inlined(function: F) -> F:
    """As `kernel`, merged into its callers and without reference counts on arrays.

    With a dozen arrays a call would count each of them up and down, which is more work than most
    small functions do. Allocating in it is an error.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def outlined(function: F) -> F:
    """As `inlined`, but left out of line: for the larger and rarer steps of a hot loop."""
    return _compiled(function, _nrt=False)


def _compiled(function: F, **options: bool) -> F:
    dispatcher = numba.njit(nogil=True, **options)(function)
    kernel_cache.enable(dispatcher)
    return cast(F, dispatcher)
