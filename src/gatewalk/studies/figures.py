"""The figures that every study has: running times along its axis, and distributions beside published ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.analysis.bootstrap import ert_interval
from gatewalk.analysis.statistics import Sample, ert
from gatewalk.analysis.style import (
    BLUE,
    COLOURS,
    GREY,
    MARKERS,
    VERMILION,
    beside,
    log_axis,
    log_ticks,
    open_marks,
    panels,
    styled,
)
from gatewalk.analysis.survival import running_time_ecdf
from gatewalk.studies.comparison import CellComparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CURVES, MOST_PANELS = 14, 12
_AXIS_WORDS = {"n": "number of inputs $n$", "nodes": "number of nodes $D$"}


@styled()
def times_figure(
    curves: Mapping[str, Mapping[int, Sample]],
    *,
    x: str = "n",
    unit: str = "iterations",
    published: Mapping[str, Mapping[int, Sample | float]] | None = None,
    title: str = "",
) -> Figure:
    """Expected running time along an axis with 95 % bootstrap intervals; published ones as open marks.

    published: runs, or the time itself, by curve and place.
    A hollow point: some runs failed. Where no run succeeded an arrow stands at the time spent.
    """
    figure, ((axes,),) = panels(width=5.6, height=3.4)
    for index, (name, along) in enumerate(curves.items()):
        colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        _draw_curve(axes, along, colour, marker, _plain(name))
        for at, data in (published or {}).get(name, {}).items():
            value = ert(data) if isinstance(data, Sample) else data
            if 0 < value < inf:
                axes.plot(at, value, **{**open_marks(colour, marker, 7), "zorder": 1})
    if published:
        axes.plot([], [], **open_marks(GREY, "o", 7), label="published")
    _size_ticks(axes, sorted({at for along in curves.values() for at in along}), x)
    log_axis(axes, f"expected {unit}")
    axes.set_title(title)
    if len(curves) > 4:
        beside(axes)
    else:
        axes.legend()
    return figure


def _draw_curve(axes: Axes, along: Mapping[int, Sample], colour: str, marker: str, name: str) -> None:
    solved = {at: data for at, data in along.items() if data.successes and ert(data) > 0}
    at = list(solved)
    means = [ert(data) for data in solved.values()]
    low, high = [], []
    for mean, data in zip(means, solved.values(), strict=True):
        span = ert_interval(data, resamples=400)
        low.append(max(0.0, mean - span.low))
        high.append(max(0.0, span.high - mean) if isfinite(span.high) else 0.0)
    axes.plot(at, means, color=colour, linewidth=0.9)
    axes.errorbar(at, means, [low, high], color=colour, fmt="none", elinewidth=0.8)
    for place, mean in zip(at, means, strict=True):
        full = solved[place].successes == solved[place].runs
        axes.plot(place, mean, marker, color=colour, markerfacecolor=colour if full else "white")
    for place, data in along.items():
        if not data.successes and data.iterations.sum() > 0:
            axes.plot(place, float(data.iterations.sum()), "^", color=colour, markersize=5)
    axes.plot([], [], marker, linestyle="-", color=colour, label=name)


def _size_ticks(axes: Axes, sizes: Sequence[int], x: str) -> None:
    from matplotlib.ticker import NullLocator

    axes.set_xlabel(_AXIS_WORDS.get(x, x))
    if len(sizes) > 1 and sizes[-1] / max(1, sizes[0]) > 4 and sizes[0] > 0:
        axes.set_xscale("log")
    least = (sizes[-1] / max(1, sizes[0])) ** 0.07 if axes.get_xscale() == "log" else 1.0
    gap = (sizes[-1] - sizes[0]) * 0.07
    shown = [sizes[-1]]
    for value in reversed(sizes[:-1]):
        if shown[-1] / max(1, value) >= least and (least > 1.0 or shown[-1] - value >= gap):
            shown.append(value)
    axes.set_xticks(shown, [str(value) for value in shown])
    axes.xaxis.set_minor_locator(NullLocator())


@styled()
def distribution_figure(compared: Sequence[CellComparison], *, unit: str = "iterations") -> Figure:
    """The fraction of runs solved within a time, ours and published; a panel per cell, twelve at most.

    Both are cut at the same time, so that this is what Kaplan and Meier's curves show too.
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
        place.set_title(f"{_plain(cell.label)}: {cell.verdict}")
    for place in list(axes.flat)[len(cells) :]:
        place.set_visible(False)
    for row in axes:
        row[0].set_ylabel("fraction solved")
    for place in axes[-1]:
        place.set_xlabel(f"{unit} + 1")
    axes[0][0].legend(loc="upper left")
    return figure


def _plain(name: str) -> str:
    """A label as Matplotlib shows it: signs of formulas are signs."""
    return name.replace("$", r"\$")
