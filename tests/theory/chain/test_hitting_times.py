"""Reported times against the whole distribution of T, and many starts against one after another."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.theory.chain.hitting_times import best_start_share, reported, start_probabilities
from gatewalk.theory.chain.sam_search import exact


@pytest.mark.parametrize("uncounted", [0, 1, 2, 3, 7, 40])
@pytest.mark.parametrize("offspring", [1, 3])
@pytest.mark.parametrize("selection", ["strict", "nonstrict"])
def test_uncounted_iterations(uncounted: int, offspring: int, selection: str) -> None:
    found = exact("and:3", nodes=2, offspring=offspring, selection=selection)
    mean, square = reported(found.times, uncounted)
    law = found.distribution()
    beyond = np.array([law.exceeds(t) for t in range(uncounted)])
    expected = found.expected_iterations - beyond.sum()
    assert found.start @ mean == pytest.approx(expected, rel=1e-9)
    second = found.std_iterations**2 + found.expected_iterations**2
    second -= (2 * np.arange(uncounted) + 1) @ beyond + 2 * uncounted * expected
    assert found.start @ square == pytest.approx(second, rel=1e-9)


def test_the_best_of_many_starts() -> None:
    chain = exact("and:3", nodes=2).chain
    uniform = start_probabilities(chain, 1)
    assert uniform == pytest.approx(chain.size / chain.genotypes, rel=1e-15)
    for starts in (2, 5, 1000):
        found = start_probabilities(chain, starts)
        first, last = 0.0, 0.0
        for level in reversed(range(len(chain.levels))):
            at = slice(chain.level_start[level], chain.level_start[level + 1])
            first, last = last, last + uniform[at].sum()
            assert found[at].sum() == pytest.approx(last**starts - first**starts, rel=1e-9, abs=1e-300)


def test_a_level_that_is_never_worst() -> None:
    assert best_start_share(0.25, 0.0, 3) == pytest.approx(0.25**2)
    assert best_start_share(1.0, 0.0, 10**9) == 1.0
