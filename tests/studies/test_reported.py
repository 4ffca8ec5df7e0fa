"""Published statistics beside our runs: those of our own distribution agree, others differ."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from gatewalk.analysis import sample
from gatewalk.analysis.statistics import Sample
from gatewalk.studies.comparison import together
from gatewalk.studies.reported import LEAST, Reported, compare_reported, reported_table


def times(seed: int, scale: float, runs: int) -> Sample:
    return sample(np.random.default_rng(seed).geometric(1 / scale, runs), np.ones(runs))


def reported(data: Sample, *, std: bool = True) -> Reported:
    t = data.times
    spread = {"std": float(t.std(ddof=1))} if std else {}
    return Reported(
        runs=data.runs, successes=data.successes, mean=float(t.mean()), median=float(np.median(t)), **spread
    )


@pytest.mark.parametrize("std", [True, False])
def test_our_own_distribution_agrees_and_another_differs(std: bool) -> None:
    # Seeded: nothing is left to chance.
    ours = times(1, 100, 200)
    same = [compare_reported("c", ours, reported(times(seed, 100, 30), std=std)) for seed in range(2, 8)]
    assert together(same).verdict == "agrees"
    other = compare_reported("c", ours, reported(times(9, 300, 30), std=std))
    assert (other.verdict, other.p_value) == ("differs", other.p_mean)
    assert other.standard_errors > 4
    assert other.p_median < 0.01


def test_what_is_not_said_is_not_compared() -> None:
    ours = times(1, 100, 50)
    found = compare_reported("c", ours, Reported(runs=30, successes=30, median=float(np.median(ours.times))))
    assert isnan(found.p_mean)
    assert found.p_value == found.p_median > 0.5
    counts = compare_reported("c", ours, Reported(runs=30, successes=3))
    assert isnan(counts.p_median)
    assert (counts.p_value, counts.verdict) == (counts.p_successes, "differs")
    few = compare_reported("c", ours, Reported(runs=30, successes=LEAST - 1, mean=1.0, median=1.0))
    assert isnan(few.p_mean)


def test_times_without_any_spread_have_no_error() -> None:
    ours = sample([7] * 10, [True] * 10)
    assert isnan(compare_reported("c", ours, Reported(runs=9, successes=9, mean=7.0, std=0.0)).p_mean)


def test_the_table_has_both() -> None:
    found = compare_reported("a < b", times(1, 100, 50), Reported(runs=30, successes=29, mean=99.5))
    (row,) = reported_table([found], "evaluations").rows
    assert row[:5] == ("a < b", found.verdict, "29/30", "50/50", "99.5")
    assert row[6] == "–"
