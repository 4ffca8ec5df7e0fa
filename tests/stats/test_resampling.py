"""Bootstrap intervals: coverage where theory knows the answer, and the edges."""

from math import inf, isfinite

import numpy as np
import pytest
from scipy import stats

from gatewalk.errors import InputError
from gatewalk.stats.resampling import (
    IDENTITY,
    LOGIT,
    MANY,
    bootstrap,
    ert_interval,
    percentile_interval,
    quick_ert_interval,
    ratio_intervals,
    resamples,
)
from gatewalk.stats.sample import ert, sample, wilson


def test_resamples_do_not_depend_on_their_blocks(monkeypatch):
    whole = np.concatenate(list(resamples(7, 100, np.random.default_rng(1))))
    monkeypatch.setattr("gatewalk.stats.resampling._AT_ONCE", 30)
    blocks = list(resamples(7, 100, np.random.default_rng(1)))
    assert [len(block) for block in blocks] == [4] * 25
    assert np.array_equal(np.concatenate(blocks), whole)
    assert set(whole.ravel().tolist()) == set(range(7))
    assert next(resamples(7, 3, np.random.default_rng(1), size=2)).shape == (3, 2)


def test_ends_are_order_statistics():
    values = np.arange(1, 2001)
    # (1 - 0.95) / 2 is a little more than 0.025, so the 51st of 2000 values is the lower end, not the 50th.
    assert percentile_interval(values, 0.95) == (51, 1950)
    assert percentile_interval([1.0, 2.0, inf], 0.9) == (1.0, inf)


def reference_interval(data, count, seed, confidence):
    """The bootstrap by the letter: a loop over resamples and a sorted list."""
    rng = np.random.default_rng(seed)
    draws = rng.integers(0, data.runs, size=(count, data.runs))
    values = np.array([ert(sample(data.iterations[draw], data.solved[draw])) for draw in draws])
    return np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2], method="inverted_cdf").tolist()


@pytest.mark.parametrize("runs", [2, 5, 30, 300])
@pytest.mark.parametrize("budget", [150.0, 1e9])
def test_the_interval_of_the_ert_has_the_bits_of_the_plain_loop(runs, budget):
    data = drawn(runs, budget)
    for confidence, seed in ((0.95, 0), (0.9, 7)):
        found = ert_interval(data, resamples=200, seed=seed, confidence=confidence)
        assert list(found) == reference_interval(data, 200, seed, confidence)
        assert bootstrap(data, ert, resamples=200, seed=seed, confidence=confidence) == found


def test_percentile_interval_matches_the_normal_one_for_a_mean():
    times = np.random.default_rng(1).gamma(4, 25, 400)
    found = ert_interval(sample(times, np.ones(400, bool)), resamples=3000)
    half = 1.96 * times.std() / 20
    assert found.low == pytest.approx(times.mean() - half, abs=0.2 * half)
    assert found.high == pytest.approx(times.mean() + half, abs=0.2 * half)


def test_rare_successes_have_an_open_end():
    data = sample([10.0] + [100.0] * 9, [True] + [False] * 9)
    found = ert_interval(data)
    assert isfinite(found.low)
    assert found.high == inf


def test_same_seed_same_interval():
    data = sample([1.0, 2, 3, 4], [True] * 4)
    assert ert_interval(data, seed=3) == ert_interval(data, seed=3)
    assert ert_interval(sample([5.0], [True])).high == inf
    with pytest.raises(InputError, match="confidence"):
        ert_interval(data, confidence=1.0)


def drawn(runs, budget):
    times = np.random.default_rng(5).geometric(0.01, runs).astype(float)
    return sample(np.minimum(times, budget), times <= budget)


@pytest.mark.parametrize("budget", [50.0, 1000.0])
def test_of_few_runs_it_is_the_bootstrap(budget):
    data = drawn(40, budget)
    assert quick_ert_interval(data, resamples=300, seed=3) == ert_interval(data, resamples=300, seed=3)


def test_of_many_runs_it_is_close_to_the_bootstrap():
    data = drawn(MANY, 80.0)
    fast, slow = quick_ert_interval(data), ert_interval(data, resamples=1000)
    width = slow.high - slow.low
    assert abs(fast.low - slow.low) < 0.15 * width
    assert abs(fast.high - slow.high) < 0.15 * width


