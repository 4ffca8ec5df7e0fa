"""What studies draw: times with a stated order, errors, and distributions beside published ones."""

from math import log

import pytest

from gatewalk.analysis import draw_errors, draw_times
from gatewalk.analysis.distribution_figures import MOST_COMPARED, distribution_figure
from gatewalk.analysis.style import UNSOLVED, panels
from gatewalk.stats import MeanError, compare, sample


def test_errors_of_none_are_left_out_and_bars_stay_above_zero():
    _, ((axes,),) = panels(height=2)
    draw_errors(axes, {"a": {8: MeanError(0.01, 0.1), 16: MeanError(0.0, 0.0)}})
    assert list(axes.lines[0].get_xdata()) == [8]
    low, high = axes.collections[0].get_segments()[0][:, 1]
    assert 0 < low < 0.01 < high


def test_curves_hollow_marks_and_triangles():
    half = sample([10.0, 99.0], [True, False])
    none = sample([50.0, 50.0], [False, False])
    _, ((axes,),) = panels(height=2)
    draw_times(
        axes,
        {"a": {4: sample([5.0, 6.0], [True, True]), 5: half, 6: none}},
        order=log,
        formula="c log n",
    )
    points = {
        (float(x), float(y)): (line.get_marker(), line.get_markerfacecolor())
        for line in axes.lines
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
        if line.get_marker() not in ("_", "|", "None")
    }
    assert points[(4.0, 5.5)][1] != "white"
    assert points[(5.0, 109.0)][1] == "white"  # all iterations per success
    assert points[(6.0, 100.0)][0] == "$\\uparrow$"
    (dashed,) = [line for line in axes.lines if line.get_linestyle() == "--" and len(line.get_xdata()) > 1]
    ends = dashed.get_ydata()[0] / 5.5, dashed.get_ydata()[-1] / 109.0  # from the first success to the last
    assert ends[0] * ends[1] == pytest.approx(1)  # in the middle between the points
    assert [text.get_text() for text in axes.legend().get_texts()] == [
        *("a", "c log n", "some runs failed", "interval has no upper end", "no run succeeded"),
    ]
    assert axes.get_xscale() == "linear"


def test_a_curve_looks_the_same_in_every_panel_and_covers_no_arrow():
    none = sample([50.0, 50.0], [False, False])
    both = {"a": {4: none, 6: none}, "b": {4: none, 6: none}}
    _, ((left, right),) = panels(1, 2, height=2)
    draw_times(left, both, names=["a", "b"])
    draw_times(right, {"b": both["b"]}, names=["a", "b"])
    arrows = [
        [line for line in axes.lines if line.get_marker() == UNSOLVED["marker"] and len(line.get_xdata())]
        for axes in (left, right)
    ]
    assert len({float(x) for line in arrows[0] for x in line.get_xdata()}) == 4
    first, second = arrows[0]
    assert [line.get_color() for line in arrows[1]] == [second.get_color()]
    assert first.get_color() != second.get_color()


GOOD = sample([3, 4, 8, 9], [True] * 4)
CUT = sample([3, 4, 8, 9], [True, True, False, False])
NEVER = sample([9, 9], [False, False])
START = sample([0, 0], [True, True])


@pytest.mark.parametrize("cells", [1, 2, 5, MOST_COMPARED + 3])
def test_distributions(cells):
    pairs = [(GOOD, CUT), (CUT, NEVER), (NEVER, NEVER), (START, GOOD)]
    compared = [compare(f"cell {i}", *pairs[i % 4]) for i in range(cells)]
    drawn = distribution_figure(compared)
    assert sum(axes.get_visible() for axes in drawn.axes) == min(cells, MOST_COMPARED)
