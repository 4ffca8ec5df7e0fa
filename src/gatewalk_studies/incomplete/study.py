"""Conjunctions on incomplete training sets: does the level, the number of inputs in use, ever drop?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis import style
from gatewalk.campaign import Cell
from gatewalk.numbers import number, share
from gatewalk.report import Table
from gatewalk.stats import sample, success_rate
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged
from gatewalk.theory import observe_runs

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SELECTIONS = ("nonstrict", "strict")
Row = Mapping[str, Any]


def observe(cell: Cell, *, jobs: int) -> dict[str, Any]:
    """Watch every run of the cell: how often its level rises and drops, and where it ends."""
    search = cell.search
    watched = observe_runs(search, seed=cell.seed, runs=cell.replications, jobs=jobs).level_runs
    moves = np.array([run.tally.moves.sum(axis=(0, 1)) for run in watched])
    _, _, ups, downs = moves.T  # of each run; the first two are iterations that did not change the level
    return {
        "selection": search.selection,
        "n": search.n,
        "rows": search.rows,
        "runs": cell.replications,
        "iterations": int(moves.sum()),
        "ups": int(ups.sum()),
        "downs": int(downs.sum()),
        "runs_with_a_drop": int((downs > 0).sum()),
        "final_levels": sum(int(run.trace[-1, 2]) for run in watched),
    }


def findings(measured: Measured) -> Findings:
    """The figure, the counts, and claims on drops, on their balance and on the level at the end."""
    rows = [cell.observed for cell in measured.cells]
    return Findings(
        claims=(_drops(rows), _rises(rows), _final(rows)),
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


def _interval(row: Row) -> tuple[float, float]:
    """Wilson's 95 % interval of the share."""
    has_a_drop = np.arange(row["runs"]) < row["runs_with_a_drop"]
    return success_rate(sample(np.zeros(row["runs"]), has_a_drop)).interval


def _of(rows: Sequence[Row], selection: str) -> list[Row]:
    return [row for row in rows if row["selection"] == selection]


def _drops(rows: Sequence[Row]) -> Claim:
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
        verdict=judged(holds),
        reason="Drops must be seen at every n, under both selections.",
    )


def _rises(rows: Sequence[Row]) -> Claim:
    balance = [(row["downs"] / row["runs"], row["ups"] / row["runs"]) for row in rows]
    return Claim(
        statement="The level drifts upwards all the same",
        source="this study",
        measured=f"Per run at most {max(down for down, _ in balance):.2f} drops; rises "
        f"{min(up for _, up in balance):.2f} to {max(up for _, up in balance):.2f}.",
        verdict=judged([up > 2 * down for down, up in balance]),
        reason="Every cell must have more than twice as many rises as drops.",
    )


def _final(rows: Sequence[Row]) -> Claim:
    """The claim that the level at the end follows the logarithm of the rows, not n."""
    own = _of(rows, "nonstrict")
    ratios = [row["final_levels"] / row["runs"] / log(row["rows"], 2) for row in own]
    shares = [row["final_levels"] / row["runs"] / row["n"] for row in own]
    return Claim(
        statement="The rows are fitted at a level of the order of the logarithm of their number, not of n",
        source="this study",
        measured=f"Level at the end over log₂ of the rows: {min(ratios):.2f} to {max(ratios):.2f}; over n: "
        f"{max(shares):.2f} down to {min(shares):.2f}.",
        verdict=judged([max(ratios) < 1.3 * min(ratios), max(shares) > 2 * min(shares)]),
        reason="The first ratio must stay within a factor of 1.3, the second fall by more than half.",
    )


def _table(rows: Sequence[Row]) -> Table:
    names = ("selection", "n", "rows", "runs", "iterations", "ups", "downs", "runs_with_a_drop")
    return Table(
        title="Rises and drops of the level",
        columns=(*names, "share", "from", "to", "final level"),
        rows=tuple(
            (
                *(str(row[name]) for name in names),
                *(number(value) for value in (_share(row), *_interval(row))),
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
        low, high = np.array([_interval(row) for row in own]).T
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
