"""The data of a store's charts: running times along an axis, their distributions, and generalisation.

Running times are a curve for each group of settings, with bounds and exact expectations; distributions are
Kaplan-Meier steps with a band, and the exact law; generalisation is how programs that were trained on samples
do on rows that they have not seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.cells import CellRuns, StoreCells
from gatewalk.analysis.curves import NUMBERS, Curves, curves, labelling, searches_along
from gatewalk.analysis.distribution_figures import law_times
from gatewalk.analysis.exact_distributions import ExactFit, ExactFits, corrected, exact_fit
from gatewalk.analysis.known_times import Bound, exact_time_and_law, upper_bound
from gatewalk.analysis.style import AXIS_WORDS
from gatewalk.numbers import all_finite, counted, finite
from gatewalk.search.options import SEED, Search, law_text
from gatewalk.search.scheduler import OnProgress
from gatewalk.stats.resampling import quick_ert_interval
from gatewalk.stats.sample import Interval, Sample, ert, mean_interval, sample, success_rate
from gatewalk.stats.survival import kaplan_meier, median

if TYPE_CHECKING:
    from gatewalk.theory.chain.distribution import Distribution

NO_RUN = "There is no finished run yet."
MOST_CURVES = 200  # shown in the page
_MOST_CHAINS = 40


def left_out_note(count: int, what: str, why: str = "") -> str:
    """The note that so many more of something are not in the page; empty if all are."""
    return f"{counted(count, f'more {what}')} left out of this page{why}." if count else ""


@dataclass
class KnownTimes:
    """Bounds and exact times of searches, computed once per law, also if the report is renewed many times."""

    bounds: dict[str, Bound | None] = field(default_factory=dict)
    exact: dict[str, tuple[float | None, Distribution | None]] = field(default_factory=dict)
    fits: dict[tuple[str, int, int, int], ExactFit] = field(default_factory=dict)

    def bound(self, search: Search) -> Bound | None:
        """A proven upper bound on the expected iterations."""
        law = law_text(search)
        if law not in self.bounds:
            self.bounds[law] = upper_bound(search)
        return self.bounds[law]

    def exactly(self, search: Search) -> tuple[float | None, Distribution | None]:
        """The expected iterations and their distribution, for at most `_MOST_CHAINS` small chains."""
        law = law_text(search)
        if law not in self.exact:
            if sum(time is not None for time, _ in self.exact.values()) >= _MOST_CHAINS:
                return None, None
            self.exact[law] = exact_time_and_law(search)
        return self.exact[law]

    def fit(self, cell: CellRuns) -> ExactFit:
        """The runs of a cell compared with their chain; tested again only if there are more of them."""
        key = (law_text(cell.search), cell.search.budget, cell.values[SEED.name], cell.runs.runs)
        if key not in self.fits:
            _, law = self.exactly(cell.search)
            self.fits[key] = exact_fit(cell, law or _NO_LAW)
        return replace(self.fits[key], label=cell.label)


def axes_of(cells: StoreCells) -> list[str]:
    """The settings that are useful as an axis: numeric ones that differ; n if none does."""
    axes = []
    for x in ("n", *NUMBERS):
        if any(len(along) > 1 for along in curves(cells.runs, x).values()):
            axes.append(x)
    return axes or ["n"]


def times(
    cells: StoreCells, known: KnownTimes, *, on_progress: OnProgress = lambda share, words: None
) -> dict[str, Any]:
    """Expected running times, their intervals, bounds and exact values, for every axis.

    >>> from gatewalk.analysis.cells import read_cells
    >>> from gatewalk.campaign import campaign, run
    >>> both = campaign(target="and", n=[2, 3], replications=5, seed=7)
    >>> axes = times(read_cells(run(both, jobs=1)), KnownTimes())["axes"]
    >>> axes[0]["words"], axes[0]["curves"][0]["at"]
    ('number of inputs n', [2, 3])
    """
    if not cells.read:
        return {"axes": [], "reason": NO_RUN}
    bands: dict[int, Interval] = {}
    axes = [_axis(cells, x, known, bands, on_progress) for x in axes_of(cells)]
    return {"axes": axes, "reason": ""}


def _axis(
    cells: StoreCells, x: str, known: KnownTimes, bands: dict[int, Interval], on_progress: OnProgress
) -> dict[str, Any]:
    samples, searches = curves(cells.runs, x), searches_along(cells.runs, x)
    names = list(samples)[:MOST_CURVES]
    drawn = []
    for index, name in enumerate(names):
        on_progress(index / len(names), f"intervals, bounds and exact times by {x}: {name}")
        drawn.append(_curve(name, samples[name], searches[name], known, bands))
    return {
        "x": x,
        "words": AXIS_WORDS.get(x, x).replace("\\lambda", "λ").replace("$", ""),
        "curves": drawn,
        "note": left_out_note(len(samples) - len(names), "curve"),
    }


def _curve(
    name: str,
    along: Mapping[int, Sample],
    searches: Mapping[int, Search],
    known: KnownTimes,
    bands: dict[int, Interval],
) -> dict[str, Any]:
    for data in along.values():
        bands.setdefault(id(data), quick_ert_interval(data))  # the same sample may be on several axes
    spans = [bands[id(data)] for data in along.values()]
    bounds = [known.bound(searches[at]) for at in along]
    theorems = sorted({bound.name for bound in bounds if bound is not None})
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
        "bound": all_finite(None if bound is None else bound.value for bound in bounds),
        "boundName": ", ".join(theorems),
        "exact": [finite(known.exactly(searches[at])[0]) for at in along],
    }


def curves_along_n(cells: StoreCells) -> Curves:
    """The curves along n that the page shows."""
    return dict(list(curves(cells.runs).items())[:MOST_CURVES])


MOST_CELLS = 500
_POINTS = 24_000  # steps in the page, over all cells
_FEWEST, _MOST = 24, 250  # steps of a cell
_EXACT_POINTS = 60


def distributions(
    cells: StoreCells, known: KnownTimes, *, on_progress: OnProgress = lambda share, words: None
) -> dict[str, Any]:
    """The steps of every cell, with some left out to keep the page small, and how well they fit their chain.

    >>> from gatewalk.analysis.cells import read_cells
    >>> from gatewalk.campaign import campaign, run
    >>> cells = read_cells(run(campaign(target="and:2", replications=5, seed=7), jobs=1))
    >>> distributions(cells, KnownTimes())["cells"][0]["share"][-1]
    1
    """
    if not cells.read:
        return {"cells": [], "reason": NO_RUN, "note": "", "fits": "", "unsolved": ""}
    shown = cells.runs[:MOST_CELLS]
    points = min(_MOST, max(_FEWEST, _POINTS // len(shown)))
    single = []
    for index, cell in enumerate(shown):
        on_progress(index / len(shown), f"comparing runs with exact distributions: {cell.label}")
        single.append(known.fit(cell))
    fits = corrected(single)
    return {
        "cells": [_steps(cell, fit, points) for cell, fit in zip(shown, fits.cells, strict=True)],
        "reason": "",
        "note": left_out_note(len(cells.runs) - len(shown) + cells.unread, "cell"),
        "fits": fits.meaning,
        "unsolved": _unsolved(fits),
    }


_NO_LAW = "it is not computed for a page"


def _unsolved(fits: ExactFits) -> str:
    """How many cells have no exact distribution, and how to get it."""
    lacking = sum(fit.law is None for fit in fits.cells)
    if not lacking:
        return ""
    return (
        f"{counted(lacking, 'cell')} without an exact distribution: a page solves only chains that take a "
        "moment. gatewalk campaign plot STORE --kind distribution solves larger ones, or says what they take."
    )


def _steps(cell: CellRuns, fit: ExactFit, points: int) -> dict[str, Any]:
    curve = kaplan_meier(cell.runs)
    shown = _spread(curve.times.size, points)
    law = fit.law
    return {
        "name": cell.label,
        "n": cell.values["n"],
        "runs": cell.runs.runs,
        "solved": cell.runs.successes,
        "times": all_finite(curve.times[shown]),
        "share": all_finite(1 - curve.values[shown], 4),
        "low": all_finite(1 - curve.high[shown], 4),
        "high": all_finite(1 - curve.low[shown], 4),
        "thinned": len(shown) < curve.times.size,
        "exact": None if law is None else _exact(law, longest=2 * float(cell.runs.iterations.max()) + 1),
        "fit": None if fit.p_holm is None else [finite(fit.distance, 3), finite(fit.p_holm, 3), fit.differs],
    }


def _spread(size: int, points: int) -> Any:
    """Indices of the steps that are shown: evenly spaced, with the first and the last among them."""
    return np.unique(np.linspace(0, size - 1, min(size, points)).round().astype(np.int64))


def _exact(law: Distribution, *, longest: float) -> list[list[float | int | None]]:
    times = law_times(law, longest, points=_EXACT_POINTS)
    return [all_finite(times), [finite(law.cumulative(time), 4) for time in times]]


def generalisation(cells: StoreCells) -> dict[str, Any]:
    """The share of right outputs on validation sets, by cell; cells trained on complete sets have none.

    >>> from gatewalk.analysis.cells import read_cells
    >>> from gatewalk.campaign import campaign, run
    >>> sampled = campaign(target="and:6", training="sample:20", replications=5, seed=7)
    >>> [row["n"] for row in generalisation(read_cells(run(sampled, jobs=1)))["rows"]]
    [6]
    """
    shown = [cell for cell in cells.runs if not np.isnan(_shares(cell)).all()][:MOST_CELLS]
    if not shown:
        reason = "Every training set is complete: there are no unseen rows, and nothing to generalise to."
        return {"rows": [], "reason": reason if cells.read else NO_RUN}
    curve_of = labelling(shown, "n")
    return {"rows": [_row(cell, curve_of(cell)) for cell in shown], "reason": ""}


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
