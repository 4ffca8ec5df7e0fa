"""Nodes from n - 1 to n^2: expected iterations by D/n, and the gain of more nodes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gatewalk.analysis import CellRuns, Curves, curves, draw_curve, style
from gatewalk.numbers import number, probability
from gatewalk.stats import ert, mann_whitney
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL = 0.01


def findings(measured: Measured) -> Findings:
    """The figure, and claims on more nodes, on the first spare node and on strict selection."""
    times = curves(measured.cells, "nodes", label=_label)
    return Findings(
        claims=(
            _more_nodes(times),
            _first_node(times),
            _strict(times),
        ),
        figures=(
            Drawing(
                name="nodes",
                caption="Expected iterations on complete training sets by nodes per input; 95 % intervals.",
                draw=partial(draw, times),
            ),
        ),
    )


def _label(cell: CellRuns) -> str:
    return f"n = {cell.values['n']}, {cell.values['selection']}"


def _more_nodes(times: Curves) -> Claim:
    """The claim on the fewest nodes compared with the most."""
    lines, holds = [], []
    for name, along in times.items():
        few, many = along[min(along)], along[max(along)]
        test = mann_whitney(many, few)
        holds.append(test.a12 > 0.5 and test.p_value < LEVEL)
        lines.append(
            f"{name}: {number(ert(few))} iterations at D = {min(along)}, {number(ert(many))} at "
            f"D = {max(along)} (rank sums, p = {probability(test.p_value)})"
        )
    return Claim(
        statement="More function nodes make CGP faster, up to n² of them",
        source="the paper, Section 5, says so of D = n, 2n, 3n",
        measured="; ".join(lines) + ".",
        verdict=judged(holds),
        reason=f"The most nodes must be faster than the fewest on every curve, p < {LEVEL}.",
    )


def _first_node(times: Curves) -> Claim:
    """The claim on n - 1 nodes compared with n."""
    lines, holds = [], []
    for name, along in times.items():
        first, second = list(along)[:2]
        ratio = ert(along[first]) / ert(along[second])
        holds.append(ratio >= 1.5)
        lines.append(f"{name}: from D = {first} to {second} the time is divided by {number(ratio)}")
    return Claim(
        statement="One node more than the minimum about halves the time",
        source="this study",
        measured="; ".join(lines) + ".",
        verdict=judged(holds),
        reason="The expected time must fall by a factor of 1.5 at least on every curve.",
    )


def _strict(times: Curves) -> Claim:
    """The claim on strict divided by non-strict times, with the fewest and with the most nodes."""
    pairs = {
        name: (along, times[name.replace("strict", "nonstrict")])
        for name, along in times.items()
        if name.endswith(" strict")
    }
    lines, holds = [], []
    for name, (strict, ties) in pairs.items():
        least, most = (ert(strict[at]) / ert(ties[at]) for at in (min(strict), max(strict)))
        holds.append(least > 2 * most)
        lines.append(
            f"{name.partition(',')[0]}: {number(least)} times the non-strict time at D = {min(strict)}, "
            f"{number(most)} times at D = {max(strict)}"
        )
    return Claim(
        statement="Strict selection needs spare nodes far more than non-strict selection",
        source="this study",
        measured="; ".join(lines) + ".",
        verdict=judged(holds),
        reason="The ratio of the expected times must at least halve between the fewest and the most nodes.",
    )


@style.styled()
def draw(times: Curves) -> Figure:
    """Expected iterations with 95 % bootstrap intervals by D/n."""
    figure, ((axes,),) = style.panels(width=4.6, height=3.2)
    seen: set[str] = set()
    for index, (name, along) in enumerate(times.items()):
        look, n = style.look_of_curve(index), int(name.split()[2].rstrip(","))
        seen |= draw_curve(axes, along, look, bars=True, place=partial(_per_input, n=n))
        axes.plot([], [], look.marker, linestyle=look.dashes, color=look.colour, label=name)
    style.label_marks(axes, seen)
    axes.set(xscale="log", xlabel="nodes per input $D/n$")
    style.log_axis(axes, "ERT: iterations of all runs per success")
    axes.minorticks_off()
    axes.set_xticks([1, 2, 4, 8, 16, 32], ["1", "2", "4", "8", "16", "32"])
    axes.legend(title="95 % bootstrap intervals")
    return figure


def _per_input(nodes: int, *, n: int) -> float:
    return nodes / n
