"""Raw words of numpy's PCG64 for many runs at once, in a kernel: the rows of sampled training sets.

After M. E. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random
number generation", 2014: a linear congruential generator of 128 bits, whose two halves are combined and
rotated (XSL-RR). `tests/native/test_raw_words.py` compares with numpy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, hot_kernel, inlined
from gatewalk.native.seeding import Entropy, child_seeded

Wide = tuple[np.uint64, np.uint64]  # 128 bits: the upper half, the lower half

_HIGH, _LOW = np.uint64(2549297995355413924), np.uint64(4865540595714422341)  # the multiplier
_HALF, _MASK = np.uint64(32), np.uint64(0xFFFFFFFF)
_ONE, _TOP, _ROTATION = np.uint64(1), np.uint64(63), np.uint64(58)


@inlined
def _upper(a: np.uint64, b: np.uint64) -> np.uint64:
    """The upper half of a product of two words."""
    a1, a0, b1, b0 = a >> _HALF, a & _MASK, b >> _HALF, b & _MASK
    middle = a1 * b0 + (a0 * b0 >> _HALF)
    carried = (middle & _MASK) + a0 * b1
    return a1 * b1 + (middle >> _HALF) + (carried >> _HALF)


@inlined
def _sum(a: Wide, b: Wide) -> Wide:
    low = a[1] + b[1]
    return a[0] + b[0] + np.uint64(low < a[1]), low


@inlined
def _step(state: Wide, increment: Wide) -> Wide:
    """The next state: the multiplier times this one, plus the increment."""
    high, low = state
    return _sum((_upper(low, _LOW) + high * _LOW + low * _HIGH, low * _LOW), increment)


@inlined
def _output(state: Wide) -> np.uint64:
    word, turn = state[0] ^ state[1], state[0] >> _ROTATION
    return word >> turn | word << (-turn & _TOP)


@hot_kernel
def raw_words(entropy: Entropy, runs: NDArray[np.uint64], child: Int, words: NDArray[np.uint64]) -> None:
    """Fill words[r] with the first words of PCG64(SeedSequence(seed, spawn_key=(*key, runs[r], child))).

    `entropy` is `entropy_of(seed, *key)`.
    """
    for run in range(words.shape[0]):
        s0, s1, i0, i1 = child_seeded(entropy, runs[run], np.uint32(child))
        increment = (i0 << _ONE | i1 >> _TOP, i1 << _ONE | _ONE)
        state = _step(_sum(increment, (s0, s1)), increment)
        for place in range(words.shape[1]):
            state = _step(state, increment)
            words[run, place] = _output(state)
