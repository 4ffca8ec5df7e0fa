"""Geometric and Poisson numbers: exact thresholds, and draws by their law."""

from __future__ import annotations

from itertools import pairwise

import numba
import numpy as np
import pytest
from kernels import check_frequencies, entry
from scipy.stats import chi2, poisson

from gatewalk.native.draws import (
    FOREVER,
    MOST_STEPS,
    MOST_THRESHOLDS,
    POISSON_THRESHOLDS,
    gaps_of,
    next_gap,
    step_count,
    trials_until,
)
from gatewalk.native.stream import load
from gatewalk.reference import cgp as reference


@pytest.mark.parametrize("rate", [1.0, 1 - 2**-53, 0.5, 0.05, 1e-3, 1e-5, 1e-18, 2**-64, 2**-65, 5e-324])
def test_thresholds_of_gaps_are_those_of_the_twin(rate):
    found = gaps_of(rate)
    assert found.thresholds.tolist() == reference.thresholds(rate)
    firsts = np.arange(256, dtype=np.uint64) << np.uint64(56)
    lasts = firsts | np.uint64((1 << 56) - 1)
    for first, last, guide in zip(firsts.tolist(), lasts.tolist(), found.guide.tolist(), strict=True):
        assert sum(t <= first for t in found.thresholds.tolist()[: guide + 1]) == guide
        assert guide <= sum(t <= last for t in found.thresholds.tolist())


@numba.njit
def drawn(gaps, stream, count):
    found, registers = np.zeros((count, 1), dtype=np.int64), load(stream)
    for number in range(count):
        is_decided = False
        while not is_decided:
            failures, is_decided, registers = next_gap(gaps, registers)
            found[number, 0] += failures
    return found


@pytest.mark.parametrize("rate", [0.9, 0.3, 0.05])
def test_gaps_are_geometric(rate):
    # Chi-square at 1e-7.
    found = np.minimum(drawn(gaps_of(rate), np.array([1, 2, 3, 4], dtype=np.uint64), 40_000), 20)
    law = {(k,): rate * (1 - rate) ** k for k in range(20)} | {(20,): (1 - rate) ** 20}
    check_frequencies(found, law)


def test_certain_successes_follow_each_other():
    assert not drawn(gaps_of(1.0), np.array([1, 2, 3, 4], dtype=np.uint64), 1000).any()


def test_gaps_go_on_behind_the_last_threshold():
    found = drawn(gaps_of(1e-5), np.array([1, 2, 3, 4], dtype=np.uint64), 4000)
    assert (found > MOST_THRESHOLDS).mean() > 0.9
    assert abs(found.mean() - 1e5) < 5.5 * 1e5 / np.sqrt(4000)


def test_trials_by_inversion():
    assert trials_until(1.0, 0.999) == 1
    assert trials_until(1.5, 0.5) == 1
    assert trials_until(0.0, 0.0) == FOREVER
    assert trials_until(0.5, 0.49) == 1
    assert trials_until(0.5, 0.51) == 2
    assert trials_until(1e-300, 0.5) == FOREVER
    assert trials_until(1e-10, 0.5) == 6931471806


step_count = entry(step_count)


def test_poisson_thresholds_are_the_distribution_function():
    assert all(low < high for low, high in pairwise(POISSON_THRESHOLDS))
    for j, threshold in enumerate(POISSON_THRESHOLDS):
        assert abs(threshold / 2**64 - poisson.cdf(j, 1)) < 1e-15


def test_the_tail_of_poisson_is_exact():
    """The last thresholds leave P(X > j) 2^64 words, for every j, rounded up."""
    for j in range(10, len(POISSON_THRESHOLDS)):
        left = 2**64 - POISSON_THRESHOLDS[j]
        wanted = poisson.sf(j, 1) * 2**64
        assert wanted * (1 - 1e-9) <= left <= wanted * (1 + 1e-9) + 1


def test_numbers_of_steps_are_one_plus_poisson():
    """Chi-square; would fail by chance once in 10^7."""
    stream = np.random.SeedSequence(11).generate_state(4, np.uint64)
    count = 40_000
    found = np.bincount([int(step_count(stream)) for _ in range(count)], minlength=MOST_STEPS + 1)
    assert found[0] == 0
    chances = poisson.pmf(np.arange(6), 1)
    wanted = count * np.append(chances, 1 - chances.sum())
    seen = np.append(found[1:7], found[7:].sum())
    assert chi2.sf(((seen - wanted) ** 2 / wanted).sum(), 6) > 1e-7
