"""Rank tests and effects against direct counting, and comparisons with published runs and statistics."""

from math import inf, isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gatewalk.stats.comparison import (
    LEAST,
    Reported,
    a12_interval,
    chi_square,
    compare,
    holm,
    magnitude,
    mann_whitney,
    normal_score,
    vargha_delaney,
    verdict_of,
)
from gatewalk.stats.sample import cut_alike, sample

samples = st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=12).map(
    lambda rows: sample([row[0] for row in rows], [row[1] for row in rows])
)


def geometric(seed, scale, runs=60):
    return sample(np.random.default_rng(seed).geometric(1 / scale, runs), np.ones(runs))


def solved(times):
    return sample(times, np.ones(len(times)))


@given(samples, samples)
def test_a12_by_counting_pairs(first, second):
    def key(data):
        return [t if ok else inf for t, ok in zip(data.iterations, data.solved, strict=True)]

    wins = sum((x < y) + (x == y) / 2 for x in key(first) for y in key(second))
    assert vargha_delaney(first, second) == pytest.approx(wins / (first.runs * second.runs))


def test_mann_whitney():
    rng = np.random.default_rng(1)
    fast, slow = sample(rng.exponential(1, 80), [True] * 80), sample(rng.exponential(3, 80), [True] * 80)
    found = mann_whitney(fast, slow)
    assert found.p_value < 1e-4
    assert found.a12 > 0.65
    assert found.effect in ("medium", "large")
    same = mann_whitney(sample([9, 9], [False, False]), sample([9, 9, 9], [False] * 3))
    assert (same.p_value, same.a12, same.effect) == (1.0, 0.5, "negligible")


@pytest.mark.parametrize(
    ("a12", "word"), [(0.5, "negligible"), (0.44, "small"), (0.64, "medium"), (0.9, "large")]
)
def test_words_for_effects(a12, word):
    assert magnitude(a12) == word


def test_holm_corrects_for_all_tests():
    assert holm([0.02, 0.5, 0.9]) == pytest.approx([0.06, 1.0, 1.0])
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []


def test_newcombes_interval_is_symmetric_and_holds_at_the_ends():
    for a12 in (0.0, 0.3, 0.5, 1.0):
        found, mirrored = a12_interval(a12, 10, 30), a12_interval(1 - a12, 10, 30)
        assert 0 <= found.low <= a12 <= found.high <= 1
        assert found.low == pytest.approx(1 - mirrored.high)


def test_scores_become_one_chi_square():
    scores = [1.0, -2.0, 0.5]
    found = chi_square(scores)
    assert (found.statistic, found.degrees) == (5.25, 3)
    assert found.p_value == pytest.approx(stats.chi2.sf(5.25, 3))
    assert isnan(chi_square([]).p_value)
    for p in (1.0, 0.3, 1e-12):
        assert chi_square([normal_score(p)]).p_value == pytest.approx(p)
    assert normal_score(0.0) < inf


@pytest.mark.parametrize(
    ("p", "word"), [(1.0, "agrees"), (0.05, "agrees"), (0.04, "borderline"), (0.0009, "differs")]
)
def test_words_for_p_values(p, word):
    assert verdict_of(p) == word


def test_published_runs_are_compared_up_to_the_first_failure():
    ours = sample([1, 5, 20, 30], [True, True, True, False])
    theirs = sample([2, 10, 8], [True, False, True])
    found = compare("c", ours, theirs)
    assert found.cut == 10
    assert found.ranks == mann_whitney(*cut_alike(ours, theirs)[:2])
    assert found.p_value == found.ranks.p_value


def test_equal_distributions_agree_and_others_differ():
    # Seeded: nothing is left to chance. A cell of one distribution differs with probability 0.001.
    same = [compare(str(i), geometric(i, 100), geometric(100 + i, 100)) for i in range(12)]
    assert chi_square(cell.score for cell in same).verdict == "agrees"
    assert chi_square(cell.score for cell in same).degrees == 12
    other = compare("x", geometric(1, 100), geometric(2, 1000))
    assert other.verdict == "differs"
    assert chi_square(cell.score for cell in (*same, other)).verdict == "differs"
    assert other.ranks.a12 > 0.8


def test_the_chi_square_of_all_cells_is_that_of_the_rank_sums():
    cells = [compare(str(i), geometric(i, 100, 8), geometric(50 + i, 100, 8)) for i in range(400)]
    # 400 degrees of freedom: mean 400, standard deviation 28; seeded.
    assert 300 < chi_square(cell.score for cell in cells).statistic < 500


def test_no_cells_and_no_successes():
    assert chi_square([]).verdict == "nothing to compare"
    never = sample([9, 9], [False, False])
    found = compare("c", never, never)
    assert (found.verdict, found.p_log_rank, found.p_successes) == ("agrees", 1.0, 1.0)


@pytest.mark.parametrize("budget", [100, 1000])
def test_other_budgets_of_the_same_search_agree(budget):
    theirs = geometric(4, 300, 80).iterations
    cut = sample(np.minimum(theirs, budget), theirs <= budget)
    assert compare("c", geometric(3, 300, 80), cut).verdict == "agrees"


def reported(data, *, std=True):
    t = data.times
    return Reported(
        runs=data.runs,
        successes=data.successes,
        mean=float(t.mean()),
        median=float(np.median(t)),
        std=float(t.std(ddof=1)) if std else nan,
    )


@pytest.mark.parametrize("std", [True, False])
def test_published_statistics_of_our_own_distribution_agree_and_of_another_differ(std):
    # Seeded: nothing is left to chance.
    ours = geometric(1, 100, 200)
    same = [compare("c", ours, reported(geometric(seed, 100, 30), std=std)) for seed in range(2, 8)]
    assert chi_square(cell.score for cell in same).verdict == "agrees"
    other = compare("c", ours, reported(geometric(9, 300, 30), std=std))
    assert (other.verdict, other.p_value) == ("differs", other.p_mean)
    assert other.standard_errors > 4
    assert other.p_median < 0.01


def test_what_is_not_published_is_not_compared():
    ours = geometric(1, 100, 50)
    found = compare("c", ours, Reported(runs=30, successes=30, median=float(np.median(ours.times))))
    assert isnan(found.p_mean)
    assert found.p_value == found.p_median > 0.5
    counts = compare("c", ours, Reported(runs=30, successes=3))
    assert isnan(counts.p_median)
    assert (counts.p_value, counts.verdict) == (counts.p_successes, "differs")
    few = compare("c", ours, Reported(runs=30, successes=LEAST - 1, mean=1.0, median=1.0))
    assert isnan(few.p_mean)


def test_times_without_any_spread_have_no_error():
    ours = sample([7] * 10, [True] * 10)
    assert isnan(compare("c", ours, Reported(runs=9, successes=9, mean=7.0, std=0.0)).p_mean)
