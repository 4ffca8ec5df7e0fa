"""Figures of what is observed inside runs: levels, drift and traces."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.analysis.style import (
    COLOURS,
    GREY,
    MARKERS,
    draw_intervals,
    legend_beside,
    letter_panels,
    log_axis,
    log_ticks,
    look_of_curve,
    panels,
    styled,
    whole_ticks,
)
from gatewalk.numbers import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from gatewalk.theory.observe.drift import Drift
    from gatewalk.theory.observe.levels import Frequency, Level

_ASIDE = 0.09  # how far apart points are moved that would hide each other


_RATES = {  # by rate of a level: its label, the name of its estimate and the label of the estimate
    "p": ("$p$: $i^-$ up", "", ""),
    "q": ("$q$: $i^-$ to $i^+$", "", ""),
    "free": ("$p+q$: out of $i^-$", "free", "$q'$ (below $p+q$)"),
    "r": ("$r$: $i^+$ up", "rise", "$r'$ (below $r$)"),
    "s": ("$s$: $i^+$ to $i^-$", "lose", "$s'$ (above $s$)"),
    "leave": ("leave: up", "leave", "$s_i$ (below leave)"),
}


@styled()
def level_figure(levels: Sequence[Level], *, title: str = "") -> Figure:
    """The time at each level and the rates per iteration with 95 % intervals, with the proofs' estimates.

    Left: mean waiting times, those of Lemma 5's chain with the measured rates, and the proofs' own bounds,
    1/s_i (Theorem 3) and 1/r' + 1/q' + s'/(r'q') (Theorem 6). Right: p, q, p + q, r, s and leaving, with
    the estimates q', r', s' and s_i in the colours of what they estimate.

    levels: from `gatewalk.theory.observe_runs`.

    >>> from gatewalk import search_for
    >>> from gatewalk.theory import observe_runs
    >>> len(level_figure(observe_runs(search_for("and:4"), seed=1, runs=3).levels).axes)
    2
    """
    figure, ((left, right),) = panels(1, 2, height=3.6)
    reached = [item.level for item in levels if isfinite(item.waiting)]
    levels = [item for item in levels if item.level <= max(reached, default=-1)]
    if not levels:
        return _nothing_to_draw(figure, "Every run was solved at its start.")
    _draw_level_times(left, levels)
    left.set_title(title)
    right.set_title("probabilities of leaving")
    _draw_level_rates(right, levels)
    letter_panels((left, right))
    at = [item.level for item in levels]
    for axes in (left, right):
        axes.set_xlabel("level $i$")
        whole_ticks(axes.xaxis)
        axes.set_xlim(at[0] - 0.5, at[-1] + 0.5)
    return figure


def _draw_level_times(axes: Axes, levels: Sequence[Level]) -> None:
    at = [item.level for item in levels]
    axes.plot(at, [item.waiting for item in levels], "o-", color=COLOURS[0], label="measured")
    for start, (kind, label) in enumerate((("_--", "Lemma 5 from $i^-$"), ("_:", "Lemma 5 from $i^+$"))):
        times = [item.chain[start] for item in levels]
        if any(map(isfinite, times)):
            axes.plot(at, times, kind, color=COLOURS[1 + start], label=label)
    bounds = [item.estimates.times for item in levels if item.estimates is not None]
    for theorem, label in enumerate(("Theorem 3: at most", "Theorem 6: at most")):
        line = [time for time in (times[theorem] for times in bounds) if time is not None]
        if line:
            axes.plot(at, line, "_-.", color=(GREY, COLOURS[3])[theorem], label=label)
    log_axis(axes, "mean iterations at the level,\nover the runs that reach it")
    axes.legend()


def _draw_level_rates(axes: Axes, levels: Sequence[Level]) -> None:
    at = [item.level for item in levels]
    colours = (COLOURS[5], COLOURS[4], COLOURS[1], COLOURS[2], COLOURS[3], COLOURS[0])
    for index, (name, (label, estimate, says)) in enumerate(_RATES.items()):
        rates: list[Frequency] = [getattr(item, name) for item in levels]
        seen = [(level, rate) for level, rate in zip(at, rates, strict=True) if rate.count > 0]
        aside = (index - (len(_RATES) - 1) / 2) * _ASIDE
        if seen:
            values = [rate.value for _, rate in seen]
            ends = [(rate.low, rate.high) if rate.is_told else (rate.value, rate.value) for _, rate in seen]
            draw_intervals(
                axes,
                [level + aside for level, _ in seen],
                values,
                ends,
                colour=colours[index],
                marker=MARKERS[index],
                label=label,
            )
        line = [getattr(item.estimates, estimate) for item in levels if item.estimates and estimate]
        if line and line[0] is not None:
            axes.plot(at, line, "_:", color=colours[index], label=says)
    log_axis(axes, "probability per iteration")
    from matplotlib.lines import Line2D

    handles = sorted(axes.get_legend_handles_labels()[0], key=lambda bars: isinstance(bars, Line2D))
    legend_beside(axes, handles=handles, title="with 95 % intervals")  # bars first, then lines


def _nothing_to_draw(figure: Figure, why: str) -> Figure:
    """Write a message on the figure instead of showing empty axes."""
    for axes in figure.axes:
        axes.set_axis_off()
    figure.text(0.5, 0.5, why, ha="center", va="center")
    return figure


@styled()
def drift_figure(
    drifts: Sequence[Drift],
    *,
    estimate: float | None = None,
    interval: tuple[float, float] | None = None,
    title: str = "",
) -> Figure:
    """The drift of Lemma 8's potential Y with 95 % intervals, and the sizes of its steps.

    drifts: from `gatewalk.theory.observe_runs`.
    estimate, interval: Lemma 8's lower bound on the drift, and the potentials for which it holds; None if it
        does not apply.

    >>> from gatewalk import search_for
    >>> from gatewalk.theory import observe_runs
    >>> observation = observe_runs(search_for("xor:4", nodes=4, budget=200), seed=1, runs=3)
    >>> len(drift_figure(observation.drifts).axes)
    2
    """
    figure, ((left, right),) = panels(1, 2, height=2.9)
    y = [item.potential for item in drifts]
    mean = np.array([item.mean for item in drifts])
    low = np.array([item.low if item.is_told else item.mean for item in drifts])
    high = np.array([item.high if item.is_told else item.mean for item in drifts])
    left.axhline(0, color=GREY, linewidth=0.8)
    words = "measured, 95 % interval" if any(item.is_told for item in drifts) else "measured"
    left.errorbar(y, mean, [mean - low, high - mean], fmt="o", color=COLOURS[0], label=words)
    if estimate is not None:
        span = interval or (y[0], y[-1])
        left.plot(
            [max(0, end) for end in span], [estimate] * 2, "--", color=COLOURS[1], label="Lemma 8 at least"
        )
    left.set(xlabel="potential $Y$", ylabel="mean change of $Y$ per step", title=title)
    left.legend()
    bottom = np.zeros(len(drifts))
    shades = ("#08519c", "#6baed6", "#dddddd", "#fdae6b", "#d94801")
    for size, shade in zip((-2, -1, 0, 1, 2), shades, strict=True):
        share = np.array([item.sizes.get(size, 0.0) for item in drifts])
        right.bar(
            y, share, bottom=bottom, color=shade, width=0.9, label=f"+{size}" if size > 0 else number(size)
        )
        bottom += share
    right.grid(False)
    right.set(xlabel="potential $Y$", ylabel="share of steps", ylim=(0, 1))
    legend_beside(right, title="change of $Y$")
    right.set_title("sizes of steps")
    letter_panels((left, right))
    for axes in (left, right):
        whole_ticks(axes.xaxis)
    return figure


@styled()
def trace_figure(traces: Sequence[tuple[int, np.ndarray]], *, title: str = "") -> Figure:
    """Fitness and active gates over iterations, one line for each run.

    traces: the number of each run, and its rows of `gatewalk.theory.observe.trace.TRACE_COLUMNS`.

    >>> from gatewalk import search_for
    >>> from gatewalk.theory.observe.levels import level_runs
    >>> from gatewalk.theory.observe.trace import TraceMoments
    >>> runs = level_runs(search_for("and:4"), seed=1, runs=range(2), record=TraceMoments(powers=True))
    >>> len(trace_figure([(run.run, run.trace) for run in runs]).axes)
    2
    """
    figure, ((left, right),) = panels(1, 2, height=2.9)
    for index, (_, rows) in enumerate(traces):
        colour = look_of_curve(index).colour
        for axes, column in ((left, 1), (right, 4)):
            axes.step(rows[:, 0] + 1, rows[:, column], where="post", color=colour, alpha=0.7)
            # The last row; a run that is solved at its start has no other.
            axes.plot(rows[-1, 0] + 1, rows[-1, column], "o", color=colour, markersize=3)
    left.set(xscale="log", xlabel="iterations + 1", ylabel="mismatches", title=title)
    right.set(xscale="log", xlabel="iterations + 1", ylabel="active gates")
    last = max((rows[-1, 0] + 1 for _, rows in traces), default=1)
    for axes in (left, right):
        axes.set_xlim(0.9, max(10.0, 1.2 * last))
        axes.set_ylim(bottom=0, top=max(1.0, axes.get_ylim()[1]))
        whole_ticks(axes.yaxis)
        log_ticks(axes.xaxis)
    return figure
