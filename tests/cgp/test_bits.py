"""Places of ones against Python's integers."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.cgp import bits
from gatewalk.jit import inlined

RANDOM = np.random.default_rng(2)


def test_highest_and_lowest() -> None:
    highest, lowest = entry(bits.highest), entry(bits.lowest)
    words = [1 << i for i in range(64)] + RANDOM.integers(1, 2**63, size=200).tolist()
    for word in words:
        assert highest(np.uint64(word)) == word.bit_length() - 1
        assert lowest(np.uint64(word)) == (word & -word).bit_length() - 1


@pytest.mark.parametrize("function", [bits.nth, bits.nth_by_halves], ids=["deposit", "halves"])
def test_nth(function) -> None:
    nth = entry(function)
    for word in [2**64 - 1, 1 << 63, 1, *RANDOM.integers(1, 2**63, size=60).tolist()]:
        ones = [place for place in range(64) if word >> place & 1]
        assert [nth(np.uint64(word), np.uint64(k)) for k in range(len(ones))] == ones


def test_a_merged_function_cannot_be_called_from_python() -> None:
    @inlined
    def twice(x):
        return x + x

    with pytest.raises(TypeError, match="call it from a kernel"):
        twice(np.uint64(1))
    assert entry(twice)(3) == 6
