"""The paper, reproduced: do the published numbers look like ours, and what do the runs say about its claims?

Cells of trees and of non-strict CGP on complete sets have more runs than the others, for the tests of
agreement, fits and exact values; figures and claims use as many runs of every cell as were asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import gatewalk as gw
from gatewalk.campaign import Cell as PlannedCell
from gatewalk.studies import Drawing, Findings, Measured
from gatewalk.theory import applied

from . import figures, tables, theory
from .agreement import agreements, discrepancies, how_tested, summary
from .cells import (
    PARTS,
    PROFILE_WORDS,
    PROFILES,
    REPLICATIONS,
    Cells,
    Place,
    cells_by_place,
    part_of,
)
from .claims import claims, judgements
from .theory import Moments, Scaling

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHOICES = {"only": PARTS, "profile": PROFILES}
UPPER_HALF = 9  # the least n of the fits to larger sizes, which are closer to asymptotic exponents


def chosen(cell: PlannedCell, choices: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a cell belongs to the chosen parts and profiles; Xor has one profile, which is always meant."""
    part = part_of(cell.words)
    profiles = choices.get("profile", PROFILES)
    return part in choices.get("only", PARTS) and (part == "xor" or cell.words["profile"] in profiles)


def findings(measured: Measured) -> Findings:
    """Compare with the published numbers, judge the claims, fit, solve, and list what is to be drawn."""
    cells = cells_by_place(measured.cells, replications=measured.replications or REPLICATIONS)
    run = {place.profile for place in cells if place.part != "xor"}
    profiles = [profile for profile in PROFILES if profile in run]
    compared = {profile: agreements(cells, profile) for profile in profiles}
    compared = {profile: found for profile, found in compared.items() if found}
    made = judgements(cells, profiles)
    grown = [row for profile in profiles for row in theory.scalings(cells, "complete", profile)]
    upper = [
        row for profile in profiles for row in theory.scalings(cells, "complete", profile, least=UPPER_HALF)
    ]
    grown_xor = theory.scalings(cells, "xor", "paper")
    exact = theory.exact_times(cells)
    remarks = [how_tested(compared)] if compared else []
    for profile in profiles:
        remarks += discrepancies(cells, compared.get(profile, []), profile)
    own_tables = {
        **{f"table2-{profile}": tables.table2_table(found, profile) for profile, found in compared.items()},
        **tables.chi_square_tables(cells, {profile: compared.get(profile, []) for profile in profiles}),
        "growth": tables.scaling_table([*grown, *upper, *grown_xor]),
        "exact": tables.exact_table(cells, exact),
        "claims": tables.contrast_table(made),
        "generalisation": tables.generalisation_table(made),
    }
    parts = [part for part in PARTS if any(place.part == part for place in cells)]
    return Findings(
        summary=tuple(summary(found, profile) for profile, found in compared.items()),
        claims=claims(made),
        figures=(
            *(drawing for profile in profiles for drawing in measured_drawings(cells, profile, exact)),
            *theory_drawings(cells, upper, grown_xor, exact),
        ),
        tables=tuple((name, table) for name, table in own_tables.items() if table.rows),
        remarks=tuple(remarks),
        data={part: tables.cell_table(cells, part) for part in parts},
    )


_MEANS = (
    "Lines: our means over the runs that succeeded{runs}, with 95 % bootstrap bands. Open markers: the "
    "published means, of as many runs as succeeded of 30.{crosses}"
)


