"""Figures of the distribution of running times: ECDF, Kaplan-Meier steps, fixed targets.

The empirical cumulative distribution function (ECDF) and the fixed-target curve are those that IOHanalyzer
and COCO draw (Wang et al. 2022; Hansen et al. 2022).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.style import (
    BLUE,
    EXACT_LINE,
    VERMILION,
    band_key,
    legend,
    legend_beside,
    legend_entry,
    log_axis,
    log_ticks,
    look_of_curve,
    panels,
    styled,
)
from gatewalk.errors import InputError
from gatewalk.stats.comparison import CellComparison
from gatewalk.stats.sample import Floats, Sample
from gatewalk.stats.survival import TracedRun, fixed_target, kaplan_meier, running_time_ecdf
from gatewalk.typeset import to_mathtext

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from gatewalk.theory.chain.distribution import Distribution

MOST_PANELS = 6
MOST_COMPARED = 12  # cells, each in a panel of its own
_POINTS = 300  # along an exact curve
_LARGEST = 1e300  # mismatches; a figure with more is refused
SHOWN = 0.999  # an exact curve is drawn until this share of the searches that ever end has ended


@styled()
def ecdf_figure(curves: Mapping[str, Mapping[int, Sample]], *, unit: str = "iterations") -> Figure:
    """The fraction of runs solved within a time, all sizes of a curve together, each with the same weight.

    curves: runs by curve and size.
    unit: what times are counted in.

    >>> from gatewalk.stats import sample
    >>> figure = ecdf_figure({"and": {4: sample([3, 9], [True, False]), 5: sample([8, 8], [True, True])}})
    >>> figure.axes[0].lines[0].get_ydata().tolist()
    [0.0, 0.25, 0.75, 0.75]
    """
    figure, ((axes,),) = panels(width=5.6, height=3.4)
    for index, (name, along) in enumerate(curves.items()):
        times = np.unique(np.concatenate([data.times for data in along.values()]))
        share = np.mean([_shares(data, times) for data in along.values()], axis=0)
        end = max(float(data.iterations.max()) for data in along.values())
        axes.step(
            np.concatenate([[0.0], times, [end]]) + 1,
            np.concatenate([[0.0], share, share[-1:] if share.size else [0.0]]),
            where="post",
            color=look_of_curve(index).colour,
            linestyle=look_of_curve(index).dashes,
            label=f"{to_mathtext(name)} ({sum(data.runs for data in along.values())} runs)",
        )
    _shares_axes(axes, unit)
    many = any(len(along) > 1 for along in curves.values())
    axes.set_ylabel("fraction of runs solved,\nmean over all sizes" if many else "fraction of runs solved")
    legend_beside(axes)
    return figure


def _shares(data: Sample, times: Floats) -> Floats:
    """The fraction of runs solved within each of the times."""
    shares: Floats = np.searchsorted(np.sort(data.times), times, side="right") / data.runs
    return shares


@styled()
def distributions_figure(
    curves: Mapping[str, Mapping[int, Sample]],
    *,
    laws: Mapping[str, Mapping[int, Distribution]] | None = None,
    x: str = "n",
    unit: str = "iterations",
) -> Figure:
    """Pr(T ≤ t) by Kaplan and Meier with 95 % bands, a panel for each size; exact curves in black.

    curves: runs by curve and by the value of x; if there are more than six values, six spread evenly are
        drawn.
    laws: exact distributions by curve and by the value of x.
    x: the setting that differs between panels.
    unit: what times are counted in.

    >>> from gatewalk.stats import sample
    >>> figure = distributions_figure({"and": {4: sample([3, 9], [True, True])}})
    >>> figure.axes[0].get_title()
    '$n = 4$'
    """
    sizes = _spread(sorted({size for along in curves.values() for size in along}))
    figure, flat = _grid(len(sizes))
    exact = censored = False
    for axes, size in zip(flat, sizes, strict=False):
        for index, (name, along) in enumerate(curves.items()):
            if size not in along:
                continue
            look = look_of_curve(index)
            options = {"color": look.colour, "linestyle": look.dashes}
            censored = draw_distribution(axes, along[size], options) or censored
            law = (laws or {}).get(name, {}).get(size)
            if law is not None:
                _draw_law(axes, law, float(along[size].iterations.max()) * 2 + 1)
                exact = True
        _shares_axes(axes, unit)
        axes.set_title(f"${'n' if x == 'n' else x.replace('lambda', chr(92) + 'lambda')} = {size}$")
    _outer_labels(flat, len(sizes), f"{unit} + 1", "fraction of runs solved")
    legend(figure, _steps_entries(list(curves), exact=exact, censored=censored), columns=4)
    return figure


def draw_distribution(
    axes: Axes, times: Sample | Distribution, options: Mapping[str, Any] | None = None, *, shade: float = 0.15
) -> bool:
    """Draw the fraction of runs solved within a time; returns whether any run was given up.

    axes: their horizontal axis counts iterations + 1, so that runs solved at their start can be shown.
    times: runs, drawn as Kaplan-Meier steps with their band and with marks where runs were given up; or an
        exact distribution, drawn in black until nearly all searches that ever end have ended.
    options: of the line of runs for Matplotlib, such as "color".
    shade: how dark the band is, from 0 to 1.

    >>> from gatewalk.analysis import style
    >>> from gatewalk.stats import sample
    >>> from gatewalk.theory import exact
    >>> figure, ((axes,),) = style.panels(height=2)
    >>> draw_distribution(axes, sample([3, 9, 9], [True, True, False]), {"color": style.BLUE})
    True
    >>> draw_distribution(axes, exact("and:3", nodes=3, selection="strict").distribution())
    False
    """
    if isinstance(times, Sample):
        return _draw_steps(axes, times, {"color": BLUE, **(options or {})}, shade)
    _draw_law(axes, times, inf)
    return False


def _draw_steps(axes: Axes, data: Sample, options: Mapping[str, Any], shade: float) -> bool:
    curve = kaplan_meier(data)
    times = np.concatenate([[0.0], curve.times]) + 1
    values = np.concatenate([[0.0], 1 - curve.values])
    low, high = np.concatenate([[0.0], 1 - curve.high]), np.concatenate([[0.0], 1 - curve.low])
    axes.fill_between(times, low, high, step="post", color=options["color"], alpha=shade, linewidth=0)
    axes.step(times, values, where="post", **options)
    ends = np.unique(data.iterations[~data.solved])
    if ends.size:
        heights = values[np.searchsorted(times, ends + 1, side="right") - 1]
        axes.plot(ends + 1, heights, "|", color=options["color"], markersize=7)
    return bool(ends.size)


def _draw_law(axes: Axes, law: Distribution, longest: float) -> None:
    """Draw the exact distribution, up to this time or until nearly all searches that ever end have ended."""
    times = law_times(law, longest, points=_POINTS)
    axes.step(np.array(times) + 1, [law.cumulative(time) for time in times], where="post", **EXACT_LINE)


def law_times(law: Distribution, longest: float, *, points: int) -> list[int]:
    """The times at which an exact curve is drawn, at most so many: closer together where they are short."""
    end = min(law.quantile(SHOWN * (1.0 - law.never)), longest)
    times: list[int] = (np.unique(np.geomspace(1, end + 1, points).astype(np.int64)) - 1).tolist()
    return times


def _steps_entries(names: Sequence[str], *, exact: bool, censored: bool) -> list[Any]:
    entries: list[Any] = [*_line_entries(names), band_key("95 % pointwise band")]
    if exact:
        entries.append(legend_entry("exact", **EXACT_LINE))
    if censored:
        entries.append(legend_entry("runs given up", marker="|", markersize=7, linestyle="none"))
    return entries


def _line_entries(names: Sequence[str]) -> list[Any]:
    return [
        legend_entry(
            to_mathtext(name), color=look_of_curve(index).colour, linestyle=look_of_curve(index).dashes
        )
        for index, name in enumerate(names)
    ]


@styled()
def fixed_target_figure(curves: Mapping[str, Mapping[int, Sequence[TracedRun]]]) -> Figure:
    """Expected evaluations until so few mismatches are left, a panel for each n: how a search slows down.

    curves: traced runs by curve and n; of more than six n, six spread evenly are drawn.
    """
    sizes = _spread(sorted({size for along in curves.values() for size in along}))
    figure, flat = _grid(len(sizes), sharey=False)
    for axes, size in zip(flat, sizes, strict=False):
        for index, along in enumerate(curves.values()):
            if size in along:
                times = {left: time for left, time in fixed_target(along[size]).items() if time < inf}
                if max(times, default=0) > _LARGEST:
                    raise InputError(f"n = {size}: more mismatches than a figure can show; choose smaller n")
                axes.step(
                    [left + 1 for left in times],
                    [max(time, 1.0) for time in times.values()],
                    where="post",
                    color=look_of_curve(index).colour,
                    linestyle=look_of_curve(index).dashes,
                )
        axes.set_xscale("log")
        log_ticks(axes.xaxis)
        axes.set_xlim(axes.get_xlim()[::-1])
        log_axis(axes, "")
        axes.set_title(f"$n = {size}$")
    _outer_labels(flat, len(sizes), "mismatches + 1", "evaluations per run\nthat gets there (ERT)")
    legend(figure, _line_entries(list(curves)), columns=4)
    return figure


@styled()
def distribution_figure(compared: Sequence[CellComparison], *, unit: str = "iterations") -> Figure:
    """The fraction of runs solved within a time, ours and published; a panel per cell, twelve at most.

    Both are cut at the same time, so the curves are also those of Kaplan and Meier.

    compared: cells from `gatewalk.stats.compare`.
    unit: what times are counted in.

    >>> from gatewalk.stats import compare, sample
    >>> found = compare("and:2", sample([1, 2, 9], [1, 1, 1]), sample([2, 3, 5], [1, 1, 0]))
    >>> distribution_figure([found]).axes[0].get_title()
    'and:2: agrees'
    """
    cells = list(compared)[:MOST_COMPARED]
    columns = min(3, len(cells))
    rows = -(-len(cells) // columns)
    figure, axes = panels(rows, columns, height=0.6 + 1.9 * rows, sharey=True)
    for panel, cell in zip(axes.flat, cells, strict=False):
        for data, colour, dashes, words in (
            (cell.ours, BLUE, "solid", "ours"),
            (cell.published, VERMILION, (0, (4, 1.5)), "published"),
        ):
            curve = running_time_ecdf(data)
            times = np.concatenate([curve.times, [min(cell.cut, 1e300)] if isfinite(cell.cut) else []])
            values = np.concatenate([curve.values, curve.values[-1:] if isfinite(cell.cut) else []])
            if isfinite(cell.cut) and not curve.values.size:
                values = np.zeros(times.size)
            panel.step(times + 1, values, where="post", color=colour, linestyle=dashes, label=words)
        panel.set_xscale("log")
        log_ticks(panel.xaxis)
        panel.set_ylim(-0.02, 1.02)
        panel.set_title(f"{to_mathtext(cell.label)}: {cell.verdict}")
    for panel in list(axes.flat)[len(cells) :]:
        panel.set_visible(False)
    for row in axes:
        row[0].set_ylabel("fraction solved")
    for panel in axes[-1]:
        panel.set_xlabel(f"{unit} + 1")
    axes[0][0].legend(loc="upper left")
    return figure


def _shares_axes(axes: Axes, unit: str) -> None:
    axes.set_xscale("log")
    log_ticks(axes.xaxis)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel(f"{unit} + 1")


def _spread(sizes: Sequence[int]) -> list[int]:
    """At most six of the sizes, with the first and the last among them."""
    if len(sizes) <= MOST_PANELS:
        return list(sizes)
    return [sizes[round(i * (len(sizes) - 1) / (MOST_PANELS - 1))] for i in range(MOST_PANELS)]


def _grid(count: int, *, sharey: bool = True) -> tuple[Figure, list[Axes]]:
    columns = min(3, count)
    rows = -(-count // columns)
    figure, axes = panels(rows, columns, height=1.0 + 1.9 * rows, width=1.5 + 1.9 * columns, sharey=sharey)
    flat = list(axes.flat)
    for unused in flat[count:]:
        unused.set_visible(False)
    return figure, flat


def _outer_labels(flat: Sequence[Axes], count: int, x: str, y: str) -> None:
    columns = min(3, count)
    for index, axes in enumerate(flat[:count]):
        axes.set_ylabel(y if index % columns == 0 else "")
        axes.set_xlabel(x if index + columns >= count else "")
