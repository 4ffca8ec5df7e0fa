"""Running times along an axis with 95 % bands, published times, bounds and exact expectations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING

from gatewalk.analysis.bootstrap import ert_interval
from gatewalk.analysis.statistics import Sample, ert
from gatewalk.analysis.style import (
    BOUND,
    EXACT,
    GREY,
    UNSOLVED,
    Look,
    beside,
    beyond,
    log_axis,
    look,
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
    'ERT: iterations of all runs per success'
    """
    figure, ((axes,),) = panels(width=5.6, height=3.4)
    seen: set[str] = set()
    for index, (name, along) in enumerate(curves.items()):
        own = look(index)
        seen |= _draw_curve(axes, along, own, plain(name))
        for at, data in (published or {}).get(name, {}).items():
            value = ert(data) if isinstance(data, Sample) else data
            if 0 < value < inf:
                axes.plot(at, value, **{**open_marks(own.colour, own.marker, 7), "zorder": 1})
        line = (bounds or {}).get(name, {})
        axes.plot(list(line), list(line.values()), color=own.colour, **BOUND)
        bars = (exact or {}).get(name, {})
        if bars:
            axes.plot(list(bars), list(bars.values()), **EXACT)
    size_ticks(axes, sorted({at for along in curves.values() for at in along}), x)
    log_axis(axes, f"ERT: {unit} of all runs per success")
    axes.set_title(title)
    _explain(axes, seen, published=bool(published), bound=bound_name if bounds else "", exact=bool(exact))
    if len(axes.get_legend_handles_labels()[0]) > 6:
        beside(axes)
    else:
        axes.legend()
    return figure


def _draw_curve(axes: Axes, along: Mapping[int, Sample], own: Look, name: str) -> set[str]:
    """Draw a curve; returns which kinds of marks it needed."""
    colour, marker = own.colour, own.marker
    solved = {at: data for at, data in along.items() if data.successes and ert(data) > 0}
    at, means = list(solved), [ert(data) for data in solved.values()]
    spans = [ert_interval(data, resamples=_RESAMPLES) for data in solved.values()]
    # A band without an upper end is drawn at least to the ERT that the cell would have with one success.
    ends = [max(float(data.iterations.sum()), 2 * ert(data)) for data in solved.values()]
    low = [min(max(span.low, 0.5), mean) for span, mean in zip(spans, means, strict=True)]
    high = [span.high if isfinite(span.high) else end for span, end in zip(spans, ends, strict=True)]
    used = {"band"} if at else set()
    if len(at) > 1:
        axes.fill_between(at, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(at, means, color=colour, linestyle=own.dashes, linewidth=0.9)
    else:
        axes.vlines(at, low, high, color=colour, linewidth=5, alpha=0.2)
    for place, mean, span, end in zip(at, means, spans, ends, strict=True):
        full = solved[place].successes == solved[place].runs
        axes.plot(place, mean, marker, color=colour, markerfacecolor=colour if full else "white")
        used |= set() if full else {"failed"}
        if not isfinite(span.high):
            axes.plot(place, end, **beyond("up", colour))
            used.add("endless")
    for place, data in along.items():
        if not data.successes and data.iterations.sum() > 0:
            axes.plot(place, float(data.iterations.sum()), color=colour, **UNSOLVED)
            used.add("unsolved")
    axes.plot([], [], marker, linestyle=own.dashes, color=colour, label=name)
    return used


def _explain(axes: Axes, seen: set[str], *, published: bool, bound: str, exact: bool) -> None:
    """Add an entry to the legend for each kind of mark that was drawn."""
    if "band" in seen:
        axes.fill_between([], [], color=GREY, alpha=0.25, linewidth=0, label="95 % bootstrap")
    if "failed" in seen:
        axes.plot([], [], **open_marks(GREY, "o", 4), label="some runs failed")
    if "endless" in seen:
        axes.plot([], [], **beyond("up", GREY), label="band has no upper end")
    if "unsolved" in seen:
        axes.plot([], [], color=GREY, **UNSOLVED, label="none solved: time spent")
    if published:
        axes.plot([], [], **open_marks(GREY, "o", 7), label="published")
    if bound:
        axes.plot([], [], color=GREY, **BOUND, label=bound)
    if exact:
        axes.plot([], [], **EXACT, label="exact expectation")


def size_ticks(axes: Axes, sizes: Sequence[int], x: str) -> None:
    """Put ticks at the points of the curves, as many as fit; the axis is logarithmic if they span far."""
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
