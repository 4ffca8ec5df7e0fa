"""Levels of a conjunction: waiting times and transition probabilities compared with the proofs' estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

from gatewalk.analysis import CellRuns, level_figure
from gatewalk.campaign import Cell
from gatewalk.numbers import number
from gatewalk.report import Table
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged
from gatewalk.theory import Level, observe_runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RATES = ("p", "q", "r", "s", "free", "leave")
Levels = Mapping[int, Sequence[Level]]  # by the number of nodes


def observe(cell: Cell, *, jobs: int) -> dict[str, Any]:
    """Watch every run of the cell; returns the lines of `gatewalk observe --json` about its levels."""
    seen = observe_runs(cell.search, seed=cell.seed, runs=cell.replications, jobs=jobs)
    return {"levels": [record for record in seen.records() if record["kind"] == "level"]}


def findings(measured: Measured) -> Findings:
    """A figure for each number of nodes, and claims on Lemma 5 and on the estimates of both proofs."""
    by_nodes = {
        _nodes(cell): [Level.read(record) for record in cell.observed["levels"]] for cell in measured.cells
    }
    n = measured.cells[0].values["n"]
    return Findings(
        claims=(_chain(by_nodes), _below(by_nodes), _above(by_nodes)),
        figures=tuple(
            Drawing(
                name=f"levels-{nodes}",
                caption=f"And_{n}, D = {nodes}. Left: mean iterations at each level, and Lemma 5's chain "
                "with the measured rates and the bounds of the proofs. Right: rates per iteration with 95 % "
                "intervals, and the estimates of the proofs.",
                draw=partial(draw, by_nodes[nodes], f"and:{n}, $D = {nodes}$"),
            )
            for nodes in _order(by_nodes)
        ),
        tables=(("levels", _table(by_nodes)),),
    )


def _nodes(cell: CellRuns) -> int:
    return int(cell.values["nodes"])


def _order(by_nodes: Levels) -> list[int]:
    """Sort numbers of nodes with D = 2n first, because the notes are about it."""
    return sorted(by_nodes, key=lambda nodes: nodes != list(by_nodes)[1])


def _chain(by_nodes: Levels) -> Claim:
    """Waiting times between Lemma 5's times from i- and from i+, with a tolerance for chance."""
    holds = []
    for levels in by_nodes.values():
        for item in levels:
            if isfinite(item.waiting) and isfinite(item.chain[0]) and item.runs >= 30:
                low, high = sorted(item.chain)
                holds.append(0.9 * low <= item.waiting <= 1.1 * high)
    return Claim(
        statement="A level behaves as Lemma 5's chain of three states",
        source="the paper, Lemma 5",
        measured=f"At {sum(holds)} of {len(holds)} levels the mean waiting time lies between the chain's "
        "times from i⁻ and from i⁺ with the measured rates (10 % allowed for chance).",
        verdict=judged(holds),
        reason="Levels that 30 runs or more reached.",
    )


def _exceeded(by_nodes: Levels, names: Sequence[str]) -> dict[int, list[int]]:
    """The levels at which measured rates contradict an estimate, by the number of nodes."""
    wrong = {
        nodes: [item.level for item in levels if any(name in item.exceeded for name in names)]
        for nodes, levels in by_nodes.items()
    }
    return {nodes: levels for nodes, levels in wrong.items() if levels}


def _factors(by_nodes: Levels, name: str) -> list[float]:
    every = (item.factors.get(name, nan) for levels in by_nodes.values() for item in levels)
    return [factor for factor in every if isfinite(factor) and factor > 0]


def _below(by_nodes: Levels) -> Claim:
    wrong = _exceeded(by_nodes, ("leave", "rise", "free"))
    said = "; ".join(
        f"{words} is {number(min(factors))} to {number(max(factors))} times its estimate"
        for words, factors in (
            ("r", _factors(by_nodes, "rise")),
            ("p + q", _factors(by_nodes, "free")),
            ("leaving a level", _factors(by_nodes, "leave")),
        )
        if factors
    )
    return Claim(
        statement="p + q ≥ q′, r ≥ r′, and a level is left with probability at least s_i",
        source="the paper, proofs of Theorems 3 and 6",
        measured=f"{said}.",
        verdict=judged([not wrong]),
        reason="No 95 % interval may lie below its estimate.",
    )


def _above(by_nodes: Levels) -> Claim:
    wrong = _exceeded(by_nodes, ("lose",))
    total = sum(len(levels) for levels in by_nodes.values())
    largest = max(_factors(by_nodes, "lose"), default=nan)
    count = sum(len(levels) for levels in wrong.values())
    listed = "; ".join(f"D = {nodes}: {', '.join(map(str, levels))}" for nodes, levels in wrong.items())
    return Claim(
        statement="s ≤ s′ = 2/(3D + 1)",
        source="the paper, proof of Theorem 6",
        measured=f"Contradicted at {count} of {total} levels{f' ({listed})' if listed else ''}. The largest "
        f"s is {number(largest)} times s′.",
        verdict=judged([not wrong]),
        reason="No 95 % interval may lie above the estimate. The proof counts genes per elementary step, and "
        "an iteration has many; what the proof needs is s/r only.",
    )


def _table(by_nodes: Levels) -> Table:
    rows = []
    for nodes, levels in by_nodes.items():
        for item in levels:
            rates = (getattr(item, name).value for name in RATES)
            rows.append(
                (
                    str(nodes),
                    str(item.level),
                    str(item.runs),
                    number(item.waiting),
                    *(number(value) for value in item.chain),
                    *(number(value) for value in rates),
                    number(item.surplus),
                )
            )
    return Table(
        title="Levels",
        columns=(
            *("D", "level", "runs", "waiting", "Lemma 5 from i⁻", "from i⁺"),
            *("p", "q", "r", "s", "p + q", "leave", "surplus gates"),
        ),
        rows=tuple(rows),
        texts=0,
    )


def draw(levels: Sequence[Level], title: str) -> Figure:
    """Times and rates of every level."""
    return level_figure(levels, title=title)
