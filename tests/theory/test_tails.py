"""Lemma 10 and the quantiles it gives, against simulated sums of geometric variables."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.theory import bounds, tails

CHANCES = [0.5, 0.1, 0.02, 0.01, 0.3]


def simulated(runs: int) -> np.ndarray:
    rng = np.random.default_rng(11)
    return np.asarray(sum(rng.geometric(p, runs) for p in CHANCES), dtype=float)


def test_moments() -> None:
    total = tails.geometric_sum(CHANCES)
    assert total.mean == pytest.approx(sum(1 / p for p in CHANCES))
    assert total.squares == pytest.approx(sum(1 / p**2 for p in CHANCES))
    assert total.least == 0.01


@pytest.mark.parametrize("gamma", [0.0, 50.0, 200.0, 600.0])
def test_lemma10_bounds_simulated_tails(gamma: float) -> None:
    total = tails.geometric_sum(CHANCES)
    times = simulated(100_000)
    noise = 5 / math.sqrt(times.size)  # five standard deviations of a frequency at most 1/2 wide
    assert (times >= total.mean + gamma).mean() <= tails.lemma10_upper(total, gamma) + noise
    assert (times <= total.mean - gamma).mean() <= tails.lemma10_lower(total, gamma) + noise


@pytest.mark.parametrize("probability", [0.1, 0.5, 0.9, 0.99, 0.999999])
def test_quantile_inverts_lemma10(probability: float) -> None:
    total = tails.geometric_sum(CHANCES)
    quantile = tails.lemma10_quantile(total, probability)
    assert tails.lemma10_upper(total, quantile - total.mean) == pytest.approx(1 - probability, rel=1e-9)


def test_theorem3_quantiles() -> None:
    n, nodes, probability = 8, 16, 0.99
    witt = tails.theorem3_witt_quantile(n, nodes, probability)
    direct = tails.geometric_sum(float(bounds.leave_level(n, nodes, i)) for i in range(1, n))
    assert witt == pytest.approx(tails.lemma10_quantile(direct, probability), rel=1e-9)
    delta = 3 * math.log(100)
    assert tails.theorem3_quantile(n, nodes, probability) == pytest.approx(
        bounds.theorem3_tail(n, nodes, delta)
    )
    assert tails.theorem3_quantile(n, nodes, 0.01) == bounds.theorem3_tail(n, nodes, 1)
    assert witt < tails.theorem3_quantile(n, nodes, probability)


def test_markov_takes_the_better_of_once_and_windows() -> None:
    assert tails.markov_quantile(100.0, 0.5) == 200.0
    assert tails.markov_quantile(100.0, 0.999) == pytest.approx(100 * math.e * 7)
    assert tails.markov_quantile(math.inf, 0.5) == math.inf


@pytest.mark.parametrize(("p", "probability"), [(0.5, 0.5), (0.3, 0.99), (1.0, 0.9), (1e-12, 0.5)])
def test_geometric_quantile_is_the_least(p: float, probability: float) -> None:
    t = tails.geometric_quantile(p, probability)
    assert 1 - (1 - p) ** t >= probability * (1 - 1e-3)
    if t > 1:
        assert 1 - (1 - p) ** (t - 1) <= probability * (1 + 1e-3)


@pytest.mark.parametrize("probability", [0.0, 1.0, -0.1, 1.5, math.nan])
def test_probabilities_are_checked(probability: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        tails.markov_quantile(10.0, probability)


def test_success_probabilities_are_checked() -> None:
    for chances in ([], [0.0], [1.5]):
        with pytest.raises(InputError, match="Lemma 10"):
            tails.geometric_sum(chances)