def measured_drawings(cells: Cells, profile: str, exact: Mapping[Place, Moments]) -> Iterator[Drawing]:
    """The figures of one profile that its cells allow."""
    complete, incomplete = _of(cells, "complete"), _of(cells, "incomplete")
    parts = {place.part for place in cells if place.profile == profile}
    named = partial(_named, profile)
    if "complete" in parts:
        yield named(
            "figure2",
            partial(figures.figure2, complete, profile),
            "Figure 2, reproduced: iterations to evolve Andₙ on the complete training set. "
            + _MEANS.format(runs=runs_each(complete), crosses=crosses(complete, profile)),
        )
    if "incomplete" in parts:
        yield named(
            "figure3",
            partial(figures.figure3, incomplete, profile),
            "Figure 3, reproduced, a column for each model: (a, b) iterations to fit a sample of ⌈n^1.3⌉ "
            "rows, and (c, d) the ability of the program found on as many other rows. "
            + _MEANS.format(runs=runs_each(incomplete), crosses=crosses(incomplete, profile))
            + " Dashed: the circuit that is always 0, on average.",
        )
    if "complete" in parts:
        yield named(
            "success",
            partial(figures.success_figure, complete, profile),
            f"Runs that fitted the complete training set within the budget: ours{runs_each(complete)} with "
            "Wilson's 95 % intervals, the published rates, of 30 runs each, as open markers.",
        )
        yield named(
            "distributions",
            partial(figures.distributions_figure, complete, profile),
            "Distribution of the running time on complete sets by Kaplan and Meier, with 95 % bands: the "
            f"fraction of runs{runs_each(complete)} solved within so many iterations. A bar stands where "
            "runs were given up.",
        )
        yield named(
            "ert",
            partial(figures.ert_figure, complete, profile, exact),
            f"Expected running time on complete sets: the iterations of all runs{runs_each(complete)}, "
            "failed ones too, per success, with 95 % bootstrap bands. A triangle marks a band without an "
            "upper end. Where no run succeeded an arrow stands at the iterations spent. Black bars: exact "
            "expectations from the Markov chain, where it was solved.",
        )
        yield named(
            "exact",
            partial(figures.exact_figure, complete, profile),
            "Measured distribution of the running time with its 95 % band, and the exact one from the "
            "Markov chain on all genotypes: Andₙ with n = 3 on the complete set. Each panel says how many "
            "runs it has: more than the other figures where runs are short.",
        )


def _named(profile: str, name: str, draw: partial[Figure], caption: str) -> Drawing:
    heading = f"Figures, profile {profile}: {PROFILE_WORDS[profile]}"
    return Drawing(name=f"{name}-{profile}", caption=caption, draw=draw, heading=heading)


def theory_drawings(
    cells: Cells, upper: Sequence[Scaling], grown_xor: Sequence[Scaling], exact: Mapping[Place, Moments]
) -> Iterator[Drawing]:
    """The figures that show measured times beside the theory."""
    complete, xor = _of(cells, "complete"), _of(cells, "xor")
    heading = "Compared with the theory"
    gap = applied("theorem6", gw.search_for("and:4", nodes=4)).note
    if upper:
        yield Drawing(
            name="exponents",
            caption="Exponents of the running time of Andₙ on complete sets, fitted to the larger sizes with "
            "failed runs as censored, with 95 % intervals; a triangle: the interval continues. Dashed: the "
            "exponents of the upper bounds of Theorems 6 and 3 for CGP with D proportional to n; of Theorem "
            f"6 {gap}. With strict selection the curves still bend at these n: an exponent there is a local "
            "slope, not yet the asymptotic one.",
            draw=partial(theory.exponents_figure, upper),
            heading=heading,
        )
    if any(place.profile == "paper" for place in complete):
        yield Drawing(
            name="bounds",
            caption=f"Expected running times of the (1+1) CGP on complete sets{runs_each(complete)}, "
            "profile paper, under the bounds of (a) Theorem 6 and (b) Theorem 3, thin lines; a triangle "
            f"marks a band without an upper end. Of Theorem 6 {gap}.",
            draw=partial(theory.bounds_figure, complete),
            heading=heading,
        )
    if xor:
        yield Drawing(
            name="xor",
            caption="Xorₙ on the complete set, non-strict, profile paper, which the paper proves hard "
            f"(Theorem 9) and does not measure{runs_each(xor)}. Points: (a) expected running times with "
            "95 % bootstrap intervals (a triangle: no upper end), (b) success rates with Wilson's. Lines in "
            "(a): fits of c·bⁿ; black bars: exact expectations. Points are moved aside where they would hide "
            "each other. A model is followed until more than half of its runs fail.",
            draw=partial(theory.xor_figure, xor, grown_xor, exact),
            heading=heading,
        )


def runs_each(cells: Cells) -> str:
    """How many runs each of these cells has, for a caption."""
    counts = sorted({cell.runs.runs for cell in cells.values()})
    return f" ({' or '.join(map(str, counts))} runs per cell)"


def crosses(cells: Cells, profile: str) -> str:
    """The meaning of a cross for a caption; empty if no cell of this profile has one."""
    own = [cell.runs for place, cell in cells.items() if place.profile == profile]
    failed = any(0 < runs.successes < runs.runs for runs in own)
    return " A cross marks cells in which some of our runs failed." if failed else ""


def _of(cells: Cells, part: str) -> Cells:
    return {place: cell for place, cell in cells.items() if place.part == part}
