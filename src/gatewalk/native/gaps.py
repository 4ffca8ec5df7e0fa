"""Distances between the successes of independent trials, drawn directly: not every trial is asked.

How many trials fail before the next success, of probability p, is geometric. A word w is held against the
thresholds t[k] = 2^64 (1 - (1-p)^(k+1)), rounded down: the number of thresholds that are not above it is the
number of failures. After the last threshold nothing is decided about the trials that follow, so the next word
goes on from there. The thresholds are computed in whole numbers, so that draws are the same on every machine;
rounding changes a probability by at most 2^-64. Where p is tiny, `trials_until` draws by inversion instead.
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
FOREVER = 1 << 62  # trials: more than anyone waits
_BITS = 256  # of a number in fixed point
_GUIDES = 256  # by the highest byte of a word: where among the thresholds to begin
_TOP_BYTE = np.uint64(56)


class Gaps(NamedTuple):
    """thresholds: see the module. guide[b]: how many of them are not above the words with first byte b."""

    thresholds: NDArray[np.uint64]
    guide: NDArray[np.uint64]


@lru_cache(maxsize=16)
def gaps_of(probability: float) -> Gaps:
    """The thresholds of a probability, in fixed point."""
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
    """How many trials fail; and does one succeed then, or is nothing decided of the next?"""
    word, registers = next_word(registers)
    failures, most = gaps.guide[word >> _TOP_BYTE], np.uint64(gaps.thresholds.size)
    while failures < most and word >= gaps.thresholds[failures]:
        failures += np.uint64(1)
    return failures, bool(failures < most), registers


@hot_kernel
def trials_until(probability: float, uniform: float) -> Int:
    """A geometric number of trials, 1 or more, the last of which succeeds: a uniform number inverted."""
    if probability >= 1.0:
        return 1
    if probability <= 0.0:
        return FOREVER
    failures = math.log1p(-uniform) / math.log1p(-probability)
    return 1 + np.int64(failures) if failures < FOREVER - 1 else FOREVER
