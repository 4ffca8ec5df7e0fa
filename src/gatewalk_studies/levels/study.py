"""Levels of a conjunction: waiting times and transition probabilities compared with the proofs' estimates."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gatewalk.analysis import observation_figures
from gatewalk.campaign.plan import Cell
from gatewalk.numbers import for_json, number
from gatewalk.report.tables import Table
from gatewalk.search.scheduler import threads
from gatewalk.studies import CellRuns, Claim, Drawing, Findings, Measured, judged
from gatewalk.theory.observe.levels import Estimates, Frequency, Level
from gatewalk.theory.observe.observation import observe_runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STORED = Path(__file__).parent / "levels.jsonl"  # of D = 2n: gatewalk observe and:12 --nodes 2n --json
RATES = ("p", "q", "r", "s", "free", "leave")
Levels = Mapping[int, Sequence[Level]]  # by the number of nodes


def observe(cell: Cell, *, jobs: int | None) -> dict[str, Any]:
    """Watch every run of the cell, and return the measured rates and times of each level."""
    seen = observe_runs(cell.settings, seed=cell.seed, runs=cell.replications, jobs=threads(jobs))
    return {"levels": [for_json(asdict(item), infinite=None) for item in seen.levels]}


def _level(kept: Mapping[str, Any]) -> Level:
    """The level that a record describes."""
    rates = {name: Frequency(**{**kept[name], "value": _number(kept[name]["value"])}) for name in RATES}
    values: dict[str, Any] = {
        **kept,
        **rates,
        **{name: _number(kept[name]) for name in ("waiting", "surplus", "neutral")},
        "chain": (_number(kept["chain"][0]), _number(kept["chain"][1])),
        "estimates": Estimates(**kept["estimates"]) if kept["estimates"] else None,
    }
    return Level(**values)


def _number(value: float | None) -> float:
    return nan if value is None else value


def findings(measured: Measured) -> Findings:
    """A figure for each number of nodes, and claims on Lemma 5 and on the estimates of both proofs."""
    found = {_nodes(cell): [_level(kept) for kept in cell.observed["levels"]] for cell in measured.cells}
    quick = measured.quick
    n = measured.cells[0].values["n"]
    repeated = () if quick else (_repeated(found),)
    return Findings(
        summary=repeated,
        claims=(_chain(found, quick=quick), _below(found, quick=quick), _above(found, quick=quick)),
        figures=tuple(
            Drawing(
                name=f"levels-{nodes}",
                caption=f"And_{n}, D = {nodes}. Left: mean iterations at each level, and Lemma 5's chain "
                "with the measured rates and the bounds of the proofs. Right: rates per iteration with 95 % "
                "intervals, and the estimates of the proofs.",
                draw=partial(draw, found[nodes], f"and:{n}, $D = {nodes}$"),
            )
            for nodes in _order(found)
        ),
        tables=(("levels", _table(found)),),
    )


def _nodes(cell: CellRuns) -> int:
    return int(cell.values["nodes"])


def _order(found: Levels) -> list[int]:
    """Sort numbers of nodes with D = 2n first, because the notes are about it."""
    return sorted(found, key=lambda nodes: nodes != list(found)[1])


def _chain(found: Levels, *, quick: bool) -> Claim:
    """Waiting times between Lemma 5's times from i- and from i+, with a tolerance for chance."""
    holds = []
    for levels in found.values():
        for item in levels:
            if isfinite(item.waiting) and isfinite(item.chain[0]) and item.runs >= 30:
                low, high = sorted(item.chain)
                holds.append(0.9 * low <= item.waiting <= 1.1 * high)
    return Claim(
        statement="A level behaves as Lemma 5's chain of three states",
        source="the paper, Lemma 5",
        measured=f"At {sum(holds)} of {len(holds)} levels the mean waiting time lies between the chain's "
        "times from i⁻ and from i⁺ with the measured rates (10 % allowed for chance).",
        verdict=judged(holds, quick=quick),
        reason="Levels that 30 runs or more reached.",
    )


def _exceeded(found: Levels, names: Sequence[str]) -> dict[int, list[int]]:
    """The levels at which measured rates contradict an estimate, by the number of nodes."""
    wrong = {
        nodes: [item.level for item in levels if any(name in item.exceeded for name in names)]
        for nodes, levels in found.items()
    }
    return {nodes: levels for nodes, levels in wrong.items() if levels}


def _factors(found: Levels, name: str) -> list[float]:
    every = (item.factors.get(name, nan) for levels in found.values() for item in levels)
    return [factor for factor in every if isfinite(factor) and factor > 0]


def _below(found: Levels, *, quick: bool) -> Claim:
    wrong = _exceeded(found, ("leave", "rise", "free"))
    said = "; ".join(
        f"{words} is {number(min(factors))} to {number(max(factors))} times its estimate"
        for words, factors in (
            ("r", _factors(found, "rise")),
            ("p + q", _factors(found, "free")),
            ("leaving a level", _factors(found, "leave")),
        )
        if factors
    )
    return Claim(
        statement="p + q ≥ q′, r ≥ r′, and a level is left with probability at least s_i",
        source="the paper, proofs of Theorems 3 and 6",
        measured=f"{said}.",
        verdict=judged([not wrong], quick=quick),
        reason="No 95 % interval may lie below its estimate.",
    )


def _above(found: Levels, *, quick: bool) -> Claim:
    wrong = _exceeded(found, ("lose",))
    total = sum(len(levels) for levels in found.values())
    largest = max(_factors(found, "lose"), default=nan)
    count = sum(len(levels) for levels in wrong.values())
    listed = "; ".join(f"D = {nodes}: {', '.join(map(str, levels))}" for nodes, levels in wrong.items())
    return Claim(
        statement="s ≤ s′ = 2/(3D + 1)",
        source="the paper, proof of Theorem 6",
        measured=f"Contradicted at {count} of {total} levels{f' ({listed})' if listed else ''}. The largest "
        f"s is {number(largest)} times s′.",
        verdict=judged([not wrong], quick=quick),
        reason="No 95 % interval may lie above the estimate. The proof counts genes per elementary step, and "
        "an iteration has many; what the proof needs is s/r only.",
    )


def _repeated(found: Levels) -> str:
    """A line on how many counts at D = 2n are the same as those stored with the study."""
    lines = [json.loads(line) for line in STORED.read_text(encoding="utf-8").splitlines()]
    nodes = lines[0]["nodes"]
    kept = {line["level"]: line for line in lines[1:]}
    same = sum(
        all(getattr(item, name).count == kept[item.level][name]["count"] for name in RATES)
        for item in found.get(nodes, ())
        if item.level in kept
    )
    return f"{same} of {len(kept)} levels at D = {nodes} have exactly the stored counts (levels.jsonl)."


def _table(found: Levels) -> Table:
    rows = []
    for nodes, levels in found.items():
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
    return observation_figures.level_figure(levels, title=title)
