"""How times grow with n: And_n compared with Theorem 6, what a superfluous Or costs, and majority."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING

from gatewalk.analysis import CellRuns, Curves, curves, fits, growth_figure, style
from gatewalk.numbers import number, probability
from gatewalk.stats import Growth, Sample, excess, log_linear, mann_whitney, mean_time
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged
from gatewalk.theory import applied

if TYPE_CHECKING:
    from matplotlib.figure import Figure

AND, AND_OR, MAJORITY = "gates {And}", "gates {And, Or}", "majority"
LEVEL = 0.01
LEAST_SIZES = 3  # to fit an order
Bounds = Mapping[str, Mapping[int, float]]  # by curve and n


@dataclass(frozen=True)
class Order:
    """An order of the time for a number of nodes, with what is proven.

    least: the n from which on it is compared; before, the ratio to it still grows.
    """

    curve: str
    nodes: str
    words: str
    times: Callable[[float], float]
    least: int
    proven: str


ORDERS = (
    Order("nodes=n", "D = n", "n³", lambda n: n**3, 32, "Theorem B proves O(n³ log n)"),
    Order("nodes=2n", "D = 2n", "n² log² n", lambda n: (n * log(n)) ** 2, 24, "Theorem B proves O(n⁴)"),
    Order(
        "nodes=n^2",
        "D = n²",
        "n log n",
        log_linear,
        0,
        "the order proven for tree GP on the complete set; Theorem A proves O(n⁷ log n)",
    ),
)


def findings(measured: Measured) -> Findings:
    """Figures of times and bound and of both gate sets, and claims on growth, on Or and on majority."""
    by_nodes = [cell for cell in measured.cells if cell.words["gates"] is None]
    by_gates = [cell for cell in measured.cells if cell.words["gates"] is not None]
    times, gate_times = curves(by_nodes, label=_nodes_of), curves(by_gates, label=_gates_of)
    conjunctions = {name: gate_times[name] for name in (AND, AND_OR)}
    grown, gates_grown = (fits(along, resamples=measured.resamples) for along in (times, conjunctions))
    bounds, gap = _bounds(by_nodes), applied("theorem6", by_nodes[0].search).note
    return Findings(
        claims=(
            _below(times, bounds),
            _polynomial(
                grown,
                statement="The time grows polynomially with n, not exponentially",
                source="the paper, Theorem 6",
            ),
            _nodes(grown),
            *_orders(times),
            _cost_of_or(conjunctions),
            _polynomial(
                gates_grown,
                statement="The time stays polynomial with Or in the gate set",
                source="this study; the levels of Theorem 3 do not apply",
            ),
            _majority(gate_times[MAJORITY]),
        ),
        figures=(
            Drawing(
                name="growth",
                caption="Mean iterations by n with 95 % intervals, fitted powers of n with the interval of "
                f"the exponent, and the bound of Theorem 6 (dotted), of which {gap}.",
                draw=partial(draw, times, grown, bounds),
            ),
            Drawing(
                name="ratio",
                caption="Mean iterations over the bound of Theorem 6: falling lines mean a smaller order.",
                draw=partial(draw_ratios, times, bounds),
            ),
            Drawing(
                name="gates",
                caption="Mean iterations to And_n with one gate and with two, D = 2n, with 95 % intervals "
                "and fitted powers of n.",
                draw=partial(draw_gates, conjunctions, gates_grown),
            ),
        ),
    )


def _nodes_of(cell: CellRuns) -> str:
    return f"nodes={cell.words['nodes']}"


def _gates_of(cell: CellRuns) -> str:
    if cell.search.target.label.startswith("maj"):
        return MAJORITY
    return AND if cell.words["gates"] == "and" else AND_OR


def _bounds(cells: Sequence[CellRuns]) -> Bounds:
    """The bound of Theorem 6 by curve and n."""
    bounds: dict[str, dict[int, float]] = {}
    for cell in cells:
        bounds.setdefault(_nodes_of(cell), {})[cell.search.n] = applied("theorem6", cell.search).value
    return bounds


def _below(times: Curves, bounds: Bounds) -> Claim:
    largest = {
        name: max(mean_time(data) / bounds[name][n] for n, data in along.items())
        for name, along in times.items()
    }
    said = "; ".join(f"{name}: at most {number(ratio)} of the bound" for name, ratio in largest.items())
    return Claim(
        statement="The expected time of the non-strict (1+1) CGP on And_n is O(nD⁴)",
        source="the paper, Theorem 6, with its constant; our Theorem A proves a better order",
        measured=f"Mean iterations over all n. {said}.",
        verdict=judged([ratio <= 1 for ratio in largest.values()]),
        reason="No mean may exceed the bound.",
    )


def _polynomial(grown: Mapping[str, Growth], *, statement: str, source: str) -> Claim:
    weights = {name: fitted.of("exponential").weight for name, fitted in grown.items()}
    said = "; ".join(
        f"{name}: {_exponent(grown[name])}, {probability(weight)}" for name, weight in weights.items()
    )
    return Claim(
        statement=statement,
        source=source,
        measured=f"Exponent a of c nᵃ, and Akaike weight of c bⁿ against c nᵃ and c nᵃ log n. {said}.",
        verdict=judged([weight < 0.01 for weight in weights.values()]),
        reason="The exponential model must have a weight below 0.01.",
    )


def _exponent(grown: Growth) -> str:
    power = grown.of("power")
    return f"{power.fit.rate:.2f} [{power.rate.low:.2f}, {power.rate.high:.2f}]"


def _nodes(grown: Mapping[str, Growth]) -> Claim:
    intervals = [fitted.of("power").rate for fitted in grown.values()]
    said = "; ".join(f"{name}: {_exponent(fitted)}" for name, fitted in grown.items())
    return Claim(
        statement="More nodes lower the exponent, although the bound rises with them",
        source="this study",
        measured=f"Exponent a of c nᵃ. {said}.",
        verdict=judged([more.high < fewer.low for fewer, more in pairwise(intervals)]),
        reason="The 95 % intervals of D = n, 2n, n² must lie one below the other.",
    )


def _orders(times: Curves) -> Iterator[Claim]:
    """A claim on the order for each number of nodes of which enough sizes were run."""
    for order in ORDERS:
        along = {n: data for n, data in times[order.curve].items() if n >= order.least}
        if len(along) < LEAST_SIZES:
            continue
        fitted = excess(along, order.times)
        yield Claim(
            statement=f"With {order.nodes} nodes the time is of the order {order.words}",
            source=f"this study; {order.proven}",
            measured=f"Fitted c {order.words} · nᵉ from n = {min(along)} on: {fitted.words}.",
            verdict=judged([fitted.agrees]),
            reason="The 95 % interval of e must come within 0.05 of 0: lower-order terms end up in e.",
        )


def _cost_of_or(times: Curves) -> Claim:
    n = max(times[AND])
    one, two = times[AND][n], times[AND_OR][n]
    test = mann_whitney(one, two)
    factor = number(mean_time(two) / mean_time(one))
    return Claim(
        statement="A superfluous Or makes conjunctions slower",
        source="this study",
        measured=f"n = {n}: {number(mean_time(two))} iterations instead of {number(mean_time(one))}, "
        f"{factor} times as many (rank sums, p = {probability(test.p_value)}).",
        verdict=judged([test.a12 > 0.5 and test.p_value < LEVEL]),
        reason=f"At the largest n, with p < {LEVEL}.",
    )


def _majority(times: Mapping[int, Sample]) -> Claim:
    means = {n: mean_time(data) for n, data in times.items()}
    factors = [means[b] / means[a] for a, b in pairwise(means)]
    said = ", ".join(f"{number(mean)} for {n}" for n, mean in means.items())
    return Claim(
        statement="Majority, which needs both gates, takes more than ten times as long for every two inputs",
        source="this study",
        measured=f"Mean iterations by inputs: {said}.",
        verdict=judged([factor > 10 for factor in factors]),
        reason="Every step of two inputs must multiply the mean by more than 10.",
    )


def draw(times: Curves, grown: Mapping[str, Growth], bounds: Bounds) -> Figure:
    """Mean times, fits and bounds."""
    shown = {name: (along, grown.get(name)) for name, along in times.items()}
    return growth_figure(shown, title="And$_n$, non-strict", bounds=bounds)


@style.styled()
def draw_ratios(times: Curves, bounds: Bounds) -> Figure:
    """Mean times divided by the bounds: a falling line means a smaller order than the bound's."""
    figure, ((axes,),) = style.panels(width=4.6, height=3.2)
    for index, (name, along) in enumerate(times.items()):
        look = style.look_of_curve(index)
        shares = [mean_time(data) / bounds[name][n] for n, data in along.items()]
        line = {"marker": look.marker, "linestyle": look.dashes, "color": look.colour}
        axes.plot(list(along), shares, **line, label=name.replace("^2", "$^{2}$"))
    style.size_axis(axes, sorted({n for along in times.values() for n in along}), log=True)
    style.log_axis(axes, "mean iterations of all runs / Theorem 6")
    axes.legend()
    return figure


def draw_gates(times: Curves, grown: Mapping[str, Growth]) -> Figure:
    """Mean times with one gate and with two, and fits."""
    shown = {name: (along, grown.get(name)) for name, along in times.items()}
    return growth_figure(shown, title="And$_n$, $D = 2n$, non-strict")
