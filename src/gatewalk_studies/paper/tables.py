"""The tables of the reproduction: Table 2 and ours, chi-squares, contrasts, growth, exact values, cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import nan, sqrt

import numpy as np
from scipy import stats

from gatewalk.numbers import number, probability
from gatewalk.report import Table
from gatewalk.stats import ert, median

from .agreement import Agreement, ChiSquare, figure3_chi_square, nonstrict_cgp
from .agreement import chi_squares as table2_chi_squares
from .cells import (
    MODELS,
    PROFILES,
    SELECTION_WORDS,
    SELECTIONS,
    XOR_MODELS,
    Cell,
    Cells,
    Place,
    label,
    plotted_means,
    successful_runs,
)
from .claims import Judgement
from .theory import Moments, Scaling

_NUMBERS = ("mean", "std", "min", "q1", "median", "q3", "max")


def table2_table(compared: Sequence[Agreement], profile: str) -> Table:
    """Published and our numbers of Table 2, for readers one above the other, for programs side by side."""
    rows: list[tuple[str, ...]] = []
    for cell in compared:
        ours, theirs = cell.measured, cell.published
        rows.append(
            (
                SELECTION_WORDS[cell.place.selection],
                label(cell.place.model, profile),
                str(cell.place.n),
                "published",
                f"{theirs.successes}/30",
                *(number(getattr(theirs, name)) for name in _NUMBERS),
                number(cell.tests.standard_errors, digits=2),
                probability(cell.tests.p_median),
                cell.tests.verdict,
            )
        )
        rows.append(
            (
                *("", "", "", "ours", f"{ours.successes}/{ours.runs}"),
                *(number(getattr(ours, name)) for name in _NUMBERS),
                *("", "", ""),
            )
        )
    return Table(
        title=f"Table 2, complete training sets, profile {profile}",
        columns=(
            *("selection", "model", "n", "runs of", "solved"),
            *_NUMBERS,
            *("diff. / SE", "p median", "verdict"),
        ),
        rows=tuple(rows),
        texts=4,
        note="Iterations of the successful runs only, as published. Difference: published minus measured "
        "mean in standard errors. Median: is the published median plausible for a sample of that size from "
        "our runs? Verdict: the least of the p-values of mean, median and successes, times their number; "
        "agrees from 0.05, borderline from 0.001, differs below.",
        data=_table2_data(compared, profile),
    )


def _table2_data(compared: Sequence[Agreement], profile: str) -> Table:
    columns = ["selection", "model", "n", "runs"]
    for name in ("successes", *_NUMBERS):
        columns += [f"{name}_published", f"{name}_ours"]
    rows = []
    for cell in compared:
        ours, theirs, tests = cell.measured, cell.published, cell.tests
        row = [cell.place.selection, cell.place.model, str(cell.place.n), str(ours.runs)]
        row += [str(theirs.successes), str(ours.successes)]
        for name in _NUMBERS:
            row += [_exactly(getattr(theirs, name)), _exactly(getattr(ours, name))]
        row += map(_exactly, (tests.standard_errors, tests.p_mean, tests.p_median, tests.p_successes))
        rows.append((*row, tests.verdict))
    return Table(
        title=f"Table 2, profile {profile}",
        columns=(*columns, "standard_errors", "p_mean", "p_median", "p_successes", "verdict"),
        rows=tuple(rows),
        texts=2,
    )


def _exactly(value: float) -> str:
    return "" if value != value else f"{value:.7g}"


def chi_square_tables(cells: Cells, compared: Mapping[str, Sequence[Agreement]]) -> dict[str, Table]:
    """Published means of Table 2 and of Figure 3 against ours, by the names of the tables."""
    of_table2 = []
    for profile, of_profile in compared.items():
        own = [square for square in table2_chi_squares(of_profile, profile) if square.degrees]
        of_table2 += [*own, nonstrict_cgp(of_profile, profile)] if own else []
    tables = {"chi-square-table2": chi_square_table(of_table2, "Table 2: published means against ours")}
    heavy_tails = (
        "Strict CGP is heavy-tailed on samples: among hundreds of runs of some twenty iterations there are a "
        "few of thousands, and a mean of 30 runs is large if it happens to hold one of these."
    )
    for name, quantity, words, note in (
        ("iterations", "runtime", "iterations", heavy_tails),
        ("generalisation", "generalisation", "generalisation ability", ""),
    ):
        squares = (
            figure3_chi_square(cells, profile, selection, model.name, quantity)
            for profile in compared
            for selection in SELECTIONS
            for model in MODELS
        )
        title = f"Figure 3: published mean {words} against ours"
        shown = [square for square in squares if square.degrees]
        tables[f"chi-square-figure3-{name}"] = chi_square_table(shown, title, note)
    return tables


def chi_square_table(squares: Iterable[ChiSquare], title: str, note: str = "") -> Table:
    """One row per model and selection."""
    names = {model.name for model in MODELS}
    return Table(
        title=title,
        columns=("profile", "selection", "model", "χ²", "degrees", "p", "verdict"),
        rows=tuple(
            (
                square.profile,
                SELECTION_WORDS.get(square.selection, square.selection),
                label(square.model, square.profile) if square.model in names else square.model,
                f"{square.statistic:.1f}",
                str(square.degrees),
                probability(square.p_value),
                square.verdict,
            )
            for square in squares
        ),
        texts=3,
        note="Squared differences of published and measured means, as normal scores, summed over n. " + note,
    )


def contrast_table(judgements: Sequence[Judgement]) -> Table:
    """Every comparison behind every claim."""
    return Table(
        title="Comparisons behind the claims",
        columns=(
            *("claim", "profile", "comparison", "n", "runs per n"),
            *("A12", "effect", "ERT ratio", "sizes in ratio", "p", "holds"),
        ),
        rows=tuple(
            (
                judgement.title,
                judgement.profile,
                seen.label,
                f"{seen.sizes[0]}–{seen.sizes[-1]}",
                str(seen.replications),
                f"{seen.a12:.3f}",
                seen.effect,
                number(seen.ratio),
                f"{seen.ratio_sizes} of {len(seen.sizes)}",
                probability(seen.p_value),
                "yes" if clear else "no",
            )
            for judgement in judgements
            for seen, clear in zip(judgement.contrasts, judgement.clear, strict=True)
        ),
        texts=3,
        note="A12: mean over n of the probability that a run of the first is the faster one. ERT ratio: "
        "second over first, geometric mean over the sizes at which both succeeded. p: van Elteren's rank "
        "test stratified by n, failed runs last. A comparison holds if p < 0.01 divided by the number of "
        "comparisons of the claim.",
    )


def generalisation_table(judgements: Sequence[Judgement]) -> Table:
    """The ability of every model's programs on rows outside their samples."""
    rows = []
    for judgement in judgements:
        for ability in judgement.abilities:
            means = ability.means
            least, last = min(means, key=lambda n: means[n]), max(means)
            rows.append(
                (
                    judgement.profile,
                    SELECTION_WORDS[ability.selection],
                    label(ability.model, judgement.profile),
                    f"{np.mean(list(means.values())):.3f}",
                    f"{means[least]:.3f}",
                    str(least),
                    f"{means[last]:.3f}",
                    str(last),
                    f"{ability.lost.mean():+.3f}",
                    probability(ability.p_value),
                    str(ability.lost.size),
                )
            )
    return Table(
        title="Generalisation of programs found on samples",
        columns=(
            *("profile", "selection", "model", "mean ability", "lowest", "at n"),
            *("at the largest", "n", "to the constant 0", "p", "runs"),
        ),
        rows=tuple(rows),
        texts=3,
        note="Means over all n of the fraction of new rows on which a program is right, and how much more "
        "that is than for a circuit that is always 0; p: Wilcoxon's signed ranks of this difference.",
    )


