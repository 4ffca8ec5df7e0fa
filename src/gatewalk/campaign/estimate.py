"""How long a campaign may take, from a short trial of each cell."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from gatewalk.campaign.plan import Cell
from gatewalk.campaign.store import SECONDS_TO_STORE
from gatewalk.search.course import advance_course, course_of

_ALL_TRIALS = 5.0  # seconds for the trials of all cells together
_LONGEST_TRIAL = 0.2
_MOST_TRIALS = 256
_SLICE = 64  # iterations of the first slice of a trial
_RUNS = 10_000  # runs that a trial takes on at once


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """How many seconds runs take.

    likely: the expected seconds; None if unknown. most: the seconds if every run used its whole budget.
    """

    likely: float | None
    most: float


def estimates(cells: Sequence[Cell], runs: Sequence[int]) -> list[Estimate | None]:
    """For each cell, an estimate of the time for so many of its runs on one processor, from a short trial.

    If no run of the trial ended, `likely` is None. If there are many cells, only some of them, evenly spread,
    are tried; the estimate of the others is None.
    """
    step = -(-len(cells) // _MOST_TRIALS)
    trial = min(_LONGEST_TRIAL, _ALL_TRIALS / max(1, min(len(cells), _MOST_TRIALS)))
    return [
        _estimate(cell, count, trial) if place % step == 0 else None
        for place, (cell, count) in enumerate(zip(cells, runs, strict=True))
    ]


def _estimate(cell: Cell, runs: int, trial: float) -> Estimate:
    warm = course_of(cell.settings, seed=cell.seed, runs=(0,))
    advance_course(warm, 1)  # load the kernels before the time is measured
    began = time.perf_counter()
    spent, ended, iterations, size = 0.0, 0, 0, _SLICE
    course = course_of(cell.settings, seed=cell.seed, runs=range(_RUNS))
    while spent < trial:
        at = time.perf_counter()
        found = advance_course(course, size)
        if found is not None:
            ended += len(found)
            iterations += sum(found.iterations.tolist())
        if course.is_over:
            course = course_of(cell.settings, seed=cell.seed, runs=range(ended, ended + _RUNS))
        elif time.perf_counter() - at < trial / 16:
            size *= 2
        spent = time.perf_counter() - began
    if course.session is not None:
        iterations += course.session.iterations
    most = runs * cell.settings.budget * spent / max(1, iterations)
    # The time of the run that the trial cut short counts, too: it was spent to get the runs that ended.
    likely = min(most, runs * spent / ended) if ended else None
    return Estimate(likely=likely, most=most)


def together(found: Sequence[Estimate | None], runs: Sequence[int], *, threads: int) -> Estimate:
    """An estimate for all cells together, on so many threads, of which only one stores runs.

    Cells without an estimate count as the average of the others.
    """
    storing = sum(runs) * SECONDS_TO_STORE
    tried = [(one, count) for one, count in zip(found, runs, strict=True) if one is not None]
    share = len(tried) / max(1, len(found)) * threads
    most = max(storing, sum(one.most for one, _ in tried) / max(share, 1e-9))
    if any(one.likely is None and count for one, count in tried):
        return Estimate(likely=None, most=most)
    likely = sum(one.likely or 0.0 for one, _ in tried) / max(share, 1e-9)
    return Estimate(likely=max(storing, likely), most=most)
