"""Raw words are those of numpy's PCG64."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from gatewalk.native.raw_words import raw_words
from gatewalk.native.seeding import entropy_of


@given(
    seed=st.integers(0, 2**200),
    cell=st.integers(0, 2**32 - 1),
    runs=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=3),
    count=st.integers(1, 40),
)
@example(seed=0, cell=0, runs=[0], count=1000)
@example(seed=2**128, cell=2**32 - 1, runs=[2**32, 2**32 - 1], count=1000)
def test_raw_words_are_those_of_numpy(seed: int, cell: int, runs: list[int], count: int) -> None:
    words = np.zeros((len(runs), count), dtype=np.uint64)
    for child in range(2):
        raw_words(entropy_of(seed, cell), np.array(runs, dtype=np.uint64), child, words)
        for run, found in zip(runs, words, strict=True):
            sequence = np.random.SeedSequence(seed, spawn_key=(cell, run, child))
            assert found.tolist() == np.random.PCG64(sequence).random_raw(count).tolist()
