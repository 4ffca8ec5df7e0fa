"""The stratified rank test is the plain one on one stratum, keeps its level, and sees what is there."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gatewalk.analysis.statistics import Sample, sample
from gatewalk.studies.paper.contrasts import contrast, holds, van_elteren


def runs(times: np.ndarray, budget: float = np.inf) -> Sample:
    return sample(np.minimum(times, 1e9 if budget == np.inf else budget), times < budget)


def test_one_stratum_is_wilcoxons_test_with_ties() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 8, 25).astype(float), rng.integers(1, 9, 40).astype(float)
    expected = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=False).pvalue
    assert van_elteren([(runs(a), runs(b))]) == pytest.approx(float(expected), rel=1e-9)


def test_the_level_is_kept_over_strata() -> None:
    rng = np.random.default_rng(2)
    p = [
        van_elteren([(runs(rng.exponential(m, 10)), runs(rng.exponential(m, 10))) for m in (1, 50, 3000)])
        for _ in range(400)
    ]
    assert stats.kstest(p, "uniform").pvalue > 1e-7


def test_a_faster_model_is_seen_and_a_reversal_named() -> None:
    rng = np.random.default_rng(3)
    slow = {n: runs(rng.exponential(100 * n, 60)) for n in range(3, 9)}
    fast = {n: runs(rng.exponential(10 * n if n > 3 else 5000, 60)) for n in range(3, 9)}
    found = contrast(fast, slow, ("fast", "slow"), "strict")
    assert found.p_value < 1e-9
    assert found.a12 > 0.71
    assert found.effect == "large"
    assert found.against == (3,)
    assert holds([found]) == [True]
    back = contrast(slow, fast, ("slow", "fast"), "strict")
    assert back.a12 == pytest.approx(1 - found.a12)
    assert back.ratio == pytest.approx(1 / found.ratio)
    assert holds([back]) == [False]


def test_failed_runs_are_last_and_have_no_ratio() -> None:
    rng = np.random.default_rng(4)
    good = {5: runs(rng.exponential(500, 30))}
    bad = {5: runs(np.full(30, 5000.0), budget=1000)}
    found = contrast(good, bad, ("good", "bad"), "strict")
    assert found.a12 == 1.0
    assert np.isnan(found.ratio)
    assert found.ratio_sizes == 0


def test_nothing_in_common_is_no_evidence() -> None:
    alike = {4: runs(np.full(9, 7.0))}
    assert van_elteren([(alike[4], alike[4])]) == 1.0
    empty = contrast(alike, {}, ("a", "b"), "strict")
    assert empty.sizes == ()
    assert holds([empty]) == [False]