def scaling_table(fitted: Sequence[Scaling]) -> Table:
    """Exponents of And_n and bases of Xor_n."""
    return Table(
        title="Growth of the running time",
        columns=(
            *("task", "profile", "selection", "model", "curve", "a or b", "95 %", "c"),
            *("best curve by AIC", "n", "runs per n"),
        ),
        rows=tuple(
            (
                "Xor, complete" if row.part == "xor" else f"And, {row.part}",
                row.profile,
                SELECTION_WORDS[row.selection],
                label(row.model, row.profile),
                "c b^n" if row.part == "xor" else "c n^a",
                number(row.estimate.fit.rate),
                f"[{number(row.estimate.rate.low)}, {number(row.estimate.rate.high)}]",
                number(row.estimate.fit.scale),
                row.best,
                f"{row.sizes[0]}–{row.sizes[-1]}",
                str(row.runs),
            )
            for row in fitted
        ),
        texts=5,
        note="Maximum likelihood with failed runs as censored; intervals by a delete-a-group jackknife.",
    )


def exact_table(cells: Cells, exact: Mapping[Place, Moments]) -> Table:
    """Exact and measured side by side, with the difference in exact standard errors."""
    rows, scores = [], []
    for place, value in exact.items():
        data = cells[place].all_runs
        mean, distance = float(data.iterations.mean()), nan
        if data.successes == data.runs and value.std > 0:
            distance = (mean - value.mean) / (value.std / sqrt(data.runs))
            scores.append(distance)
        rows.append(
            (
                "Xor" if place.part == "xor" else "And",
                place.profile,
                SELECTION_WORDS[place.selection],
                label(place.model, place.profile),
                str(place.n),
                number(value.mean, digits=5),
                number(mean, digits=5),
                f"{data.successes}/{data.runs}",
                number(distance, digits=2),
                probability(2 * float(stats.norm.sf(abs(distance)))),
            )
        )
    within = sum(abs(score) < 2 for score in scores)
    return Table(
        title="Exact expectations and measured means",
        columns=(
            *("task", "profile", "selection", "model", "n"),
            *("exact", "measured", "solved", "diff. / SE", "p"),
        ),
        rows=tuple(rows),
        texts=4,
        note=f"{within} of {len(scores)} measured means are within two standard errors of the exact "
        "expectation; about 95 % should be.",
    )


