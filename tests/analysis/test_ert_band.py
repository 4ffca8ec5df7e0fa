"""The interval of ERT: the bootstrap's for few runs, and close to it by the delta method for many."""

from math import inf

import numpy as np
import pytest

from gatewalk.analysis import ert_interval, sample
from gatewalk.analysis.ert_band import MANY, ert_band


def drawn(runs: int, budget: float) -> object:
    times = np.random.default_rng(5).geometric(0.01, runs).astype(float)
    return sample(np.minimum(times, budget), times <= budget)


@pytest.mark.parametrize("budget", [50.0, 1000.0])
def test_of_few_runs_it_is_the_bootstrap(budget: float) -> None:
    data = drawn(40, budget)
    assert ert_band(data, resamples=300, seed=3) == ert_interval(data, resamples=300, seed=3)


def test_of_many_runs_it_is_close_to_the_bootstrap() -> None:
    data = drawn(MANY, 80.0)
    fast, slow = ert_band(data), ert_interval(data, resamples=1000)
    width = slow.high - slow.low
    assert abs(fast.low - slow.low) < 0.15 * width
    assert abs(fast.high - slow.high) < 0.15 * width


def test_of_many_runs_with_few_successes_it_is_the_bootstrap() -> None:
    solved = np.arange(MANY) < 3
    data = sample(np.where(solved, 2.0, 9.0), solved)
    assert ert_band(data, resamples=50) == ert_interval(data, resamples=50)


def test_without_success_or_with_one_run_nothing_is_known() -> None:
    for data in (sample([5.0, 5.0], [False, False]), sample([5.0], [True])):
        assert (ert_band(data).low, ert_band(data).high) == (0.0, inf)
