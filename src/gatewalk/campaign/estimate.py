"""How long a campaign may take, from a short trial of each cell."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from gatewalk.campaign.plan import Cell
from gatewalk.search.session import advance, begin

_ALL_TRIALS = 5.0  # seconds
_LONGEST_TRIAL = 0.2
_SLICE = 64


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """Seconds of one processor for the runs of a cell.

    likely: by the mean of the trial's runs; None if none of them ended. most: if every run used
    its whole budget.
    """

    likely: float | None
    most: float


def estimates(cells: Sequence[Cell], runs: Sequence[int]) -> list[Estimate]:
    """An estimate per cell for that many runs of it."""
    trial = min(_LONGEST_TRIAL, _ALL_TRIALS / max(1, len(cells)))
    return [_estimate(cell, count, trial) for cell, count in zip(cells, runs, strict=True)]


def _estimate(cell: Cell, runs: int, trial: float) -> Estimate:
    warm = begin(cell.settings, seed=cell.seed, run=0)
    advance(warm, _SLICE)  # compiles, which is not to be counted
    began = time.perf_counter()
    iterations, ended, spent_on_ended, walking = 0, 0, 0.0, 1e-9
    while True:
        session = begin(cell.settings, seed=cell.seed, run=ended)
        at, size = time.perf_counter(), _SLICE
        while not session.finished and time.perf_counter() - began < trial:
            advance(session, size)
            size *= 2 if time.perf_counter() - at < trial / 8 else 1
        now = time.perf_counter()
        walking += now - at
        iterations += session.iterations
        if session.finished:
            ended, spent_on_ended = ended + 1, now - began
        if now - began >= trial:
            pace = max(iterations, 1) / walking
            most = runs * cell.settings.budget / pace
            # A run the trial cut short is part of the time that was needed for those that ended.
            likely = (
                runs * (now - began if not session.finished else spent_on_ended) / ended if ended else None
            )
            return Estimate(likely=None if likely is None else min(likely, most), most=most)
