"""The distribution of the running time in each cell: Kaplan-Meier steps with a band, and the exact law."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.survival import kaplan_meier
from gatewalk.report.sections.cells import Cells
from gatewalk.report.sections.numbers import all_finite, counted, finite
from gatewalk.report.sections.times import Known

if TYPE_CHECKING:
    from gatewalk.theory.chain.distribution import Distribution

MOST_CELLS = 500
_POINTS = 24_000  # steps in the page, over all cells
_FEWEST, _MOST = 24, 250  # steps of a cell
_EXACT_POINTS = 60
_SHOWN = 0.999  # an exact curve is drawn until this share of the searches that ever end has ended


def distributions(cells: Cells, known: Known) -> dict[str, Any]:
    """The steps of every cell, with some left out to keep the page small.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.sections.cells import read_cells
    >>> cells = read_cells(run(campaign(target="and:2", replications=5, seed=7), jobs=1))
    >>> distributions(cells, Known())["cells"][0]["share"][-1]
    1
    """
    if not cells.read:
        return {"cells": [], "reason": "There is no finished run yet.", "note": ""}
    shown = cells.runs[:MOST_CELLS]
    points = min(_MOST, max(_FEWEST, _POINTS // len(shown)))
    left_out = len(cells.runs) - len(shown) + cells.unread
    return {
        "cells": [_steps(cell, known, points) for cell in shown],
        "reason": "",
        "note": f"{counted(left_out, 'more cell')} left out of this page." if left_out else "",
    }


def _steps(cell: CellRuns, known: Known, points: int) -> dict[str, Any]:
    curve = kaplan_meier(cell.runs)
    kept = _kept(curve.times.size, points)
    _, law = known.exactly(cell.settings)
    end = float(cell.runs.iterations.max())
    return {
        "name": cell.label,
        "n": cell.values["n"],
        "runs": cell.runs.runs,
        "solved": cell.runs.successes,
        "times": all_finite(curve.times[kept]),
        "share": all_finite(1 - curve.values[kept], 4),
        "low": all_finite(1 - curve.high[kept], 4),
        "high": all_finite(1 - curve.low[kept], 4),
        "thinned": len(kept) < curve.times.size,
        "exact": None if law is None else _exact(law, end),
    }


def _kept(size: int, points: int) -> Any:
    """Indices of the steps that are kept: evenly spaced, with the first and the last among them."""
    return np.unique(np.linspace(0, size - 1, min(size, points)).round().astype(np.int64))


def _exact(law: Distribution, end: float) -> list[list[float | int | None]]:
    last = min(law.quantile(_SHOWN * (1.0 - law.never)), 2 * end + 1)
    times = sorted({int(place) - 1 for place in np.geomspace(1, last + 1, _EXACT_POINTS)})
    return [all_finite(times), [finite(law.cumulative(t), 4) for t in times]]
