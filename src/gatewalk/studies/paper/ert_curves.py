"""Drawing the expected running times (ERT) of a curve as bands or points, with marks for special cells.

An interval without an upper end, which a cell with very few successes has, is drawn up to a ceiling with a
triangle. A cell without any success has an arrow at the iterations that its runs spent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.analysis.statistics import ert
from gatewalk.analysis.style import GREY, UNSOLVED, Look, beyond, key
from gatewalk.studies.paper.bands import ert_band
from gatewalk.studies.paper.experiments import Cell, Cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

LABEL = "ERT: iterations of all runs\nper success"
MARKS = {  # in the order of the legend, each with its meaning
    "unsolved": ("no run succeeded", UNSOLVED),
    "endless": ("interval has no upper end", beyond("up", GREY)),
}
Floats = NDArray[np.float64]


def ceiling(cells: Cells) -> float:
    """Where intervals without an upper end are cut: at ten times the most that the runs of a cell spent."""
    return 10.0 * max(float(cell.runs.iterations.sum()) for cell in cells.values())


def draw_band(axes: Axes, cells: Mapping[int, Cell], look: Look, top: float) -> set[str]:
    """A line through the ERT of each n with its 95 % band; returns which of MARKS were needed."""
    solved = {n: cell for n, cell in cells.items() if cell.runs.successes}
    sizes, values, low, high = _intervals(solved, top)
    axes.fill_between(sizes, low, high, color=look.colour, alpha=0.15, linewidth=0)
    options: Any = {"color": look.colour, "linestyle": look.dashes, "marker": look.marker, "markersize": 3.2}
    axes.plot(sizes, values, **options)
    return _mark_ends(axes, cells, look, sizes[high >= top], top)


def draw_points(axes: Axes, cells: Mapping[int, Cell], look: Look, top: float, *, aside: float) -> set[str]:
    """Points with 95 % error bars, moved sideways; returns which of MARKS were needed."""
    solved = {n: cell for n, cell in cells.items() if cell.runs.successes}
    sizes, values, low, high = _intervals(solved, top)
    axes.errorbar(
        sizes + aside,
        values,
        [values - low, np.maximum(high - values, 0)],
        color=look.colour,
        marker=look.marker,
        markersize=3.5,
        linestyle="none",
        elinewidth=0.8,
    )
    return _mark_ends(axes, cells, look, sizes[high >= top] + aside, top)


def mark_keys(used: set[str]) -> list[Line2D]:
    """The entries of a legend for these marks."""
    return [key(label, **{**mark, "color": GREY}) for name, (label, mark) in MARKS.items() if name in used]


def _intervals(solved: Mapping[int, Cell], top: float) -> tuple[Floats, Floats, Floats, Floats]:
    bands = [ert_band(cell.runs) for cell in solved.values()]
    return (
        np.array(list(solved), dtype=np.float64),
        np.array([ert(cell.runs) for cell in solved.values()]),
        np.array([band.low for band in bands]),
        np.array([min(band.high, top) for band in bands]),
    )


def _mark_ends(axes: Axes, cells: Mapping[int, Cell], look: Look, endless: Floats, top: float) -> set[str]:
    unsolved = {n: cell for n, cell in cells.items() if not cell.runs.successes}
    if endless.size:
        axes.plot(endless, np.full(endless.size, top), **beyond("up", look.colour))
    if unsolved:
        spent = [float(cell.runs.iterations.sum()) for cell in unsolved.values()]
        axes.plot(list(unsolved), spent, color=look.colour, **UNSOLVED)
    marks = {"endless": bool(endless.size), "unsolved": bool(unsolved)}
    return {name for name, is_there in marks.items() if is_there}
