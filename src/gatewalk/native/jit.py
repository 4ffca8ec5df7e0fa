"""The ways a function becomes a kernel: compiled by Numba, cached on disk, free of the GIL.

A *kernel* can be called from Python; a *hot kernel* is one without reference counts on arrays. A *part* is
called by kernels only: `inlined` parts are merged into their callers, `internal` ones stay out of line; both
are without reference counts too. `by_kind` lets one source call different parts, by the named
tuples that it is given: that is how the loop of a search is specialised when it is compiled.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.extending import overload

from gatewalk.errors import InputError
from gatewalk.native import cache

if numba.config.DISABLE_JIT:
    raise InputError(
        "the environment has NUMBA_DISABLE_JIT, but kernels are put together when Numba compiles them and "
        "cannot run as Python: unset it"
    )

F = TypeVar("F", bound=Callable[..., object])
Int: TypeAlias = int | np.integer[Any]  # a whole number in a kernel

# With reference counts, every use of an array counts its owners up and down, by atomic instructions: then
# incremental evaluation of mul:3 is 22 times slower, and its kernel takes a fifth longer to compile. Without,
# it is an error to allocate memory or to return an array.
_UNCOUNTED = {"nogil": True, "_nrt": False}
# Parts without entries for Python and C, which nothing uses, compile in two thirds of the time.
_PART = {**_UNCOUNTED, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_MERGED = {**_PART, "forceinline": True}


def kernel(function: F) -> F:
    """Compile a module-level function that Python calls; nothing in it may touch a Python object."""
    with cache.folder() as is_writable:
        return cast(F, numba.njit(nogil=True, cache=is_writable)(function))


def hot_kernel(function: F) -> F:
    """As `kernel`, without reference counts on arrays; nothing in it may allocate memory."""
    with cache.folder() as is_writable:
        return cast(F, numba.njit(**_UNCOUNTED, cache=is_writable)(function))


def uncached(function: F) -> F:
    """A kernel once more, for arguments of types from outside of the package, and kept in memory only.

    The cache of a kernel holds the types that it was compiled for: one that another process cannot import
    would keep it from loading any.
    """
    return cast(F, numba.njit(**_UNCOUNTED)(cast(Any, function).py_func))


def inlined(function: F) -> F:
    """A part of kernels, merged into its callers. It has no entry for Python: tests call it by a kernel."""
    return cast(F, numba.njit(**_MERGED)(function))


def internal(function: F) -> F:
    """A part of kernels, left out of line: for the larger and rarer steps of a hot loop."""
    return cast(F, numba.njit(**_PART)(function))


def by_kind(parts: Mapping[type, Callable[..., Any]]) -> Any:
    """One of several parts, by which named tuple is among its arguments; looked up when compiled.

    `parts` may grow until a kernel asks for a kind: Numba remembers what it did not find. A kernel compiles
    only the part that it uses. An argument list without any of the kinds is a compile-time error.
    """

    def chosen(*arguments: Any) -> Any:
        raise TypeError("one of several parts of kernels: call it from a kernel")

    @overload(chosen, jit_options=_MERGED, strict=False)
    def implementation(*kinds):  # type: ignore[no-untyped-def]
        classes: list[Any] = [getattr(kind, "instance_class", None) for kind in kinds]
        found = [parts[one] for one in classes if one in parts]
        return found[0].py_func if found else None  # type: ignore[attr-defined]

    return chosen


@contextmanager
def without_collection() -> Iterator[None]:
    """Python's search for dead cycles is off: while compiling it would look at millions of objects."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
