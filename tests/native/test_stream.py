"""The stream: that of the twin word for word, the same in registers and in an array, and uniform."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gatewalk.native import stream
from gatewalk.reference.stream import Stream


@numba.njit
def in_registers(state, bound, count):
    found = np.zeros((count, 4), dtype=np.uint64)
    units = np.zeros(count)
    held = stream.load(state)
    for i in range(count):
        choice, spare, held = stream.pick(held, bound)
        value, held = stream.below_from(held, spare, bound)
        found[i, 0], found[i, 1], found[i, 2] = choice, spare, value
        found[i, 3], held = stream.below(held, bound)
        units[i], held = stream.unit(held)
    stream.store(state, held)
    return found, units


@numba.njit
def in_an_array(state, bound, count):
    found = np.zeros((count, 4), dtype=np.uint64)
    units = np.zeros(count)
    for i in range(count):
        choice, spare = stream.draw_pick(state, bound)
        found[i, 0], found[i, 1], found[i, 2] = choice, spare, stream.draw_below_from(state, spare, bound)
        found[i, 3] = stream.draw_below(state, bound)
        units[i] = stream.draw_unit(state)
    return found, units


@pytest.mark.parametrize("bound", [1, 2, 3, 31, 2**31 + 1, 2**32 - 1])
def test_registers_and_arrays_give_the_same_draws_and_the_same_state(bound):
    here = np.random.SeedSequence(bound).generate_state(4, np.uint64)
    there = here.copy()
    found, units = in_registers(here, np.uint64(bound), 500)
    found_there, units_there = in_an_array(there, np.uint64(bound), 500)
    assert np.array_equal(found, found_there)
    assert np.array_equal(units, units_there)
    assert np.array_equal(here, there)
    assert int(found[:, [0, 2, 3]].max()) < bound
    assert 0 <= units.min() < units.max() < 1


WORDS = st.lists(st.integers(1, 2**64 - 1), min_size=4, max_size=4)


@given(words=WORDS)
def test_words_equal_the_twin(words):
    state, twin = np.array(words, dtype=np.uint64), Stream(words)
    assert [int(stream.draw_word(state)) for _ in range(50)] == [twin.word() for _ in range(50)]
    assert state.tolist() == twin.words


@given(words=WORDS, bound=st.integers(1, 2**32 - 1))
def test_bounded_draws_equal_the_twin(words, bound):
    # Bounds just above 2^31 reject half of the words, so both paths are taken.
    state, twin = np.array(words, dtype=np.uint64), Stream(words)
    for _ in range(20):
        value, spare = stream.draw_pick(state, np.uint64(bound))
        assert (int(value), int(spare)) == twin.pick(bound)
        assert int(stream.draw_below_from(state, np.uint64(spare), np.uint64(bound))) == twin.below_from(
            int(spare), bound
        )
        assert int(stream.draw_below(state, np.uint64(bound))) == twin.below(bound)
        assert stream.draw_coin(state) == twin.coin()
        assert stream.draw_unit(state) == twin.unit()


def test_first_words_of_xoshiro256plusplus():
    # Worked by hand from the published recurrence with the state 1, 2, 3, 4:
    # rotl(1 + 4, 23) + 1 = 5 * 2^23 + 1.
    assert Stream([1, 2, 3, 4]).word() == 5 * 2**23 + 1


@pytest.mark.parametrize("bound", [2, 3, 7, 100])
def test_pick_and_its_spare_half_are_uniform_and_independent(bound):
    # Chi-square at 1e-7: one false alarm in ten million.
    state = np.array([11, 22, 33, 44], dtype=np.uint64)
    counts = np.zeros((bound, bound))
    for _ in range(50 * bound * bound + 20_000):
        first, spare = stream.draw_pick(state, np.uint64(bound))
        counts[int(first), int(stream.draw_below_from(state, np.uint64(spare), np.uint64(bound)))] += 1
    assert stats.chisquare(counts.ravel()).pvalue > 1e-7
