"""Ones of a word against Python's integers."""

import numba
import numpy as np
from kernels import entry

from gatewalk.native import bits

RANDOM = np.random.default_rng(2)
WORDS = [1 << i for i in range(64)] + RANDOM.integers(1, 2**64, size=200, dtype=np.uint64).tolist()


def test_highest_and_lowest():
    highest, lowest = entry(bits.highest), entry(bits.lowest)
    for word in WORDS:
        assert highest(np.uint64(word)) == word.bit_length() - 1
        assert lowest(np.uint64(word)) == (word & -word).bit_length() - 1


def test_popcount():
    popcount = entry(bits.popcount)
    for word in [0, 2**64 - 1, *WORDS]:
        assert popcount(np.uint64(word)) == word.bit_count()


def test_a_rolled_loop_does_what_it_did():
    @numba.njit
    def total(count):
        found = 0
        for i in range(count):
            bits.rolled()
            found += i * i
        return found

    assert [total(count) for count in range(20)] == [sum(i * i for i in range(count)) for count in range(20)]


def test_sets_as_bits():
    put, flip, holds = entry(bits.put), entry(bits.flip), entry(bits.holds)
    words, expected = np.zeros(3, dtype=np.uint64), set()
    for member in RANDOM.integers(192, size=300).astype(np.uint64):
        if member % 2:
            put(words, member)
            expected |= {int(member)}
        else:
            flip(words, member)
            expected ^= {int(member)}
        assert [holds(words, np.uint64(one)) for one in range(192)] == [one in expected for one in range(192)]
