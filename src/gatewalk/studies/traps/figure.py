"""The figure of the study: the share of traps, the parts of E[T], and its local exponents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis import style
from gatewalk.stats.sample import clopper_pearson
from gatewalk.studies.traps.sizes import PARTS, Size, exponent, unit_exponent
from gatewalk.theory.filling import MOST_NODES, filling

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TICKS = (3, 5, 8, 12, 20, 32, 50)


@style.styled()
def draw(exact: Sequence[Size], run: Sequence[Size]) -> Figure:
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
