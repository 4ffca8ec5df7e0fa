"""Measured times compared with a stated order f: the fit c f(n) nᵉ in words and verdicts, and a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import exp, log
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.analysis import time_figures
from gatewalk.analysis.style import GREY, log_axis, look_of_curve, size_axis
from gatewalk.numbers import fixed
from gatewalk.stats.growth import Excess, excess
from gatewalk.stats.sample import Sample, ert

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Order = Callable[[float], float]
RESAMPLES, QUICK_RESAMPLES = 200, 20
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

    >>> from gatewalk.stats.sample import Interval
    >>> words(Excess(0.01, Interval(-0.02, 0.04), 3.0))
    'e = 0.010 [−0.020, 0.040]'
    """
    exponent, low, high = (fixed(value, 3) for value in (seen.exponent, *seen.interval))
    return f"e = {exponent} [{low}, {high}]"


def draw_times(
    axes: Axes,
    found: Mapping[str, Mapping[int, Sample]],
    *,
    order: Order | None = None,
    formula: str = "",
    unit: str = "iterations",
    names: Sequence[str] = (),
) -> None:
    """Expected running times by n with 95 % intervals, and for each curve c f(n), c fitted to it.

    names: the names of the curves of all panels, so that each looks the same in every panel.
    """
    sizes = sorted({n for along in found.values() for n in along})
    seen: set[str] = set()
    arrows: Counter[int] = Counter()  # at each size, so that one does not cover another
    places = [*names] or [*found]
    for name, along in found.items():
        look = look_of_curve(places.index(name))
        beside = partial(_aside, sizes=sizes, before=arrows.copy())
        seen |= time_figures.draw_times(axes, along, look, bars=True, line=False, arrow_place=beside)
        arrows.update(n for n, data in along.items() if not data.successes)
        axes.plot([], [], look.marker, linestyle="none", color=look.colour, label=name)
        solved = [n for n, data in along.items() if data.successes and ert(data) > 0]
        if order is not None and solved:
            at = np.geomspace(solved[0], solved[-1], 60)
            scale = exp(float(np.mean([log(ert(along[n]) / order(n)) for n in solved])))
            axes.plot(at, [scale * order(float(n)) for n in at], "--", color=look.colour, linewidth=0.8)
    if order is not None:
        axes.plot([], [], "--", color=GREY, linewidth=0.8, label=formula)
    for name, (told, mark) in time_figures.MARKS.items():
        if name in seen:
            axes.plot([], [], **mark, label=told)
    size_axis(axes, sizes, log=sizes[-1] / sizes[0] >= _LONG)
    log_axis(axes, f"ERT: {unit} of all\nruns per success")


def _aside(n: int, *, sizes: Sequence[int], before: Mapping[int, int]) -> float:
    """Where to draw the arrow of a size that has so many already, which it would cover."""
    low, high = sizes[0], sizes[-1]
    step = _BESIDE * before[n]
    return n * (high / low) ** step if high / low >= _LONG else n + (high - low) * step
