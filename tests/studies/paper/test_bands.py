"""Bands cover what they should, and are those of the general bootstrap."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from scipy import stats

from gatewalk.analysis.bootstrap import ert_interval
from gatewalk.analysis.statistics import sample
from gatewalk.studies.paper.bands import ert_band, mean_band


def test_means_are_covered() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(300):
        band = mean_band(rng.gamma(2, 50, 40))
        covered += band.low <= 100 <= band.high
    # percentile bands of forty skewed values cover a little less than 95 %
    assert stats.binom.cdf(covered, 300, 0.92) > 1e-7
    assert stats.binom.sf(covered - 1, 300, 0.95) > 1e-7


def test_the_band_of_the_ert_is_the_bootstraps() -> None:
    rng = np.random.default_rng(2)
    times = rng.exponential(800, 50)
    data = sample(np.minimum(times, 1500), times < 1500)
    ours, general = ert_band(data), ert_interval(data, resamples=4000)
    assert ours.low == pytest.approx(general.low, rel=0.05)
    assert ours.high == pytest.approx(general.high, rel=0.05)


def test_few_successes_leave_the_band_open() -> None:
    solved = np.zeros(30, bool)
    solved[0] = True
    assert ert_band(sample(np.full(30, 10.0), solved)).high == inf


def test_one_value_is_its_own_band() -> None:
    band = mean_band(np.array([7.0]))
    assert (band.low, band.high) == (7.0, 7.0)
