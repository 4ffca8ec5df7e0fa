"""Conjunctions on incomplete training sets: does the level ever drop? Runs, results.csv and figure.svg."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from gatewalk.analysis import style
from gatewalk.search.settings import settings
from gatewalk.theory.level_report import frequency
from gatewalk.theory.levels import DOWN, UP
from gatewalk.theory.watching import watch_runs

HERE = Path(__file__).parent
SIZES = (6, 8, 10, 15, 20, 30, 40, 50)
RUNS = 400


def measure() -> list[dict[str, float | str]]:
    """Watch RUNS runs of every size, D = 2n, ceil(n^1.3) rows."""
    found: list[dict[str, float | str]] = []
    for selection in ("nonstrict", "strict"):
        for n in SIZES:
            made = settings(f"and:{n}", nodes="2n", selection=selection, training="sample")
            watched = watch_runs(made, seed=2026, runs=range(RUNS), jobs=2)
            moves = np.sum([item.tally.moves for item in watched], axis=0)
            dropped = frequency(sum(bool(item.tally.moves[:, :, DOWN].any()) for item in watched), RUNS)
            found.append(
                {
                    "selection": selection,
                    "n": n,
                    "rows": int(np.ceil(n**1.3)),
                    "runs": RUNS,
                    "iterations": int(moves.sum()),
                    "ups": int(moves[:, :, UP].sum()),
                    "downs": int(moves[:, :, DOWN].sum()),
                    "runs_with_a_drop": dropped.value,
                    "low": dropped.low,
                    "high": dropped.high,
                    "final_level": float(np.mean([item.trace[-1, 2] for item in watched])),
                }
            )
    return found


@style.styled()
def draw(found: list[dict[str, float | str]]) -> Figure:
    """Share of runs that ever lose an input while not getting less fit, and the level at the end."""
    figure, ((left, right),) = style.panels(1, 2, height=2.9)
    for index, selection in enumerate(("nonstrict", "strict")):
        rows = [row for row in found if row["selection"] == selection]
        n = [float(row["n"]) for row in rows]
        share, low, high = (
            np.array([float(row[key]) for row in rows]) for key in ("runs_with_a_drop", "low", "high")
        )
        colour, marker = style.COLOURS[index], style.MARKERS[index]
        spans = [share - low, high - share]
        left.errorbar(n, share, spans, color=colour, marker=marker, label=selection)
        final = [float(row["final_level"]) for row in rows]
        right.plot(n, final, marker + "-", color=colour, label=selection)
    left.set(xlabel="number of inputs $n$", ylabel="runs whose level dropped", ylim=(0, 1))
    right.set(xlabel="number of inputs $n$", ylabel="mean level when the rows are fitted")
    left.legend()
    right.legend()
    return figure


def main() -> None:
    """Measure, write, draw."""
    found = measure()
    with (HERE / "results.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    style.save(draw(found), HERE / "figure.svg")


if __name__ == "__main__":
    main()
