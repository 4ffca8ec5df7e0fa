"""The data of a store's charts: running times along an axis, their distributions, and generalisation.

Running times are a curve for each group of settings, with bounds and exact expectations; distributions are
Kaplan-Meier steps with a band, and the exact law; generalisation is how programs that were trained on samples
do on rows that they have not seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import NUMBERS, Curves, curves, labelling, settings_along
from gatewalk.analysis.known_times import Bound, exact_time_and_law, upper_bound
from gatewalk.numbers import all_finite, counted, finite
from gatewalk.report.store_cells import Cells, Tell
from gatewalk.search.settings import Settings, law_text
from gatewalk.stats.resampling import quick_ert_interval
from gatewalk.stats.sample import Interval, Sample, ert, mean_interval, sample, success_rate
from gatewalk.stats.survival import kaplan_meier, median

if TYPE_CHECKING:
    from gatewalk.theory.chain.distribution import Distribution

AXIS_WORDS = {
    "n": "number of inputs n",
    "nodes": "number of nodes D",
    "lambda": "offspring a generation λ",
    "budget": "budget in iterations",
}
MOST_CURVES = 200  # shown in the page
_MEMORY = 10_000_000  # bytes: larger chains are not solved
_MOST_CHAINS = 40


@dataclass
class KnownTimes:
    """Bounds and exact times of searches, computed once per law, also if the report is renewed many times."""

    bounds: dict[str, Bound | None] = field(default_factory=dict)
    exact: dict[str, tuple[float | None, Distribution | None]] = field(default_factory=dict)

    def bound(self, settings: Settings) -> Bound | None:
        """A proven upper bound on the expected iterations."""
        law = law_text(settings)
        if law not in self.bounds:
            self.bounds[law] = upper_bound(settings)
        return self.bounds[law]

    def exactly(self, settings: Settings) -> tuple[float | None, Distribution | None]:
        """The expected iterations and their distribution, for at most `_MOST_CHAINS` small chains."""
        law = law_text(settings)
        if law not in self.exact:
            if sum(time is not None for time, _ in self.exact.values()) >= _MOST_CHAINS:
                return None, None
            self.exact[law] = exact_time_and_law(settings, memory=_MEMORY)
        return self.exact[law]


def axes_of(cells: Cells) -> list[str]:
    """The settings that are useful as an axis: numeric ones that differ; n if none does."""
    axes = []
    for x in ("n", *NUMBERS):
        along = curves(cells.runs, x)
        if any(len(places) > 1 for places in along.values()):
            axes.append(x)
    return axes or ["n"]


def times(cells: Cells, known: KnownTimes, *, tell: Tell | None = None) -> dict[str, Any]:
    """Expected running times, their intervals, bounds and exact values, for every axis.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.store_cells import read_cells
    >>> both = campaign(target="and", n=[2, 3], replications=5, seed=7)
    >>> found = times(read_cells(run(both, jobs=1)), KnownTimes())
    >>> found["axes"][0]["words"], found["axes"][0]["curves"][0]["at"]
    ('number of inputs n', [2, 3])
    """
    if not cells.read:
        return {"axes": [], "reason": "There is no finished run yet."}
    bands: dict[int, Interval] = {}
    axes = [_axis(cells, x, known, bands, tell) for x in axes_of(cells)]
    return {"axes": axes, "reason": ""}


def _axis(
    cells: Cells, x: str, known: KnownTimes, bands: dict[int, Interval], tell: Tell | None
) -> dict[str, Any]:
    along = curves(cells.runs, x)
    settings = settings_along(cells.runs, x)
    names = list(along)[:MOST_CURVES]
    drawn = []
    for place, name in enumerate(names):
        if tell is not None:
            tell("bounds, intervals and exact times", place / len(names))
        drawn.append(_curve(name, along[name], settings[name], known, bands))
    left_out = len(along) - len(names)
    return {
        "x": x,
        "words": AXIS_WORDS.get(x, x),
        "curves": drawn,
        "note": f"{counted(left_out, 'more curve')} left out of this page." if left_out else "",
    }


def _curve(
    name: str,
    along: Mapping[int, Sample],
    settings: Mapping[int, Settings],
    known: KnownTimes,
    bands: dict[int, Interval],
) -> dict[str, Any]:
    for data in along.values():
        bands.setdefault(id(data), quick_ert_interval(data))  # the same sample may be on several axes
    spans = [bands[id(data)] for data in along.values()]
    limits = [known.bound(settings[at]) for at in along]
    named = sorted({bound.name for bound in limits if bound is not None})
    return {
        "name": name,
        "at": list(along),
        "runs": [data.runs for data in along.values()],
        "solved": [data.successes for data in along.values()],
        "spent": all_finite(float(data.iterations.sum()) for data in along.values()),
        "ert": all_finite(ert(data) for data in along.values()),
        "low": all_finite(span.low for span in spans),
        "high": all_finite(span.high for span in spans),
        "median": all_finite(median(data).value for data in along.values()),
        "bound": all_finite(None if bound is None else bound.value for bound in limits),
        "boundName": ", ".join(named),
        "exact": [finite(known.exactly(settings[at])[0]) for at in along],
    }


def curves_along_n(cells: Cells) -> Curves:
    """The curves along n that the page shows."""
    along_n = curves(cells.runs)
    return dict(list(along_n.items())[:MOST_CURVES])


MOST_CELLS = 500
_POINTS = 24_000  # steps in the page, over all cells
_FEWEST, _MOST = 24, 250  # steps of a cell
_EXACT_POINTS = 60
_SHOWN = 0.999  # an exact curve is drawn until this share of the searches that ever end has ended


def distributions(cells: Cells, known: KnownTimes) -> dict[str, Any]:
    """The steps of every cell, with some left out to keep the page small.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.store_cells import read_cells
    >>> cells = read_cells(run(campaign(target="and:2", replications=5, seed=7), jobs=1))
    >>> distributions(cells, KnownTimes())["cells"][0]["share"][-1]
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


def _steps(cell: CellRuns, known: KnownTimes, points: int) -> dict[str, Any]:
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


def generalisation(cells: Cells) -> dict[str, Any]:
    """The share of right outputs on validation sets, by cell; cells trained on complete sets have none.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> from gatewalk.report.store_cells import read_cells
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
    low, high = mean_interval(shares)
    return {
        "cell": cell.label,
        "curve": curve,
        "n": cell.values["n"],
        "training": cell.values["training"],
        "runs": int(shares.size),
        "mean": all_finite([float(shares.mean()), max(0.0, low), min(1.0, high)], 4),
        "perfect": all_finite([perfect.rate, perfect.interval.low, perfect.interval.high], 4),
    }
