"""The test of fit: its size with ties and given-up runs, its power, and the exact p-value of small cases.

Rejections of many samples are counted; with the fixed seeds the counts stay the same, and with other seeds
they would leave the bounds with a probability below 10^-6.
"""

from math import comb

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.stats import goodness, sample
from gatewalk.stats.goodness import goodness_of_fit

SAMPLES = 200
LAWS = {  # the chance of each time; the rest of the runs is given up
    "few values": np.array([0.5, 0.3, 0.1, 0.05, 0.05]),
    "many ties": np.array([0.9, 0.02, 0.02, 0.02, 0.02, 0.02]),
    "half is given up": 0.02 * 0.98 ** np.arange(34),
    "geometric": 0.05 * 0.95 ** np.arange(200),
}


@pytest.fixture(autouse=True)
def few_simulations(monkeypatch):
    monkeypatch.setattr(goodness, "SIMULATED", 499)


def p_values(chances, *, runs, longer=1.0):
    """P-values of samples whose times are so many times longer than the law says."""
    times, shares = np.arange(chances.size), np.cumsum(chances)
    rng = np.random.default_rng(7)
    found = []
    for seed in range(SAMPLES):
        drawn = np.searchsorted(shares, rng.random(runs), side="right")
        solved = drawn < chances.size
        spent = np.where(solved, np.floor(longer * (drawn + rng.random(runs) * (longer > 1))), chances.size)
        solved &= spent < chances.size
        data = sample(np.where(solved, spent, chances.size), solved)
        found.append(goodness_of_fit(data, times, shares, seed=seed).p_value)
    return np.array(found)


@pytest.mark.parametrize("runs", [6, 60])
@pytest.mark.parametrize("law", LAWS)
def test_runs_of_the_law_are_rejected_as_often_as_the_level_says(law, runs):
    found = p_values(LAWS[law], runs=runs)
    # With ties a p-value can only take few values, and no more than a share p of them is at most p.
    for level in (0.05, 0.2, 0.5):
        bound = level * SAMPLES + 5 * np.sqrt(level * (1 - level) * SAMPLES)
        assert np.count_nonzero(found <= level) <= bound
    if law == "geometric":  # many values: the size is the level
        assert np.count_nonzero(found <= 0.5) >= 0.5 * SAMPLES - 5 * np.sqrt(0.25 * SAMPLES)


def test_runs_that_take_longer_are_noticed():
    chances = LAWS["geometric"]
    noticed = [np.mean(p_values(chances, runs=200, longer=longer) <= 0.05) for longer in (1.2, 1.5)]
    assert 0.4 < noticed[0] < 0.8
    assert noticed[1] > 0.97


@pytest.mark.parametrize(("heads", "runs"), [(4, 4), (7, 8), (5, 8), (14, 20)])
def test_a_coin_has_the_p_value_of_the_binomial(monkeypatch, heads, runs):
    monkeypatch.setattr(goodness, "SIMULATED", 20_000)
    at_least = sum(comb(runs, k) for k in range(runs + 1) if abs(2 * k - runs) >= abs(2 * heads - runs))
    exact = at_least / 2**runs
    found = goodness_of_fit(sample([0] * heads + [1] * (runs - heads), [True] * runs), [0], [0.5])
    assert found.distance == pytest.approx(abs(heads / runs - 0.5))
    assert found.p_value == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 20_000) + 1e-4)


def test_the_same_runs_have_the_same_p_value():
    data = sample([1, 2, 3, 3], [True, True, True, True])
    assert goodness_of_fit(data, [1, 2], [0.3, 0.6]) == goodness_of_fit(data, [1, 2], [0.3, 0.6])


def test_blocks_do_not_change_the_size(monkeypatch):
    data = sample([0, 0, 0, 1, 2, 5], [True] * 6)
    whole = goodness_of_fit(data, [0, 1, 2], [0.5, 0.7, 0.9])
    monkeypatch.setattr(goodness, "_AT_ONCE", 40)
    parts = goodness_of_fit(data, [0, 1, 2], [0.5, 0.7, 0.9])
    assert parts.distance == whole.distance
    assert parts.p_value == pytest.approx(whole.p_value, abs=0.15)


@pytest.mark.parametrize(
    ("times", "shares", "says"),
    [
        ([1, 2], [0.5, 0.4], "never fall"),
        ([2, 1], [0.4, 0.5], "times that rise"),
        ([1, 2], [0.4], "times that rise"),
        ([], [], "times that rise"),
        ([1, 9], [0.4, 0.5], "given up before the last time"),
    ],
)
def test_what_is_refused(times, shares, says):
    with pytest.raises(InputError, match=says):
        goodness_of_fit(sample([1, 9], [True, False]), times, shares)
