"""Means of a curve's cells over the runs that succeeded, as the paper plots them, and its own points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.analysis.style import FAILED, Look
from gatewalk.stats.resampling import bootstrap_mean
from gatewalk.studies.paper.experiments import Cell

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Key = tuple[str, str, int]
Values = Callable[[Cell], NDArray[np.float64]]


def times(cell: Cell) -> NDArray[np.float64]:
    """The iterations of the runs that succeeded."""
    return cell.runs.times


def abilities(cell: Cell) -> NDArray[np.float64]:
    """The generalisation ability of the programs of the runs that succeeded."""
    return cell.generalisation[cell.runs.solved]


def draw_means(axes: Axes, cells: Mapping[int, Cell], look: Look, values_of: Values) -> bool:
    """A line with its 95 % band, and a cross where a run failed; returns whether there is a cross."""
    found = {n: cell for n, cell in cells.items() if values_of(cell).size}
    sizes = np.array(list(found))
    means = np.array([values_of(cell).mean() for cell in found.values()])
    bands = [bootstrap_mean(values_of(cell)) for cell in found.values()]
    low, high = np.array([band.low for band in bands]), np.array([band.high for band in bands])
    axes.fill_between(sizes, low, high, color=look.colour, alpha=0.2, linewidth=0)
    axes.plot(sizes, means, color=look.colour, linestyle=look.dashes)
    failed = np.array([cell.runs.successes < cell.runs.runs for cell in found.values()], dtype=bool)
    if failed.any():
        axes.plot(sizes[failed], means[failed], color=look.colour, **FAILED)
    return bool(failed.any())


def draw_published(
    axes: Axes, published: Mapping[Key, float], selection: str, model: str, sizes: Sequence[int], marks: Any
) -> None:
    """The published values of a curve at the sizes that we have too. marks: options from `open_marks`."""
    points = {n: value for (s, m, n), value in published.items() if (s, m) == (selection, model)}
    wanted = [n for n in sizes if n in points]
    axes.plot(wanted, [points[n] for n in wanted], **marks)
