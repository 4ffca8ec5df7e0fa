"""The tests of agreement keep their level, and tell what was run from what the text says."""

from __future__ import annotations

from math import isnan, nan
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from gatewalk.analysis.statistics import sample
from gatewalk.campaign import Campaign, grid, run
from gatewalk.studies.paper.agreement import agreement, agreements, chi_square, figure3_chi_square
from gatewalk.studies.paper.experiments import Cell, Place, Request, read
from gatewalk.studies.paper.models import CGP
from gatewalk.studies.paper.published import Row, figure

PLACE = Place("complete", "paper", "strict", "cgp-1n", 5)
QUANTILE = 1 - 1e-6


def row_of(times: np.ndarray, successes: int | None = None) -> Row:
    quartiles = np.quantile(times, [0, 0.25, 0.5, 0.75, 1])
    count = times.size if successes is None else successes
    return Row(count, float(times.mean()), float(times.std(ddof=1)), *map(float, quartiles))


def test_the_published_means_are_those_of_the_profile_tinyverse_with_a_node_more() -> None:
    """Chi-square of the 39 published non-strict CGP means, 150 of our runs for each.

    The quantile is exceeded by chance once in a million.
    """
    found = {}
    for profile in ("tinyverse", "paper"):
        nodes = [model.nodes_under(profile) for model in CGP]
        wanted = grid(
            target=[f"and:{n}" for n in range(3, 16)], nodes=nodes, profile=profile, replications=150
        )
        with run(Campaign(grids=(wanted,), seed=5), jobs=2) as results:
            cells = read(results, Request(replications=150))
        compared = agreements(cells, profile)
        assert len(compared) == 39
        squares = [chi_square(compared, profile, "nonstrict", model.name) for model in CGP]
        assert [square.degrees for square in squares] == [13, 13, 13]
        found[profile] = sum(square.statistic for square in squares)
    limit = stats.chi2.ppf(QUANTILE, 39)
    assert found["tinyverse"] < limit < found["paper"]


def test_samples_of_one_distribution_agree() -> None:
    """Exponential times, as heavy as most cells: about 5 % of the p-values are below 5 %."""
    rng = np.random.default_rng(11)
    means, medians, verdicts = [], [], []
    for _ in range(300):
        ours, theirs = rng.exponential(500, 60).round(), rng.exponential(500, 30).round()
        found = agreement(PLACE, sample(ours, np.ones(60, bool)), row_of(theirs))
        means.append(found.p_mean)
        medians.append(found.p_median)
        verdicts.append(found.verdict)
    for values in (means, medians):
        below = int(np.sum(np.array(values) < 0.05))
        assert stats.binom.cdf(below, 300, 0.05) > 1e-7
        assert stats.binom.sf(below - 1, 300, 0.08) > 1e-7  # the median's bootstrap is a little liberal
    assert verdicts.count("differs") <= 3


def test_other_distributions_differ() -> None:
    rng = np.random.default_rng(12)
    ours = sample(rng.exponential(500, 100), np.ones(100, bool))
    assert agreement(PLACE, ours, row_of(rng.exponential(2000, 30))).verdict == "differs"
    failed = agreement(PLACE, ours, Row(5, 500.0, 400.0, 1.0, 200.0, 400.0, 700.0, 1500.0))
    assert failed.p_successes < 1e-9
    assert failed.verdict == "differs"


def test_without_success_only_the_successes_are_compared() -> None:
    ours = sample(np.full(30, 1000.0), np.zeros(30, bool))
    found = agreement(PLACE, ours, Row(0, nan, nan, nan, nan, nan, nan, nan))
    assert isnan(found.p_mean)
    assert isnan(found.standard_errors)
    assert found.p_successes == pytest.approx(1.0)
    assert found.verdict == "agrees"


def test_single_sizes_that_stand_out_are_named(tmp_path: Path) -> None:
    rng = np.random.default_rng(13)
    published = figure("fig3", "runtime")
    cells = {}
    for n in range(3, 51):
        mean = published["nonstrict", "tgp-multi", n] * (6 if n == 20 else 1)
        times = rng.exponential(mean, 30)
        times *= mean / times.mean()
        data = sample(times, np.ones(30, bool))
        cells[Place("incomplete", "paper", "nonstrict", "tgp-multi", n)] = Cell(
            None, data, data, np.full(30, 0.9)
        )
    found = figure3_chi_square(cells, "paper", "nonstrict", "tgp-multi", "runtime")
    assert found.degrees == 48
    assert found.verdict == "differs, by n = 20 alone"
