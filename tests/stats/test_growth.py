"""Growth fits recover known laws from simulated times, with and without censoring."""

import math
import pickle
from math import inf

import numpy as np
import pytest
from scipy import stats

from gatewalk.errors import InputError
from gatewalk.stats.growth import (
    SLACK,
    Excess,
    excess,
    growth,
    local_exponents,
    log_linear,
    mean_time,
)
from gatewalk.stats.growth_fit import (
    MODELS,
    Fit,
    bounded_exp,
    counted,
    fit,
    fitted,
    log_likelihood,
    refitted,
    resampled_counts,
    slopes,
)
from gatewalk.stats.sample import Interval, sample


def times(mean, shape, runs, budget, rng):
    drawn = rng.gamma(shape, mean / shape, runs)
    return sample(np.minimum(drawn, budget), drawn <= budget)


def power_cells(*, a, c, budget=inf, shape=2.0, runs=200, seed=1):
    rng = np.random.default_rng(seed)
    return {n: times(c * n**a, shape, runs, min(budget, 1e18), rng) for n in (4, 6, 8, 12, 16, 24, 32)}


def by_name(found, name):
    return next(estimate for estimate in found.estimates if estimate.fit.model.name == name)


def test_power_law_is_recovered():
    found = growth(power_cells(a=3.2, c=0.7), resamples=60)
    power = by_name(found, "power")
    assert power.fit.rate == pytest.approx(3.2, abs=0.1)
    assert power.rate.low < 3.2 < power.rate.high
    assert power.fit.shape[0] == pytest.approx(2.0, rel=0.4)
    assert found.estimates[-1].fit.model.name == "exponential"
    assert sum(estimate.weight for estimate in found.estimates) == pytest.approx(1)


def test_censoring_does_not_bend_the_exponent():
    # Two thirds of the runs at the largest n are cut off.
    cells = power_cells(a=3.2, c=0.7, budget=25_000, runs=400)
    assert cells[32].successes < 0.4 * cells[32].runs
    assert fit(cells, MODELS[0]).rate == pytest.approx(3.2, abs=0.12)
    naive = {n: sample(data.times, np.ones(data.successes, bool)) for n, data in cells.items()}
    assert fit(naive, MODELS[0]).rate < 3.0


def test_exponential_growth_wins_where_it_is_true():
    rng = np.random.default_rng(7)
    cells = {n: times(3 * 2.0**n, 1.0, 100, 1e12, rng) for n in range(3, 11)}
    found = growth(cells, resamples=40)
    assert found.best.fit.model.name == "exponential"
    assert found.best.fit.rate == pytest.approx(2.0, abs=0.15)
    assert found.best.weight > 0.9
    assert found.held_out[0].model == "exponential"
    assert found.held_out[0].n == 10
    assert found.held_out[0].interval.low < 3 * 2.0**10 < found.held_out[0].interval.high


def test_n_log_n_is_told_from_a_power():
    rng = np.random.default_rng(9)
    cells = {n: times(2 * n * np.log(n), 6.0, 2000, 1e12, rng) for n in (3, 5, 10, 30, 100, 300)}
    found = growth(cells, resamples=20)
    assert found.best.fit.model.name == "power-log"
    assert found.best.fit.rate == pytest.approx(1.0, abs=0.05)


def test_likelihood_is_scipys():
    data = sample([0, 3, 9, 20, 20], [True, True, True, False, False])
    mean, shape = 8.0, 1.7
    law = stats.gamma(shape, scale=mean / shape)
    direct = law.logcdf(1) + law.logpdf(3) + law.logpdf(9) + 2 * law.logsf(20)
    found = log_likelihood(counted({5: data}), np.array([mean]), np.array([shape]))
    assert found == pytest.approx(direct)


def test_far_tails_stay_finite():
    data = counted({5: sample([1e6], [False])})
    value = log_likelihood(data, np.array([1.0]), np.array([2.0]))
    assert value == pytest.approx(np.log(2e6) - 2e6, rel=1e-9)


def test_mean_time_with_and_without_censoring():
    rng = np.random.default_rng(3)
    full = times(100.0, 1.0, 3000, 1e9, rng)
    assert mean_time(full) == pytest.approx(full.iterations.mean(), rel=1e-3)
    assert mean_time(times(100.0, 1.0, 3000, 80.0, rng)) == pytest.approx(100, rel=0.15)
    assert mean_time(sample([5, 5], [False, False])) == inf
    assert mean_time(sample([0, 0], [True, True])) == 0


def test_too_little_data_is_refused():
    one = sample([1.0], [True])
    with pytest.raises(InputError, match="3 or more"):
        growth({4: one, 5: one})
    with pytest.raises(InputError, match="successful runs"):
        growth({n: sample([9.0], [False]) for n in (4, 5, 6)})
    with pytest.raises(InputError, match="n = 2"):
        growth(dict.fromkeys((1, 2, 3), one))


