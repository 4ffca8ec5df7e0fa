"""1 + Poisson(1): the number of HVL-prime steps of the multi-step mutation, by exact inversion.

One random 64-bit word w decides: the number is 1 plus the count of j with w >= floor(2^64 P(X <= j)), where X
is Poisson distributed with mean 1. So every probability is right to within 2^-64, and no number exceeds 22.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import numpy as np

from gatewalk.native.jit import Int, inlined
from gatewalk.native.registers import State
from gatewalk.native.stream import next_word


def _thresholds() -> tuple[int, ...]:
    """floor(2^64 P(X <= j)) for every j up to the first at which it is 2^64 - 1.

    1/e lies between any two consecutive partial sums of its alternating series. With 40 terms they differ by
    less than 10^-47, and both give the same floors.
    """
    ends = [sum((Fraction((-1) ** i, factorial(i)) for i in range(terms)), Fraction(0)) for terms in (40, 41)]
    found: list[int] = []
    mass = Fraction(0)
    while not found or found[-1] < (1 << 64) - 1:
        mass += Fraction(1, factorial(len(found)))
        low, high = sorted(int(mass * end * (1 << 64)) for end in ends)
        if low != high:
            raise ArithmeticError("1/e is not known well enough")
        found.append(low)
    return tuple(found)


THRESHOLDS = _thresholds()
MOST_STEPS = 1 + len(THRESHOLDS)
_BOUNDS = np.array(THRESHOLDS, dtype=np.uint64)


@inlined
def step_count(stream: State) -> Int:
    """A number drawn from 1 + Poisson(1), by one word of the stream."""
    word = next_word(stream)
    count = 1
    while count <= _BOUNDS.size and word >= _BOUNDS[count - 1]:
        count += 1
    return count
