"""The figure of running times has every mark in its legend and shows the numbers that it was given."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.analysis import sample
from gatewalk.analysis.style import picture
from gatewalk.analysis.time_figure import times_figure

GOOD = sample([3, 4, 8, 9], [True] * 4)
CUT = sample([3, 4, 8, 9], [True, True, False, False])
NEVER = sample([9, 9], [False, False])
START = sample([0, 0], [True, True])


@pytest.mark.parametrize(
    "curves",
    [
        {"a $b_c$": {4: GOOD, 5: CUT, 6: NEVER}},
        {"a": {7: GOOD}, "b": {7: CUT}},
        {"a": {2: START, 100: GOOD}},
        {"a": {2: NEVER}},
        {str(i): {2: GOOD, 3: CUT} for i in range(9)},
    ],
)
def test_times(curves: dict[str, dict[int, object]]) -> None:
    drawn = times_figure(curves, x="nodes", published={"a": {7: GOOD}})  # type: ignore[arg-type]
    assert picture(drawn, "svg").startswith(b"<?xml")
    assert drawn.axes[0].get_yscale() == "log"


def test_values_and_legend() -> None:
    drawn = times_figure(
        {"a": {4: GOOD, 5: CUT, 6: NEVER}},
        bounds={"a": {4: 99.0}},
        bound_name="at most",
        exact={"a": {4: 6.5}},
    )
    (axes,) = drawn.axes
    assert axes.lines[0].get_xdata().tolist() == [4, 5]  # type: ignore[union-attr]
    assert np.allclose(axes.lines[0].get_ydata(), [6, 12])
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        *("a", "95 % bootstrap", "some runs failed", "band has no upper end"),
        *("none solved: time spent", "at most", "exact expectation"),
    ]
    marks = {float(line.get_ydata()[0]) for line in axes.lines if len(line.get_ydata()) == 1}  # type: ignore
    assert {99.0, 6.5, 18.0, 24.0} <= marks


def test_a_figure_without_failures_explains_none() -> None:
    legend = times_figure({"a": {4: GOOD, 5: GOOD}}).axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["a", "95 % bootstrap"]  # type: ignore[union-attr]
