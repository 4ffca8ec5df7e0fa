"""What a store holds: how many cells and runs, how many were solved, and a row for each cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gatewalk.analysis.ert_band import ert_band
from gatewalk.analysis.statistics import success_rate
from gatewalk.analysis.survival import median
from gatewalk.report.sections.cells import Cells
from gatewalk.report.sections.numbers import all_finite, counted, finite

COLUMNS = ("cell", "n", "planned", "runs", "solved", "rate", "rate_low", "rate_high", "ert", "ert_low",
           "ert_high", "median", "seconds")  # fmt: skip


def overview(cells: Cells) -> dict[str, Any]:
    """Counts over all cells, and a row for each of those that a page can show.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.sections.cells import read_cells
    >>> found = overview(read_cells(run(campaign(target="and:2", replications=5, seed=7), jobs=1)))
    >>> found["counts"]["runs"], found["rows"][0][:5]
    (5, ['and:2', 2, 5, 5, 5])
    """
    read = {cell.number: runs for cell, runs in cells.read}
    rows = [
        _row(name, cell, read.get(cell.number))
        for name, cell in zip(cells.labels, cells.stored, strict=True)
        if cell.number in read or not cell.finished
    ][:_MOST_ROWS]
    left_out = len(cells.stored) - len(rows)
    return {
        "counts": {
            "cells": len(cells.stored),
            "empty": sum(not cell.finished for cell in cells.stored),
            "unfinished": sum(0 < cell.finished < cell.planned for cell in cells.stored),
            "planned": sum(cell.planned for cell in cells.stored),
            "runs": sum(cell.finished for cell in cells.stored),
            "solved": sum(cell.solved for cell in cells.stored),
            "iterations": finite(float(sum(cell.iterations for cell in cells.stored))),
            "seconds": finite(sum(cell.seconds for cell in cells.stored)),
        },
        "columns": list(COLUMNS),
        "rows": rows,
        "note": f"{counted(left_out, 'more cell')} left out of this page." if left_out else "",
    }


_MOST_ROWS = 1000


def _row(name: str, cell: Any, runs: Any) -> list[Any]:
    values: Mapping[str, Any] = cell.values
    first = [name, values["n"], cell.planned]
    if runs is None:
        return [*first, 0, 0, *(None for _ in range(len(COLUMNS) - 5))]
    rate = success_rate(runs.runs)
    band = ert_band(runs.runs)
    times = [cell.expected_running_time, band.low, band.high, median(runs.runs).value, cell.seconds]
    shares = [rate.rate, rate.interval.low, rate.interval.high]
    return [*first, runs.runs.runs, runs.runs.successes, *all_finite(shares, 4), *all_finite(times)]
