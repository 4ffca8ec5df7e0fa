"""The figures: evaluations by nodes and by rate, of Breadth; active nodes; identical offspring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis import CellRuns, style
from gatewalk.stats import Growth, Sample, median

from .offspring import Active

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .study import Key

PROBLEMS = ("multiply", "decode", "encode", "parity")
SAM_AT = 2e-5  # the place of single active-gene mutation on an axis of rates
RATE_TICKS = {SAM_AT: "SAM", 1e-4: "10⁻⁴", 1e-3: "10⁻³", 1e-2: "0.01", 1e-1: "0.1"}
GIVEN = 1e7  # evaluations; failed runs with fewer are not drawn
NEVER = r"$\uparrow$"  # the mark of an unknown median, because most runs failed
FEWEST, LARGEST_RATE = 200, 0.05  # identical offspring: offspring behind a point, and the largest rate drawn


@style.styled()
def draw_evaluations(
    ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample], breadth: Growth | None
) -> Figure:
    """Evaluations in three panels: by nodes, by rate, and of Breadth by N."""
    figure, ((lengths, rates, sizes),) = style.panels(1, 3, width=7.6, height=2.9)
    _draw_lengths(lengths, ours, theirs)
    _draw_rates(rates, ours, theirs)
    _draw_breadth(sizes, ours, theirs, breadth)
    style.letter_panels((lengths, rates, sizes))
    return figure


def _draw_lengths(axes: Axes, ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample]) -> None:
    keys = sorted(key for key in ours if key.problem == "multiply" and key.mutation == "sam")
    _draw(axes, [(k.nodes, ours[k].runs, theirs.get(k)) for k in keys], style.COLOURS[0], "o", "ours")
    axes.plot([], [], **style.open_marks(style.COLOURS[0], "o", 7), label="published")
    axes.plot([], [], **style.UNSOLVED, color=style.GREY, label="fewer than half solved")
    axes.set(xscale="log", xlabel="nodes $D$", title="3-bit multiplier, SAM")
    style.log_ticks(axes.xaxis)
    style.log_axis(axes, "median evaluations, 95 % interval")
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.93), handlelength=1.2)  # below the arrows


def _draw_rates(axes: Axes, ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample]) -> None:
    for index, problem in enumerate(PROBLEMS):
        colour, marker = style.COLOURS[index], style.MARKERS[index]
        by_rate = {_rate(key): key for key in ours if key.problem == problem and key.nodes == 3000}
        points = [(at, ours[key].runs, theirs.get(key)) for at, key in sorted(by_rate.items())]
        aside = 1.2 ** (index - (len(PROBLEMS) - 1) / 2)  # arrows at one rate would cover each other
        at_sam, others = (points[:1], points[1:]) if SAM_AT in by_rate else ([], points)
        _draw(axes, at_sam, colour, marker, problem if points else "", aside=aside)
        _draw(axes, others, colour, marker, "", aside=aside)
    axes.set(xscale="log", xlabel="mutation rate", title="3,000 nodes")
    style.log_axis(axes, "")
    axes.minorticks_off()
    axes.set_xticks(list(RATE_TICKS), list(RATE_TICKS.values()))
    style.log_ticks(axes.yaxis)
    axes.set_ylim(400, 3e8)  # leaves space for the legend
    axes.legend(ncols=2, fontsize=6.5, columnspacing=0.8, handletextpad=0.3, loc="upper center")


def _rate(key: Key) -> float:
    return SAM_AT if key.mutation == "sam" else float(key.mutation.partition(":")[2])


def _draw_breadth(
    axes: Axes, ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample], grown: Growth | None
) -> None:
    keys = sorted(key for key in ours if key.problem == "breadth")
    _draw(axes, [(k.nodes, ours[k].runs, theirs.get(k)) for k in keys], style.COLOURS[0], "o", "")
    if grown is not None and keys:
        power = grown.of("power").fit
        sizes = np.geomspace(keys[0].nodes, keys[-1].nodes, 50)
        label = f"mean: $N^{{{power.rate:.2f}}}$"
        axes.plot(sizes, [power.mean(n) for n in sizes], "--", color=style.GREY, linewidth=0.9, label=label)
        axes.legend()
    axes.set(xscale="log", xlabel="nodes $N$", title="Breadth, SAM")
    style.log_axis(axes, "")
    axes.minorticks_off()
    ticks = [5, 10, 20, 50, 95]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])


def _draw(
    axes: Axes,
    points: Sequence[tuple[float, Sample, Sample | None]],
    colour: str,
    marker: str,
    label: str,
    *,
    aside: float = 1.0,
) -> None:
    """Draw medians: ours with intervals, published ones as open marks, arrows where a median is unknown.

    aside: the factor between a place and where its arrows are drawn.
    """
    known = []
    for at, mine, published in points:
        middle = median(mine)
        if isfinite(middle.value):
            known.append((at, middle.value))
            low = middle.value - middle.interval.low
            high = middle.interval.high - middle.value if isfinite(middle.interval.high) else 0.0
            axes.errorbar([at], [middle.value], [[low], [high]], color=colour, fmt="none", elinewidth=0.8)
        elif mine.iterations.max() >= GIVEN:
            axes.plot(at * aside, GIVEN, marker=NEVER, color=colour, markersize=5)
        if published is not None:
            value = median(published).value
            if isfinite(value):
                axes.plot(at, value, **style.open_marks(colour, marker, 7))
            else:
                axes.plot(at * aside, GIVEN, marker=NEVER, color=colour, markersize=7, alpha=0.5)
    axes.plot(
        *zip(*known, strict=True) if known else ([], []),
        color=colour,
        marker=marker,
        linewidth=0.9,
        markersize=3.5,
    )
    if label:
        axes.plot([], [], color=colour, marker=marker, label=label)


@style.styled()
def draw_active(rows: Sequence[Active]) -> Figure:
    """Mean active nodes by D; `active` must not be empty."""
    figure, ((axes,),) = style.panels(width=4.6, height=3.2)
    along = sorted(rows, key=lambda row: row.nodes)
    nodes = [row.nodes for row in along]
    means = np.array([row.mean_ours for row in along])
    spans = np.array([np.quantile(row.ours, [0.025, 0.975]) for row in along]).reshape(-1, 2)
    axes.errorbar(
        nodes,
        means,
        np.abs(spans.T - means),
        color=style.COLOURS[0],
        marker="o",
        markersize=3.5,
        label="ours",
    )
    axes.plot(nodes, [row.mean for row in along], **style.open_marks(style.COLOURS[0], "o", 7))
    axes.plot([], [], **style.open_marks(style.COLOURS[0], "o", 7), label="published")
    ends = [nodes[0], nodes[-1]]
    axes.plot(ends, ends, "--", color=style.GREY, linewidth=0.9, label="all nodes")
    axes.set(xscale="log", xlabel="nodes $D$")
    style.log_ticks(axes.xaxis)
    style.log_axis(axes, "active nodes of a solution")
    axes.legend()
    return figure


@style.styled()
def draw_identical(seen: Sequence[Mapping[str, Any]]) -> Figure:
    """The share of identical offspring by active genes, with a colour per rate."""
    figure, ((axes,),) = style.panels(width=5.6, height=3.3)
    seen = [watched for watched in seen if watched["rate"] <= LARGEST_RATE]
    genes = np.linspace(0, max((max(watched["genes"]) for watched in seen), default=1), 200)
    for index, rate in enumerate(sorted({watched["rate"] for watched in seen})):
        colour, marker = style.COLOURS[index % len(style.COLOURS)], style.MARKERS[index % len(style.MARKERS)]
        axes.plot(genes, (1 - rate) ** genes, color=colour, linewidth=0.9)
        for watched in seen:
            if watched["rate"] == rate:
                axes.plot(*_binned(watched), marker, color=colour, markersize=3)
        axes.plot([], [], marker, linestyle="-", color=colour, label=f"rate {rate:g}")
    axes.set(xlabel="active genes that can change", ylabel="share of identical offspring", ylim=(-0.02, 1.02))
    style.legend_beside(axes)
    return figure


def _binned(watched: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    """Mean active genes and shares for up to eight groups of parents with about equally many offspring."""
    genes, offspring, identical = (np.array(watched[name]) for name in ("genes", "offspring", "identical"))
    total = int(offspring.sum())
    groups = np.minimum(7, (np.cumsum(offspring) - 1) * 8 // max(1, total))
    places, shares = [], []
    for group in np.unique(groups):
        here = groups == group
        if (count := offspring[here].sum()) >= FEWEST:
            places.append(float(genes[here] @ offspring[here] / count))
            shares.append(float(identical[here].sum() / count))
    return places, shares
