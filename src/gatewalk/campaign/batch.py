"""A batch: runs of one cell that an executor does in about a second, on a thread or on a cluster.

A batch advances in slices of a twentieth of a second, so it can stop at any time. When its time is up, it
hands back the finished runs, the numbers of the runs not begun, and the unfinished run as a saved session.
Where a batch is cut does not change the runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from gatewalk.campaign.plan import LAW_VERSION
from gatewalk.campaign.store import Checkpoint, FinishedRuns, finished
from gatewalk.errors import InputError
from gatewalk.search.algorithms import algorithm_of
from gatewalk.search.options import check_values
from gatewalk.search.runs import RUN_COLUMNS, Runs
from gatewalk.search.saving import restore, save
from gatewalk.search.session import Course, advance_course, course_of, resumed
from gatewalk.search.settings import Settings

SLICE_SECONDS = 0.05
_FIRST_SLICE = 16  # iterations of a slice while the speed of a cell is unknown


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Runs of one cell to do; the first of them may continue from a checkpoint.

    pace: iterations per second as measured before; 0 if unknown. seconds: after how long finished runs are
    handed over. limit: after how long an unfinished run is handed over as a checkpoint.
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
    """The result of a batch.

    parts: the finished runs. left: the numbers of the runs not begun. checkpoint: the unfinished run, if any.
    pace: iterations per second as now measured. spent: the seconds that it took.
    """

    cell: int
    parts: tuple[FinishedRuns, ...]
    left: Sequence[int]
    checkpoint: Checkpoint | None
    pace: float
    spent: float
    law_version: int = LAW_VERSION

    @property
    def finished(self) -> int:
        """How many runs were finished."""
        return sum(len(part) for part in self.parts)


def run_batch(batch: Batch, stop: Callable[[], bool] = lambda: False) -> Outcome:
    """Run a batch until it is done, its time is up, or `stop`, which is called after every slice, says so."""
    began = time.perf_counter()
    course = _course(batch)
    pace = batch.pace
    parts: list[FinishedRuns] = []
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
    """The runs of a batch. A run whose checkpoint is damaged starts anew, with the same result."""
    kept = batch.checkpoint
    if kept is not None:
        with suppress(InputError):
            session = restore(batch.settings, kept.state)
            if (session.seed, session.run) == (batch.seed, kept.run):
                return resumed(session, runs=batch.runs[1:])
    return course_of(batch.settings, seed=batch.seed, runs=batch.runs)


def check_outcome(batch: Batch, outcome: object) -> Outcome:
    """Check that an outcome from another machine can belong to this batch; else raise `InputError`."""
    if not isinstance(outcome, Outcome) or outcome.cell != batch.cell:
        raise InputError("a worker did not send the outcome of its batch")
    numbers = [number for part in outcome.parts for number in _check_part(batch, part)]
    numbers += outcome.left
    if outcome.checkpoint is not None:
        numbers.append(outcome.checkpoint.run)
    if sorted(numbers) != sorted(batch.runs):
        raise InputError("a worker sent runs that it was not given")
    return outcome


def _check_part(batch: Batch, part: FinishedRuns) -> list[int]:
    """Refuse runs that are not of the batch or have impossible values; returns their numbers."""
    runs = part.runs
    if runs.settings != batch.settings or runs.seed != batch.seed:
        raise InputError("a worker sent runs with settings that it was not given")
    for column in RUN_COLUMNS:
        values = list(runs.values(column.name))
        if len(values) != len(runs):
            raise InputError(f"a worker sent {len(values)} values of {column.name} for {len(runs)} runs")
        check_values(column, values)
    if len(runs.programs) != len(runs) or (part.traces is not None and len(part.traces) != len(runs)):
        raise InputError("a worker sent runs without their programs or traces")
    algorithm_of(batch.settings).check_programs(batch.settings, runs.programs)
    numbers: list[int] = runs.run.tolist()
    return numbers


def _slice(course: Course, pace: float) -> tuple[Runs | None, float]:
    """Advance for about `SLICE_SECONDS` at this pace; returns the finished runs and the measured pace."""
    before, began = _under_way(course), time.perf_counter()
    runs = advance_course(course, max(_FIRST_SLICE, int(pace * SLICE_SECONDS)))
    seconds = time.perf_counter() - began
    done = _under_way(course) - before + (0 if runs is None else sum(runs.evaluations.tolist()))
    if done < _FIRST_SLICE or seconds <= 0:
        return runs, pace
    # The first slice is not typical, because it loads kernels: speed up by degrees, slow down at once.
    return runs, min(done / seconds, 8 * max(pace, _FIRST_SLICE / SLICE_SECONDS))


def _under_way(course: Course) -> int:
    """How many programs the run under way has evaluated."""
    return 0 if course.session is None else course.session.walk.offspring
