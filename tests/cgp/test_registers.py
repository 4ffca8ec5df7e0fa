"""The stream in registers is the stream in memory, word for word."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from gatewalk import stream as memory
from gatewalk.cgp import registers


@numba.njit
def draws(state, bound, count):
    found = np.zeros((count, 3), dtype=np.uint64)
    held = registers.load(state)
    for i in range(count):
        choice, spare, held = registers.pick(held, bound)
        value, held = registers.below_from(held, spare, bound)
        found[i, 0], found[i, 1], found[i, 2] = choice, spare, value
    registers.store(state, held)
    return found


@numba.njit
def expected(state, bound, count):
    found = np.zeros((count, 3), dtype=np.uint64)
    for i in range(count):
        choice, spare = memory.pick(state, bound)
        found[i, 0], found[i, 1], found[i, 2] = choice, spare, memory.below_from(state, spare, bound)
    return found


@pytest.mark.parametrize("bound", [1, 2, 3, 31, 2**31 + 1, 2**32 - 1])
def test_same_draws_and_same_state(bound: int) -> None:
    here = np.random.SeedSequence(bound).generate_state(4, np.uint64)
    there = here.copy()
    assert np.array_equal(draws(here, np.uint64(bound), 500), expected(there, np.uint64(bound), 500))
    assert np.array_equal(here, there)
