"""The tables of the reproduction: Table 2 and ours, chi-squares, claims, exponents, cells of all parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan

from gatewalk.numbers import number, probability
from gatewalk.report.tables import Table
from gatewalk.stats.sample import ert, successful_runs
from gatewalk.stats.survival import median
from gatewalk.studies.paper.agreement import Agreement, ChiSquare
from gatewalk.studies.paper.claims import Claim
from gatewalk.studies.paper.experiments import Cells
from gatewalk.studies.paper.models import MODELS, PROFILES, SELECTION_WORDS, SELECTIONS, XOR_MODELS, Model
from gatewalk.studies.paper.published import figure
from gatewalk.studies.paper.scaling import Scaling

_BY_NAME: Mapping[str, Model] = {model.name: model for model in (*XOR_MODELS, *MODELS)}
_NUMBERS = ("mean", "std", "min", "q1", "median", "q3", "max")


def label(name: str, profile: str = "paper") -> str:
    """A model's label by its name."""
    return _BY_NAME[name].label(profile)


_TABLE2_NOTE = (
    "Iterations of the successful runs only, as published. Difference: published minus measured mean in "
    "standard errors. Median: is the published median plausible for a sample of that size from our runs? "
    "Verdict: the least of the p-values of mean, median and successes, times their number; agrees from "
    "0.05, borderline from 0.001, differs below."
)


def table2(compared: Sequence[Agreement], profile: str) -> Table:
    """Published and our numbers one above the other, for readers."""
    rows = []
    for found in compared:
        ours, theirs = found.measured, found.published
        place = (
            SELECTION_WORDS[found.place.selection],
            label(found.place.model, profile),
            str(found.place.n),
        )
        rows.append(
            (
                *place,
                "published",
                f"{theirs.successes}/30",
                *(number(getattr(theirs, name)) for name in _NUMBERS),
                number(found.standard_errors, digits=2),
                probability(found.p_median),
                found.verdict,
            )
        )
        rows.append(
            (
                "",
                "",
                "",
                "ours",
                f"{ours.success.successes}/{ours.success.runs}",
                *(number(getattr(ours, name)) for name in _NUMBERS),
                "",
                "",
                "",
            )
        )
    return Table(
        title=f"Table 2, complete training sets, profile {profile}",
        columns=(
            "selection",
            "model",
            "n",
            "runs of",
            "solved",
            *_NUMBERS,
            "diff. / SE",
            "p median",
            "verdict",
        ),
        rows=tuple(rows),
        texts=4,
        note=_TABLE2_NOTE,
    )


def table2_data(compared: Sequence[Agreement], profile: str) -> Table:
    """Published and our numbers side by side, a row per cell, for programs."""
    columns = ["selection", "model", "n", "runs"]
    for name in ("successes", *_NUMBERS):
        columns += [f"{name}_published", f"{name}_ours"]
    columns += ["standard_errors", "p_mean", "p_median", "p_successes", "verdict"]
    rows = []
    for found in compared:
        ours, theirs = found.measured, found.published
        row = [found.place.selection, found.place.model, str(found.place.n), str(ours.success.runs)]
        row += [str(theirs.successes), str(ours.success.successes)]
        for name in _NUMBERS:
            row += [_exactly(getattr(theirs, name)), _exactly(getattr(ours, name))]
        row += [
            _exactly(value)
            for value in (found.standard_errors, found.p_mean, found.p_median, found.p_successes)
        ]
        rows.append((*row, found.verdict))
    return Table(
        title=f"Table 2, profile {profile}",
        columns=tuple(columns),
        rows=tuple(rows),
        texts=2,
        note=_TABLE2_NOTE,
    )


def _exactly(value: float) -> str:
    return "" if value != value else f"{value:.7g}"


def chi_square_table(found: Sequence[ChiSquare], title: str, note: str = "") -> Table:
    """One row per model and selection."""
    rows = [
        (
            row.profile,
            SELECTION_WORDS.get(row.selection, row.selection),
            label(row.model, row.profile) if row.model in _BY_NAME else row.model,
            f"{row.statistic:.1f}",
            str(row.degrees),
            probability(row.p_value),
            row.verdict,
        )
        for row in found
    ]
    return Table(
        title=title,
        columns=("profile", "selection", "model", "χ²", "degrees", "p", "verdict"),
        rows=tuple(rows),
        texts=3,
        note="Squared differences of published and measured means, as normal scores, summed over n. " + note,
    )


