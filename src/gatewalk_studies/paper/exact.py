"""Exact expected running times, to compare with measured ones, where the Markov chain is solved in seconds.

These are CGP with few nodes, trees with few inputs, and trees that change by single steps of which only
insertions improve (any n). An infinite expectation (some program can never improve) is not drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, nan, sqrt
from typing import Any

from scipy import stats

from gatewalk.errors import InputError
from gatewalk.numbers import number, probability
from gatewalk.report.tables import Table
from gatewalk.search.settings import settings
from gatewalk.studies.paper.experiments import Cell, Cells, Place
from gatewalk.studies.paper.summaries import label
from gatewalk.theory.chain.exact import solve_chain
from gatewalk.theory.chain.trees import solved_trees

MEMORY = 5_000_000  # bytes: a chain of this size is solved in about a second
TREE_INPUTS = 4


@dataclass(frozen=True)
class Moments:
    """The expectation and the standard deviation of the iterations."""

    mean: float
    std: float


def exact_times(cells: Cells) -> dict[Place, Moments]:
    """The exact moments of the cells on complete sets, where they can be computed quickly."""
    found = {}
    for place, cell in cells.items():
        if place.part == "incomplete":
            continue
        value = _exact(place, cell)
        if value is not None and isfinite(value.mean):
            found[place] = value
    return found


def _exact(place: Place, cell: Cell) -> Moments | None:
    family = "xor" if place.part == "xor" else "and"
    options: dict[str, Any] = {"selection": place.selection, "profile": place.profile}
    name = f"{family}:{place.n}"
    try:
        if cell.nodes is not None:
            result = solve_chain(settings(name, nodes=cell.nodes, **options), memory=MEMORY).result
            return Moments(result.expected_iterations, result.std_iterations)
        quick = place.model == "tgp-single" and (place.profile == "tinyverse" or place.selection == "strict")
        if family == "and" and (quick or place.n <= TREE_INPUTS):
            result = solved_trees(settings(name, algorithm=place.model, **options))
            return Moments(result.expected_iterations, result.std_iterations)
    except InputError:  # the chain is too large, or the law has none
        return None
    return None


def exact_table(cells: Cells, exact: dict[Place, Moments]) -> Table:
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
                "non-strict" if place.selection == "nonstrict" else "strict",
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
            "task",
            "profile",
            "selection",
            "model",
            "n",
            "exact",
            "measured",
            "solved",
            "diff. / SE",
            "p",
        ),
        rows=tuple(rows),
        texts=4,
        note=f"{within} of {len(scores)} measured means are within two standard errors of the exact "
        "expectation; about 95 % should be.",
    )
