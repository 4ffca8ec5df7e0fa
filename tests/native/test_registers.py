"""The stream in registers is the stream in memory, word for word."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from gatewalk.native import registers
from gatewalk.native import stream as memory


@numba.njit
def draws(state, bound, count):
    found = np.zeros((count, 4), dtype=np.uint64)
    units = np.zeros(count)
    held = registers.load(state)
    for i in range(count):
        choice, spare, held = registers.pick(held, bound)
        value, held = registers.below_from(held, spare, bound)
        found[i, 0], found[i, 1], found[i, 2] = choice, spare, value
        found[i, 3], held = registers.below(held, bound)
        units[i], held = registers.unit(held)
    registers.store(state, held)
    return found, units


@numba.njit
def expected(state, bound, count):
    found = np.zeros((count, 4), dtype=np.uint64)
    units = np.zeros(count)
    for i in range(count):
        choice, spare = memory.pick(state, bound)
        found[i, 0], found[i, 1], found[i, 2] = choice, spare, memory.below_from(state, spare, bound)
        found[i, 3] = memory.below(state, bound)
        units[i] = memory.unit(state)
    return found, units


@pytest.mark.parametrize("bound", [1, 2, 3, 31, 2**31 + 1, 2**32 - 1])
def test_same_draws_and_same_state(bound: int) -> None:
    here = np.random.SeedSequence(bound).generate_state(4, np.uint64)
    there = here.copy()
    found, units = draws(here, np.uint64(bound), 500)
    found_there, units_there = expected(there, np.uint64(bound), 500)
    assert np.array_equal(found, found_there)
    assert np.array_equal(units, units_there)
    assert np.array_equal(here, there)
    assert int(found[:, [0, 2, 3]].max()) < bound
    assert 0 <= units.min() < units.max() < 1
