"""What an executor runs, wherever it is: a batch of runs of one cell, for about a second.

A batch advances in slices of a twentieth of a second, so that it can stop at any time: when its time is up
it hands back what is finished, what was not begun, and the run on its way as a saved session. That is the
same piece of work on a thread and on a cluster, and the runs do not depend on where the cuts fall.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gatewalk.campaign.finished import Finished, finished
from gatewalk.campaign.identity import LAW_VERSION
from gatewalk.campaign.stored import Checkpoint
from gatewalk.search.course import Course, advance_course, course_of, resumed
from gatewalk.search.runs import Runs
from gatewalk.search.saving import restore, save
from gatewalk.search.settings import Settings

SLICE_SECONDS = 0.05
_FIRST_SLICE = 16  # iterations, until the speed of a cell is known


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Runs of one cell to do, the first of them perhaps from a checkpoint.

    pace: iterations a second, as measured before; 0 if unknown.
    seconds: when to hand finished runs over. limit: when to hand over a run on its way.
    """

    cell: int
    settings: Settings
    seed: int
    runs: Sequence[int]
    checkpoint: Checkpoint | None = None
    traces: bool = False
    pace: float = 0.0
    seconds: float = 0.5
    limit: float = 60.0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a batch. pace: iterations a second as now measured; spent: seconds it took."""

    cell: int
    parts: tuple[Finished, ...]
    left: Sequence[int]
    checkpoint: Checkpoint | None
    pace: float
    spent: float
    law_version: int = LAW_VERSION

    @property
    def finished(self) -> int:
        """How many runs are over."""
        return sum(len(part) for part in self.parts)


def work(batch: Batch, stop: Callable[[], bool] = lambda: False) -> Outcome:
    """Do a batch until it is done, its time is up or `stop`, asked after every slice, says so."""
    began = time.perf_counter()
    course, pace = _course(batch), batch.pace
    parts: list[Finished] = []
    spent = 0.0
    while not course.is_over:
        runs, pace = _slice(course, pace)
        if runs is not None:
            parts.append(finished(runs, traces=batch.traces))
        spent = time.perf_counter() - began
        if stop() or spent > batch.limit or (parts and spent > batch.seconds):
            break
    checkpoint = None
    if course.session is not None:
        session = course.session
        checkpoint = Checkpoint(run=session.run, state=save(session), seconds=session.seconds)
    return Outcome(
        cell=batch.cell,
        parts=tuple(parts),
        left=course.not_begun,
        checkpoint=checkpoint,
        pace=pace,
        spent=spent,
    )


def _course(batch: Batch) -> Course:
    if batch.checkpoint is None:
        return course_of(batch.settings, seed=batch.seed, runs=batch.runs)
    return resumed(restore(batch.settings, batch.checkpoint.state), runs=batch.runs[1:])


def _slice(course: Course, pace: float) -> tuple[Runs | None, float]:
    """Advance for about `SLICE_SECONDS` at this pace; returns what was finished and the pace as measured."""
    before, began = _under_way(course), time.perf_counter()
    runs = advance_course(course, max(_FIRST_SLICE, int(pace * SLICE_SECONDS)))
    seconds = time.perf_counter() - began
    done = _under_way(course) - before + (0 if runs is None else sum(runs.evaluations.tolist()))
    if done < _FIRST_SLICE or seconds <= 0:
        return runs, pace
    # A first slice may be far from typical (it loads kernels): speed up by degrees, slow down at once.
    return runs, min(done / seconds, 8 * max(pace, _FIRST_SLICE / SLICE_SECONDS))


def _under_way(course: Course) -> int:
    """Programs made by the run that is under way."""
    return 0 if course.session is None else course.session.walk.offspring
