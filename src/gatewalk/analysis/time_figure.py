"""Running times along an axis with 95 % bands, beside published ones, bounds and exact expectations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from gatewalk.analysis.bootstrap import ert_interval
from gatewalk.analysis.statistics import Sample, ert
from gatewalk.analysis.style import (
    COLOURS,
    EXACT,
    GREY,
    MARKERS,
    beside,
    log_axis,
    open_marks,
    panels,
    plain,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CURVES = 14
AXIS_WORDS = {
    "n": "number of inputs $n$",
    "nodes": "number of nodes $D$",
    "lambda": "offspring a generation $\\lambda$",
    "budget": "budget in iterations",
}
UNSOLVED: Any = {"linestyle": "none", "marker": "$\\uparrow$", "markersize": 7}
_RESAMPLES = 400


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

    Parameters
    ----------
    curves
        Runs by curve and place on the axis.
    x
        The axis: "n" or a setting that is a number.
    unit
        What times are counted in.
    published
        Runs, or the time itself, by curve and place: open marks, larger than ours.
    bounds, bound_name
        Upper bounds on the expectation by curve and place, dotted; and what the legend calls them.
    exact
        Expectations from the Markov chain by curve and place: black bars.
    title
        Above the figure.

    Returns
    -------
    Figure
        Of Matplotlib.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> drawn = times_figure({"and": {4: sample([3, 9], [True, True]), 5: sample([8, 11], [True, True])}})
    >>> drawn.axes[0].get_ylabel()
    'iterations per success (ERT)'
    """
    figure, ((axes,),) = panels(width=5.6, height=3.4)
    seen: set[str] = set()
    for index, (name, along) in enumerate(curves.items()):
        colour, marker = COLOURS[index % len(COLOURS)], MARKERS[index % len(MARKERS)]
        seen |= _draw_curve(axes, along, colour, marker, plain(name))
        for at, data in (published or {}).get(name, {}).items():
            value = ert(data) if isinstance(data, Sample) else data
            if 0 < value < inf:
                axes.plot(at, value, **{**open_marks(colour, marker, 7), "zorder": 1})
        line = (bounds or {}).get(name, {})
        axes.plot(list(line), list(line.values()), ":", color=colour, linewidth=1)
        bars = (exact or {}).get(name, {})
        if bars:
            axes.plot(list(bars), list(bars.values()), **EXACT)
    size_ticks(axes, sorted({at for along in curves.values() for at in along}), x)
    log_axis(axes, f"{unit} per success (ERT)")
    axes.set_title(title)
    _explain(axes, seen, published=bool(published), bound=bound_name if bounds else "", exact=bool(exact))
    if len(axes.get_legend_handles_labels()[0]) > 6:
        beside(axes)
    else:
        axes.legend()
    return figure


def _draw_curve(axes: Axes, along: Mapping[int, Sample], colour: str, marker: str, name: str) -> set[str]:
    """Draw it; returns which kinds of marks it needed."""
    solved = {at: data for at, data in along.items() if data.successes and ert(data) > 0}
    at, means = list(solved), [ert(data) for data in solved.values()]
    spans = [ert_interval(data, resamples=_RESAMPLES) for data in solved.values()]
    # Without an upper end a band goes on to where every run but one of its cell might have failed.
    ends = [float(data.iterations.sum()) for data in solved.values()]
    low = [min(max(span.low, 0.5), mean) for span, mean in zip(spans, means, strict=True)]
    high = [span.high if isfinite(span.high) else end for span, end in zip(spans, ends, strict=True)]
    used = {"band"} if at else set()
    if len(at) > 1:
        axes.fill_between(at, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(at, means, color=colour, linewidth=0.9)
    else:
        axes.vlines(at, low, high, color=colour, linewidth=5, alpha=0.2)
    for place, mean, span, end in zip(at, means, spans, ends, strict=True):
        full = solved[place].successes == solved[place].runs
        axes.plot(place, mean, marker, color=colour, markerfacecolor=colour if full else "white")
        used |= set() if full else {"failed"}
        if not isfinite(span.high):
            axes.plot(place, end, "^", color=colour, markersize=3.5)
            used.add("endless")
    for place, data in along.items():
        if not data.successes and data.iterations.sum() > 0:
            axes.plot(place, float(data.iterations.sum()), color=colour, **UNSOLVED)
            used.add("unsolved")
    axes.plot([], [], marker, linestyle="-", color=colour, label=name)
    return used


def _explain(axes: Axes, seen: set[str], *, published: bool, bound: str, exact: bool) -> None:
    """An entry in the legend for each kind of mark that is there."""
    if "band" in seen:
        axes.fill_between([], [], color=GREY, alpha=0.25, linewidth=0, label="95 % bootstrap")
    if "failed" in seen:
        axes.plot([], [], **open_marks(GREY, "o", 4), label="some runs failed")
    if "endless" in seen:
        axes.plot([], [], "^", color=GREY, markersize=3.5, label="band has no upper end")
    if "unsolved" in seen:
        axes.plot([], [], color=GREY, **UNSOLVED, label="none solved: time spent")
    if published:
        axes.plot([], [], **open_marks(GREY, "o", 7), label="published")
    if bound:
        axes.plot([], [], ":", color=GREY, linewidth=1, label=bound)
    if exact:
        axes.plot([], [], **EXACT, label="exact expectation")


def size_ticks(axes: Axes, sizes: Sequence[int], x: str) -> None:
    """The places themselves as ticks, as many as can be told apart; logarithmic if they are far apart."""
    from matplotlib.ticker import NullLocator

    axes.set_xlabel(AXIS_WORDS.get(x, x))
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
    if len(sizes) == 1:
        axes.set_xlim(sizes[0] - 1, sizes[0] + 1)
