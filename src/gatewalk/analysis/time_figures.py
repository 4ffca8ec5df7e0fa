"""Running times, success rates and errors along an axis, with intervals, published times and exact values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import exp, inf, isfinite, log
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.style import (
    BOUND,
    EXACT,
    GREY,
    UNSOLVED,
    Look,
    draw_intervals,
    edge_mark,
    label_marks,
    legend_beside,
    log_axis,
    look_of_curve,
    open_marks,
    panels,
    size_axis,
    styled,
)
from gatewalk.stats.resampling import ert_interval
from gatewalk.stats.sample import MeanError, Sample, ert, success_rate
from gatewalk.typeset import to_mathtext

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CURVES = 14


@styled()
def times_figure(
    curves: Mapping[str, Mapping[int, Sample]],
    *,
    x: str = "n",
    unit: str = "iterations",
    published: Mapping[str, Mapping[int, Sample | float]] | None = None,
    bounds: Mapping[str, Mapping[int, float]] | None = None,
    bound_name: str = "proven upper bound",
    exact: Mapping[str, Mapping[int, float]] | None = None,
    title: str = "",
) -> Figure:
    """Expected running time (ERT) along an axis with 95 % bootstrap bands.

    curves: runs by curve and position on the axis.
    x: the axis: "n" or a setting that is a number.
    unit: what times are counted in.
    published: runs, or the time itself, by curve and position: open marks, larger than ours.
    bounds, bound_name: upper bounds on the expectation by curve and position, dotted; and what the legend
        calls them.
    exact: expectations from the Markov chain by curve and position: black bars.

    >>> from gatewalk.stats import sample
    >>> figure = times_figure({"and": {4: sample([3, 9], [True, True]), 5: sample([8, 11], [True, True])}})
    >>> figure.axes[0].get_ylabel()
    'ERT: iterations of all runs per success'
    """
    figure, ((axes,),) = panels(width=5.6, height=3.4)
    seen: set[str] = set()
    for index, (name, along) in enumerate(curves.items()):
        own = look_of_curve(index)
        seen |= draw_curve(axes, along, own)
        axes.plot([], [], own.marker, linestyle=own.dashes, color=own.colour, label=to_mathtext(name))
        for at, data in (published or {}).get(name, {}).items():
            value = ert(data) if isinstance(data, Sample) else data
            if 0 < value < inf:
                axes.plot(at, value, **{**open_marks(own.colour, own.marker, 7), "zorder": 1})
        line = (bounds or {}).get(name, {})
        axes.plot(list(line), list(line.values()), color=own.colour, **BOUND)
        bars = (exact or {}).get(name, {})
        if bars:
            axes.plot(list(bars), list(bars.values()), **EXACT)
    size_axis(axes, sorted({at for along in curves.values() for at in along}), x=x)
    log_axis(axes, f"ERT: {unit} of all runs per success")
    axes.set_title(title)
    _explain(
        axes,
        seen,
        bands=any(data.successes for along in curves.values() for data in along.values()),
        published=bool(published),
        bound=bound_name if bounds else "",
        exact=bool(exact),
    )
    if len(axes.get_legend_handles_labels()[0]) > 6:
        legend_beside(axes)
    else:
        axes.legend()
    return figure


def draw_curve(
    axes: Axes,
    along: Mapping[int, Sample],
    look: Look,
    *,
    bars: bool = False,
    line: bool = True,
    hollow: bool = True,
    place: Callable[[int], float] = float,
    arrow_place: Callable[[int], float] | None = None,
    ceiling: float | None = None,
    resamples: int = 400,
    size: float = 4.0,
) -> set[str]:
    """Draw a curve of expected running times with 95 % intervals; returns the kinds of special points it has.

    A hollow point means that some runs failed, and an arrow, at the iterations spent, that all did. An
    interval without an upper end is drawn up to the ceiling, or else at least to the ERT that the cell would
    have with one success, and has a triangle there.

    bars: intervals as error bars instead of a band.
    place, arrow_place: from a size to where its point and its arrow are drawn, so that curves do not hide
        each other.

    The kinds of special points are for `style.label_marks` and `style.mark_entries`.

    >>> from gatewalk.analysis import style
    >>> from gatewalk.stats import sample
    >>> figure, ((axes,),) = style.panels(height=2)
    >>> times = {4: sample([3, 9], [True, True]), 5: sample([8, 9], [True, False])}
    >>> sorted(draw_curve(axes, times, style.look_of_curve(0)))
    ['endless', 'failed']
    """
    solved = {n: data for n, data in along.items() if data.successes and ert(data) > 0}
    at, means = [place(n) for n in solved], [ert(data) for data in solved.values()]
    spans = [ert_interval(data, resamples=resamples) for data in solved.values()]
    ends = [ceiling or max(float(data.iterations.sum()), 2 * ert(data)) for data in solved.values()]
    low = [min(span.low or 0.5, mean) for span, mean in zip(spans, means, strict=True)]  # 0 has no logarithm
    high = [span.high if isfinite(span.high) else end for span, end in zip(spans, ends, strict=True)]
    if bars:
        draw_intervals(axes, at, means, list(zip(low, high, strict=True)), colour=look.colour)
    elif len(at) > 1:
        axes.fill_between(at, low, high, color=look.colour, alpha=0.15, linewidth=0)
    else:
        axes.vlines(at, low, high, color=look.colour, linewidth=5, alpha=0.2)
    points: Any = {"color": look.colour, "marker": look.marker, "markersize": size}
    axes.plot(at, means, linestyle=look.dashes if line else "none", linewidth=0.9, **points)
    everything = list(zip(at, means, spans, ends, solved.values(), strict=True))
    special = {
        "failed": [(x, mean) for x, mean, *_, data in everything if hollow and data.successes < data.runs],
        "endless": [(x, end) for x, _, span, end, _ in everything if span.high == inf],
        "unsolved": [
            ((arrow_place or place)(n), spent)
            for n, data in along.items()
            if not data.successes and (spent := float(data.iterations.sum())) > 0
        ],
    }
    options = {
        "failed": {**points, "linestyle": "none", "markerfacecolor": "white"},
        "endless": edge_mark("up", look.colour),
        "unsolved": {**UNSOLVED, "color": look.colour},
    }
    for name, marked in special.items():
        if marked:
            axes.plot(*zip(*marked, strict=True), **options[name])
    return {name for name, marked in special.items() if marked}


_BESIDE = 0.025  # of the axis: the distance between arrows at the same size
_LONG = 8  # if the largest size is so many times the smallest, the axis of sizes is logarithmic


def draw_times(
    axes: Axes,
    curves: Mapping[str, Mapping[int, Sample]],
    *,
    order: Callable[[float], float] | None = None,
    formula: str = "",
    unit: str = "iterations",
    names: Sequence[str] = (),
) -> None:
    """Draw expected running times by n with 95 % intervals, and for each curve c f(n), c fitted to it.

    curves: runs by curve and n.
    order, formula: the function f, and its name in the legend.
    names: the names of the curves of all panels, so that each looks the same in every panel.

    >>> from gatewalk.analysis import style
    >>> from gatewalk.stats import log_linear, sample
    >>> with style.styled():
    ...     figure, ((axes,),) = style.panels(height=2)
    ...     draw_times(axes, {"and": {4: sample([9, 11], [1, 1])}}, order=log_linear, formula="n log n")
    >>> axes.get_legend_handles_labels()[1]
    ['and', 'n log n']
    """
    sizes = sorted({n for along in curves.values() for n in along})
    seen: set[str] = set()
    arrows: Counter[int] = Counter()  # at each size, so that one does not cover another
    in_order = [*names] or [*curves]
    for name, along in curves.items():
        look = look_of_curve(in_order.index(name))
        beside = partial(_aside, sizes=sizes, before=arrows.copy())
        seen |= draw_curve(axes, along, look, bars=True, line=False, arrow_place=beside)
        arrows.update(n for n, data in along.items() if not data.successes)
        axes.plot([], [], look.marker, linestyle="none", color=look.colour, label=name)
        solved = [n for n, data in along.items() if data.successes and ert(data) > 0]
        if order is not None and solved:
            at = np.geomspace(solved[0], solved[-1], 60)
            scale = exp(float(np.mean([log(ert(along[n]) / order(n)) for n in solved])))
            axes.plot(at, [scale * order(float(n)) for n in at], "--", color=look.colour, linewidth=0.8)
    if order is not None:
        axes.plot([], [], "--", color=GREY, linewidth=0.8, label=formula)
    label_marks(axes, seen)
    size_axis(axes, sizes, log=sizes[-1] / sizes[0] >= _LONG)
    log_axis(axes, f"ERT: {unit} of all\nruns per success")


def _aside(n: int, *, sizes: Sequence[int], before: Mapping[int, int]) -> float:
    """Where to draw the arrow of a size that has so many already, which it would cover."""
    low, high = sizes[0], sizes[-1]
    step = _BESIDE * before[n]
    return n * (high / low) ** step if high / low >= _LONG else n + (high - low) * step


def _explain(axes: Axes, seen: set[str], *, bands: bool, published: bool, bound: str, exact: bool) -> None:
    """Add an entry to the legend for each kind of mark that was drawn."""
    if bands:
        axes.fill_between([], [], color=GREY, alpha=0.25, linewidth=0, label="95 % bootstrap")
    label_marks(axes, seen)
    if published:
        axes.plot([], [], **open_marks(GREY, "o", 7), label="published")
    if bound:
        axes.plot([], [], color=GREY, **BOUND, label=bound)
    if exact:
        axes.plot([], [], **EXACT, label="exact expectation")


_ASIDE = 0.012  # of the axis: how far apart curves are moved that would hide each other's intervals


@styled()
def success_figure(curves: Mapping[str, Mapping[int, Sample]], *, x: str = "n") -> Figure:
    """The fraction of runs that succeeded within their budgets, with Wilson's 95 % intervals.

    curves: runs by curve and position on the axis.
    x: the axis: "n" or a setting that is a number.

    >>> from gatewalk.stats import sample
    >>> figure = success_figure({"and": {4: sample([3, 9], [True, False]), 5: sample([8, 8], [True, True])}})
    >>> figure.axes[0].get_ylabel()
    'fraction of runs solved'
    """
    figure, ((axes,),) = panels(width=5.6, height=3.0)
    sizes = sorted({at for along in curves.values() for at in along})
    size_axis(axes, sizes, x=x)
    span = sizes[-1] - sizes[0]
    for index, (name, along) in enumerate(curves.items()):
        rates = [success_rate(data) for data in along.values()]
        middle = index - (len(curves) - 1) / 2
        if axes.get_xscale() == "log":
            at = [size * (sizes[-1] / sizes[0]) ** (_ASIDE * middle) for size in along]
        else:
            at = [size + _ASIDE * middle * span for size in along]
        axes.errorbar(
            at,
            [rate.rate for rate in rates],
            [
                [max(0.0, rate.rate - rate.interval.low) for rate in rates],
                [max(0.0, rate.interval.high - rate.rate) for rate in rates],
            ],
            color=look_of_curve(index).colour,
            linestyle=look_of_curve(index).dashes,
            marker=look_of_curve(index).marker,
            elinewidth=0.8,
            label=to_mathtext(name),
        )
    axes.set_ylim(-0.03, 1.03)
    axes.set_ylabel("fraction of runs solved")
    legend_beside(axes, title="95 % Wilson intervals")
    return figure


_WIDE = 1.96  # standard errors on each side of a 95 % interval
_LOWEST = 0.9  # on a logarithmic axis an error bar goes down by at most this share of the mean


def draw_errors(axes: Axes, errors: Mapping[str, Mapping[int, MeanError]]) -> None:
    """Draw mean errors with 95 % intervals, a curve for each name; means of 0 do not fit a logarithmic axis.

    errors: means by curve and by position on the axis, from `gatewalk.stats.MeanError.of`.

    >>> from gatewalk.analysis.style import panels
    >>> from gatewalk.stats import MeanError
    >>> figure, ((axes,),) = panels(height=2)
    >>> draw_errors(axes, {"and": {10: MeanError.of([0.1, 0.3]), 100: MeanError.of([0.0, 0.0])}})
    >>> axes.lines[0].get_xdata().tolist()
    [10]
    """
    for index, (name, along) in enumerate(errors.items()):
        positive = {at: error for at, error in along.items() if error.mean > 0}
        means = np.array([error.mean for error in positive.values()])
        widths = _WIDE * np.array([error.standard_error for error in positive.values()])
        look = look_of_curve(index)
        axes.errorbar(
            list(positive),
            means,
            [np.minimum(widths, _LOWEST * means), widths],
            color=look.colour,
            linestyle=look.dashes,
            marker=look.marker,
            label=name,
        )
