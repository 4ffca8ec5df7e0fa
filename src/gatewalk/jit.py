"""The ways a function becomes a kernel: compiled by Numba, cached on disk, free of the GIL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np

from gatewalk import kernel_cache
from gatewalk.kernel_parts import Part, PartCompiler

F = TypeVar("F", bound=Callable[..., object])
Int: TypeAlias = int | np.integer[Any]  # a whole number in a kernel


# Functions without entries for Python and C, which nothing would use, compile in half of the time where they
# take many arrays, in three quarters of it where they do not.
_NO_C_ENTRY = {"no_cfunc_wrapper": True}
_NO_ENTRY = {"no_cpython_wrapper": True, **_NO_C_ENTRY}
# As `inlined`, for numba's `overload`.
INLINED = {"nogil": True, "_nrt": False, "forceinline": True, "pipeline_class": PartCompiler, **_NO_ENTRY}


def kernel(function: F) -> F:
    """Compile a module-level function; nothing in it may touch a Python object."""
    return _compiled(function, **_NO_C_ENTRY)


def inlined(function: F) -> F:
    """As `kernel`, merged into its callers and without reference counts on arrays.

    With a dozen arrays a call would count each of them up and down, which is more work than most
    small functions do. Allocating in it is an error, and so is calling it from Python.
    """
    return _part(function, forceinline=True)


def outlined(function: F) -> F:
    """As `inlined`, but left out of line, and with an entry for Python: what a walk is started by."""
    return _compiled(function, _nrt=False, **_NO_C_ENTRY)


def internal(function: F) -> F:
    """As `inlined`, but left out of line: for the larger and rarer steps of a hot loop."""
    return _part(function)


def _part(function: F, **options: bool) -> F:
    options = {"nogil": True, "_nrt": False, **_NO_ENTRY, **options}
    dispatcher = numba.njit(pipeline_class=PartCompiler, **options)(function)
    dispatcher.__class__ = Part
    return cast(F, dispatcher)


def _compiled(function: F, **options: bool) -> F:
    dispatcher = numba.njit(nogil=True, **options)(function)
    kernel_cache.enable(dispatcher)
    return cast(F, dispatcher)
