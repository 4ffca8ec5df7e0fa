"""Pairs of an option's values as a forest plot: A12 with its interval, filled where the two differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gatewalk.analysis.comparing import Comparisons
from gatewalk.analysis.style import BLUE, GREY, PAGE, key, legend, open_marks, panels, plain, styled
from gatewalk.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PAIRS = 60
_EVEN: Any = {"color": GREY, "linewidth": 0.8}


@styled()
def comparison_figure(found: Comparisons) -> Figure:
    """A row for each pair: the probability that a run of the first is faster, with its 95 % interval."""
    count = len(found.pairs)
    if count > MOST_PAIRS:
        raise InputError(f"{count} pairs do not fit on a page ({MOST_PAIRS} do): choose cells with --where")
    figure, ((axes,),) = panels(width=PAGE, height=1.1 + 0.22 * count)
    axes.axvline(0.5, **_EVEN)
    for row, pair in enumerate(found.pairs):
        axes.plot([pair.interval.low, pair.interval.high], [row, row], color=BLUE, linewidth=1)
        look = {"color": BLUE, "linestyle": "none", "marker": "o", "markersize": 5}
        axes.plot([pair.a12], [row], **(look if pair.differs else open_marks(BLUE, "o", 5)))
    words = [f"{plain(pair.label)}: {plain(pair.first)} before {plain(pair.second)}" for pair in found.pairs]
    axes.set_yticks(range(count), words)
    axes.set_ylim(count - 0.5, -0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("probability that a run of the first value ends first ($A_{12}$)")
    axes.grid(axis="y", visible=False)
    legend(
        figure,
        [
            key("95 % interval (Newcombe)", color=BLUE),
            key("differ (Holm, 5 %)", color=BLUE, linestyle="none", marker="o", markersize=5),
            key("no difference shown", **open_marks(BLUE, "o", 5)),
            key("as often first as second", **_EVEN),
        ],
        columns=4,
    )
    return figure
