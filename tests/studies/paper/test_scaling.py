"""Exponents and bases are found again, with failed runs too; little data give no curve."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.analysis.statistics import Sample, sample
from gatewalk.studies.paper.scaling import scaling


def times(mean: dict[int, float], *, runs: int = 60, budget: float = 1e9, seed: int = 0) -> dict[int, Sample]:
    rng = np.random.default_rng(seed)
    found = {}
    for n, value in mean.items():
        drawn = rng.gamma(2.0, value / 2, runs)
        found[n] = sample(np.minimum(drawn, budget), drawn < budget)
    return found


@pytest.mark.parametrize("budget", [1e9, 1200.0])
def test_an_exponent_is_found_again(budget: float) -> None:
    found = scaling(times({n: n**2.5 for n in range(3, 16)}, budget=budget, seed=4))
    assert found is not None
    fit, interval, _ = found
    assert fit.rate == pytest.approx(2.5, abs=0.2)
    assert interval.low < 2.5 < interval.high
    assert interval.high - interval.low < 1


def test_a_base_is_found_again() -> None:
    found = scaling(times({n: 3.0**n for n in range(2, 9)}, seed=5), exponential=True)
    assert found is not None
    fit, interval, best = found
    assert fit.rate == pytest.approx(3.0, rel=0.1)
    assert interval.low < 3 < interval.high
    assert best == "c b^n"


def test_two_sizes_are_no_curve() -> None:
    assert scaling(times({3: 10.0, 4: 20.0})) is None
    hopeless = times({3: 10.0, 4: 20.0, 5: 1e9, 6: 1e9}, budget=1e4)
    assert scaling(hopeless) is None