def test_slopes_are_those_of_the_likelihood():
    cells = {
        4: sample([0, 3, 9, 20, 20], [True, True, True, False, False]),
        8: sample([30, 41, 60], [True, True, True]),
    }
    data, mean, shape = counted(cells), np.array([8.0, 50.0]), np.array([1.7, 3.0])
    by_mean, by_shape = slopes(data, mean, shape)
    for index in range(2):
        step = np.eye(2)[index] * 1e-6

        def change(of_mean, step=step):
            up, down = (
                log_likelihood(
                    data,
                    mean * np.exp(sign * step * of_mean),
                    shape * np.exp(sign * step * (not of_mean)),
                )
                for sign in (1, -1)
            )
            return (up - down) / 2e-6

        assert by_mean[index] == pytest.approx(change(True), rel=1e-4)
        assert by_shape[index] == pytest.approx(change(False), rel=1e-4)


def made_up(case, *, runs=30, sizes=(4, 6, 8, 12)):
    """Cells with gamma times, and `budgets` that cut half of the runs or `starts` that solve some at once."""
    rng = np.random.default_rng(3)
    cells = {}
    for n in sizes:
        drawn = rng.gamma(1.5, n**2.5 / 1.5, runs)
        if case == "starts":
            drawn[:4] = 0
        budget = 120.0 if case == "budgets" else inf
        cells[n] = sample(np.minimum(drawn, budget), drawn <= budget)
    return cells


