"""The highest and the lowest one of a word in a kernel, by the processor's own instructions."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from gatewalk.jit import inlined

_TOP = np.uint64(63)


@intrinsic  # type: ignore[untyped-decorator]
def _ctlz(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@inlined
def highest(word: np.uint64) -> np.uint64:
    """The place of the highest one of a word that is not zero."""
    return _TOP ^ np.uint64(_ctlz(word))


@inlined
def lowest(word: np.uint64) -> np.uint64:
    """The place of the lowest one of a word that is not zero."""
    return np.uint64(_cttz(word))
