"""How running times grow: fitted curves, and the exponent from each size to the next."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gatewalk.analysis.style import (
    BOUND,
    EXACT,
    GREY,
    PAGE,
    draw_intervals,
    endless_mark,
    legend,
    legend_entry,
    letter_panels,
    log_axis,
    look_of_curve,
    open_marks,
    panels,
    size_axis,
    styled,
)
from gatewalk.stats.growth import Growth, local_exponents, mean_time
from gatewalk.stats.growth_fit import BySize
from gatewalk.stats.resampling import bootstrap
from gatewalk.stats.sample import Interval, Sample
from gatewalk.typeset import to_mathtext

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH = 4.6  # inches: of a figure of one panel
_NO_END = {"up": "interval has no upper end", "down": "interval has no lower end"}


@styled()
def growth_figure(
    series: Mapping[str, tuple[BySize, Growth | None]],
    *,
    title: str = "",
    bounds: Mapping[str, Mapping[int, float]] | None = None,
    bound_name: str = "proven upper bound",
    exact: Mapping[str, Mapping[int, float]] | None = None,
    model: Literal["power", "exponential"] = "power",
) -> Figure:
    """Mean running time by n with 95 % intervals and the fitted curve of a model.

    The axes are those on which the model is a straight line: two logarithmic ones for "power", one for
    "exponential". Means are gamma fits with censored runs counted; hollow marks show cells with censored
    runs.

    series: for each curve its running times by n, and their fit or None.
    bounds, bound_name: upper bounds by curve and n, and what the legend calls them.
    exact: the exact expectations by curve and n.

    >>> from gatewalk.stats import growth, sample
    >>> times = {n: sample([0.9 * n**3, n**3, 1.1 * n**3], [True] * 3) for n in (4, 8, 16, 32)}
    >>> growth_figure({"and": (times, growth(times, resamples=10))}).axes[0].get_xscale()
    'log'
    """
    figure, ((axes,),) = panels(width=_WIDTH, height=3.2)
    draw_growth(axes, series, bounds=bounds, bound_name=bound_name, exact=exact, model=model)
    axes.set_title(title)
    axes.legend()
    return figure


def draw_growth(
    axes: Axes,
    series: Mapping[str, tuple[BySize, Growth | None]],
    *,
    bounds: Mapping[str, Mapping[int, float]] | None = None,
    bound_name: str = "proven upper bound",
    exact: Mapping[str, Mapping[int, float]] | None = None,
    model: Literal["power", "exponential"] = "power",
) -> None:
    """Draw what `growth_figure` shows on given axes, without a legend."""
    endless: set[str] = set()
    for index, (name, (cells, fitted)) in enumerate(series.items()):
        own = look_of_curve(index)
        colour, marker = own.colour, own.marker
        n = sorted(cells)
        means = [mean_time(cells[value]) for value in n]
        spans = [_interval(cells[value], mean) for value, mean in zip(n, means, strict=True)]
        label = to_mathtext(name)
        if fitted is not None:
            curve = fitted.of(model)
            grid = np.geomspace(n[0], n[-1], 100)
            axes.plot(
                grid,
                [curve.fit.mean(value) for value in grid],
                color=colour,
                linestyle=own.dashes,
                linewidth=0.9,
            )
            rate = f"{curve.fit.rate:.2f}"
            term = f"$n^{{{rate}}}$" if model == "power" else f"${rate}^n$"
            label = f"{to_mathtext(name)}: {term} [{curve.rate.low:.2f}, {curve.rate.high:.2f}]"
        endless |= draw_intervals(axes, n, means, spans, colour=colour)
        for value, mean in zip(n, means, strict=True):
            full = cells[value].successes == cells[value].runs
            axes.plot(value, mean, marker, color=colour, markerfacecolor=colour if full else "white")
        axes.plot([], [], marker, linestyle=own.dashes, color=colour, label=label)
        if bounds and name in bounds:
            proven = bounds[name]
            axes.plot(list(proven), list(proven.values()), color=colour, **BOUND)
        known = (exact or {}).get(name, {})
        axes.plot(list(known), list(known.values()), **EXACT)
    censored = any(cell.successes < cell.runs for cells, _ in series.values() for cell in cells.values())
    if censored:
        axes.plot([], [], **open_marks(GREY, "o", 4), label="some runs were censored")
    for side in sorted(endless):
        axes.plot([], [], **endless_mark(side), label=_NO_END[side])
    if bounds:
        axes.plot([], [], color=GREY, **BOUND, label=bound_name)
    if exact:
        axes.plot([], [], **EXACT, label="exact expectation")
    sizes = sorted({value for cells, _ in series.values() for value in cells})
    size_axis(axes, sizes, log=model == "power")
    log_axis(axes, "mean iterations of all runs" + (",\nfailed ones as censored" if censored else ""))


def _interval(data: Sample, mean: float) -> Interval:
    """The 95 % interval of a mean; the mean itself where there are too few runs for one."""
    if data.runs < 3 or not isfinite(mean):
        return Interval(mean, mean)
    return bootstrap(data, mean_time, resamples=100)


_ASIDE = 0.008  # of the length of the axis: how far apart intervals are moved that would hide each other


@styled()
def growth_and_exponents_figure(
    series: Mapping[str, tuple[BySize, Growth | None]], *, model: Literal["power", "exponential"] = "power"
) -> Figure:
    """Left: mean running times with a model's fitted curve. Right: local exponents with 95 % intervals."""
    figure, ((left, right),) = panels(1, 2, width=PAGE, height=3.3 + 0.16 * -(-len(series) // 2))
    draw_growth(left, series, model=model)
    keys = [*left.get_legend_handles_labels()[0], *_draw_exponents(right, series)]
    keys = list({str(key.get_label()): key for key in keys}.values())  # one entry per label
    left.set_title("running time and fit")
    right.set_title("exponent from each size to the next")
    letter_panels((left, right))
    legend(figure, keys, columns=2)
    return figure


def _draw_exponents(axes: Axes, series: Mapping[str, tuple[BySize, Growth | None]]) -> list[Any]:
    """Draw the local exponents; returns their entries for the legend."""
    sizes = sorted({n for cells, _ in series.values() for n in cells})
    endless: set[str] = set()
    for index, (cells, fitted) in enumerate(series.values()):
        steps = local_exponents(cells)
        own, colour = look_of_curve(index), look_of_curve(index).colour
        shift = (sizes[-1] / sizes[0]) ** (_ASIDE * (index - (len(series) - 1) / 2))
        at = [step.at * shift for step in steps]
        values = [step.exponent for step in steps]
        intervals = [step.interval for step in steps]
        endless |= draw_intervals(axes, at, values, intervals, colour=colour, marker=own.marker)
        if fitted is not None:
            rate = fitted.of("power").fit.rate
            axes.axhline(rate, color=colour, linewidth=0.9, linestyle=own.dashes)
    keys = [legend_entry("95 % bootstrap interval", linestyle="none", marker="|", markersize=8)]
    if any(fitted is not None for _, fitted in series.values()):
        keys.append(legend_entry("(b) fitted to all sizes", linewidth=0.9))
    keys += [legend_entry(words, **endless_mark(side)) for side, words in _NO_END.items() if side in endless]
    size_axis(axes, sizes, log=True)
    axes.set_ylabel("exponent $a$ of $n^a$")
    return keys
