"""Bits in kernels: ones counted and found by single instructions, and sets of numbers as arrays of words."""

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
    """The index of the highest set bit of a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        leading = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.xor(leading, ir.Constant(ir.IntType(64), 63))

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _lowest(typing_context: Any, word: Any) -> Any:
    """The index of the lowest set bit of a word that is not zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _rolled(typing_context: Any) -> Any:
    """A call that does nothing, but keeps the compiler from unrolling the loop in whose body it stands.

    A short loop of random length costs one mispredicted branch, at its end. Unrolled, it becomes two such
    loops and costs two.
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
    """Add a number to a set: bit `member` of the words becomes 1."""
    words[member >> _SIX] |= _ONE << (member & _PLACE)


@inlined
def flip(words: Words, member: np.uint64) -> None:
    """Add a number to a set, or remove it if it is there."""
    words[member >> _SIX] ^= _ONE << (member & _PLACE)


@inlined
def holds(words: Words, member: np.uint64) -> bool:
    """Whether a number is in a set."""
    return bool((words[member >> _SIX] >> (member & _PLACE)) & _ONE != np.uint64(0))
