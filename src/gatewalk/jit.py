"""The ways a function becomes a kernel: compiled by Numba, cached on disk, free of the GIL."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.core.registry import CPUDispatcher
from numba.extending import overload

from gatewalk import kernel_cache

F = TypeVar("F", bound=Callable[..., object])
Int: TypeAlias = int | np.integer[Any]  # a whole number in a kernel


NEWEST_TRIED = (0, 68)  # version of numba that `kernel_parts` works with, as all from 0.61 on


def _part_options() -> dict[str, Any]:
    """How numba compiles what only kernels call.

    Functions without entries for Python and C, which nothing would use, compile in half of the time where
    they take many arrays, in three quarters of it where they do not.
    """
    options = {"nogil": True, "_nrt": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if numba.version_info.short > NEWEST_TRIED:
        return options
    from gatewalk.kernel_parts import PartCompiler

    return options | {"pipeline_class": PartCompiler}


_PART = _part_options()
INLINED = _PART | {"forceinline": True}  # as `inlined`, for numba's `overload`


@contextmanager
def _without_collection() -> Iterator[None]:
    """Python's search for dead cycles, which would look at millions of objects of the compiler, is off."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


_in_this_thread = threading.local()  # seconds: see below; compiling: is a kernel being compiled?


def seconds_compiling() -> float:
    """How long this thread has waited for kernels, compiled or loaded, so far."""
    return getattr(_in_this_thread, "seconds", 0.0)


class _Kernel(CPUDispatcher):  # type: ignore[misc]
    """A function that is compiled in nine tenths of the time, which is counted."""

    def compile(self, signature: Any) -> Any:
        if getattr(_in_this_thread, "compiling", False):  # called by another kernel, whose time is counted
            return super().compile(signature)
        _in_this_thread.compiling = True
        started = time.perf_counter()
        try:
            with _without_collection():
                return super().compile(signature)
        finally:
            _in_this_thread.compiling = False
            _in_this_thread.seconds = seconds_compiling() + time.perf_counter() - started


class _Part(CPUDispatcher):  # type: ignore[misc]
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
    return _part(function, INLINED)


def outlined(function: F) -> F:
    """As `inlined`, but left out of line, and with an entry for Python: what a walk is started by."""
    return _compiled(function, _nrt=False)


def internal(function: F) -> F:
    """As `inlined`, but left out of line: for the larger and rarer steps of a hot loop."""
    return _part(function, _PART)


def part_by_types(choose: Callable[[tuple[Any, ...]], Any]) -> Any:
    """A part that `choose` finds by the types of its arguments, when a kernel is compiled.

    So that a kernel does not take the time to compile what it does not call.
    """

    def chosen(*arguments: Any) -> Any:
        raise TypeError("one of several parts of kernels: call it from a kernel")

    @overload(chosen, jit_options=INLINED, strict=False)
    def implementation(*kinds):  # type: ignore[no-untyped-def]
        return choose(kinds).py_func

    return chosen


def by_kind(functions: Mapping[type, Callable[..., Any]]) -> Any:
    """One of several functions, by which named tuple is among its arguments."""

    def choose(kinds: tuple[Any, ...]) -> Any:
        classes: Any = (getattr(kind, "instance_class", None) for kind in kinds)
        return next(functions[one] for one in classes if one in functions)

    return part_by_types(choose)


def _part(function: F, options: dict[str, Any]) -> F:
    dispatcher = numba.njit(**options)(function)
    dispatcher.__class__ = _Part
    return cast(F, dispatcher)


def _compiled(function: F, **options: bool) -> F:
    dispatcher = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    dispatcher.__class__ = _Kernel
    kernel_cache.enable(dispatcher)
    return cast(F, dispatcher)
