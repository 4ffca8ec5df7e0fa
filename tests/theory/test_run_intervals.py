"""Intervals of ratios over runs: their coverage where the truth is known, their ends, and their limits."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gatewalk.theory.level_report import wilson
from gatewalk.theory.run_intervals import IDENTITY, LOGIT, ratio_intervals

GROUPS = 1000


def slow_and_fast(runs: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64], float]:
    """Runs that wait for one event each, half of them five times as long: events, trials, the true rate.

    A column is a group of runs. As with levels, the slow ones have most of the trials.
    """
    random = np.random.default_rng(seed)
    rate = np.where(random.random((runs, GROUPS)) < 0.5, 0.2, 0.04)
    trials = random.geometric(rate)
    return np.ones_like(trials), trials, 1 / (0.5 / 0.2 + 0.5 / 0.04)


def often_and_seldom(runs: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64], float]:
    """Runs of equal length with a rate of their own: what independent trials underestimate most."""
    random = np.random.default_rng(seed)
    rate = random.choice([0.05, 0.35], size=(runs, GROUPS))
    trials = np.full((runs, GROUPS), 40)
    return random.binomial(trials, rate), trials, 0.2


@pytest.mark.parametrize("model", [slow_and_fast, often_and_seldom])
@pytest.mark.parametrize("runs", [10, 40, 160])
def test_coverage(model: object, runs: int) -> None:
    """Of 1000 groups with a chance of 93 % each, less than 88 % has a chance below 1e-6 (95 % is meant)."""
    counts, trials, truth = model(runs, seed=runs)  # type: ignore[operator]
    low, high = ratio_intervals(counts, trials, scale=LOGIT, least=0.0, most=1.0)
    held = np.mean((low <= truth) & (truth <= high))
    assert held > 0.88
    assert held < 0.99 or runs < 20  # of few runs they are too wide rather than too narrow
    naive = [wilson(c, t) for c, t in zip(counts.sum(axis=0), trials.sum(axis=0), strict=True)]
    assert np.mean([a <= truth <= b for a, b in naive]) < held


def test_coverage_of_means() -> None:
    """Changes in [-2, 2] with a mean of their own for each run; the same chance of a false alarm."""
    random = np.random.default_rng(3)
    steps = random.geometric(0.05, size=(40, GROUPS))
    own = random.choice([-0.5, 0.5], size=steps.shape)
    changes = own * steps + random.normal(size=steps.shape) * np.sqrt(steps)
    low, high = ratio_intervals(changes, steps, scale=IDENTITY, least=-2.0, most=2.0)
    assert 0.88 < np.mean((low <= 0) & (high >= 0)) < 0.99


def test_ends_are_possible() -> None:
    random = np.random.default_rng(5)
    changes, steps = random.choice([-2, 2], size=(4, 50)), np.ones((4, 50))
    low, high = ratio_intervals(changes, steps, scale=IDENTITY, least=-1.5, most=2.0)
    assert low.min() == -1.5
    assert high.max() == 2.0
    narrow = np.linspace(-2, 0, 50)
    low, _ = ratio_intervals(changes, steps, scale=IDENTITY, least=narrow, most=2.0)
    assert (low >= narrow).all()


@pytest.mark.parametrize(
    ("counts", "trials"),
    [
        ([3, 0, 0], [9, 0, 0]),  # one run tried
        ([0, 0, 0], [0, 0, 0]),  # none
        ([1, 2, 3], [2, 4, 6]),  # all the same
        ([0, 0, 0], [5, 6, 7]),  # no event
    ],
)
def test_where_runs_do_not_tell_everything_is_possible(counts: list[int], trials: list[int]) -> None:
    low, high = ratio_intervals(
        np.array(counts)[:, None], np.array(trials)[:, None], scale=LOGIT, least=0.0, most=1.0
    )
    assert (low[0], high[0]) == (0.0, 1.0)


def test_the_same_runs_give_the_same_interval_and_other_columns_do_not_matter() -> None:
    counts, trials, _ = often_and_seldom(20, 1)
    low, high = ratio_intervals(counts, trials, scale=LOGIT, least=0.0, most=1.0)
    again = ratio_intervals(counts[:, 7:8], trials[:, 7:8], scale=LOGIT, least=0.0, most=1.0)
    assert (again[0][0], again[1][0]) == pytest.approx((low[7], high[7]), rel=1e-9)


def test_more_runs_than_fit_at_once() -> None:
    random = np.random.default_rng(1)
    counts = random.binomial(10, 0.3, size=(9000, 1))
    low, high = ratio_intervals(counts, np.full((9000, 1), 10), scale=LOGIT, least=0.0, most=1.0)
    assert 0.29 < low[0] < counts.mean() / 10 < high[0] < 0.31
