"""Growth fits recover known laws from simulated times, with and without censoring."""

from __future__ import annotations

from importlib import import_module
from math import inf

import numpy as np
import pytest
from scipy import stats

from gatewalk.analysis.statistics import Sample, sample
from gatewalk.errors import InputError

growth = import_module("gatewalk.analysis.growth")  # the room exports the function of that name


def times(mean: float, shape: float, runs: int, budget: float, rng: np.random.Generator) -> Sample:
    drawn = rng.gamma(shape, mean / shape, runs)
    return sample(np.minimum(drawn, budget), drawn <= budget)


def power_cells(
    *, a: float, c: float, budget: float = inf, shape: float = 2.0, runs: int = 200, seed: int = 1
) -> dict[int, Sample]:
    rng = np.random.default_rng(seed)
    return {n: times(c * n**a, shape, runs, min(budget, 1e18), rng) for n in (4, 6, 8, 12, 16, 24, 32)}


def by_name(found: growth.Growth, name: str) -> growth.Estimate:
    return next(estimate for estimate in found.estimates if estimate.fit.model.name == name)


def test_power_law_is_recovered() -> None:
    found = growth.growth(power_cells(a=3.2, c=0.7), resamples=60)
    power = by_name(found, "power")
    assert power.fit.rate == pytest.approx(3.2, abs=0.1)
    assert power.rate.low < 3.2 < power.rate.high
    assert power.fit.shape[0] == pytest.approx(2.0, rel=0.4)
    assert found.estimates[-1].fit.model.name == "exponential"
    assert sum(estimate.weight for estimate in found.estimates) == pytest.approx(1)


def test_censoring_does_not_bend_the_exponent() -> None:
    # Two thirds of the runs at the largest n are cut off.
    cells = power_cells(a=3.2, c=0.7, budget=25_000, runs=400)
    assert cells[32].successes < 0.4 * cells[32].runs
    assert growth.fit(cells, growth.MODELS[0]).rate == pytest.approx(3.2, abs=0.12)
    naive = {n: sample(data.times, np.ones(data.successes, bool)) for n, data in cells.items()}
    assert growth.fit(naive, growth.MODELS[0]).rate < 3.0


def test_exponential_growth_wins_where_it_is_true() -> None:
    rng = np.random.default_rng(7)
    cells = {n: times(3 * 2.0**n, 1.0, 100, 1e12, rng) for n in range(3, 11)}
    found = growth.growth(cells, resamples=40)
    assert found.best.fit.model.name == "exponential"
    assert found.best.fit.rate == pytest.approx(2.0, abs=0.15)
    assert found.best.weight > 0.9
    assert found.held_out[0].model == "exponential"
    assert found.held_out[0].n == 10
    assert found.held_out[0].interval.low < 3 * 2.0**10 < found.held_out[0].interval.high


def test_n_log_n_is_told_from_a_power() -> None:
    rng = np.random.default_rng(9)
    cells = {n: times(2 * n * np.log(n), 6.0, 2000, 1e12, rng) for n in (3, 5, 10, 30, 100, 300)}
    found = growth.growth(cells, resamples=20)
    assert found.best.fit.model.name == "power-log"
    assert found.best.fit.rate == pytest.approx(1.0, abs=0.05)


def test_likelihood_is_scipys() -> None:
    data = sample([0, 3, 9, 20, 20], [True, True, True, False, False])
    mean, shape = 8.0, 1.7
    law = stats.gamma(shape, scale=mean / shape)
    direct = law.logcdf(1) + law.logpdf(3) + law.logpdf(9) + 2 * law.logsf(20)
    found = growth._log_likelihood(growth._count({5: data}), np.array([mean]), np.array([shape]))
    assert found == pytest.approx(direct)


def test_far_tails_stay_finite() -> None:
    data = growth._count({5: sample([1e6], [False])})
    value = growth._log_likelihood(data, np.array([1.0]), np.array([2.0]))
    assert value == pytest.approx(np.log(2e6) - 2e6, rel=1e-9)


def test_mean_time_with_and_without_censoring() -> None:
    rng = np.random.default_rng(3)
    full = times(100.0, 1.0, 3000, 1e9, rng)
    assert growth.mean_time(full) == pytest.approx(full.iterations.mean(), rel=1e-3)
    assert growth.mean_time(times(100.0, 1.0, 3000, 80.0, rng)) == pytest.approx(100, rel=0.15)
    assert growth.mean_time(sample([5, 5], [False, False])) == inf
    assert growth.mean_time(sample([0, 0], [True, True])) == 0


