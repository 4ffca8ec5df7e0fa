"""The ways a function becomes a kernel: compiled by Numba, cached on disk, free of the GIL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.core.registry import CPUDispatcher

from gatewalk import kernel_cache

F = TypeVar("F", bound=Callable[..., object])
Int: TypeAlias = int | np.integer[Any]  # a whole number in a kernel


# Functions without entries for Python and C, which nothing would use, compile in half of the time where they
# take many arrays, in three quarters of it where they do not.
_NO_C_ENTRY = {"no_cfunc_wrapper": True}
_NO_ENTRY = {"no_cpython_wrapper": True, **_NO_C_ENTRY}
# As `inlined`, for numba's `overload`.
INLINED = {"nogil": True, "_nrt": False, "forceinline": True, **_NO_ENTRY}


class _NoEntry(CPUDispatcher):  # type: ignore[misc]
    """A function without an entry for Python: numba would jump into the void."""

    def __call__(self, *arguments: object, **options: object) -> object:
        raise TypeError(f"{self.__name__} is a part of kernels: call it from a kernel")


def kernel(function: F) -> F:
    """Compile a module-level function; nothing in it may touch a Python object."""
    return _compiled(function)


def inlined(function: F) -> F:
    """As `kernel`, merged into its callers and without reference counts on arrays.

    With a dozen arrays a call would count each of them up and down, which is more work than most
    small functions do. Allocating in it is an error, and so is calling it from Python.
    """
    return _without_entry(_compiled(function, _nrt=False, forceinline=True, **_NO_ENTRY))


def outlined(function: F) -> F:
    """As `inlined`, but left out of line, and with an entry for Python: what a walk is started by."""
    return _compiled(function, _nrt=False, **_NO_C_ENTRY)


def internal(function: F) -> F:
    """As `inlined`, but left out of line: for the larger and rarer steps of a hot loop."""
    return _without_entry(_compiled(function, _nrt=False, **_NO_ENTRY))


def _without_entry(dispatcher: F) -> F:
    dispatcher.__class__ = _NoEntry
    return dispatcher


def _compiled(function: F, **options: bool) -> F:
    dispatcher = numba.njit(nogil=True, **options)(function)
    kernel_cache.enable(dispatcher)
    return cast(F, dispatcher)
