"""Bootstrap intervals: coverage where theory knows the answer, and the edges."""

from __future__ import annotations

from math import inf, isfinite

import numpy as np
import pytest

from gatewalk.analysis.bootstrap import bootstrap, ert_interval
from gatewalk.analysis.statistics import ert, sample
from gatewalk.errors import InputError


def test_percentile_interval_matches_the_normal_one_for_a_mean() -> None:
    times = np.random.default_rng(1).gamma(4, 25, 400)
    found = ert_interval(sample(times, np.ones(400, bool)), resamples=3000)
    half = 1.96 * times.std() / 20
    assert found.low == pytest.approx(times.mean() - half, abs=0.2 * half)
    assert found.high == pytest.approx(times.mean() + half, abs=0.2 * half)


def test_bca_is_close_to_percentile_on_plain_data() -> None:
    times = np.random.default_rng(1).gamma(4, 25, 200)
    data = sample(times, np.ones(200, bool))
    a, b = bootstrap(data, ert), bootstrap(data, ert, method="BCa")
    assert a.low == pytest.approx(b.low, rel=0.05)
    assert a.high == pytest.approx(b.high, rel=0.05)


def test_rare_successes_have_an_open_end() -> None:
    data = sample([10.0] + [100.0] * 9, [True] + [False] * 9)
    found = ert_interval(data)
    assert isfinite(found.low)
    assert found.high == inf
    with pytest.raises(InputError, match="percentile"):
        bootstrap(data, ert, method="BCa")


def test_same_seed_same_interval() -> None:
    data = sample([1.0, 2, 3, 4], [True] * 4)
    assert ert_interval(data, seed=3) == ert_interval(data, seed=3)
    assert ert_interval(sample([5.0], [True])).high == inf
    with pytest.raises(InputError, match="confidence"):
        ert_interval(data, confidence=1.0)