def test_ratios() -> None:
    cells = {2: sample([4.0, 4.0, 4.1], [True] * 3), 3: sample([9.0, 9.0, 9.1], [True] * 3)}
    assert growth.ratios(cells, lambda n: n**2) == pytest.approx({2: 1.0, 3: 1.0}, rel=0.02)


def test_too_little_data_is_refused() -> None:
    one = sample([1.0], [True])
    with pytest.raises(InputError, match="3 or more"):
        growth.growth({4: one, 5: one})
    with pytest.raises(InputError, match="successful runs"):
        growth.growth({n: sample([9.0], [False]) for n in (4, 5, 6)})
    with pytest.raises(InputError, match="n = 2"):
        growth.growth(dict.fromkeys((1, 2, 3), one))


def test_slopes_are_those_of_the_likelihood() -> None:
    cells = {
        4: sample([0, 3, 9, 20, 20], [True, True, True, False, False]),
        8: sample([30, 41, 60], [True, True, True]),
    }
    data, mean, shape = growth._count(cells), np.array([8.0, 50.0]), np.array([1.7, 3.0])
    by_mean, by_shape = growth._slopes(data, mean, shape)
    for index in range(2):
        step = np.eye(2)[index] * 1e-6

        def change(of_mean: bool, step: np.ndarray = step) -> float:
            up, down = (
                growth._log_likelihood(
                    data,
                    mean * np.exp(sign * step * of_mean),
                    shape * np.exp(sign * step * (not of_mean)),
                )
                for sign in (1, -1)
            )
            return (up - down) / 2e-6

        assert by_mean[index] == pytest.approx(change(True), rel=1e-4)
        assert by_shape[index] == pytest.approx(change(False), rel=1e-4)


def test_the_excess_over_a_stated_order_is_found() -> None:
    # Geometric times of mean 5 n log n; 200 runs of five sizes determine e to about 0.04 (one deviation).
    rng = np.random.default_rng(5)
    cells = {n: sample(rng.geometric(1 / (5 * n * np.log(n)), 200), np.ones(200)) for n in (4, 8, 16, 32, 64)}
    right = growth.excess(cells, lambda n: n * np.log(n), resamples=60)
    assert right.interval.low < 0 < right.interval.high
    assert 3 < right.scale < 8
    assert growth.excess(cells, lambda n: n**3, resamples=20).interval.high < -1
    assert growth.excess(cells, lambda n: 1.0, resamples=20).interval.low > 1


@pytest.mark.parametrize("value", [0.0, -1.0, float("inf"), float("nan")])
def test_an_order_is_positive(value: float) -> None:
    cells = {n: sample([1, 2, 3], [1, 1, 1]) for n in (2, 3, 4)}
    with pytest.raises(InputError, match="positive"):
        growth.excess(cells, lambda n: value)


def test_what_is_found_is_shown_shortly() -> None:
    cells = {n: sample([n**2] * 9 + [n**2 + 1], [True] * 10) for n in (2, 4, 8)}
    found = import_module("gatewalk.analysis.growth").growth(cells, resamples=3)
    assert repr(found).startswith("<Growth c n^a with c = ")
    assert len(repr(found)) < 150
    assert found._repr_html_().count("<tr>") == 4
    assert repr(found.best.fit.model) == "<Model power: c n^a>"
    assert repr(cells[2]) == "<Sample of 10 runs, 10 solved>"


def test_runs_that_take_no_time_do_not_grow() -> None:
    at_start = {n: sample([0, 0], [True, True]) for n in (2, 3, 4)}
    with pytest.raises(InputError, match="solved at its start"):
        growth.growth(at_start)
    late = at_start | {5: sample([3, 4], [True, True])}
    assert growth.growth(late, resamples=5).held_out == ()  # without the largest size nothing is left to fit


def test_a_handful_of_runs_overflows_nowhere() -> None:
    rng = np.random.default_rng(3)
    for _ in range(6):
        cells = {n: sample(rng.integers(0, 10 ** rng.integers(1, 7), 2), [True, True]) for n in (2, 3, 4)}
        if any((data.times > 0).any() for data in cells.values()):
            assert len(growth.growth(cells, resamples=4).estimates) == 3
