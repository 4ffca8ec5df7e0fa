"""Published numbers agree with ours if they have one distribution; remarks say where they differ, and why."""

from dataclasses import replace
from math import isnan, nan

import numpy as np
import pytest
from paper_cells import RUNS, TRUE, cell_of, made
from scipy import stats

from gatewalk.analysis import cells_of
from gatewalk.campaign import Campaign, grid, run
from gatewalk.stats import sample
from gatewalk_studies.paper.agreement import (
    ChiSquare,
    agreement,
    agreements,
    chi_squares,
    discrepancies,
    figure3_chi_square,
    how_tested,
    nonstrict_cgp,
)
from gatewalk_studies.paper.cells import CGP, Place, Row, cells_by_place, plotted_means, table2

PLACE = Place("complete", "paper", "strict", "cgp-1n", 5)
QUANTILE = 1 - 1e-6


def row_of(times):
    quartiles = np.quantile(times, [0, 0.25, 0.5, 0.75, 1])
    return Row(times.size, float(times.mean()), float(times.std(ddof=1)), *map(float, quartiles))


def test_the_published_means_are_those_of_the_profile_tinyverse_with_a_node_more():
    """Chi-square of the 39 published non-strict CGP means, 150 of our runs for each.

    The quantile is exceeded by chance once in a million.
    """
    statistics = {}
    for profile in ("tinyverse", "paper"):
        nodes = [model.nodes_under(profile) for model in CGP]
        cells = grid(
            target=[f"and:{n}" for n in range(3, 16)], nodes=nodes, profile=profile, replications=150
        )
        with run(Campaign(grids=(cells,), seed=5), jobs=2) as results:
            compared = agreements(cells_by_place(cells_of(results), replications=150), profile)
        assert len(compared) == 39
        assert [square.degrees for square in chi_squares(compared, profile)][:3] == [13, 13, 13]
        square = nonstrict_cgp(compared, profile)
        assert square.degrees == 39
        statistics[profile] = square.statistic
    limit = stats.chi2.ppf(QUANTILE, 39)
    assert statistics["tinyverse"] < limit < statistics["paper"]


def test_samples_of_one_distribution_agree():
    """Exponential times, as heavy as most cells: about 5 % of the p-values are below 5 %."""
    rng = np.random.default_rng(11)
    made = []
    for _ in range(300):
        ours, theirs = rng.exponential(500, 60).round(), rng.exponential(500, 30).round()
        made.append(agreement(PLACE, sample(ours, np.ones(60, bool)), row_of(theirs)).tests)
    for values in ([tests.p_mean for tests in made], [tests.p_median for tests in made]):
        below = int(np.sum(np.array(values) < 0.05))
        assert stats.binom.cdf(below, 300, 0.05) > 1e-7
        assert stats.binom.sf(below - 1, 300, 0.08) > 1e-7  # the median's bootstrap is a little liberal
    assert sum(tests.verdict == "differs" for tests in made) <= 3


def test_other_distributions_differ():
    rng = np.random.default_rng(12)
    ours = sample(rng.exponential(500, 100), np.ones(100, bool))
    assert agreement(PLACE, ours, row_of(rng.exponential(2000, 30))).tests.verdict == "differs"
    failed = agreement(PLACE, ours, Row(5, 500.0, 400.0, 1.0, 200.0, 400.0, 700.0, 1500.0)).tests
    assert failed.p_successes < 1e-9
    assert failed.verdict == "differs"


def test_without_success_only_the_successes_are_compared():
    ours = sample(np.full(30, 1000.0), np.zeros(30, bool))
    tests = agreement(PLACE, ours, Row(0, nan, nan, nan, nan, nan, nan, nan)).tests
    assert isnan(tests.p_mean)
    assert isnan(tests.standard_errors)
    assert tests.p_successes == pytest.approx(1.0)
    assert tests.verdict == "agrees"


def test_single_sizes_that_stand_out_are_named():
    rng = np.random.default_rng(13)
    published = plotted_means("fig3", "runtime")
    cells = {}
    for n in range(3, 51):
        mean = published["nonstrict", "tgp-multi", n] * (6 if n == 20 else 1)
        times = rng.exponential(mean, 30)
        times *= mean / times.mean()
        cells[Place("incomplete", "paper", "nonstrict", "tgp-multi", n)] = cell_of(times, np.ones(30, bool))
    square = figure3_chi_square(cells, "paper", "nonstrict", "tgp-multi", "runtime")
    assert square.degrees == 48
    assert square.verdict == "differs, by n = 20 alone"


def test_nothing_to_compare_has_no_verdict():
    assert ChiSquare("paper", "strict", "cgp-1n", {}).verdict == "nothing to compare"


CELLS = {
    replace(place, profile=profile): cell
    for place, cell in made(TRUE).items()
    for profile in ("paper", "tinyverse")
}


@pytest.fixture(scope="module", params=["paper", "tinyverse"])
def compared(request):
    return request.param, agreements(CELLS, request.param)


def test_every_discrepancy_has_its_cells(compared):
    profile, cells = compared
    remarks = {remark.title: remark for remark in discrepancies(CELLS, cells, profile)}
    assert {remark.heading for remark in remarks.values()} == {
        f"Where published and measured numbers differ, profile {profile}"
    }
    nodes = "n+1" if profile == "tinyverse" else "n"
    narrow = remarks[f"Strict selection, CGP, D = {nodes}, n ≥ 9"].table
    assert [(row[2], row[3]) for row in narrow.rows] == [(str(n), "0/30") for n in (9, 10, 11)]
    assert all(row[4].endswith(f"/{RUNS}") for row in narrow.rows)
    assert ("Programs that can never improve" in remarks) is (profile == "tinyverse")
    failing = {(row[0], row[2]) for row in remarks["Means of successful runs only"].table.rows}
    assert failing <= {
        ("strict" if selection == "strict" else "non-strict", str(n))
        for (selection, _, n), row in table2().items()
        if 0 < row.successes < 30
    }


def test_cells_with_a_reason_of_their_own_are_not_named_twice(compared):
    profile, cells = compared
    differing = [replace(cell, tests=replace(cell.tests, verdict="differs")) for cell in cells]
    rest = discrepancies(CELLS, differing, profile)[-1]
    assert rest.title == "Other cells that differ"
    explained = sum(
        cell.place.selection == "strict" and cell.place.model == "cgp-1n" and cell.place.n >= 9
        for cell in cells
    )
    assert len(rest.table.rows) == len(cells) - explained


def test_nothing_is_said_of_what_was_not_run():
    titles = [remark.title for remark in discrepancies({}, [], "tinyverse")]
    assert titles == ["Programs that can never improve"]
    assert discrepancies({}, [], "paper") == []


def test_a_remark_says_how_means_are_tested(compared):
    profile, cells = compared
    text = how_tested({profile: cells}).text
    assert f"Every cell has {RUNS} runs." in text
    assert f"Profile {profile}: the 18 non-strict CGP means give a chi-square of " in text
