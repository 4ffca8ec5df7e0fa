"""Expected running times (ERT) of a model as bands or points; intervals without an end share a ceiling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gatewalk.analysis.style import Look, legend_entry
from gatewalk.analysis.time_figures import MARKS, draw_times
from gatewalk.stats.sample import Sample
from gatewalk.studies.paper.experiments import Cell, Cells

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

LABEL = "ERT: iterations of all runs\nper success"
RESAMPLES = 1000


def ceiling(cells: Cells) -> float:
    """Where intervals without an upper end are cut: at ten times the most that the runs of a cell spent."""
    return 10.0 * max(float(cell.runs.iterations.sum()) for cell in cells.values())


def draw_band(axes: Axes, cells: Mapping[int, Cell], look: Look, top: float) -> set[str]:
    """A line through the ERT of each n with its 95 % band; returns which of `MARKS` were needed."""
    return draw_times(axes, _runs(cells), look, hollow=False, ceiling=top, resamples=RESAMPLES, size=3.2)


def draw_points(axes: Axes, cells: Mapping[int, Cell], look: Look, top: float, *, aside: float) -> set[str]:
    """Points with 95 % error bars, moved sideways; returns which of `MARKS` were needed."""
    return draw_times(
        axes,
        _runs(cells),
        look,
        bars=True,
        line=False,
        hollow=False,
        place=lambda n: n + aside,
        arrow_place=float,
        ceiling=top,
        resamples=RESAMPLES,
        size=3.5,
    )


def mark_keys(used: set[str]) -> list[Line2D]:
    """The entries of a legend for these marks."""
    return [legend_entry(label, **mark) for name, (label, mark) in MARKS.items() if name in used]


def _runs(cells: Mapping[int, Cell]) -> dict[int, Sample]:
    return {n: cell.runs for n, cell in cells.items()}
