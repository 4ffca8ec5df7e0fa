"""Generalisation: how programs that were trained on samples do on rows that they have not seen."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from scipy import stats

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import labelling
from gatewalk.analysis.statistics import sample, success_rate
from gatewalk.report.sections.cells import Cells
from gatewalk.report.sections.numbers import all_finite

MOST_CELLS = 500


def generalisation(cells: Cells) -> dict[str, Any]:
    """The share of right outputs on validation sets, by cell; cells trained on complete sets have none.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.sections.cells import read_cells
    >>> sampled = campaign(target="and:6", training="sample:20", replications=5, seed=7)
    >>> [row["n"] for row in generalisation(read_cells(run(sampled, jobs=1)))["rows"]]
    [6]
    """
    shown = [cell for cell in cells.runs if not np.isnan(_shares(cell)).all()][:MOST_CELLS]
    if not shown:
        reason = "Every training set is complete: there are no unseen rows, and nothing to generalise to."
        return {"rows": [], "reason": reason if cells.read else "There is no finished run yet."}
    naming = labelling(shown, "n")
    return {"rows": [_row(cell, naming(cell)) for cell in shown], "reason": ""}


def _shares(cell: CellRuns) -> Any:
    return np.asarray(cell.columns["generalisation"], dtype=np.float64)


def _row(cell: CellRuns, curve: str) -> dict[str, Any]:
    shares = _shares(cell)
    shares = shares[~np.isnan(shares)]
    perfect = success_rate(sample(np.zeros(shares.size), shares >= 1.0))
    mean = float(shares.mean())
    low, high = 0.0, 1.0
    if shares.size > 1:
        away = float(stats.t.ppf(0.975, shares.size - 1) * shares.std(ddof=1)) / sqrt(shares.size)
        low, high = max(0.0, mean - away), min(1.0, mean + away)
    return {
        "cell": cell.label,
        "curve": curve,
        "n": cell.values["n"],
        "training": cell.values["training"],
        "runs": int(shares.size),
        "mean": all_finite([mean, low, high], 4),
        "perfect": all_finite([perfect.rate, perfect.interval.low, perfect.interval.high], 4),
    }