def claim_table(found: Sequence[Claim]) -> Table:
    """Every comparison behind every claim."""
    rows = []
    for claim in found:
        for evidence in claim.evidence:
            seen = evidence.contrast
            if seen is None:
                continue
            rows.append(
                (
                    claim.title,
                    claim.profile,
                    evidence.text,
                    f"{seen.sizes[0]}–{seen.sizes[-1]}",
                    str(seen.replications),
                    f"{seen.a12:.3f}",
                    seen.effect,
                    number(seen.ratio),
                    f"{seen.ratio_sizes} of {len(seen.sizes)}",
                    probability(seen.p_value),
                    "yes" if evidence.holds else "no",
                )
            )
    return Table(
        title="Comparisons behind the claims",
        columns=(
            "claim",
            "profile",
            "comparison",
            "n",
            "runs per n",
            "A12",
            "effect",
            "ERT ratio",
            "sizes in ratio",
            "p",
            "holds",
        ),
        rows=tuple(rows),
        texts=3,
        note="A12: mean over n of the probability that a run of the first is the faster one. ERT ratio: "
        "second over first, geometric mean over the sizes at which both succeeded. p: van Elteren's rank "
        "test stratified by n, failed runs last. A comparison holds if p < 0.01 divided by the number of "
        "comparisons of the claim.",
    )


def scaling_table(found: Sequence[Scaling]) -> Table:
    """Exponents of And_n and bases of Xor_n."""
    rows = [
        (
            "Xor, complete" if row.part == "xor" else f"And, {row.part}",
            row.profile,
            SELECTION_WORDS[row.selection],
            label(row.model, row.profile),
            "c b^n" if row.part == "xor" else "c n^a",
            number(row.fit.rate),
            f"[{number(row.interval.low)}, {number(row.interval.high)}]",
            number(row.fit.scale),
            row.best,
            f"{row.sizes[0]}–{row.sizes[-1]}",
            str(row.runs),
        )
        for row in found
    ]
    columns = ("task", "profile", "selection", "model", "curve", "a or b", "95 %", "c")
    return Table(
        title="Growth of the running time",
        columns=(*columns, "best curve by AIC", "n", "runs per n"),
        rows=tuple(rows),
        texts=5,
        note="Maximum likelihood with failed runs as censored; intervals by a delete-a-group jackknife.",
    )


def cell_table(cells: Cells, part: str) -> Table:
    """Every cell of a part: the numbers behind the figures."""
    plotted = figure("fig3", "runtime"), figure("fig3", "generalisation")
    rows = []
    order = [model.name for model in (*XOR_MODELS, *MODELS)]
    chosen = [place for place in cells if place.part == part]
    chosen.sort(
        key=lambda p: (
            PROFILES.index(p.profile),
            SELECTIONS.index(p.selection),
            order.index(p.model),
            p.n,
        )
    )
    for place in chosen:
        cell = cells[place]
        seen, middle = successful_runs(cell.runs), median(cell.runs)
        ability = float(cell.generalisation.mean()) if cell.generalisation.size else nan
        key = (place.selection, place.model, place.n)
        row = [
            place.profile,
            SELECTION_WORDS[place.selection],
            label(place.model, place.profile),
            str(place.n),
            "–" if cell.nodes is None else str(cell.nodes),
            str(cell.runs.runs),
            str(cell.runs.successes),
            number(ert(cell.runs), digits=5),
            number(middle.value, digits=5),
            *(number(getattr(seen, name), digits=5) for name in _NUMBERS),
        ]
        if part == "incomplete":
            published = [values.get(key, nan) for values in plotted]
            row += [number(published[0], digits=5), number(ability, digits=5), number(published[1], digits=5)]
        rows.append(tuple(row))
    columns = ["profile", "selection", "model", "n", "nodes", "runs", "successes", "ERT", "median (all runs)"]
    columns += [f"{name} (successful)" for name in _NUMBERS]
    if part == "incomplete":
        columns += ["mean, published", "generalisation", "generalisation, published"]
    title = {"complete": "And, complete sets", "incomplete": "And, sampled sets", "xor": "Xor, complete sets"}
    return Table(title=title[part], columns=tuple(columns), rows=tuple(rows), texts=3)
