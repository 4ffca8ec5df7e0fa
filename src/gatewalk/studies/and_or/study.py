"""Conjunctions with a superfluous Or in the gate set, and majority, which needs both gates."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from gatewalk.analysis import growth_figures
from gatewalk.analysis.curves import Curves
from gatewalk.numbers import number, probability
from gatewalk.stats.comparison import mann_whitney
from gatewalk.stats.growth import Growth, mean_time
from gatewalk.studies import CellRuns, Claim, Drawing, Findings, Measured, curves, judged
from gatewalk.studies.running_times import fits

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ONE, TWO, MAJORITY = "gates {And}", "gates {And, Or}", "majority"
LEVEL = 0.01


def findings(measured: Measured) -> Findings:
    """The figure, and claims on the cost of Or, on the kind of growth and on majority."""
    found = curves(measured.cells, label=_label)
    conjunctions = {name: found[name] for name in (ONE, TWO)}
    grown = fits(conjunctions, resamples=20 if measured.quick else 200)
    return Findings(
        claims=(
            _cost(conjunctions, quick=measured.quick),
            _polynomial(grown, quick=measured.quick),
            _majority(found, quick=measured.quick),
        ),
        figures=(
            Drawing(
                name="gates",
                caption="Mean iterations to And_n with one gate and with two, D = 2n, with 95 % intervals "
                "and fitted powers of n.",
                draw=partial(draw, conjunctions, grown),
            ),
        ),
    )


def _label(cell: CellRuns) -> str:
    if cell.settings.target.startswith("maj"):
        return MAJORITY
    return ONE if cell.settings.gate_set == "and" else TWO


def _cost(found: Curves, *, quick: bool) -> Claim:
    n = max(found[ONE])
    one, two = found[ONE][n], found[TWO][n]
    test = mann_whitney(one, two)
    factor = number(mean_time(two) / mean_time(one))
    return Claim(
        statement="A superfluous Or makes conjunctions slower",
        source="this study",
        measured=f"n = {n}: {number(mean_time(two))} iterations instead of {number(mean_time(one))}, "
        f"{factor} times as many (rank sums, p = {probability(test.p_value)}).",
        verdict=judged([test.a12 > 0.5 and test.p_value < LEVEL], quick=quick),
        reason=f"At the largest n, with p < {LEVEL}.",
    )


def _polynomial(grown: Mapping[str, Growth], *, quick: bool) -> Claim:
    said, holds = [], []
    for name, found in grown.items():
        models = {item.fit.model.name: item for item in found.estimates}
        power, exponential = models["power"], models["exponential"]
        span = f"[{power.rate.low:.2f}, {power.rate.high:.2f}]"
        holds.append(exponential.weight < 0.01)
        said.append(
            f"{name}: exponent {power.fit.rate:.2f} {span}, Akaike weight of the exponential "
            f"{probability(exponential.weight)}"
        )
    return Claim(
        statement="The time stays polynomial with Or in the gate set",
        source="this study; the levels of Theorem 3 do not apply",
        measured="; ".join(said) + ".",
        verdict=judged(holds, quick=quick),
        reason="The exponential model must have a weight below 0.01.",
    )


def _majority(found: Curves, *, quick: bool) -> Claim:
    means = {n: mean_time(data) for n, data in found[MAJORITY].items()}
    factors = [means[b] / means[a] for a, b in pairwise(means)]
    said = ", ".join(f"{number(mean)} for {n}" for n, mean in means.items())
    return Claim(
        statement="Majority, which needs both gates, takes more than ten times as long for every two inputs",
        source="this study",
        measured=f"Mean iterations by inputs: {said}.",
        verdict=judged([factor > 10 for factor in factors], quick=quick),
        reason="Every step of two inputs must multiply the mean by more than 10.",
    )


def draw(found: Curves, grown: Mapping[str, Growth]) -> Figure:
    """Mean times with fits."""
    shown = {name: (along, grown.get(name)) for name, along in found.items()}
    return growth_figures.growth_figure(shown, title="And$_n$, $D = 2n$, non-strict")
