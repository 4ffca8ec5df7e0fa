"""A run's stream is the one that numpy's SeedSequence gives it."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from kernels import entry

from gatewalk.native.seeding import entropy_of, seeded, words_of

made = entry(seeded)
RUNS = st.integers(0, 2**64 - 1)


@given(seed=st.integers(0, 2**200), key=st.lists(st.integers(0, 2**40), max_size=3), run=RUNS)
@example(seed=0, key=[0], run=0)
@example(seed=2**128 - 1, key=[2**32 - 1], run=2**32)
@example(seed=2**128, key=[2**32], run=2**32 - 1)
def test_seeded_is_the_seed_sequence_of_numpy(seed: int, key: list[int], run: int) -> None:
    expected = np.random.SeedSequence(seed, spawn_key=(*key, run)).generate_state(4, np.uint64)
    assert [int(word) for word in made(entropy_of(seed, *key), np.uint64(run))] == expected.tolist()


def test_words_of_a_number_are_its_digits_to_the_base_of_32_bits() -> None:
    assert words_of(0) == [0]
    assert words_of(2**32) == [0, 1]
    assert words_of(2**64 - 1) == [2**32 - 1] * 2
