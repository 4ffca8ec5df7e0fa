"""Theorem 4's start: measured times compared with the exact expectation 1/p."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from math import log, sqrt
from typing import TYPE_CHECKING

from gatewalk.analysis import growth_figures
from gatewalk.analysis.curves import Curves
from gatewalk.numbers import number, probability
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import chi_square
from gatewalk.stats.growth import Growth, mean_time
from gatewalk.studies import Claim, Drawing, Findings, Measured, curves, judged
from gatewalk.theory.conjunctions import expected_iterations

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL = 0.01


def findings(measured: Measured) -> Findings:
    """The figure, a table of measured and exact times, and claims on both selections."""
    found = curves(measured.cells)
    exact = {n: float(expected_iterations(n)) for n in found["strict"]}
    return Findings(
        claims=(
            _exact(found, exact, quick=measured.quick),
            _order(quick=measured.quick),
            _ties(found, exact, quick=measured.quick),
        ),
        figures=(
            Drawing(
                name="penultimate",
                caption="Mean iterations from Theorem 4's start, D = n − 1, with 95 % intervals and fitted "
                "powers of n; dotted: the exact expectation under strict selection.",
                draw=partial(draw, found, measured.growth, exact),
            ),
        ),
        tables=(("exact", _table(found, exact)),),
    )


def _exact(found: Curves, exact: Mapping[int, float], *, quick: bool) -> Claim:
    """The claim on the exact expectation.

    The standard deviation of a geometric time is about its mean, so a ratio has a standard error of
    1/sqrt(runs).
    """
    strict = found["strict"]
    ratios = [mean_time(data) / exact[n] for n, data in strict.items()]
    error = 1 / sqrt(sum(data.runs for data in strict.values()))
    mean = sum(ratios) / len(ratios)
    scores = ((ratio - 1) * sqrt(data.runs) for ratio, data in zip(ratios, strict.values(), strict=True))
    p_value = chi_square(scores).p_value
    return Claim(
        statement="The strict (1+1) CGP* takes 1/p iterations on average, "
        "p = 2/((n−1)(2n−3)(4n²−8n+5)(4n²−10n+7))",
        source="computed exactly, gatewalk.theory.conjunctions",
        measured=f"Measured over exact: {mean:.3f} ± {error:.3f} over all n; chi-square of the single n, "
        f"p = {probability(p_value)}.",
        verdict=judged([p_value >= LEVEL and abs(mean - 1) < 3 * error], quick=quick),
        reason="The ratio must lie within three standard errors of 1, and the chi-square must have "
        f"p ≥ {LEVEL}.",
    )


def _order(*, quick: bool) -> Claim:
    """The claim on the local exponent of the exact expectation, which needs no runs."""
    sizes = (12, 13, 30, 31, 100, 101, 1000, 1001)
    times = {n: float(expected_iterations(n)) for n in sizes}
    slopes = {a: log(times[b] / times[a]) / log(b / a) for a, b in pairwise(sizes) if b == a + 1}
    said = ", ".join(f"{slope:.2f} at n = {n}" for n, slope in slopes.items())
    return Claim(
        statement="From this start the expected time is Ω(n⁶)",
        source="the paper, Theorem 4",
        measured=f"The exact local exponent is {said}.",
        verdict=judged([all(slope >= 6 for slope in slopes.values())], quick=quick),
        reason="The exponent must come down to 6 and never below.",
    )


def _ties(found: Curves, exact: Mapping[int, float], *, quick: bool) -> Claim:
    ties = found["nonstrict"]
    ratios = {n: exact[n] / max(mean_time(data), 1e-9) for n, data in ties.items()}
    least, most = min(ratios), max(ratios)
    return Claim(
        statement="Ties undo the trap: non-strict selection leaves the same start far sooner, the more so "
        "the larger n",
        source="this study",
        measured=f"1/p over the mean of non-strict runs: {number(ratios[least])} at n = {least}, "
        f"{number(ratios[most])} at n = {most}.",
        verdict=judged([ratios[most] > 10 * ratios[least], ratios[least] > 1], quick=quick),
        reason="The ratio must exceed 1 at the smallest n and grow at least tenfold.",
    )


def _table(found: Curves, exact: Mapping[int, float]) -> Table:
    return Table(
        title="Measured and exact",
        columns=("n", "exact, strict", "measured, strict", "ratio", "± SE", "measured, non-strict"),
        rows=tuple(
            (
                str(n),
                number(exact[n]),
                number(mean_time(data)),
                f"{mean_time(data) / exact[n]:.2f}",
                f"{1 / sqrt(data.runs):.2f}",
                number(mean_time(found["nonstrict"][n])),
            )
            for n, data in found["strict"].items()
        ),
        texts=0,
    )


def draw(found: Curves, grown: Mapping[str, Growth], exact: Mapping[int, float]) -> Figure:
    """Mean times, fits and the exact expectation."""
    return growth_figures.growth_figure(
        {name: (along, grown.get(name)) for name, along in found.items()},
        title="And$_n$, $D = n-1$, penultimate start",
        exact={"strict": exact},
    )
