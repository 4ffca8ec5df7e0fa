"""Active nodes of published solutions, `active_nodes.csv`: mean and standard deviation of each cell.

Only cells in which every run succeeded count: for a failed run the published number is that of the first
program with its best fitness, not of the last one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import stats

from gatewalk.numbers import number, probability, share
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import holm
from gatewalk.studies import CellRuns, Claim, judged
from gatewalk.studies.goldman_punch.cells import BREADTH, LENGTH, Key
from gatewalk.studies.published import read_table

FILE = Path(__file__).with_name("active_nodes.csv")


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


def read_active(path: Path = FILE) -> list[Active]:
    """Every cell of the file."""
    rows = read_table(path)
    next(rows)
    return [
        Active(
            problem=problem,
            nodes=int(nodes),
            mutation=mutation,
            mean=float(mean),
            deviation=float(deviation),
            runs=int(runs),
        )
        for _, (problem, nodes, mutation, mean, deviation, runs) in rows
    ]


def active_of(ours: Mapping[Key, CellRuns]) -> list[Active]:
    """Published and our active nodes of solutions, where all published runs succeeded."""
    found = []
    for row in read_active():
        key = Key(row.problem, row.nodes, row.mutation)
        if key in ours:
            columns = ours[key].columns
            gates = [g for g, solved in zip(columns["gates"], columns["solved"], strict=True) if solved]
            if len(gates) > 1:
                found.append(replace(row, ours=tuple(float(g) for g in gates)))
    return found


def parsimony(active: Sequence[Active], *, quick: bool) -> Claim:
    """The claim that the share of active nodes falls with the length, and that means are as published."""
    along = sorted((row for row in active if (row.problem, row.mutation) == ("multiply", "sam")), key=_nodes)
    shares = [row.mean_ours / row.nodes for row in along]
    told = [row for row in active if row.problem != BREADTH]  # where all nodes of a solution are active
    adjusted = holm([row.p_value for row in told])
    return Claim(
        statement="CGP has an innate parsimony pressure that makes it very difficult to evolve individuals "
        "with a high percentage of active nodes. This bias is particularly prevalent as the length of an "
        "individual increases.",
        source=f"{LENGTH}, abstract",
        measured="Active nodes of our solutions of the 3-bit multiplier: "
        + "; ".join(
            f"{share(ours)} of D = {row.nodes} (published {share(row.mean / row.nodes)})"
            for row, ours in zip(along, shares, strict=True)
        )
        + f". Means differ from the published ones in {sum(p < 0.05 for p in adjusted)} of {len(told)} cells "
        "of all problems (Welch's test, Holm's correction).",
        verdict=judged(
            [bool(along) and bool((np.diff(shares) < 0).all()), all(p >= 0.05 for p in adjusted)], quick=quick
        ),
        reason="The share must fall with every step of D, and no mean may differ from the published one.",
    )


def _nodes(row: Active) -> int:
    return row.nodes


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
