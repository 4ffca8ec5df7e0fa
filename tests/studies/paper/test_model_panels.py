"""Small multiples: a panel for each model, with its own band and its own published points."""

from __future__ import annotations

import numpy as np

from gatewalk.analysis.statistics import success_rate
from gatewalk.analysis.style import GREY, styled
from gatewalk.studies.paper import model_panels
from gatewalk.studies.paper.experiments import Cell, Place, line
from gatewalk.studies.paper.models import MODELS
from gatewalk.studies.paper.published import figure

Cells = dict[Place, Cell]


def test_figure_3_has_a_panel_for_each_model_selection_and_measure(cells: Cells) -> None:
    with styled():
        drawn = model_panels.incomplete_times(cells, "tinyverse")
    assert len(drawn.axes) == 4 * len(MODELS)
    assert [place.get_title() for place in drawn.axes[:2]] == ["CGP, $D = n+1$", "CGP, $D = 2n+1$"]
    rows = [drawn.axes[row * len(MODELS)].get_ylabel() for row in range(4)]
    assert [words[:3] for words in rows] == ["(a)", "(b)", "(c)", "(d)"]
    (points,) = [line for line in drawn.axes[0].lines if line.get_markeredgecolor() == GREY]
    plotted = figure("fig3", "runtime")
    for n, value in zip(points.get_xdata(), points.get_ydata(), strict=True):
        assert value == plotted["nonstrict", "cgp-1n", int(n)]


def test_success_rates_are_those_of_the_runs(cells: Cells) -> None:
    with styled():
        drawn = model_panels.success_rates(cells, "paper")
    assert len(drawn.axes) == 2 * len(MODELS)
    found = line(cells, "complete", "paper", "nonstrict", MODELS[0].name)
    ours = next(one for one in drawn.axes[0].lines if one.get_color() != GREY)
    assert list(ours.get_xdata()) == list(found)
    assert np.allclose(ours.get_ydata(), [success_rate(cell.runs).rate for cell in found.values()])
    assert {place.get_ylim() for place in drawn.axes} == {(-0.04, 1.06)}
