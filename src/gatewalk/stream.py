"""The random stream of every kernel: xoshiro256++ and unbiased bounded integers.

Generator: Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.
Bounded integers: Lemire, "Fast random integer generation in an interval", 2019, on 32 bits:
the upper half of a word draws one integer, the lower half, independent of it, may draw
another. `gatewalk.reference.stream` is the same stream in plain Python.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.jit import kernel

State = NDArray[np.uint64]  # four words, changed in place

_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_TOP = np.uint64(63)


@kernel
def next_word(state: State) -> np.uint64:
    """The next 64 random bits."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    total = a + d
    word: np.uint64 = ((total << np.uint64(23)) | (total >> np.uint64(41))) + a
    shifted = b << np.uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << np.uint64(45)) | (d >> np.uint64(19))
    state[0], state[1], state[2], state[3] = a, b, c, d
    return word


@kernel
def fits(product: np.uint64, bound: np.uint64) -> bool:
    """Lemire's acceptance: false for the 2^32 mod bound products that would bias the draw."""
    low = product & _LOW
    return bool(low >= bound or low >= (np.uint64(1) << _HALF) % bound)


@kernel
def pick(state: State, bound: np.uint64) -> tuple[np.uint64, np.uint64]:
    """An integer uniform on [0, bound) and the unused lower half of its word (bound < 2^32)."""
    while True:
        word = next_word(state)
        product = (word >> _HALF) * bound
        if fits(product, bound):
            return product >> _HALF, word & _LOW


@kernel
def below(state: State, bound: np.uint64) -> np.uint64:
    """An integer uniform on [0, bound), bound < 2^32, from a fresh word."""
    return pick(state, bound)[0]


@kernel
def below_from(state: State, half: np.uint64, bound: np.uint64) -> np.uint64:
    """An integer uniform on [0, bound) from a spare half word, from fresh words if that is rejected."""
    product = half * bound
    if fits(product, bound):
        return product >> _HALF
    return below(state, bound)


@kernel
def coin(state: State) -> bool:
    """True with probability 1/2."""
    return bool((next_word(state) >> _TOP) == np.uint64(1))


@kernel
def unit(state: State) -> float:
    """A float uniform on the multiples of 2^-53 in [0, 1)."""
    return float(next_word(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
