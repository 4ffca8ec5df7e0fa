"""Numbers that are geometric or Poisson distributed, each drawn from a random word by exact inversion.

A number X is drawn by comparing a random 64-bit word w with the thresholds floor(2^64 P(X <= k)): X is the
number of thresholds that are at most w. They are computed in whole numbers, so that draws are the same on
every machine, and every probability is right to within 2^-64.

`next_gap`, for the genes that a rate mutation leaves out: the number of failures before the next success,
which has probability p, with P(X <= k) = 1 - (1-p)^(k+1). There are at most `MOST_THRESHOLDS`; a word beyond
the last one only says that so many trials failed, and the next word decides about those that follow. Where p
is tiny, `trials_until` inverts the distribution in floating point instead.

`step_count`, for HVL-prime steps of a multi-step mutation: 1 + Poisson(1), which never exceeds 22.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, hot_kernel, inlined
from gatewalk.native.stream import Registers, State, draw_word, next_word

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
    listed: list[int] = []
    power = 1 << _BITS
    while len(listed) < MOST_THRESHOLDS:
        power = (power * stays) >> _BITS
        threshold = min((1 << 64) + (-power >> (_BITS - 64)), (1 << 64) - 1)
        if listed and threshold == listed[-1]:
            break
        listed.append(threshold)
    thresholds = np.array(listed, dtype=np.uint64)
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


def _poisson_thresholds() -> tuple[int, ...]:
    """floor(2^64 P(X <= j)) for every j up to the first at which it is 2^64 - 1.

    1/e lies between any two consecutive partial sums of its alternating series. With 40 terms they differ by
    less than 10^-47, and both give the same floors.
    """
    ends = [
        sum((Fraction((-1) ** i, math.factorial(i)) for i in range(terms)), Fraction(0)) for terms in (40, 41)
    ]
    thresholds: list[int] = []
    mass = Fraction(0)
    while not thresholds or thresholds[-1] < (1 << 64) - 1:
        mass += Fraction(1, math.factorial(len(thresholds)))
        low, high = sorted(int(mass * end * (1 << 64)) for end in ends)
        if low != high:
            raise ArithmeticError("1/e is not known well enough")
        thresholds.append(low)
    return tuple(thresholds)


POISSON_THRESHOLDS = _poisson_thresholds()
MOST_STEPS = 1 + len(POISSON_THRESHOLDS)
_POISSON_WORDS = np.array(POISSON_THRESHOLDS, dtype=np.uint64)


@inlined
def step_count(stream: State) -> Int:
    """A number drawn from 1 + Poisson(1), by one word of the stream."""
    word = draw_word(stream)
    count = 1
    while count <= _POISSON_WORDS.size and word >= _POISSON_WORDS[count - 1]:
        count += 1
    return count
