"""The figure that every study with published runs has can draw whatever is measured."""

from __future__ import annotations

import pytest

from gatewalk.analysis import sample
from gatewalk.studies.comparison import compare
from gatewalk.studies.figures import MOST_PANELS, distribution_figure

GOOD = sample([3, 4, 8, 9], [True] * 4)
CUT = sample([3, 4, 8, 9], [True, True, False, False])
NEVER = sample([9, 9], [False, False])
START = sample([0, 0], [True, True])


@pytest.mark.parametrize("cells", [1, 2, 5, MOST_PANELS + 3])
def test_distributions(cells: int) -> None:
    pairs = [(GOOD, CUT), (CUT, NEVER), (NEVER, NEVER), (START, GOOD)]
    compared = [compare(f"cell {i}", *pairs[i % 4]) for i in range(cells)]
    drawn = distribution_figure(compared)
    assert sum(axes.get_visible() for axes in drawn.axes) == min(cells, MOST_PANELS)
