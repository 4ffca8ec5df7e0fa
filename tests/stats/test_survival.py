"""Kaplan-Meier, quantiles and log-rank against hand calculations."""

from __future__ import annotations

from math import inf, isnan

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.stats import survival
from gatewalk.stats.sample import sample, success_rate
from gatewalk.stats.survival import TracedRun, fixed_target

DATA = sample([3, 5, 5, 8, 10, 12], [True, True, False, True, False, True])


def test_kaplan_meier_by_hand():
    curve = survival.kaplan_meier(DATA)
    expected = {3: 5 / 6, 5: 5 / 6 * 4 / 5, 8: 5 / 6 * 4 / 5 * 2 / 3, 10: 5 / 6 * 4 / 5 * 2 / 3, 12: 0}
    assert dict(zip(curve.times.tolist(), curve.values.tolist(), strict=True)) == pytest.approx(expected)
    assert (curve.low <= curve.values + 1e-12).all()
    assert (curve.values <= curve.high + 1e-12).all()


def test_quantiles():
    assert survival.quantile(DATA, 0.25).value == 5
    assert survival.median(DATA).value == 8
    assert survival.quantile(DATA, 0.99).value == 12
    unknown = survival.median(sample([4, 9, 9, 9], [True, False, False, False]))
    assert unknown.value == inf
    with pytest.raises(InputError, match="between 0 and 1"):
        survival.quantile(DATA, 1.0)


def test_median_without_censoring_is_the_median_and_its_interval_covers():
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(200):
        times = rng.exponential(1.0, 60)
        found = survival.median(sample(np.minimum(times, 2.0), times < 2.0))
        assert found.value == pytest.approx(np.sort(times)[29])
        covered += found.interval.low <= np.log(2) <= found.interval.high
    assert 175 <= covered <= 200  # 95% of 200, false alarm < 1e-6 below


def test_all_censored():
    data = sample([7, 7], [False, False])
    assert survival.median(data).value == inf
    assert isnan(survival.log_rank(data, data).statistic)
    assert survival.log_rank(data, data).p_value == 1.0
    assert survival.running_time_ecdf(data).times.size == 0


def test_log_rank_tells_apart_and_does_not():
    rng = np.random.default_rng(8)
    a, b, c = rng.exponential(1, 100), rng.exponential(3, 100), rng.exponential(1, 100)
    cut = 2.0
    sa, sb, sc = (sample(np.minimum(x, cut), x < cut) for x in (a, b, c))
    assert survival.log_rank(sa, sb).p_value < 1e-5
    assert survival.log_rank(sa, sc).p_value > 1e-3


def test_ecdf_ends_at_the_success_rate():
    curve = survival.running_time_ecdf(DATA)
    assert curve.times.tolist() == [3, 5, 8, 12]
    assert curve.values == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6])
    assert curve.values[-1] == success_rate(DATA).rate


def test_runs_that_jump_over_a_value_reached_it():
    found = fixed_target([TracedRun([(1, 9), (5, 0)], 5), TracedRun([(1, 7), (3, 4)], 10)])
    assert found == {9: 1.0, 7: (5 + 1) / 2, 4: (5 + 3) / 2, 0: 15.0}


def test_nothing_is_refused():
    with pytest.raises(InputError, match="no traced runs"):
        fixed_target([])
