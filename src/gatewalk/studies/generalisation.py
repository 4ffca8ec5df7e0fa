"""Errors of evolved programs on rows outside their training sets: means over many runs, and a figure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.style import look
from gatewalk.report.tables import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDE = 1.96  # standard errors on each side of a 95 % interval
_LOWEST = 0.9  # on a logarithmic axis an error bar goes down by at most this share of the mean


@dataclass(frozen=True)
class MeanError:
    """The mean of many errors, and `off`, its standard error."""

    mean: float
    off: float

    def __str__(self) -> str:
        return f"{number(self.mean)} ± {number(_WIDE * self.off, 2)}"


def mean_error(errors: ArrayLike) -> MeanError:
    """The mean error of at least two independent runs.

    >>> mean_error([0.0, 0.2])
    MeanError(mean=0.1, off=0.1)
    """
    values = np.asarray(errors, dtype=np.float64)
    return MeanError(float(values.mean()), float(values.std(ddof=1)) / sqrt(values.size))


def sample_errors(cell: CellRuns) -> np.ndarray:
    """The error on fresh rows of every run of a cell whose training set is a sample."""
    return 1 - np.array(cell.columns["generalisation"], dtype=np.float64)


def draw_errors(axes: Axes, found: Mapping[str, Mapping[int, MeanError]]) -> None:
    """Draw means with 95 % intervals, a curve for each name; means of 0 do not fit a logarithmic axis."""
    for index, (name, along) in enumerate(found.items()):
        shown = {at: one for at, one in along.items() if one.mean > 0}
        means = np.array([one.mean for one in shown.values()])
        off = _WIDE * np.array([one.off for one in shown.values()])
        axes.errorbar(
            list(shown),
            means,
            [np.minimum(off, _LOWEST * means), off],
            color=look(index).colour,
            linestyle=look(index).dashes,
            marker=look(index).marker,
            label=name,
        )
