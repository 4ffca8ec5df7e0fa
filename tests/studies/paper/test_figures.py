"""Figures are readable without colour, carry the published points, and come out the same every time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gatewalk.analysis.statistics import sample
from gatewalk.analysis.style import picture, styled
from gatewalk.studies.paper import figures, model_panels, theory_figures
from gatewalk.studies.paper.experiments import Cell, Place
from gatewalk.studies.paper.looks import LOOKS
from gatewalk.studies.paper.published import figure
from gatewalk.studies.paper.scaling import scalings

Cells = dict[Place, Cell]


def test_published_points_are_drawn_over_ours(cells: Cells) -> None:
    with styled():
        drawn = figures.complete_times(cells, "tinyverse")
    place = drawn.axes[0]
    assert place.get_yscale() == "log"
    look = LOOKS["cgp-1n"]
    points = [line for line in place.lines if line.get_marker() == look.marker]
    assert len(points) == 1
    plotted = figure("fig2", "runtime")
    for n, value in zip(points[0].get_xdata(), points[0].get_ydata(), strict=True):
        assert value == plotted["nonstrict", "cgp-1n", int(n)]
    assert points[0].get_markerfacecolor() == "white"
    curves = [line for line in place.lines if line.get_color() == look.colour and line.get_linestyle() == "-"]
    ours = cells[Place("complete", "tinyverse", "nonstrict", "cgp-1n", 5)].runs.times.mean()
    assert ours in np.asarray(curves[0].get_ydata())


def test_axes_say_what_they_show(cells: Cells) -> None:
    grown = scalings(cells, "xor", "paper")
    with styled():
        all_drawn = [
            figures.complete_times(cells, "paper"),
            model_panels.incomplete_times(cells, "paper"),
            model_panels.success_rates(cells, "paper"),
            figures.expected_times(cells, "paper", {}),
            figures.distributions(cells, "paper"),
            theory_figures.exponents(scalings(cells, "complete", "paper")),
            theory_figures.bounds(cells),
            theory_figures.exclusives(cells, grown, {}),
        ]
    for drawn in all_drawn:
        assert drawn.axes[0].get_ylabel() or drawn.axes[0].get_yticklabels()
        assert any(place.get_xlabel() for place in drawn.axes)
        letters = [word for place in drawn.axes for word in (place.get_title(), place.get_ylabel())]
        assert any(word.startswith("(a)") for word in letters)
        assert any(word.startswith("(b)") for word in letters)
        assert drawn.legends


def test_cells_without_success_have_an_arrow_that_the_legend_explains(cells: Cells) -> None:
    def entries(shown: Cells) -> list[str]:
        with styled():
            drawn = figures.expected_times(shown, "paper", {})
        return [text.get_text() for text in drawn.legends[0].get_texts()]

    place = Place("complete", "paper", "strict", "cgp-1n", 5)
    failed = replace(cells[place], runs=sample([3000] * 12, [False] * 12))
    assert "no run succeeded" in entries({**cells, place: failed})
    solved = {p: replace(cell, runs=sample([5] * 12, [True] * 12)) for p, cell in cells.items()}
    assert "no run succeeded" not in entries(solved)


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_the_same_cells_give_the_same_bytes(cells: Cells, kind: str) -> None:
    with styled():
        first, second = (picture(model_panels.success_rates(cells, "paper"), kind) for _ in range(2))
    assert first == second
