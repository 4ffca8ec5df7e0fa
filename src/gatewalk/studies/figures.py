"""The figure that every study with published runs has: distributions, ours and the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.analysis.style import BLUE, VERMILION, log_ticks, panels, styled
from gatewalk.stats.comparison import CellComparison
from gatewalk.stats.survival import running_time_ecdf
from gatewalk.typeset import to_mathtext

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PANELS = 12


@styled()
def distribution_figure(compared: Sequence[CellComparison], *, unit: str = "iterations") -> Figure:
    """The fraction of runs solved within a time, ours and published; a panel per cell, twelve at most.

    Both are cut at the same time, so the curves are also those of Kaplan and Meier.

    Parameters
    ----------
    compared
        The cells, from `compare`.
    unit
        What times are counted in.

    Returns
    -------
    Figure
        Of Matplotlib.

    Examples
    --------
    >>> from gatewalk.stats import sample
    >>> from gatewalk.studies import compare
    >>> found = compare("and:2", sample([1, 2, 9], [1, 1, 1]), sample([2, 3, 5], [1, 1, 0]))
    >>> distribution_figure([found]).axes[0].get_title()
    'and:2: agrees'
    """
    cells = list(compared)[:MOST_PANELS]
    columns = min(3, len(cells))
    rows = -(-len(cells) // columns)
    figure, axes = panels(rows, columns, height=0.6 + 1.9 * rows, sharey=True)
    for place, cell in zip(axes.flat, cells, strict=False):
        for data, colour, dashes, words in (
            (cell.ours, BLUE, "solid", "ours"),
            (cell.published, VERMILION, (0, (4, 1.5)), "published"),
        ):
            curve = running_time_ecdf(data)
            times = np.concatenate([curve.times, [min(cell.cut, 1e300)] if isfinite(cell.cut) else []])
            values = np.concatenate([curve.values, curve.values[-1:] if isfinite(cell.cut) else []])
            if isfinite(cell.cut) and not curve.values.size:
                values = np.zeros(times.size)
            place.step(times + 1, values, where="post", color=colour, linestyle=dashes, label=words)
        place.set_xscale("log")
        log_ticks(place.xaxis)
        place.set_ylim(-0.02, 1.02)
        place.set_title(f"{to_mathtext(cell.label)}: {cell.verdict}")
    for place in list(axes.flat)[len(cells) :]:
        place.set_visible(False)
    for row in axes:
        row[0].set_ylabel("fraction solved")
    for place in axes[-1]:
        place.set_xlabel(f"{unit} + 1")
    axes[0][0].legend(loc="upper left")
    return figure
