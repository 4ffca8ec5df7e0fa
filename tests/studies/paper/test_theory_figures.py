"""Figures beside the theory: exponents, bounds and the Xor experiment."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from paper_cells import TRUE, made

from gatewalk.analysis.growth import growth
from gatewalk.analysis.statistics import Interval, sample
from gatewalk.studies.paper import theory_figures
from gatewalk.studies.paper.exact import Moments
from gatewalk.studies.paper.experiments import Cell, Place
from gatewalk.studies.paper.looks import LOOKS
from gatewalk.studies.paper.scaling import Scaling

TIMES = {n: sample(np.linspace(0.9, 1.1, 20) * n**2, np.ones(20, bool)) for n in (4, 6, 8, 12)}
POWER = next(item.fit for item in growth(TIMES, resamples=5).estimates if item.fit.model.name == "power")
ROW = Scaling("complete", "paper", "nonstrict", "cgp-2n", POWER, Interval(1.8, 2.2), "c n^a", (4, 12), 20)


@pytest.mark.parametrize(("high", "marks"), [(2.2, 0), (40.0, 1)])
def test_exponents_stand_where_they_were_fitted(high: float, marks: int) -> None:
    drawn = theory_figures.exponents([replace(ROW, interval=Interval(1.8, high))])
    left, right = drawn.axes
    marker = LOOKS["cgp-2n"].marker
    assert not [line for line in right.lines if line.get_marker() == marker]
    (point,) = [line for line in left.lines if line.get_marker() == marker]
    assert list(point.get_xdata()) == pytest.approx([POWER.rate])
    assert sum(line.get_marker() == ">" for line in left.lines) == marks


def test_bounds_lie_above_the_curves_that_they_bound() -> None:
    cells = {
        place: replace(cell, nodes=int(place.model[4]) * place.n)
        for place, cell in made(TRUE).items()
        if place.model.startswith("cgp")
    }
    left, right = theory_figures.bounds(cells).axes
    for axes in (left, right):
        assert axes.get_yscale() == "log"
        measured, bound = axes.lines[:2]
        assert list(measured.get_xdata()) == list(bound.get_xdata()) == list(range(6, 12))


def test_exclusive_disjunctions_with_fits_and_exact_values() -> None:
    place = Place("xor", "paper", "nonstrict", "cgp-1n", 3)
    cells = {
        replace(place, n=n): Cell(n, data, data, np.zeros(0))
        for n, data in ((n, sample([10.0**n, 10.0**n], [True, n < 4])) for n in (2, 3, 4))
    }
    row = replace(ROW, part="xor", model="cgp-1n")
    times, rates = theory_figures.exclusives(cells, [row], {place: Moments(990.0, 100.0)}).axes
    assert [990.0] in [list(line.get_ydata()) for line in times.lines]
    assert [1.0, 1.0, 0.5] in [list(line.get_ydata()) for line in rates.lines]
    (legend,) = times.figure.legends
    words = [text.get_text() for text in legend.get_texts()]
    assert any(word.startswith("CGP, $D = n$; $b = ") for word in words)
