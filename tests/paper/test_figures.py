"""Figures are readable without colour, carry the published points, and come out the same every time."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.analysis.style import picture, styled
from gatewalk.paper import figures, theory_figures
from gatewalk.paper.experiments import Cell, Place
from gatewalk.paper.looks import LOOKS
from gatewalk.paper.models import MODELS, XOR_MODELS
from gatewalk.paper.published import figure
from gatewalk.paper.scaling import scalings

Cells = dict[Place, Cell]


@pytest.mark.parametrize("models", [MODELS, XOR_MODELS])
def test_models_differ_in_colour_line_and_marker(models: tuple[object, ...]) -> None:
    looks = [LOOKS[model.name] for model in models]  # type: ignore[attr-defined]
    for name in ("colour", "dashes", "marker"):
        assert len({str(getattr(look, name)) for look in looks}) == len(looks)


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
            figures.incomplete_times(cells, "paper"),
            figures.success_rates(cells, "paper"),
            figures.expected_times(cells, "paper", {}),
            figures.distributions(cells, "paper"),
            theory_figures.exponents(scalings(cells, "complete", "paper")),
            theory_figures.bounds(cells),
            theory_figures.exclusives(cells, grown, {}),
        ]
    for drawn in all_drawn:
        assert drawn.axes[0].get_ylabel() or drawn.axes[0].get_yticklabels()
        assert any(place.get_xlabel() for place in drawn.axes)
        assert all(place.get_title().startswith("(") for place in drawn.axes)
        assert drawn.legends


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_the_same_cells_give_the_same_bytes(cells: Cells, kind: str) -> None:
    with styled():
        first, second = (picture(figures.success_rates(cells, "paper"), kind) for _ in range(2))
    assert first == second
