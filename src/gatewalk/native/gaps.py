"""Distances between the successes of independent trials, drawn directly instead of trial by trial.

The number of failures before the next success, which has probability p, is geometric. A random word w is
compared with the thresholds t[k] = 2^64 (1 - (1-p)^(k+1)), rounded down: the number of thresholds that are at
most w is the number of failures. A word beyond the last threshold only says that so many trials failed; the
next word decides about those that follow. The thresholds are computed in whole numbers, so that draws are the
same on every machine; rounding changes a probability by at most 2^-64. Where p is tiny, `trials_until` draws
by inversion instead.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, hot_kernel, inlined
from gatewalk.native.registers import Registers, next_word

MOST_THRESHOLDS = 4096
FOREVER = 1 << 62  # a number of trials that no search reaches
_BITS = 256  # binary places of a number in fixed point
_GUIDES = 256  # entries of the guide, one for each value of the highest byte of a word
_TOP_BYTE = np.uint64(56)


class Gaps(NamedTuple):
    """The thresholds of a probability, and where to begin to search among them.

    thresholds: t[k], as defined in the docstring of the module.
    guide[b]: how many thresholds are at most the smallest word whose highest byte is b.
    """

    thresholds: NDArray[np.uint64]
    guide: NDArray[np.uint64]


@lru_cache(maxsize=16)
def gaps_of(probability: float) -> Gaps:
    """The thresholds for trials that succeed with this probability."""
    exact = Fraction(probability)
    stays = ((exact.denominator - exact.numerator) << _BITS) // exact.denominator
    found: list[int] = []
    power = 1 << _BITS
    while len(found) < MOST_THRESHOLDS:
        power = (power * stays) >> _BITS
        threshold = min((1 << 64) + (-power >> (_BITS - 64)), (1 << 64) - 1)
        if found and threshold == found[-1]:
            break
        found.append(threshold)
    thresholds = np.array(found, dtype=np.uint64)
    first_words = np.arange(_GUIDES, dtype=np.uint64) << _TOP_BYTE
    return Gaps(thresholds, np.searchsorted(thresholds, first_words, side="right").astype(np.uint64))


@inlined
def next_gap(gaps: Gaps, registers: Registers) -> tuple[np.uint64, bool, Registers]:
    """How many trials fail from here on, and whether the one after them succeeds or is still undecided."""
    word, registers = next_word(registers)
    failures, most = gaps.guide[word >> _TOP_BYTE], np.uint64(gaps.thresholds.size)
    while failures < most and word >= gaps.thresholds[failures]:
        failures += np.uint64(1)
    return failures, bool(failures < most), registers


@hot_kernel
def trials_until(probability: float, uniform: float) -> Int:
    """The number of trials up to and including the first success, from a uniform number in [0, 1)."""
    if probability >= 1.0:
        return 1
    if probability <= 0.0:
        return FOREVER
    failures = math.log1p(-uniform) / math.log1p(-probability)
    return 1 + np.int64(failures) if failures < FOREVER - 1 else FOREVER
