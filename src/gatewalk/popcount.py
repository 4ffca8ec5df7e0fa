"""Counting the ones of a word in a kernel, by the processor's own instruction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from gatewalk.jit import kernel


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(typing_context: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@kernel
def popcount(word: np.uint64) -> np.int64:
    """The number of ones in a 64-bit word."""
    return np.int64(_ctpop(word))
