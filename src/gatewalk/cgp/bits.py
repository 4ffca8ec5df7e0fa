"""The highest, the lowest and the k-th one of a word in a kernel, by the processor's own instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from gatewalk.jit import inlined
from gatewalk.popcount import popcount

_ZERO, _ONE = np.uint64(0), np.uint64(1)


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


highest: Callable[[np.uint64], np.uint64] = _highest
lowest: Callable[[np.uint64], np.uint64] = _lowest


@inlined
def nth_by_halves(word: np.uint64, k: np.uint64) -> np.uint64:
    """As `nth`, on any processor: is it in the lower half, and so on."""
    place = _ZERO
    width = np.uint64(32)
    while width != _ZERO:
        below = np.uint64(popcount(word & ((_ONE << width) - _ONE)))
        if k >= below:
            k -= below
            place += width
            word >>= width
        width >>= _ONE
    return place


@intrinsic  # type: ignore[untyped-decorator]
def _has_deposit(typing_context: Any) -> Any:
    """Does the processor that is compiled for deposit bits (x86's BMI2)?"""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(ir.IntType(1), int(_deposits(context)))

    return types.boolean(), generate


def _deposits(context: Any) -> bool:
    return "+bmi2" in getattr(context.codegen(), "_tm_features", "")


@intrinsic  # type: ignore[untyped-decorator]
def _deposit(typing_context: Any, word: Any, mask: Any) -> Any:
    """The bits of a word put at the ones of a mask; zero where the processor cannot do it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not _deposits(context):
            return ir.Constant(ir.IntType(64), 0)
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64), ir.IntType(64)])
        deposit = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
        return builder.call(deposit, arguments)

    return types.uint64(types.uint64, types.uint64), generate


@inlined
def nth(word: np.uint64, k: np.uint64) -> np.uint64:
    """The place of the k-th one of a word, counted from 0, which must have more than k."""
    if _has_deposit():
        return lowest(np.uint64(_deposit(_ONE << k, word)))
    return nth_by_halves(word, k)
