"""Measured times compared with a stated order f: the fit c f(n) nᵉ in words and verdicts, and a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import exp, isfinite, log
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.bootstrap import ert_interval
from gatewalk.analysis.growth import Excess, excess
from gatewalk.analysis.statistics import Sample, ert
from gatewalk.analysis.style import (
    GREY,
    UNSOLVED,
    beyond,
    log_axis,
    log_size_axis,
    look,
    open_marks,
    size_axis,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Order = Callable[[float], float]
SLACK = 0.05  # of the exponent e, for the lower-order terms that still matter at these sizes
RESAMPLES, QUICK_RESAMPLES = 200, 20
_MARKS: dict[str, tuple[str, Any]] = {
    "failed": ("some runs failed", open_marks(GREY, "o", 4)),
    "endless": ("no upper end", beyond("up", GREY)),
    "unsolved": ("no run succeeded", UNSOLVED),
}
_BESIDE = 0.025  # of the axis: the distance between arrows at the same size
_LONG = 8  # if the largest size is so many times the smallest, the axis of sizes is logarithmic


def log_linear(n: float) -> float:
    """n log n."""
    return n * log(n)


def against(cells: Mapping[int, Sample], order: Order, *, quick: bool = False) -> Excess:
    """The exponent e of the fit c f(n) nᵉ to running times by n."""
    return excess(cells, order, resamples=QUICK_RESAMPLES if quick else RESAMPLES)


def words(seen: Excess) -> str:
    """The exponent with its 95 % interval.

    >>> from gatewalk.analysis.statistics import Interval
    >>> words(Excess(0.01, Interval(-0.02, 0.04), 3.0))
    'e = 0.010 [−0.020, 0.040]'
    """
    low, high = _signed(seen.interval.low), _signed(seen.interval.high)
    return f"e = {_signed(seen.exponent)} [{low}, {high}]"


def _signed(value: float) -> str:
    return f"{round(value, 3) + 0.0:.3f}".replace("-", "−")  # + 0.0 turns -0.0 into 0.0


def is_at_most(seen: Excess) -> bool:
    """Whether the times agree with an upper bound of this order."""
    return seen.interval.high <= SLACK


def is_of(seen: Excess) -> bool:
    """Whether the times agree with exactly this order."""
    return seen.interval.low <= SLACK and seen.interval.high >= -SLACK


def draw_times(
    axes: Axes,
    found: Mapping[str, Mapping[int, Sample]],
    *,
    order: Order | None = None,
    formula: str = "",
    unit: str = "iterations",
    names: Sequence[str] = (),
) -> None:
    """Expected running times by n with 95 % intervals, and beside each curve c f(n), c fitted to it.

    A hollow point means that some runs failed, an arrow (at the iterations spent) that all did, and a
    triangle that the interval has no upper end.
    names: the names of the curves of all panels, so that each looks the same in every panel.
    """
    sizes = sorted({n for along in found.values() for n in along})
    seen: set[str] = set()
    arrows: Counter[int] = Counter()
    places = [*names] or [*found]
    for name, along in found.items():
        colour, marker = look(places.index(name)).colour, look(places.index(name)).marker
        solved = [n for n, data in along.items() if data.successes and ert(data) > 0]
        for n in solved:
            seen |= _draw_point(axes, n, along[n], colour, marker)
        axes.plot([], [], marker, linestyle="none", color=colour, label=name)
        for n, data in along.items():
            if not data.successes:
                aside = _aside(n, sizes, arrows[n])
                axes.plot([aside], [float(data.iterations.sum())], color=colour, **UNSOLVED)
                arrows[n] += 1
                seen.add("unsolved")
        if order is not None and solved:
            at = np.geomspace(solved[0], solved[-1], 60)
            scale = exp(float(np.mean([log(ert(along[n]) / order(n)) for n in solved])))
            axes.plot(at, [scale * order(float(n)) for n in at], "--", color=colour, linewidth=0.8)
    if order is not None:
        axes.plot([], [], "--", color=GREY, linewidth=0.8, label=formula)
    for name, (told, mark) in _MARKS.items():
        if name in seen:
            axes.plot([], [], **{"color": GREY, **mark}, label=told)
    (log_size_axis if sizes[-1] / sizes[0] >= _LONG else size_axis)(axes, sizes)
    log_axis(axes, f"ERT: {unit} of all\nruns per success")


def _aside(n: int, sizes: Sequence[int], before: int) -> float:
    """Where to draw the arrow of a size that has so many already, which it would cover."""
    low, high = sizes[0], sizes[-1]
    step = _BESIDE * before
    return n * (high / low) ** step if high / low >= _LONG else n + (high - low) * step


def _draw_point(axes: Axes, n: int, data: Sample, colour: str, marker: str) -> set[str]:
    """A point with its 95 % interval; returns which marks it needed."""
    mean, span = ert(data), ert_interval(data, resamples=400)
    # An interval without an upper end is drawn at least to the ERT that one success would give.
    is_endless, end = not isfinite(span.high), max(float(data.iterations.sum()), 2 * mean)
    high = end if is_endless else span.high
    if is_endless:
        axes.plot([n], [end], **beyond("up", colour))
    ends = [[max(0.0, mean - span.low)], [max(0.0, high - mean)]]
    has_failed = data.successes < data.runs
    face = "white" if has_failed else colour
    axes.errorbar([n], [mean], ends, color=colour, fmt=marker, markerfacecolor=face, elinewidth=0.8)
    return {name for name, does in (("failed", has_failed), ("endless", is_endless)) if does}
