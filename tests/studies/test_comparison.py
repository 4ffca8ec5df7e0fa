"""Published beside ours: the same distribution agrees, another differs, and a budget cuts both."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.analysis import mann_whitney, sample
from gatewalk.analysis.statistics import Sample
from gatewalk.studies.comparison import compare, comparison_table, cut_at, summary, together


def times(seed: int, scale: float, runs: int = 60) -> Sample:
    return sample(np.random.default_rng(seed).geometric(1 / scale, runs), np.ones(runs))


def test_both_samples_are_cut_where_the_first_run_was_given_up() -> None:
    ours = sample([1, 5, 20, 30], [True, True, True, False])
    theirs = sample([2, 10, 8], [True, False, True])
    found = compare("c", ours, theirs)
    assert found.cut == 10
    assert found.ours.iterations.tolist() == [1, 5, 10, 10]
    assert found.ours.solved.tolist() == [True, True, False, False]
    assert found.published.iterations.tolist() == [2, 10, 8]
    assert found.ranks == mann_whitney(found.ours, found.published)


def test_nothing_is_cut_if_every_run_succeeded() -> None:
    data = times(1, 50)
    assert compare("c", data, data).cut == np.inf
    assert cut_at(data, 1e9) is data


def test_equal_distributions_agree_and_others_differ() -> None:
    # Seeded: nothing is left to chance. A cell of one distribution differs with probability 0.001.
    same = [compare(str(i), times(i, 100), times(100 + i, 100)) for i in range(12)]
    assert together(same).verdict == "agrees"
    assert together(same).degrees == 12
    assert "of 12 cells agree" in summary(together(same))
    other = compare("x", times(1, 100), times(2, 1000))
    assert other.verdict == "differs"
    assert together([*same, other]).verdict == "differs"
    assert other.ranks.a12 > 0.8


def test_the_chi_square_is_that_of_the_rank_sums() -> None:
    cells = [compare(str(i), times(i, 100, 8), times(50 + i, 100, 8)) for i in range(400)]
    found = together(cells)
    # 400 degrees of freedom: mean 400, standard deviation 28; seeded.
    assert 300 < found.statistic < 500


def test_no_cells_and_no_successes() -> None:
    assert together([]).verdict == "nothing to compare"
    never = sample([9, 9], [False, False])
    found = compare("c", never, never)
    assert (found.verdict, found.p_log_rank, found.p_successes) == ("agrees", 1.0, 1.0)
    table = comparison_table([found], "iterations")
    assert table.rows[0][1] == "agrees"
    assert table.rows[0][4:8] == ("∞", "∞", "∞", "∞")


@pytest.mark.parametrize("budget", [100, 1000])
def test_other_budgets_of_the_same_search_agree(budget: int) -> None:
    data = times(3, 300, 80)
    theirs = times(4, 300, 80)
    assert compare("c", data, cut_at(theirs, budget)).verdict == "agrees"
