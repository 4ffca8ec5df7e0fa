"""Conjunctions on incomplete training sets: does the level, the number of inputs in use, ever drop?"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import partial
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis import style
from gatewalk.campaign.plan import Cell
from gatewalk.numbers import number, share
from gatewalk.report.tables import Table
from gatewalk.search.scheduler import threads
from gatewalk.stats.sample import wilson
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged
from gatewalk.theory.observe.levels import DOWN, UP, level_runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STORED = Path(__file__).parent / "results.csv"
SELECTIONS = ("nonstrict", "strict")
Row = Mapping[str, Any]


def observe(cell: Cell, *, jobs: int | None) -> dict[str, Any]:
    """Watch every run of the cell: how often its level rises and drops, and where it ends."""
    settings, runs = cell.settings, cell.replications
    watched = level_runs(settings, seed=cell.seed, runs=range(runs), jobs=threads(jobs))
    moves = np.sum([item.tally.moves for item in watched], axis=0)
    return {
        "selection": settings.selection,
        "n": settings.n,
        "rows": settings.rows,
        "runs": runs,
        "iterations": int(moves.sum()),
        "ups": int(moves[:, :, UP].sum()),
        "downs": int(moves[:, :, DOWN].sum()),
        "runs_with_a_drop": sum(bool(item.tally.moves[:, :, DOWN].any()) for item in watched),
        "final_levels": sum(int(item.trace[-1, 2]) for item in watched),
    }


def findings(measured: Measured) -> Findings:
    """The figure, the counts, and claims on drops, on their balance and on the level at the end."""
    rows = [cell.observed for cell in measured.cells]
    quick = measured.quick
    return Findings(
        summary=() if quick else (_repeated(rows),),
        claims=(_drops(rows, quick=quick), _rises(rows, quick=quick), _final(rows, quick=quick)),
        figures=(
            Drawing(
                name="drops",
                caption="And_n, D = 2n, ⌈n^1.3⌉ random rows. Left: the share of runs in which the number of "
                "inputs in use ever fell, with Wilson's 95 % intervals. Right: the mean level at the end.",
                draw=partial(draw, rows),
            ),
        ),
        tables=(("levels", _table(rows)),),
    )


def _share(row: Row) -> float:
    return float(row["runs_with_a_drop"] / row["runs"])


def _of(rows: Sequence[Row], selection: str) -> list[Row]:
    return [row for row in rows if row["selection"] == selection]


def _drops(rows: Sequence[Row], *, quick: bool) -> Claim:
    said, holds = [], []
    for selection in SELECTIONS:
        own = _of(rows, selection)
        shares = [_share(row) for row in own]
        holds.append(all(row["runs_with_a_drop"] > 0 for row in own))
        said.append(f"{selection}: in {share(min(shares))} to {share(max(shares))} of the runs")
    return Claim(
        statement="On incomplete training sets the level may drop while fitness does not get worse",
        source="the paper, Section 5, as the obstacle to its analysis",
        measured=f"The level drops, {'; '.join(said)}.",
        verdict=judged(holds, quick=quick),
        reason="Drops must be seen at every n, under both selections.",
    )


def _rises(rows: Sequence[Row], *, quick: bool) -> Claim:
    balance = [(row["downs"] / row["runs"], row["ups"] / row["runs"]) for row in rows]
    return Claim(
        statement="The level drifts upwards all the same",
        source="this study",
        measured=f"Per run at most {max(down for down, _ in balance):.2f} drops; rises "
        f"{min(up for _, up in balance):.2f} to {max(up for _, up in balance):.2f}.",
        verdict=judged([up > 2 * down for down, up in balance], quick=quick),
        reason="Every cell must have more than twice as many rises as drops.",
    )


def _final(rows: Sequence[Row], *, quick: bool) -> Claim:
    """The claim that the level at the end follows the logarithm of the rows, not n."""
    own = _of(rows, "nonstrict")
    ratios = [row["final_levels"] / row["runs"] / log(row["rows"], 2) for row in own]
    shares = [row["final_levels"] / row["runs"] / row["n"] for row in own]
    return Claim(
        statement="The rows are fitted at a level of the order of the logarithm of their number, not of n",
        source="this study",
        measured=f"Level at the end over log₂ of the rows: {min(ratios):.2f} to {max(ratios):.2f}; over n: "
        f"{max(shares):.2f} down to {min(shares):.2f}.",
        verdict=judged([max(ratios) < 1.3 * min(ratios), max(shares) > 2 * min(shares)], quick=quick),
        reason="The first ratio must stay within a factor of 1.3, the second fall by more than half.",
    )


def _repeated(rows: Sequence[Row]) -> str:
    """A line on how many counts are the same as those stored with the study."""
    with STORED.open(encoding="utf-8", newline="") as file:
        kept = {(row["selection"], row["n"]): row for row in csv.DictReader(file)}
    names = ("runs", "iterations", "ups", "downs")
    found = [(row, kept.get((row["selection"], str(row["n"])))) for row in rows]
    same = sum(was is not None and all(str(row[name]) == was[name] for name in names) for row, was in found)
    return (
        f"{same} of {len(rows)} cells have exactly the counts that are stored with the study (results.csv)."
    )


def _table(rows: Sequence[Row]) -> Table:
    names = ("selection", "n", "rows", "runs", "iterations", "ups", "downs", "runs_with_a_drop")
    return Table(
        title="Rises and drops of the level",
        columns=(*names, "share", "from", "to", "final level"),
        rows=tuple(
            (
                *(str(row[name]) for name in names),
                *(number(value) for value in (_share(row), *wilson(row["runs_with_a_drop"], row["runs"]))),
                number(row["final_levels"] / row["runs"]),
            )
            for row in rows
        ),
    )


@style.styled()
def draw(rows: Sequence[Row]) -> Figure:
    """The share of runs whose level ever drops, and the level at the end."""
    figure, ((left, right),) = style.panels(1, 2, height=2.9)
    for index, selection in enumerate(SELECTIONS):
        own = _of(rows, selection)
        n = [row["n"] for row in own]
        share = np.array([_share(row) for row in own])
        low, high = np.array([wilson(row["runs_with_a_drop"], row["runs"]) for row in own]).T
        colour, marker, dashes = style.COLOURS[index], style.MARKERS[index], style.DASHES[index]
        left.errorbar(
            n, share, [share - low, high - share], color=colour, marker=marker, ls=dashes, label=selection
        )
        final = [row["final_levels"] / row["runs"] for row in own]
        right.plot(n, final, marker, ls=dashes, color=colour, label=selection)
    left.set(xlabel="number of inputs $n$", ylabel="fraction of runs whose level dropped", ylim=(0, 1))
    right.set(xlabel="number of inputs $n$", ylabel="mean level when the rows are fitted")
    left.set_title("drops of the level")
    right.set_title("level at the end")
    style.letter_panels((left, right))
    left.legend(title="95 % Wilson intervals")
    right.legend()
    return figure
