"""Every figure of the reproduction has what a journal asks for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from figure_checks import check

from gatewalk.analysis.statistics import sample
from gatewalk.analysis.style import styled
from gatewalk.studies.paper import figures, model_panels, theory_figures
from gatewalk.studies.paper.exact_figures import exact_distributions
from gatewalk.studies.paper.experiments import Cell, Place
from gatewalk.studies.paper.gallery import _crosses, _runs_each
from gatewalk.studies.paper.looks import LOOKS
from gatewalk.studies.paper.scaling import scalings

Cells = dict[Place, Cell]


@pytest.fixture
def odd(cells: Cells) -> Cells:
    """The cells, one with a single success and one with none."""
    rare = Place("complete", "paper", "strict", "cgp-1n", 5)
    never = Place("complete", "paper", "strict", "cgp-2n", 5)
    shown = {
        rare: replace(cells[rare], runs=sample([3000] * 12, [True] + [False] * 11)),
        never: replace(cells[never], runs=sample([3000] * 12, [False] * 12)),
    }
    return {**cells, **shown}


DRAWN = {
    "figure2": lambda cells: figures.complete_times(cells, "paper"),
    "figure3": lambda cells: model_panels.incomplete_times(cells, "paper"),
    "success": lambda cells: model_panels.success_rates(cells, "paper"),
    "ert": lambda cells: figures.expected_times(cells, "paper", {}),
    "distributions": lambda cells: figures.distributions(cells, "paper"),
    "exact": lambda cells: exact_distributions(cells, "paper"),
    "exponents": lambda cells: theory_figures.exponents(scalings(cells, "complete", "paper")),
    "bounds": theory_figures.bounds,
    "xor": lambda cells: theory_figures.exclusives(cells, scalings(cells, "xor", "paper"), {}),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_journal_takes_it(odd: Cells, name: str) -> None:
    with styled():
        drawn = DRAWN[name](odd)
    # The marks of exponents are explained by the names beside them.
    check(drawn, named=[look.marker for look in LOOKS.values()] if name == "exponents" else ())


def test_an_interval_without_an_upper_end_is_marked_at_the_edge(odd: Cells) -> None:
    with styled():
        drawn = figures.expected_times(odd, "paper", {})
    strict = drawn.axes[1]
    (mark,) = [
        line
        for line in strict.lines
        if line.get_marker() == "^" and not line.get_clip_on() and line.get_color() == LOOKS["cgp-1n"].colour
    ]
    assert 5 in mark.get_xdata()
    assert np.allclose(mark.get_ydata(), strict.get_ylim()[1])


def test_captions_say_how_many_runs_each_cell_has(cells: Cells) -> None:
    count = next(iter(cells.values())).runs.runs
    assert _runs_each(cells) == f" ({count} runs per cell)"


def test_captions_speak_of_crosses_where_there_are_some(odd: Cells) -> None:
    complete = {place: cell for place, cell in odd.items() if place.part == "complete"}
    solved = {place: replace(cell, runs=sample([5] * 12, [True] * 12)) for place, cell in complete.items()}
    assert "cross" in _crosses(complete, "paper")
    assert _crosses(solved, "paper") == ""
