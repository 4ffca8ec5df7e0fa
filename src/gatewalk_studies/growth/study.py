"""Growth of the running time on And_n with n: exponents compared with those of Theorem 6's bound."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING

from gatewalk.analysis import growth_figures
from gatewalk.analysis.curves import Curves
from gatewalk.numbers import number, probability
from gatewalk.search.reading import in_n
from gatewalk.stats.growth import Excess, Growth, excess, mean_time
from gatewalk.stats.sample import Interval
from gatewalk.studies import Claim, Drawing, Findings, Measured, curves, judged, orders
from gatewalk.theory.conjunctions import GAP, theorem6

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RESAMPLES = 200


def findings(measured: Measured) -> Findings:
    """Figures of times and bound, and claims on the bound, the kind of growth, nodes and n log n."""
    found = curves(measured.cells)
    bounds = {
        name: {n: float(theorem6(n, in_n(name.removeprefix("nodes="), n))) for n in along}
        for name, along in found.items()
    }
    quick = measured.quick
    return Findings(
        claims=(
            _below(found, bounds, quick=quick),
            _polynomial(measured.growth, quick=quick),
            _nodes(measured.growth, quick=quick),
            _many_nodes(found, quick=quick),
        ),
        figures=(
            Drawing(
                name="growth",
                caption="Mean iterations by n with 95 % intervals, fitted powers of n with the interval of "
                f"the exponent, and the bound of Theorem 6 (dotted), of which {GAP}.",
                draw=partial(draw, found, measured.growth, bounds),
            ),
            Drawing(
                name="ratio",
                caption="Mean iterations over the bound of Theorem 6: falling lines mean a smaller order.",
                draw=partial(draw_ratios, found, bounds),
            ),
        ),
    )


def _below(found: Curves, bounds: Mapping[str, Mapping[int, float]], *, quick: bool) -> Claim:
    largest = {
        name: max(mean_time(data) / bounds[name][n] for n, data in along.items())
        for name, along in found.items()
    }
    said = "; ".join(f"{name}: at most {number(ratio)} of the bound" for name, ratio in largest.items())
    return Claim(
        statement="The expected time of the non-strict (1+1) CGP on And_n is O(nD⁴)",
        source="the paper, Theorem 6, with its constant; the proof has a gap",
        measured=f"Mean iterations over all n. {said}.",
        verdict=judged([ratio <= 1 for ratio in largest.values()], quick=quick),
        reason="No mean may exceed the bound.",
    )


def _polynomial(grown: Mapping[str, Growth], *, quick: bool) -> Claim:
    weights = {
        name: next(item.weight for item in found.estimates if item.fit.model.name == "exponential")
        for name, found in grown.items()
    }
    said = "; ".join(f"{name}: {probability(weight)}" for name, weight in weights.items())
    return Claim(
        statement="The time grows polynomially with n, not exponentially",
        source="the paper, Theorem 6",
        measured=f"Akaike weight of c bⁿ against c nᵃ and c nᵃ log n. {said}.",
        verdict=judged([weight < 0.01 for weight in weights.values()], quick=quick),
        reason="The exponential model must have a weight below 0.01.",
    )


def _nodes(grown: Mapping[str, Growth], *, quick: bool) -> Claim:
    rates: dict[str, tuple[float, Interval]] = {}
    for name, found in grown.items():
        power = next(item for item in found.estimates if item.fit.model.name == "power")
        rates[name] = (power.fit.rate, power.rate)
    names = list(rates)
    holds = [rates[b][1].high < rates[a][1].low for a, b in pairwise(names)]
    said = "; ".join(
        f"{name}: {rate:.2f} [{span.low:.2f}, {span.high:.2f}]" for name, (rate, span) in rates.items()
    )
    return Claim(
        statement="More nodes lower the exponent, although the bound rises with them",
        source="this study",
        measured=f"Exponent a of c nᵃ. {said}.",
        verdict=judged(holds, quick=quick),
        reason="The 95 % intervals of D = n, 2n, n² must lie one below the other.",
    )


def _many_nodes(found: Curves, *, quick: bool) -> Claim:
    resamples = 20 if quick else RESAMPLES
    seen: Excess = excess(found["nodes=n^2"], lambda n: n * log(n), resamples=resamples)
    return Claim(
        statement="With D = n² nodes the time is of the order n log n",
        source="this study; the order proven for tree GP on the complete set",
        measured=f"Fitted c n log n · nᵉ: {orders.words(seen)}.",
        verdict=judged([seen.agrees], quick=quick),
        reason="The 95 % interval of e must come within 0.05 of 0: lower-order terms end up in e.",
    )


def draw(found: Curves, grown: Mapping[str, Growth], bounds: Mapping[str, Mapping[int, float]]) -> Figure:
    """Mean times, fits and bounds."""
    shown = {name: (along, grown.get(name)) for name, along in found.items()}
    return growth_figures.growth_figure(shown, title="And$_n$, non-strict", bounds=bounds)


def draw_ratios(found: Curves, bounds: Mapping[str, Mapping[int, float]]) -> Figure:
    """Mean times divided by the bounds."""
    shares = {
        name: {n: mean_time(data) / bounds[name][n] for n, data in along.items()}
        for name, along in found.items()
    }
    return growth_figures.ratio_figure(shares, bound="Theorem 6")
