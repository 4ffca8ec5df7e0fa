"""A run's stream is the one that numpy's SeedSequence gives it."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from kernels import entry

from gatewalk.native.seeding import entropy_of, raw_words, seeded, words_of

made = entry(seeded)
RUNS = st.integers(0, 2**64 - 1)


@given(seed=st.integers(0, 2**200), key=st.lists(st.integers(0, 2**40), max_size=3), run=RUNS)
@example(seed=0, key=[0], run=0)
@example(seed=2**128 - 1, key=[2**32 - 1], run=2**32)
@example(seed=2**128, key=[2**32], run=2**32 - 1)
def test_seeded_is_the_seed_sequence_of_numpy(seed, key, run):
    expected = np.random.SeedSequence(seed, spawn_key=(*key, run)).generate_state(4, np.uint64)
    assert [int(word) for word in made(entropy_of(seed, *key), np.uint64(run))] == expected.tolist()


def test_words_of_a_number_are_its_digits_to_the_base_of_32_bits():
    assert words_of(0) == [0]
    assert words_of(2**32) == [0, 1]
    assert words_of(2**64 - 1) == [2**32 - 1] * 2


@given(
    seed=st.integers(0, 2**200),
    cell=st.integers(0, 2**32 - 1),
    runs=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=3),
    count=st.integers(1, 40),
)
@example(seed=0, cell=0, runs=[0], count=1000)
@example(seed=2**128, cell=2**32 - 1, runs=[2**32, 2**32 - 1], count=1000)
def test_raw_words_are_those_of_numpy(seed, cell, runs, count):
    words = np.zeros((len(runs), count), dtype=np.uint64)
    for child in range(2):
        raw_words(entropy_of(seed, cell), np.array(runs, dtype=np.uint64), child, words)
        for run, found in zip(runs, words, strict=True):
            sequence = np.random.SeedSequence(seed, spawn_key=(cell, run, child))
            assert found.tolist() == np.random.PCG64(sequence).random_raw(count).tolist()
