"""The ways a function becomes a kernel: compiled by Numba, cached on disk, free of the GIL.

A *kernel* can be called from Python; a *hot kernel* is one without reference counts on arrays. A *part* is
called by kernels only: `inlined` parts are merged into their callers, `internal` ones stay out of line; both
are without reference counts too. `by_kind` lets one source call different parts, by the named
tuples that it is given: that is how the loop of a search is specialised when it is compiled.
`watch_compilations` tells when Numba compiles instead of loading from the cache.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.core import event
from numba.extending import overload

from gatewalk.errors import InputError
from gatewalk.native import cache

if numba.config.DISABLE_JIT:
    raise InputError(
        "NUMBA_DISABLE_JIT is set, but kernels are put together when Numba compiles them and "
        "cannot run as Python; unset it"
    )

F = TypeVar("F", bound=Callable[..., object])
Int: TypeAlias = int | np.integer[Any]  # a whole number in a kernel

# With reference counts, every use of an array changes a counter by atomic instructions: incremental
# evaluation of mul:3 is then 22 times slower, and its kernel takes a fifth longer to compile. Without them, a
# kernel can neither allocate memory nor return an array.
_UNCOUNTED = {"nogil": True, "_nrt": False}
# Nothing calls a part from Python or C; leaving those entry points out saves a third of its compile time.
_PART = {**_UNCOUNTED, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
MERGED = {**_PART, "forceinline": True}


def kernel(function: F) -> F:
    """Compile a module-level function that Python calls; nothing in it may touch a Python object."""
    with cache.folder() as is_writable:
        return cast(F, numba.njit(nogil=True, cache=is_writable)(function))


def hot_kernel(function: F) -> F:
    """As `kernel`, without reference counts on arrays; nothing in it may allocate memory."""
    with cache.folder() as is_writable:
        return cast(F, numba.njit(**_UNCOUNTED, cache=is_writable)(function))


def uncached(function: F) -> F:
    """The same kernel without a cache on disk, for arguments whose types are defined outside the package.

    The cached file of a kernel names the types that it was compiled for. If another process cannot import one
    of them, it cannot load the file at all.
    """
    return cast(F, numba.njit(**_UNCOUNTED)(cast(Any, function).py_func))


def inlined(function: F) -> F:
    """A part of kernels that is merged into its callers. Python cannot call it; tests wrap it in a kernel."""
    return cast(F, numba.njit(**MERGED)(function))


def internal(function: F) -> F:
    """A part of kernels that stays a function of its own: for the larger and rarer steps of a hot loop."""
    return cast(F, numba.njit(**_PART)(function))


def by_kind(parts: Mapping[type, Callable[..., Any]]) -> Any:
    """A function for kernels that calls one of several parts, chosen by the type of a named tuple it gets.

    `parts` maps types of named tuples to parts. The choice is made when a kernel is compiled, and only the
    chosen part is compiled with it; arguments without any of the types are a compile-time error. `parts` may
    grow, but a type must be there before the first kernel uses it: Numba remembers what it did not find.
    """

    def chosen(*arguments: Any) -> Any:
        raise TypeError("one of several parts of kernels: call it from a kernel")

    @overload(chosen, jit_options=MERGED, strict=False)
    def implementation(*kinds):  # type: ignore[no-untyped-def]
        classes: list[Any] = [getattr(kind, "instance_class", None) for kind in kinds]
        matching = [parts[kind] for kind in classes if kind in parts]
        return matching[0].py_func if matching else None  # type: ignore[attr-defined]

    return chosen


@contextmanager
def without_collection() -> Iterator[None]:
    """Within this context Python's garbage collector is off: it would slow compilation down.

    The compiler makes millions of objects, which the collector would look through again and again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def watch_compilations(began: Callable[[], None], ended: Callable[[], None]) -> None:
    """Have a function called when a compilation begins and one when it ends, in the thread that compiles."""

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, event: object) -> None:
            began()

        def on_end(self, event: object) -> None:
            ended()

    event.register("numba:compile", Listener())
