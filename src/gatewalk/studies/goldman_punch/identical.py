"""Offspring that are identical to their parents: observed shares compared with the formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from gatewalk.numbers import number, probability, share
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import chi_square
from gatewalk.studies import CellRuns, Claim, judged
from gatewalk.studies.goldman_punch.cells import WASTE, problem_of
from gatewalk.theory.identical_offspring import published_chance

WATCHED_RUNS, WATCHED_OFFSPRING = 10, 5_000  # runs per cell, and offspring per run
LEVEL = 0.01
LEAST_VARIANCE = 5.0  # counts with less are not treated as normally distributed


def _counts(seen: Mapping[str, Any]) -> tuple[int, int, float, float]:
    """The number of offspring, of identical ones, the expected number of these, and its variance."""
    offspring, chance = np.array(seen["offspring"]), (1.0 - seen["rate"]) ** np.array(seen["genes"])
    expected, variance = offspring @ chance, offspring @ (chance * (1.0 - chance))
    return int(offspring.sum()), int(np.sum(seen["identical"])), float(expected), float(variance)


def identical_claim(cells: Sequence[CellRuns], *, quick: bool) -> Claim:
    """The claim on the formula for identical offspring, tested by one chi-square over all cells."""
    told = [(cell, *_counts(cell.observed)) for cell in cells if cell.observed]
    scores = [(seen - mean) / sqrt(spread) for _, _, seen, mean, spread in told if spread >= LEAST_VARIANCE]
    total = chi_square(scores)
    example = published_chance(0.001, outputs=6, active=200)
    return Claim(
        statement="An offspring is actively identical to its parent with probability "
        "(1 − p)^(outputs + active nodes · (arity + 1))",
        source=f"{WASTE}",
        measured=f"{sum(row[1] for row in told):,} offspring watched, {sum(row[2] for row in told):,} "
        f"identical, where {sum(row[3] for row in told):,.0f} were expected; {total.degrees} cells as one "
        f"chi-square: {total.statistic:.1f}, p = {probability(total.p_value)}; the largest deviation is "
        f"{max(map(abs, scores), default=0.0):.1f} standard deviations.",
        verdict=judged([total.p_value >= LEVEL] if total.degrees else [], quick=quick),
        reason="Exact here, as every gene has another value and a drawn gene takes one; with a single gate "
        "function genes cannot change, and it is a lower bound. Given the parents, counts are sums of "
        f"independent draws; the chi-square must have p ≥ {LEVEL}. With 200 active nodes and p = 0.001, "
        f"{share(example)} of the evaluations of multipliers are wasted. Watched with one offspring per "
        f"generation, which makes no difference to the formula.",
    )


def identical_table(cells: Sequence[CellRuns]) -> Table:
    """A row per cell."""
    rows = []
    for cell in cells:
        if cell.observed:
            offspring, seen, mean, spread = _counts(cell.observed)
            rows.append(
                (
                    *(problem_of(cell), f"{cell.observed['rate']:g}", number(cell.observed["nodes"])),
                    *(str(offspring), str(seen), number(mean)),
                    number((seen - mean) / sqrt(spread)) if spread >= LEAST_VARIANCE else "–",
                )
            )
    return Table(
        title="Offspring that are actively identical to their parents",
        columns=("problem", "rate", "active nodes", "offspring", "identical", "expected", "deviation"),
        rows=tuple(rows),
        note=f"{WATCHED_RUNS} runs of the (1+1) CGP per cell, {WATCHED_OFFSPRING:,} offspring each at most. "
        "Active nodes of the parents on average. Expected: the formula, summed over the parents; deviation: "
        "in standard deviations, where there are enough to tell.",
    )
