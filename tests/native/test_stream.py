"""The kernels' stream equals its plain-Python twin and is uniform."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gatewalk.native import stream
from gatewalk.reference.stream import Stream

WORDS = st.lists(st.integers(1, 2**64 - 1), min_size=4, max_size=4)


@given(words=WORDS)
def test_words_equal_the_twin(words: list[int]) -> None:
    state, twin = np.array(words, dtype=np.uint64), Stream(words)
    assert [int(stream.next_word(state)) for _ in range(50)] == [twin.word() for _ in range(50)]
    assert state.tolist() == twin.words


@given(words=WORDS, bound=st.integers(1, 2**32 - 1))
def test_bounded_draws_equal_the_twin(words: list[int], bound: int) -> None:
    # Bounds just above 2^31 reject half of the words, so both paths are taken.
    state, twin = np.array(words, dtype=np.uint64), Stream(words)
    for _ in range(20):
        value, spare = stream.pick(state, np.uint64(bound))
        assert (int(value), int(spare)) == twin.pick(bound)
        assert int(stream.below_from(state, np.uint64(spare), np.uint64(bound))) == twin.below_from(
            int(spare), bound
        )
        assert int(stream.below(state, np.uint64(bound))) == twin.below(bound)
        assert stream.coin(state) == twin.coin()
        assert stream.unit(state) == twin.unit()


def test_first_words_of_xoshiro256plusplus() -> None:
    # Worked by hand from the published recurrence with the state 1, 2, 3, 4:
    # rotl(1 + 4, 23) + 1 = 5 * 2^23 + 1.
    assert Stream([1, 2, 3, 4]).word() == 5 * 2**23 + 1


@pytest.mark.parametrize("bound", [2, 3, 7, 100])
def test_pick_and_its_spare_half_are_uniform_and_independent(bound: int) -> None:
    # Chi-square at 1e-7: one false alarm in ten million.
    state = np.array([11, 22, 33, 44], dtype=np.uint64)
    counts = np.zeros((bound, bound))
    for _ in range(50 * bound * bound + 20_000):
        first, spare = stream.pick(state, np.uint64(bound))
        counts[int(first), int(stream.below_from(state, np.uint64(spare), np.uint64(bound)))] += 1
    assert stats.chisquare(counts.ravel()).pvalue > 1e-7
