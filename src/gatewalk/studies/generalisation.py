"""Errors of evolved programs on rows outside their training sets: means over many runs, and a figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.style import look_of_curve
from gatewalk.numbers import number
from gatewalk.stats.sample import MeanError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDE = 1.96  # standard errors on each side of a 95 % interval
_LOWEST = 0.9  # on a logarithmic axis an error bar goes down by at most this share of the mean


def words(error: MeanError) -> str:
    """A mean error with half the width of its 95 % interval.

    >>> words(MeanError(0.5, 0.01))
    '0.5 ± 0.02'
    """
    return f"{number(error.mean)} ± {number(_WIDE * error.standard_error, digits=2)}"


def sample_errors(cell: CellRuns) -> np.ndarray:
    """The error on fresh rows of every run of a cell whose training set is a sample."""
    return 1 - np.array(cell.columns["generalisation"], dtype=np.float64)


def draw_errors(axes: Axes, found: Mapping[str, Mapping[int, MeanError]]) -> None:
    """Draw means with 95 % intervals, a curve for each name; means of 0 do not fit a logarithmic axis."""
    for index, (name, along) in enumerate(found.items()):
        shown = {at: one for at, one in along.items() if one.mean > 0}
        means = np.array([one.mean for one in shown.values()])
        off = _WIDE * np.array([one.standard_error for one in shown.values()])
        axes.errorbar(
            list(shown),
            means,
            [np.minimum(off, _LOWEST * means), off],
            color=look_of_curve(index).colour,
            linestyle=look_of_curve(index).dashes,
            marker=look_of_curve(index).marker,
            label=name,
        )
