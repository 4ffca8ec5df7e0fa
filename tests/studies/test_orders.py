"""Fits beside a stated order: what is of it, what is below it, and how it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from math import log

import numpy as np
import pytest

from gatewalk.analysis.statistics import Sample, sample
from gatewalk.analysis.style import panels
from gatewalk.studies import orders

SIZES = (8, 16, 32, 64, 128)


def times(mean: Callable[[float], float]) -> dict[int, Sample]:
    spread = np.linspace(0.8, 1.2, 21)  # the same at every n, so that nothing is left to chance
    return {n: sample(mean(n) * spread, np.ones(21, dtype=bool)) for n in SIZES}


def test_times_of_the_order_are_told_from_others() -> None:
    of, below, above = (
        orders.against(times(mean), orders.log_linear, quick=True)
        for mean in (lambda n: 3 * n * log(n), lambda n: 3 * n**0.7, lambda n: 0.1 * n**1.5 * log(n))
    )
    assert abs(of.exponent) < 0.01
    assert abs(above.exponent - 0.5) < 0.01
    assert [orders.is_of(one) for one in (of, below, above)] == [True, False, False]
    assert [orders.is_at_most(one) for one in (of, below, above)] == [True, True, False]
    assert orders.words(above).startswith("e = 0.500 [0.4")


def test_curves_hollow_marks_and_triangles() -> None:
    half = sample([10.0, 99.0], [True, False])
    none = sample([50.0, 50.0], [False, False])
    _, ((axes,),) = panels(height=2)
    orders.draw_times(
        axes, {"a": {4: sample([5.0, 6.0], [True, True]), 5: half, 6: none}}, order=log, formula="c log n"
    )
    points = {
        (float(line.get_xdata()[0]), float(line.get_ydata()[0])): (
            line.get_marker(),
            line.get_markerfacecolor(),
        )
        for line in axes.lines
        if len(line.get_xdata()) == 1 and line.get_marker() not in ("_", "|")
    }
    assert points[(4.0, 5.5)][1] != "white"
    assert points[(5.0, 109.0)][1] == "white"  # all iterations per success
    assert points[(6.0, 100.0)][0] == "$\\uparrow$"
    (dashed,) = [line for line in axes.lines if line.get_linestyle() == "--" and len(line.get_xdata()) > 1]
    ends = dashed.get_ydata()[0] / 5.5, dashed.get_ydata()[-1] / 109.0  # from the first success to the last
    assert ends[0] * ends[1] == pytest.approx(1)  # in the middle between the points
    assert [text.get_text() for text in axes.legend().get_texts()] == [
        *("a", "c log n", "some runs failed", "no upper end", "no run succeeded"),
    ]
    assert axes.get_xscale() == "linear"


def test_a_curve_looks_the_same_in_every_panel_and_covers_no_arrow() -> None:
    none = sample([50.0, 50.0], [False, False])
    both = {"a": {4: none, 6: none}, "b": {4: none, 6: none}}
    _, ((left, right),) = panels(1, 2, height=2)
    orders.draw_times(left, both, names=["a", "b"])
    orders.draw_times(right, {"b": both["b"]}, names=["a", "b"])
    arrows = [[line for line in axes.lines if len(line.get_xdata()) == 1] for axes in (left, right)]
    assert len({float(line.get_xdata()[0]) for line in arrows[0]}) == 4
    assert [line.get_color() for line in arrows[1]] == [line.get_color() for line in arrows[0][2:]]
    assert arrows[0][0].get_color() != arrows[0][2].get_color()
