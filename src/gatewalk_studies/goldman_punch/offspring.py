"""Programs and offspring: active nodes of solutions, and offspring that are identical to their parents.

`active_nodes.csv` has the mean and the standard deviation of the published solutions of each cell. Only cells
in which every run succeeded count: for a failed run the published number is that of the first program with
its best fitness, not of the last one.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from gatewalk.numbers import number, probability, share
from gatewalk.report import Table
from gatewalk.stats import chi_square, holm
from gatewalk.studies import Claim, judged

FILE = Path(__file__).with_name("active_nodes.csv")
WATCHED_RUNS, WATCHED_OFFSPRING = 10, 5_000  # runs per cell, and offspring per run
LEVEL = 0.01
Observed = Mapping[str, Any]  # what `observe` counted in a cell
LEAST_VARIANCE = 5.0  # counts with less are not treated as normally distributed


@dataclass(frozen=True, kw_only=True)
class Active:
    """A cell. mean, deviation, runs: as published. ours: the active nodes of our solutions."""

    problem: str
    nodes: int
    mutation: str
    mean: float
    deviation: float
    runs: int
    ours: tuple[float, ...] = ()

    @property
    def mean_ours(self) -> float:
        return float(np.mean(self.ours))

    @property
    def p_value(self) -> float:
        """The p-value of Welch's test; 1 if all solutions of both have the same number of active nodes."""
        spread = float(np.std(self.ours, ddof=1))
        if not spread and not self.deviation:
            return float(self.mean == self.mean_ours)
        test = stats.ttest_ind_from_stats(
            self.mean_ours, spread, len(self.ours), self.mean, self.deviation, self.runs, equal_var=False
        )
        return float(test.pvalue)


def read_active() -> list[Active]:
    """Every cell of the file."""
    with FILE.open(newline="", encoding="utf-8") as file:
        return [
            Active(
                problem=row["problem"],
                nodes=int(row["nodes"]),
                mutation=row["mutation"],
                mean=float(row["mean"]),
                deviation=float(row["deviation"]),
                runs=int(row["runs"]),
            )
            for row in csv.DictReader(file)
        ]


def parsimony(active: Sequence[Active]) -> Claim:
    """The claim that the share of active nodes falls with the length, and that means are as published."""
    along = sorted(
        (row for row in active if (row.problem, row.mutation) == ("multiply", "sam")),
        key=lambda row: row.nodes,
    )
    shares = [row.mean_ours / row.nodes for row in along]
    told = [row for row in active if row.problem != "breadth"]  # where all nodes of a solution are active
    adjusted = holm([row.p_value for row in told])
    return Claim(
        statement="CGP has an innate parsimony pressure that makes it very difficult to evolve individuals "
        "with a high percentage of active nodes. This bias is particularly prevalent as the length of an "
        "individual increases.",
        source="Goldman and Punch, GECCO 2013, abstract",
        measured="Active nodes of our solutions of the 3-bit multiplier: "
        + "; ".join(
            f"{share(ours)} of D = {row.nodes} (published {share(row.mean / row.nodes)})"
            for row, ours in zip(along, shares, strict=True)
        )
        + f". Means differ from the published ones in {sum(p < 0.05 for p in adjusted)} of {len(told)} cells "
        "of all problems (Welch's test, Holm's correction).",
        verdict=judged([bool(along) and bool((np.diff(shares) < 0).all()), all(p >= 0.05 for p in adjusted)]),
        reason="The share must fall with every step of D, and no mean may differ from the published one.",
    )


def active_table(active: Sequence[Active]) -> Table:
    """A row per cell."""
    adjusted = holm([row.p_value for row in active])
    return Table(
        title="Active nodes of solutions",
        columns=("problem", "mutation", "nodes", "published", "ours", "p", "Holm"),
        rows=tuple(
            (
                *(row.problem, row.mutation, str(row.nodes)),
                *(number(row.mean), number(row.mean_ours), probability(row.p_value), probability(p)),
            )
            for row, p in zip(active, adjusted, strict=True)
        ),
        texts=2,
        note="Means over solved runs, in the cells in which all published runs succeeded; p: Welch's test.",
    )


def _counts(seen: Observed) -> tuple[int, int, float, float]:
    """The number of offspring, of identical ones, the expected number of these, and its variance."""
    offspring, chance = np.array(seen["offspring"]), (1.0 - seen["rate"]) ** np.array(seen["genes"])
    expected, variance = offspring @ chance, offspring @ (chance * (1.0 - chance))
    return int(offspring.sum()), int(np.sum(seen["identical"])), float(expected), float(variance)


def identical_claim(seen: Sequence[Observed]) -> Claim:
    """The claim on the formula for identical offspring, tested by one chi-square over all cells."""
    counts = [_counts(observed) for observed in seen]
    scores = [(same - mean) / sqrt(spread) for _, same, mean, spread in counts if spread >= LEAST_VARIANCE]
    total = chi_square(scores)
    example = (1 - 0.001) ** (6 + 200 * (2 + 1))
    return Claim(
        statement="An offspring is actively identical to its parent with probability "
        "(1 − p)^(outputs + active nodes · (arity + 1))",
        source="Goldman and Punch, EuroGP 2013",
        measured=f"{sum(row[0] for row in counts):,} offspring watched, {sum(row[1] for row in counts):,} "
        f"identical, where {sum(row[2] for row in counts):,.0f} were expected; {total.degrees} cells as one "
        f"chi-square: {total.statistic:.1f}, p = {probability(total.p_value)}; the largest deviation is "
        f"{max(map(abs, scores), default=0.0):.1f} standard deviations.",
        verdict=judged([total.p_value >= LEVEL] if total.degrees else []),
        reason="Exact here, as every gene has another value and a drawn gene takes one; with a single gate "
        "function genes cannot change, and it is a lower bound. Given the parents, counts are sums of "
        f"independent draws; the chi-square must have p ≥ {LEVEL}. With 200 active nodes and p = 0.001, "
        f"{share(example)} of the evaluations of multipliers are wasted. Watched with one offspring per "
        f"generation, which makes no difference to the formula.",
    )


def identical_table(seen: Sequence[tuple[str, Observed]]) -> Table:
    """A row per cell, given as its problem and what was observed."""
    rows = []
    for problem, observed in seen:
        offspring, same, mean, spread = _counts(observed)
        rows.append(
            (
                *(problem, f"{observed['rate']:g}", number(observed["nodes"])),
                *(str(offspring), str(same), number(mean)),
                number((same - mean) / sqrt(spread)) if spread >= LEAST_VARIANCE else "–",
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