_PART_TITLES = {
    "complete": "And, complete sets",
    "incomplete": "And, sampled sets",
    "xor": "Xor, complete sets",
}


def cell_table(cells: Cells, part: str) -> Table:
    """Every cell of a part: the numbers behind the figures."""
    order = [model.name for model in (*XOR_MODELS, *MODELS)]
    places = sorted(
        (place for place in cells if place.part == part),
        key=lambda p: (
            *(PROFILES.index(p.profile), SELECTIONS.index(p.selection)),
            *(order.index(p.model), p.n),
        ),
    )
    columns = ["profile", "selection", "model", "n", "nodes", "runs", "successes", "ERT", "median (all runs)"]
    columns += [f"{name} (successful)" for name in _NUMBERS]
    if part == "incomplete":
        columns += ["mean, published", "generalisation", "generalisation, published"]
    return Table(
        title=_PART_TITLES[part],
        columns=tuple(columns),
        rows=tuple(_cell_row(place, cells[place]) for place in places),
        texts=3,
    )


def _cell_row(place: Place, cell: Cell) -> tuple[str, ...]:
    seen = successful_runs(cell.runs)
    values = [ert(cell.runs), median(cell.runs).value, *(getattr(seen, name) for name in _NUMBERS)]
    if place.part == "incomplete":
        key = (place.selection, place.model, place.n)
        ability = float(cell.generalisation.mean()) if cell.generalisation.size else nan
        published = [plotted_means("fig3", name).get(key, nan) for name in ("runtime", "generalisation")]
        values += [published[0], ability, published[1]]
    return (
        place.profile,
        SELECTION_WORDS[place.selection],
        label(place.model, place.profile),
        str(place.n),
        "–" if cell.nodes is None else str(cell.nodes),
        str(cell.runs.runs),
        str(cell.runs.successes),
        *(number(value, digits=5) for value in values),
    )
