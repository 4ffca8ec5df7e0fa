"""Fitted growth beside local exponents: what is drawn is what was found."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes

from gatewalk.analysis.growth import growth
from gatewalk.analysis.growth_figures import growth_and_exponents_figure
from gatewalk.analysis.local_exponents import local_exponents
from gatewalk.analysis.statistics import sample


def legend_texts(axes: Axes) -> list[str]:
    (legend,) = axes.figure.legends
    return [text.get_text() for text in legend.get_texts()]


def test_local_exponents_stand_beside_the_fit() -> None:
    rng = np.random.default_rng(3)
    cells = {n: sample(rng.exponential(n**2.0, 60), [True] * 60) for n in (4, 8, 16)}
    fitted = growth(cells, resamples=20)
    left, right = growth_and_exponents_figure({"square": (cells, fitted)}).axes
    assert left.get_yscale() == left.get_xscale() == right.get_xscale() == "log"
    (points,) = [bars.lines[0] for bars in right.containers]
    assert list(points.get_ydata()) == pytest.approx([one.exponent for one in local_exponents(cells)])
    rate = next(item.fit.rate for item in fitted.estimates if item.fit.model.name == "power")
    assert any(list(line.get_ydata()) == pytest.approx([rate, rate]) for line in right.lines)
    entries = legend_texts(right)
    assert "(b) fitted to all sizes" in entries
    assert not any("has no" in entry for entry in entries)


def test_curves_without_a_fit_and_with_single_runs() -> None:
    single = {n: sample([n**2], [True]) for n in (4, 8, 16)}
    _, right = growth_and_exponents_figure({"one": (single, None), "other": (single, None)}).axes
    assert len(right.containers) == 2
    first, second = (bars.lines[0].get_xdata() for bars in right.containers)
    assert (np.asarray(first) < np.asarray(second)).all()  # side by side
    assert "(b) fitted to all sizes" not in legend_texts(right)