@pytest.mark.parametrize("case", ["whole", "budgets", "starts"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_resamples_are_fitted_together_as_one_by_one(model, case):
    cells = made_up(case)
    start = fitted(counted(cells), model, None)[1]
    draws = resampled_counts(cells, 25, np.random.default_rng(1))
    together = refitted(draws, model, start)
    for draw, ours in zip(draws, together, strict=True):
        alone = fitted(draw, model, start)[0]
        assert ours.log_likelihood >= alone.log_likelihood - 1e-6
        assert ours.rate == pytest.approx(alone.rate, rel=2e-3)
        assert ours.scale == pytest.approx(alone.scale, rel=1e-2)


def test_resamples_without_a_best_shape_are_fitted_one_by_one():
    """Times that never vary have no gamma shape, so Newton's method has nowhere to go."""
    cells = {n: sample([float(n**3)] * 5, [True] * 5) for n in (4, 8, 16)}
    start = fitted(counted(cells), MODELS[0], None)[1]
    draws = resampled_counts(cells, 3, np.random.default_rng(1))
    assert refitted(draws, MODELS[0], start) == [fitted(draw, MODELS[0], start)[0] for draw in draws]
    assert refitted([], MODELS[0], start) == []


def test_the_excess_over_a_stated_order_is_found():
    # Geometric times of mean 5 n log n; 200 runs of five sizes determine e to about 0.04 (one deviation).
    rng = np.random.default_rng(5)
    cells = {n: sample(rng.geometric(1 / (5 * n * np.log(n)), 200), np.ones(200)) for n in (4, 8, 16, 32, 64)}
    right = excess(cells, lambda n: n * np.log(n), resamples=60)
    assert right.interval.low < 0 < right.interval.high
    assert 3 < right.scale < 8
    assert excess(cells, lambda n: n**3, resamples=20).interval.high < -1
    assert excess(cells, lambda n: 1.0, resamples=20).interval.low > 1


@pytest.mark.parametrize("value", [0.0, -1.0, float("inf"), float("nan")])
def test_an_order_is_positive(value):
    cells = {n: sample([1, 2, 3], [1, 1, 1]) for n in (2, 3, 4)}
    with pytest.raises(InputError, match="positive"):
        excess(cells, lambda n: value)


@pytest.mark.parametrize(
    ("low", "high", "agrees", "is_within"),
    [
        (-0.01, 0.02, True, True),
        (-0.5, -0.2, False, True),
        (0.2, 0.3, False, False),
        (-0.5, 0.3, True, False),
        (SLACK, 2 * SLACK, True, False),
        (-2 * SLACK, -SLACK, True, True),
    ],
)
def test_whether_times_are_of_an_order_or_below_it(low, high, agrees, is_within):
    found = Excess((low + high) / 2, Interval(low, high), 1.0)
    assert (found.agrees, found.is_within) == (agrees, is_within)


@pytest.mark.parametrize(("model", "rate"), [(MODELS[0], 3.2), (MODELS[2], 1.3)])
def test_the_jackknife_covers_the_rate_and_is_about_as_wide_as_the_bootstrap(model, rate):
    rng = np.random.default_rng(6)
    cells = {
        n: times(model.parameter(rate) ** n if model is MODELS[2] else n**rate, 2.0, 60, 1e9, rng)
        for n in (4, 6, 8, 12, 16)
    }
    curve = fit(cells, model)
    low, high = growth(cells, jackknife=True).of(model.name).rate
    assert low < curve.rate < high
    wide = by_name(growth(cells, resamples=60), model.name).rate
    assert 0.4 < (high - low) / (wide.high - wide.low) < 2.5


def test_a_jackknife_of_too_few_successes_tells_nothing():
    cells = {n: sample([n * 1.0, 100.0], [True, False]) for n in (4, 8, 16)}
    power = growth(cells, jackknife=True).of("power")
    assert (power.scale, power.rate) == ((0, inf), (-inf, inf))


def test_what_is_found_is_shown_shortly():
    cells = {n: sample([n**2] * 9 + [n**2 + 1], [True] * 10) for n in (2, 4, 8)}
    found = growth(cells, resamples=3)
    assert repr(found).startswith("<Growth c n^a with c = ")
    assert len(repr(found)) < 150
    assert found._repr_html_().count("<tr>") == 4
    assert repr(found.best.fit.model) == "<Model power: c n^a>"
    assert repr(cells[2]) == "<Sample of 10 runs, 10 solved>"


def test_runs_that_take_no_time_do_not_grow():
    at_start = {n: sample([0, 0], [True, True]) for n in (2, 3, 4)}
    with pytest.raises(InputError, match="solved at its start"):
        growth(at_start)
    late = at_start | {5: sample([3, 4], [True, True])}
    assert growth(late, resamples=5).held_out == ()  # without the largest size nothing is left to fit


def test_a_handful_of_runs_overflows_nowhere():
    rng = np.random.default_rng(3)
    for _ in range(6):
        cells = {n: sample(rng.integers(0, 10 ** rng.integers(1, 7), 2), [True, True]) for n in (2, 3, 4)}
        if any((data.times > 0).any() for data in cells.values()):
            assert len(growth(cells, resamples=4).estimates) == 3


BY_NAME = {model.name: model for model in MODELS}


def curve(model, *, rate, scale=2.0):
    return Fit(model=model, scale=scale, rate=rate, shape=(1.0, 0.0), log_likelihood=0.0, aic=8.0)


@pytest.mark.parametrize(
    ("name", "rate", "expected"),
    [("power", 3.0, 2 * 8**3), ("power-log", 2.0, 2 * 64 * math.log(8)), ("exponential", 1.5, 2 * 1.5**8)],
)
def test_the_mean_follows_the_formula(name, rate, expected):
    assert curve(BY_NAME[name], rate=rate).mean(8) == pytest.approx(expected)


def test_a_mean_beyond_all_floats_is_infinite_without_a_warning():
    assert curve(BY_NAME["exponential"], rate=1e300).mean(50) == math.inf


def test_the_exponential_is_bounded_on_both_sides():
    assert bounded_exp(1.0) == math.e
    assert 0 < bounded_exp(-1e9) < 1e-300
    assert 1e300 < bounded_exp(1e9) < math.inf


def test_a_fit_can_be_sent_to_another_process():
    law = curve(BY_NAME["power-log"], rate=2.5)
    assert pickle.loads(pickle.dumps(law)) == law


def test_reprs_name_the_parameter_of_the_formula():
    assert repr(curve(BY_NAME["exponential"], rate=1.5)) == "<Fit c b^n: c = 2, b = 1.5>"
    assert repr(curve(BY_NAME["power"], rate=1.5)) == "<Fit c n^a: c = 2, a = 1.5>"


def test_powers_are_found_with_intervals():
    rng = np.random.default_rng(3)
    cells = {n: sample(rng.exponential(n**2.0, 400), [True] * 400) for n in (4, 8, 16)}
    found = local_exponents(cells)
    assert [one.n for one in found] == [(4, 8), (8, 16)]
    for one in found:  # the exponent has a deviation of 0.1
        assert one.exponent == pytest.approx(2, abs=0.6)
        assert one.interval.low < one.exponent < one.interval.high


def test_sizes_without_success_are_left_out():
    cells = {
        2: sample([4], [True]),
        3: sample([9], [False]),
        8: sample([64], [True]),
    }
    assert [(one.n, one.exponent) for one in local_exponents(cells)] == [((2, 8), 2.0)]
    assert local_exponents({2: cells[2]}) == ()


ORDER_SIZES = (8, 16, 32, 64, 128)


def times_of(mean):
    spread = np.linspace(0.8, 1.2, 21)  # the same at every n, so that nothing is left to chance
    return {n: sample(mean(n) * spread, np.ones(21, dtype=bool)) for n in ORDER_SIZES}


def test_times_of_the_order_are_told_from_others():
    of, below, above = (
        excess(times_of(mean), log_linear, resamples=20)
        for mean in (
            lambda n: 3 * log_linear(n),
            lambda n: 3 * n**0.7,
            lambda n: 0.1 * n**0.5 * log_linear(n),
        )
    )
    assert abs(of.exponent) < 0.01
    assert abs(above.exponent - 0.5) < 0.01
    assert [found.agrees for found in (of, below, above)] == [True, False, False]
    assert [found.is_within for found in (of, below, above)] == [True, True, False]
    assert above.words.startswith("e = 0.500 [0.4")
