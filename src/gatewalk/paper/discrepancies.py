"""Where the published numbers and ours part, and why: known oddities, checked against the runs at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gatewalk.analysis.statistics import ert
from gatewalk.paper.agreement import Agreement
from gatewalk.paper.experiments import Cells, Place
from gatewalk.paper.models import SELECTION_WORDS
from gatewalk.paper.published import REPLICATIONS, table2
from gatewalk.paper.summaries import label
from gatewalk.paper.tables import Table, number


@dataclass(frozen=True)
class Oddity:
    """Something a reader of the paper should know, and what our runs show of it."""

    title: str
    text: str


def oddities(cells: Cells, compared: Sequence[Agreement], profile: str) -> list[Oddity]:
    """Those that the runs of this profile can speak about."""
    made = (
        _no_success(compared, profile),
        _few_successes(compared, profile),
        _success_only(cells, profile),
        _unreachable(profile),
        _rest(compared, profile),
    )
    return [found for found in made if found is not None]


def _chosen(compared: Sequence[Agreement], model: str, sizes: range) -> list[Agreement]:
    return [
        found
        for found in compared
        if (found.place.selection, found.place.model) == ("strict", model) and found.place.n in sizes
    ]


def _counts(chosen: Sequence[Agreement]) -> str:
    return "; ".join(
        f"n = {found.place.n}: published {found.published.successes} of {REPLICATIONS}, ours "
        f"{found.measured.success.successes} of {found.measured.success.runs}"
        for found in chosen
    )


def _no_success(compared: Sequence[Agreement], profile: str) -> Oddity | None:
    chosen = _chosen(compared, "cgp-1n", range(9, 16))
    if not chosen:
        return None
    return Oddity(
        f"Strict selection, {label('cgp-1n', profile)}, n ≥ 9",
        "The table has no success from n = 9 on (its caption says n > 9), while within as many iterations we "
        f"find: {_counts(chosen)}. A limit on the clock in the published runs is the likely cause: where we "
        "ran their library it made 1.5 iterations a second at n = 15, at which a million take eight days.",
    )


def _few_successes(compared: Sequence[Agreement], profile: str) -> Oddity | None:
    chosen = _chosen(compared, "cgp-2n", range(14, 16))
    if not chosen:
        return None
    return Oddity(
        f"Strict selection, {label('cgp-2n', profile)}, n = 14 and 15",
        f"{_counts(chosen)}. The published means are those of the quick runs alone and lie below ours for "
        "the same reason: searches seem to have been stopped before they had used their iterations up.",
    )


def _success_only(cells: Cells, profile: str) -> Oddity | None:
    low = []
    for (selection, model, n), row in table2().items():
        cell = cells.get(Place("complete", profile, selection, model, n))
        if cell is not None and 0 < row.successes < REPLICATIONS:
            low.append((selection, model, n, row, cell))
    if not low:
        return None
    listed = "; ".join(
        f"{SELECTION_WORDS[selection]}, {label(model, profile)}, n = {n}: published {number(row.mean)} from "
        f"{row.successes} successes, our ERT {number(ert(cell.runs))}"
        for selection, model, n, row, cell in low
    )
    return Oddity(
        "Means of successful runs only",
        "Unsuccessful runs are left out of the published statistics, so that means are too low wherever "
        f"fewer than {REPLICATIONS} runs succeeded: {listed}. The expected running time ERT counts the "
        "iterations of failed runs as well.",
    )


def _unreachable(profile: str) -> Oddity | None:
    if profile != "tinyverse":
        return None
    return Oddity(
        "Programs that can never improve",
        "In the published runs a node reads only the D places before it, inputs included (levels-back). With "
        "strict selection and few nodes some programs can then never reach a missing input: for n = 3 and "
        "D = 3, 204 of the 4374 genotypes, so that the expected time is infinite. Under Algorithms 1–3 every "
        "program can be improved.",
    )


def _rest(compared: Sequence[Agreement], profile: str) -> Oddity | None:
    """Cells that differ and have no reason of their own above."""
    left = [
        found
        for found in compared
        if found.verdict == "differs"
        and not (found.place.selection == "strict" and found.place.model in ("cgp-1n", "cgp-2n"))
    ]
    if not left:
        return None
    listed = "; ".join(
        f"{SELECTION_WORDS[found.place.selection]}, {label(found.place.model, profile)}, "
        f"n = {found.place.n}: published {number(found.published.mean)}, ours {number(found.measured.mean)}"
        for found in left
    )
    why = (
        "Nothing is known that explains them; one in a thousand cells differs by chance."
        if profile == "tinyverse"
        else "The published runs did not follow Algorithms 1–3: ties were accepted half of the time, SAM "
        "stopped at unchanged genes, and there was one node more. The profile tinyverse does the same."
    )
    return Oddity("Other cells that differ", f"{listed}. {why}")


def oddity_table(found: Sequence[Oddity], profile: str) -> Table:
    """The oddities as a table of words."""
    return Table(
        title=f"Where published and measured part, profile {profile}",
        columns=("what", "what our runs show"),
        rows=tuple((oddity.title, oddity.text) for oddity in found),
        texts=2,
    )
