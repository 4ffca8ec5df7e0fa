"""Expected running times with a mark wherever there is no interval or no success."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from gatewalk.analysis.statistics import ert, sample
from gatewalk.analysis.style import UNSOLVED, Look
from gatewalk.studies.paper.ert_curves import ceiling, draw_band, draw_points, mark_keys
from gatewalk.studies.paper.experiments import Cell, Place

LOOK = Look("black", "solid", "o")


def cell(solved: int) -> Cell:
    runs = sample([100] * 12, [True] * solved + [False] * (12 - solved))
    return Cell(nodes=8, runs=runs, all_runs=runs, generalisation=np.zeros(12))


def test_the_ceiling_is_above_all_that_was_spent() -> None:
    place = Place("complete", "paper", "strict", "cgp-1n", 4)
    assert ceiling({place: cell(12)}) == 10 * 1200


@pytest.mark.parametrize(
    ("solved", "marks"), [(12, set()), (6, set()), (1, {"endless"}), (0, {"unsolved"})], ids=str
)
def test_marks_are_drawn_where_they_are_needed(solved: int, marks: set[str]) -> None:
    found = {4: cell(12), 5: cell(solved)}
    band, points = Figure().subplots(), Figure().subplots()
    assert draw_band(band, found, LOOK, 12_000.0) == marks
    assert draw_points(points, found, LOOK, 12_000.0, aside=0.2) == marks
    curve = band.lines[0]
    assert list(curve.get_xdata()) == ([4, 5] if solved else [4])
    assert curve.get_ydata()[-1] == ert(found[5 if solved else 4].runs)
    if "unsolved" in marks:
        (arrow,) = [line for line in band.lines if line.get_marker() == UNSOLVED["marker"]]
        assert (list(arrow.get_xdata()), list(arrow.get_ydata())) == ([5], [1200.0])
    if "endless" in marks:
        assert any(list(line.get_ydata()) == [12_000.0] for line in band.lines[1:])


def test_the_legend_explains_the_marks_in_use() -> None:
    assert [entry.get_label() for entry in mark_keys({"endless", "unsolved"})] == [
        "no run succeeded",
        "interval has no upper end",
    ]
    assert mark_keys(set()) == []
