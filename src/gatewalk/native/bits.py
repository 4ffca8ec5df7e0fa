"""Ones of a word in a kernel, by the processor's own instructions; sets of numbers; rolled loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from gatewalk.native.jit import inlined

Words = NDArray[np.uint64]
_ONE, _SIX, _PLACE = np.uint64(1), np.uint64(6), np.uint64(63)


@intrinsic  # type: ignore[untyped-decorator]
def _popcount(typing_context: Any, word: Any) -> Any:
    """The number of ones in a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _highest(typing_context: Any, word: Any) -> Any:
    """The place of the highest one of a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        leading = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.xor(leading, ir.Constant(ir.IntType(64), 63))

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _lowest(typing_context: Any, word: Any) -> Any:
    """The place of the lowest one of a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _rolled(typing_context: Any) -> Any:
    """Called in the body of a loop, it keeps the compiler from unrolling it; it does nothing else.

    A short loop of a random length costs one wrong guess of the processor, at its end. Unrolled, it
    becomes two such loops, and costs two.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        nothing = ir.FunctionType(ir.VoidType(), [])
        builder.call(ir.InlineAsm(nothing, "", "", side_effect=True), [], attrs=("convergent", "nounwind"))
        return context.get_dummy_value()

    return types.void(), generate


popcount: Callable[[np.uint64], np.int64] = _popcount
highest: Callable[[np.uint64], np.uint64] = _highest
lowest: Callable[[np.uint64], np.uint64] = _lowest
rolled: Callable[[], None] = _rolled


@inlined
def put(words: Words, member: np.uint64) -> None:
    """Put a number into a set."""
    words[member >> _SIX] |= _ONE << (member & _PLACE)


@inlined
def flip(words: Words, member: np.uint64) -> None:
    """Put a number into a set, or take it out if it is in it."""
    words[member >> _SIX] ^= _ONE << (member & _PLACE)


@inlined
def holds(words: Words, member: np.uint64) -> bool:
    """Is a number in a set?"""
    return bool((words[member >> _SIX] >> (member & _PLACE)) & _ONE != np.uint64(0))
