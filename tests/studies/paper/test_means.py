"""Means over the runs that succeeded, and a cross where some did not."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from gatewalk.analysis.statistics import sample
from gatewalk.analysis.style import FAILED, Look
from gatewalk.studies.paper.experiments import Cell
from gatewalk.studies.paper.means import abilities, draw_means, draw_published, times

LOOK = Look("black", "solid", "o")


def cell(iterations: list[int], solved: list[bool]) -> Cell:
    runs = sample(iterations, solved)
    return Cell(nodes=8, runs=runs, all_runs=runs, generalisation=np.linspace(0.5, 1.0, len(solved)))


def test_only_successful_runs_are_averaged() -> None:
    one = cell([10, 20, 900], [True, True, False])
    assert sorted(times(one)) == [10, 20]
    assert list(abilities(one)) == [0.5, 0.75]


@pytest.mark.parametrize("failures", [False, True])
def test_a_cross_says_that_a_run_failed(failures: bool) -> None:
    axes = Figure().subplots()
    found = {4: cell([10, 20, 30], [True] * 3), 5: cell([10, 20, 900], [True, True, not failures])}
    assert draw_means(axes, found, LOOK, times) is failures
    curve, *crosses = axes.lines
    assert list(curve.get_xdata()) == [4, 5]
    assert curve.get_ydata()[0] == 20
    assert curve.get_ydata()[1] == (15 if failures else 310)
    assert [(list(mark.get_xdata()), mark.get_marker()) for mark in crosses] == (
        [([5], FAILED["marker"])] if failures else []
    )


def test_a_size_without_success_is_left_out() -> None:
    axes = Figure().subplots()
    draw_means(axes, {4: cell([10, 20], [True] * 2), 5: cell([9, 9], [False] * 2)}, LOOK, times)
    assert list(axes.lines[0].get_xdata()) == [4]


def test_published_points_are_those_of_the_curve_at_our_sizes() -> None:
    axes = Figure().subplots()
    published = {("strict", "a", 4): 7.0, ("strict", "a", 6): 9.0, ("strict", "b", 4): 1.0}
    draw_published(axes, published, "strict", "a", [3, 4, 5], {"marker": "o"})
    (points,) = axes.lines
    assert (list(points.get_xdata()), list(points.get_ydata())) == ([4], [7.0])
