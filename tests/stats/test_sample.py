"""Statistics against hand calculations and direct counting."""

from math import inf

import numpy as np
import pytest
from scipy import stats

from gatewalk.errors import InputError
from gatewalk.stats.sample import (
    MeanError,
    cut_alike,
    ert,
    mean_interval,
    sample,
    success_rate,
    wilson,
)


def test_ert_counts_failed_iterations():
    assert ert(sample([10, 20, 100], [True, True, False])) == 65
    assert ert(sample([100, 100], [False, False])) == inf
    assert ert(sample([0, 0], [True, True])) == 0


def test_wilson_by_formula():
    rate = success_rate(sample(np.ones(30), [True] * 22 + [False] * 8))
    z, p, n = 1.959963984540054, 22 / 30, 30
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert rate.interval.low == pytest.approx(centre - half)
    assert rate.interval.high == pytest.approx(centre + half)
    assert (rate.successes, rate.runs, rate.rate) == (22, 30, 22 / 30)


@pytest.mark.parametrize(("count", "trials"), [(0, 1), (1, 1), (0, 50), (3, 50), (50, 50), (7, 10**9)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.999])
def test_wilson_is_scipys(count, trials, confidence):
    expected = stats.binomtest(count, trials).proportion_ci(confidence, method="wilson")
    assert wilson(count, trials, confidence=confidence) == pytest.approx(tuple(expected), rel=1e-9, abs=1e-17)


def test_both_samples_are_cut_where_the_first_run_was_given_up():
    ours = sample([1, 5, 20, 30], [True, True, True, False])
    theirs = sample([2, 10, 8], [True, False, True])
    first, second, cut = cut_alike(ours, theirs)
    assert cut == 10
    assert first.iterations.tolist() == [1, 5, 10, 10]
    assert first.solved.tolist() == [True, True, False, False]
    assert second.iterations.tolist() == [2, 10, 8]
    assert second.solved.tolist() == theirs.solved.tolist()


def test_nothing_is_cut_if_every_run_succeeded():
    data = sample([3, 4, 50], [True] * 3)
    first, second, cut = cut_alike(data, data)
    assert cut == inf
    assert first.iterations.tolist() == second.iterations.tolist() == [3, 4, 50]
    assert first.successes == 3


def test_a_mean_with_its_standard_error_and_students_interval():
    values = [0.1, 0.2, 0.3, 0.2]
    found = MeanError.of(values)
    assert found.mean == pytest.approx(0.2)
    assert found.standard_error == pytest.approx(np.std(values, ddof=1) / 2)
    assert found.score(0.1) == pytest.approx(stats.ttest_1samp(values, 0.1).statistic)
    expected = stats.t.interval(0.9, 3, loc=found.mean, scale=found.standard_error)
    assert mean_interval(values, confidence=0.9) == pytest.approx(expected)
    assert mean_interval([0.5]) == (-inf, inf)


@pytest.mark.parametrize(
    ("iterations", "solved", "match"),
    [
        ([], [], "no runs"),
        ([1, 2], [True], "2 running times"),
        ([-1], [True], "not negative"),
        ([inf], [True], "finite"),
    ],
)
def test_bad_data_is_refused(iterations, solved, match):
    with pytest.raises(InputError, match=match):
        sample(iterations, solved)