def test_of_many_runs_with_few_successes_it_is_the_bootstrap():
    solved = np.arange(MANY) < 3
    data = sample(np.where(solved, 2.0, 9.0), solved)
    assert quick_ert_interval(data, resamples=50) == ert_interval(data, resamples=50)


def test_without_success_or_with_one_run_nothing_is_known():
    for data in (sample([5.0, 5.0], [False, False]), sample([5.0], [True])):
        assert ert_interval(data) == quick_ert_interval(data) == (0.0, inf)


def test_means_are_covered():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(300):
        low, high = ert_interval(sample(rng.gamma(2, 50, 40), np.ones(40)), resamples=1000)
        covered += low <= 100 <= high
    # percentile intervals of forty skewed values cover a little less than 95 %
    assert stats.binom.cdf(covered, 300, 0.92) > 1e-7
    assert stats.binom.sf(covered - 1, 300, 0.95) > 1e-7


GROUPS = 1000


def slow_and_fast(runs, seed):
    """Runs that wait for one event each, half of them five times as long: events, trials, the true rate.

    A column is a group of runs. As with levels, the slow ones have most of the trials.
    """
    random = np.random.default_rng(seed)
    rate = np.where(random.random((runs, GROUPS)) < 0.5, 0.2, 0.04)
    trials = random.geometric(rate)
    return np.ones_like(trials), trials, 1 / (0.5 / 0.2 + 0.5 / 0.04)


def often_and_seldom(runs, seed):
    """Runs of equal length with a rate of their own: what independent trials underestimate most."""
    random = np.random.default_rng(seed)
    rate = random.choice([0.05, 0.35], size=(runs, GROUPS))
    trials = np.full((runs, GROUPS), 40)
    return random.binomial(trials, rate), trials, 0.2


@pytest.mark.parametrize("model", [slow_and_fast, often_and_seldom])
@pytest.mark.parametrize("runs", [10, 40, 160])
def test_coverage(model, runs):
    """Of 1000 groups with a chance of 93 % each, less than 88 % has a chance below 1e-6 (95 % is meant)."""
    counts, trials, truth = model(runs, seed=runs)
    low, high = ratio_intervals(counts, trials, scale=LOGIT, least=0.0, most=1.0)
    held = np.mean((low <= truth) & (truth <= high))
    assert held > 0.88
    assert held < 0.99 or runs < 20  # of few runs they are too wide rather than too narrow
    naive = [wilson(c, t) for c, t in zip(counts.sum(axis=0), trials.sum(axis=0), strict=True)]
    assert np.mean([a <= truth <= b for a, b in naive]) < held


def test_coverage_of_means():
    """Changes in [-2, 2] with a mean of their own for each run; the same chance of a false alarm."""
    random = np.random.default_rng(3)
    steps = random.geometric(0.05, size=(40, GROUPS))
    own = random.choice([-0.5, 0.5], size=steps.shape)
    changes = own * steps + random.normal(size=steps.shape) * np.sqrt(steps)
    low, high = ratio_intervals(changes, steps, scale=IDENTITY, least=-2.0, most=2.0)
    assert 0.88 < np.mean((low <= 0) & (high >= 0)) < 0.99


def test_ends_are_possible():
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
def test_where_runs_do_not_tell_everything_is_possible(counts, trials):
    low, high = ratio_intervals(
        np.array(counts)[:, None], np.array(trials)[:, None], scale=LOGIT, least=0.0, most=1.0
    )
    assert (low[0], high[0]) == (0.0, 1.0)


def test_the_same_runs_give_the_same_interval_and_other_columns_do_not_matter():
    counts, trials, _ = often_and_seldom(20, 1)
    low, high = ratio_intervals(counts, trials, scale=LOGIT, least=0.0, most=1.0)
    again = ratio_intervals(counts[:, 7:8], trials[:, 7:8], scale=LOGIT, least=0.0, most=1.0)
    assert (again[0][0], again[1][0]) == pytest.approx((low[7], high[7]), rel=1e-9)


def test_more_runs_than_fit_at_once():
    random = np.random.default_rng(1)
    counts = random.binomial(10, 0.3, size=(9000, 1))
    low, high = ratio_intervals(counts, np.full((9000, 1), 10), scale=LOGIT, least=0.0, most=1.0)
    assert 0.29 < low[0] < counts.mean() / 10 < high[0] < 0.31
