"""Figures that every study has can draw whatever is measured."""

from __future__ import annotations

import pytest

from gatewalk.analysis import sample
from gatewalk.analysis.style import picture
from gatewalk.studies.comparison import compare
from gatewalk.studies.figures import MOST_PANELS, distribution_figure, times_figure

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


@pytest.mark.parametrize("cells", [1, 2, 5, MOST_PANELS + 3])
def test_distributions(cells: int) -> None:
    pairs = [(GOOD, CUT), (CUT, NEVER), (NEVER, NEVER), (START, GOOD)]
    compared = [compare(f"cell {i}", *pairs[i % 4]) for i in range(cells)]
    drawn = distribution_figure(compared)
    assert sum(axes.get_visible() for axes in drawn.axes) == min(cells, MOST_PANELS)
