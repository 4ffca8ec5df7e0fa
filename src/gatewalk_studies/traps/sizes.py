"""The results for one n: where runs arrive, the parts of the expected time E[T], and the figure of all n.

A record, which JSON can hold, has the counts and times; its kinds are [after, changes, share, wait] by the
place of the inactive node (-1: none) and the connections that must change (`one_short`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis import style

from .arrivals import ExactArrivals, TrapArrivals, clopper_pearson, trap_time
from .filling import MOST_NODES, filling
from .one_short import OneShort

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = ("traps", "next to last", "earlier nodes", "others", "before")
TICKS = (3, 5, 8, 12, 20, 32, 50)
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Size:
    """The results for one n. runs: 0 for exact results. mean, error, parts: in units of Theorem 4's time.

    parts: the parts of E[T], by `PARTS`. left: [r] is the share of runs whose last inactive node, both of
    its connections to be changed, has r nodes after it.
    """

    n: int
    runs: int
    traps: int
    share: float
    mean: float
    error: float
    parts: Mapping[str, float]
    left: Mapping[int, float]

    def lower_share(self, confidence: float) -> float:
        """The lower end of Clopper and Pearson's interval for the chance to reach a trap."""
        return clopper_pearson(self.traps, self.runs, confidence)[0]


def record_of_runs(reached: TrapArrivals) -> dict[str, Any]:
    """The record of measured runs: counts and shares."""
    mean, error = reached.mean()
    arrived = [(arrival.kind, 1 / reached.runs) for arrival in reached.arrivals if arrival.kind]
    return {
        "runs": reached.runs,
        "traps": reached.traps,
        "trap_share": reached.traps / reached.runs,
        "before": sum(arrival.iterations for arrival in reached.arrivals) / reached.runs,
        "mean": mean,
        "error": error,
        "kinds": _kinds(arrived),
    }


def record_of_chain(solved: ExactArrivals) -> dict[str, Any]:
    """The record of the exact chain: probabilities without an error."""
    return {
        "runs": 0,
        "traps": 0,
        "trap_share": solved.trap_share,
        "before": solved.expected_iterations - solved.last_wait,
        "mean": solved.expected_iterations,
        "error": 0.0,
        "kinds": _kinds(solved.shares),
    }


def _kinds(arrived: Iterable[tuple[OneShort, float]]) -> list[list[float]]:
    share: dict[tuple[int, int], float] = defaultdict(float)
    wait: dict[tuple[int, int], float] = defaultdict(float)
    for kind, weight in arrived:
        key = (-1 if kind.after is None else kind.after, kind.changes)
        share[key] += weight
        wait[key] += weight * float(1 / kind.leaving)
    return [[*key, share[key], wait[key] / share[key]] for key in sorted(share)]


def size_of(n: int, record: Record) -> Size:
    """The results of a record, with times in units of Theorem 4's time."""
    unit = trap_time(n)
    parts = dict.fromkeys(PARTS, 0.0)
    parts["before"] = record["before"] / unit
    left = {}
    for after, changes, share, wait in record["kinds"]:
        parts[_part(after, changes)] += share * wait / unit
        if changes == 2:
            left[int(after)] = share
    return Size(
        n=n,
        runs=record["runs"],
        traps=record["traps"],
        share=record["trap_share"],
        mean=record["mean"] / unit,
        error=record["error"] / unit,
        parts=parts,
        left=left,
    )


def _part(after: float, changes: float) -> str:
    if changes < 2:
        return "others"
    return "traps" if after == 0 else "next to last" if after == 1 else "earlier nodes"


def exponent(first: Size, second: Size) -> tuple[float, float]:
    """The local exponent of E[T] between two n, and its standard error."""
    error = sqrt((first.error / first.mean) ** 2 + (second.error / second.mean) ** 2)
    distance = log(second.n / first.n)
    return log(second.mean / first.mean) / distance + unit_exponent(first.n, second.n), error / distance


def unit_exponent(first: int, second: int) -> float:
    """The local exponent of Theorem 4's time itself."""
    return log(trap_time(second) / trap_time(first)) / log(second / first)


@style.styled()
def draw_sizes(exact: Sequence[Size], run: Sequence[Size]) -> Figure:
    """Three panels along n."""
    figure, ((left, middle, right),) = style.panels(1, 3, height=2.9)
    _shares(left, exact, run)
    _parts(middle, exact, run)
    _exponents(right, exact, run)
    left.set_title("runs that reach a trap")
    middle.set_title("what E[$T$] is made of")
    right.set_title("how E[$T$] grows")
    style.letter_panels((left, middle, right))
    for axes in (left, middle, right):
        style.size_axis(axes, [n for n in TICKS if n <= run[-1].n], log=True)
        axes.set_xlim(0.9 * run[0].n, 1.12 * run[-1].n)
    return figure


def _shares(axes: Any, exact: Sequence[Size], run: Sequence[Size]) -> None:
    share = np.array([size.share for size in run])
    low, high = np.array([clopper_pearson(size.traps, size.runs, 0.975) for size in run]).T
    axes.errorbar(
        [size.n for size in run], share, [share - low, high - share],
        color=style.BLUE, marker="o", ls="none", label="runs, 95 % interval",
    )  # fmt: skip
    axes.plot([size.n for size in exact], [size.share for size in exact], label="exact", **style.EXACT)
    axes.axhline(filling(MOST_NODES).left[0], color=style.VERMILION, linestyle="--", label="model, n → ∞")
    axes.set(ylabel="probability of reaching a trap", ylim=(0, 0.45))
    axes.legend(loc="lower right")


def _parts(axes: Any, exact: Sequence[Size], run: Sequence[Size]) -> None:
    n, bottom = [size.n for size in run], np.zeros(len(run))
    for number, name in enumerate(PARTS):
        top = bottom + [size.parts[name] for size in run]
        axes.fill_between(
            n, bottom, top, color=style.COLOURS[number], alpha=0.6, ec="white", lw=0.6, label=name
        )
        bottom = top
    axes.plot([size.n for size in exact], [size.mean for size in exact], label="exact, all", **style.EXACT)
    axes.set(ylabel="E[$T$] in units of Theorem 4's time", ylim=(0, 1.2))
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="upper left")


def _exponents(axes: Any, exact: Sequence[Size], run: Sequence[Size]) -> None:
    steps = [((a.n * b.n) ** 0.5, *exponent(a, b)) for a, b in pairwise(run)]
    x, slope, error = np.array(steps).T
    axes.errorbar(
        x, slope, 1.96 * error, color=style.BLUE, marker="o", ls="none", label="runs, 95 % interval"
    )
    steps = [((a.n * b.n) ** 0.5, *exponent(a, b)) for a, b in pairwise(exact)]
    axes.plot([step[0] for step in steps], [step[1] for step in steps], label="exact", **style.EXACT)
    n = range(run[0].n + 1, run[-1].n)
    ideal = [unit_exponent(k - 1, k + 1) for k in n]
    axes.plot(n, ideal, color=style.VERMILION, linestyle="--", label="Theorem 4's start")
    axes.axhline(6, color=style.GREY, lw=0.6, label="order $n^6$")
    axes.set(ylabel="local exponent of E[$T$]", ylim=(5, 10))
    axes.legend()
