"""Fits find curves again, exact values belong to their cells, and bounds lie above what they bound."""

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from paper_cells import TRUE, cell_of, made

from gatewalk.stats import growth, sample
from gatewalk.stats.sample import Interval
from gatewalk_studies.paper.cells import Place
from gatewalk_studies.paper.figures import LOOKS
from gatewalk_studies.paper.theory import (
    Moments,
    Scaling,
    bounds_figure,
    exact_times,
    exponents_figure,
    scaling,
    xor_figure,
)


def test_exact_values_belong_to_their_cells(cells):
    small = {place: cell for place, cell in cells.items() if place.n == 3}
    exact = exact_times(small)
    means = {
        Place("complete", "tinyverse", "strict", "tgp-single", 3): 12.5,
        Place("complete", "paper", "nonstrict", "cgp-1n", 3): 11.946156,
        Place("xor", "paper", "nonstrict", "cgp-n-1", 3): 26.838346,
    }
    for place, mean in means.items():
        assert exact[place].mean == pytest.approx(mean, abs=1e-5)
    assert all(value.mean < inf and place.part != "incomplete" for place, value in exact.items())


def gamma_times(mean, *, runs=60, budget=1e9, seed=0):
    rng = np.random.default_rng(seed)
    by_size = {}
    for n, value in mean.items():
        drawn = rng.gamma(2.0, value / 2, runs)
        by_size[n] = sample(np.minimum(drawn, budget), drawn < budget)
    return by_size


@pytest.mark.parametrize("budget", [1e9, 1200.0])
def test_an_exponent_is_found_again(budget):
    estimate, _ = scaling(gamma_times({n: n**2.5 for n in range(3, 16)}, budget=budget, seed=4))
    assert estimate.fit.rate == pytest.approx(2.5, abs=0.2)
    assert estimate.rate.low < 2.5 < estimate.rate.high
    assert estimate.rate.high - estimate.rate.low < 1


def test_a_base_is_found_again():
    estimate, best = scaling(gamma_times({n: 3.0**n for n in range(2, 9)}, seed=5), exponential=True)
    assert estimate.fit.rate == pytest.approx(3.0, rel=0.1)
    assert estimate.rate.low < 3 < estimate.rate.high
    assert best == "c b^n"


def test_two_sizes_are_no_curve():
    assert scaling(gamma_times({3: 10.0, 4: 20.0})) is None
    hopeless = gamma_times({3: 10.0, 4: 20.0, 5: 1e9, 6: 1e9}, budget=1e4)
    assert scaling(hopeless) is None


TIMES = {n: sample(np.linspace(0.9, 1.1, 20) * n**2, np.ones(20, bool)) for n in (4, 6, 8, 12)}
POWER = growth(TIMES, jackknife=True).of("power")
ROW = Scaling("complete", "paper", "nonstrict", "cgp-2n", POWER, "c n^a", (4, 12), 20)


@pytest.mark.parametrize(("high", "marks"), [(2.2, 0), (40.0, 1)])
def test_exponents_stand_where_they_were_fitted(high, marks):
    left, right = exponents_figure([replace(ROW, estimate=replace(POWER, rate=Interval(1.8, high)))]).axes
    marker = LOOKS["cgp-2n"].marker
    assert not [line for line in right.lines if line.get_marker() == marker]
    (point,) = [line for line in left.lines if line.get_marker() == marker]
    assert list(point.get_xdata()) == pytest.approx([POWER.fit.rate])
    assert sum(line.get_marker() == ">" for line in left.lines) == marks


def test_bounds_lie_above_the_curves_that_they_bound():
    cells = {place: cell for place, cell in made(TRUE).items() if place.model.startswith("cgp")}
    for axes in bounds_figure(cells).axes:
        assert axes.get_yscale() == "log"
        measured, bound = axes.lines[:2]
        assert list(measured.get_xdata()) == list(bound.get_xdata()) == list(range(6, 12))
        assert (np.asarray(bound.get_ydata()) > np.asarray(measured.get_ydata())).all()


def test_exclusive_disjunctions_with_fits_and_exact_values():
    place = Place("xor", "paper", "nonstrict", "cgp-1n", 3)
    cells = {replace(place, n=n): cell_of([10.0**n, 10.0**n], [True, n < 4]) for n in (2, 3, 4)}
    row = replace(ROW, part="xor", model="cgp-1n")
    times, rates = xor_figure(cells, [row], {place: Moments(990.0, 100.0)}).axes
    assert [990.0] in [list(line.get_ydata()) for line in times.lines]
    assert [1.0, 1.0, 0.5] in [list(line.get_ydata()) for line in rates.lines]
    (legend,) = times.figure.legends
    words = [text.get_text() for text in legend.get_texts()]
    assert any(word.startswith("CGP, $D = n$; $b = ") for word in words)
