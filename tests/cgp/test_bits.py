"""Highest and lowest ones against Python's integers."""

from __future__ import annotations

import numpy as np

from gatewalk.cgp.bits import highest, lowest


def test_highest_and_lowest() -> None:
    words = [1 << i for i in range(64)] + np.random.default_rng(2).integers(1, 2**63, size=200).tolist()
    for word in words:
        assert highest(np.uint64(word)) == word.bit_length() - 1
        assert lowest(np.uint64(word)) == (word & -word).bit_length() - 1
