"""Whether the published runs and ours agree, cell by cell and together, corrected for the number of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt

import numpy as np
from scipy import stats

from gatewalk.numbers import number, probability
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import holm, normal_score
from gatewalk.stats.sample import Sample
from gatewalk.studies import CellComparison, CellRuns, Claim, compare, judged, together
from gatewalk.studies.goldman_punch.cells import BREADTH, Key

CELL_LEVEL, LEVEL = 0.05, 0.01  # levels: of each cell after Holm's correction, and of the chi-square


def telling(compared: Iterable[CellComparison]) -> list[CellComparison]:
    """Cells with a success before the cut, published or ours: in other cells nothing can be compared."""
    return [cell for cell in compared if cell.ours.successes + cell.published.successes > 0]


def agreement(compared: Sequence[CellComparison], *, quick: bool) -> Claim:
    """The claim that all cells together agree, and each one after Holm's correction."""
    told = telling(compared)
    total = together(told)
    ranks = holm([cell.ranks.p_value for cell in told])
    logs = holm([cell.p_log_rank for cell in told])
    differing = [cell.label for cell, *both in zip(told, ranks, logs, strict=True) if min(both) < CELL_LEVEL]
    silent = len(compared) - len(told)
    return Claim(
        statement="The published runs and ours have the same running times",
        source="this study",
        measured=f"In {len(told)} cells some run succeeded: rank sums agree (p ≥ 0.05) in "
        f"{total.agreeing} of them; all together a chi-square of {total.statistic:.1f} at {total.degrees} "
        f"degrees of freedom, p = {probability(total.p_value)}. After Holm's correction at 0.05 "
        + (f"differ: {', '.join(differing)}." if differing else "no cell differs, by rank sums or log-rank.")
        + (f" {silent} more cells have no success on either side and cannot be compared." if silent else ""),
        verdict=judged([not differing, total.p_value >= LEVEL], quick=quick),
        reason=f"No cell may differ after Holm's correction, and the chi-square must have p ≥ {LEVEL}.",
    )


def holm_table(compared: Sequence[CellComparison]) -> Table:
    """A row per cell, with both tests."""
    told = telling(compared)
    ranks = [cell.ranks.p_value for cell in told]
    logs = [cell.p_log_rank for cell in told]
    rows = zip((cell.label for cell in told), ranks, holm(ranks), logs, holm(logs), strict=True)
    return Table(
        title="Cell by cell, corrected for their number",
        columns=("cell", "p ranks", "Holm", "p log-rank", "Holm of log-rank"),
        rows=tuple((label, *map(probability, values)) for label, *values in rows),
        note="Cells in which no run of either succeeded are left out.",
    )


def direction_table(ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample]) -> Table:
    """Whether one side is faster throughout: signed rank sums, added up by how similar the two laws are."""
    rows = []
    for name, belongs in _LAWS.items():
        pairs = [(cell.runs, theirs[key]) for key, cell in ours.items() if key in theirs and belongs(key)]
        told = _telling_of(pairs)
        if told:
            total = sum(_score(cell) for cell in told) / sqrt(len(told))
            faster = float(np.mean([cell.ranks.a12 for cell in told]))
            p_value = float(2 * stats.norm.sf(abs(total)))
            rows.append((name, str(len(told)), number(faster), number(total), probability(p_value)))
    return Table(
        title="Is one side faster throughout?",
        columns=("cells", "how many", "A12", "z", "p"),
        rows=tuple(rows),
        note="A12: the probability that a run of ours is faster, on average. z: normal scores of the rank "
        "sums, added up and divided by the root of their number; above 0 ours are faster.",
    )


_LAWS: dict[str, Callable[[Key], bool]] = {
    "rate mutation, the same law": lambda key: key.mutation != "sam",
    "sam on Breadth, almost the same law": lambda key: key.problem == BREADTH,
    "sam with four gates, whose genes their program changes less often": lambda key: (
        key.mutation == "sam" and key.problem != BREADTH
    ),
}


def _telling_of(pairs: Iterable[tuple[Sample, Sample]]) -> list[CellComparison]:
    return telling(compare("", mine, published) for mine, published in pairs)


def _score(cell: CellComparison) -> float:
    """The rank sum as a normal score, positive if our runs are faster."""
    size = normal_score(cell.ranks.p_value)
    return size if cell.ranks.a12 >= 0.5 else -size
