"""Batches: runs of one search that take about half a second, on a thread or on a cluster.

A batch advances in slices, so it can stop at any time. It hands back the finished runs, the numbers of those
not begun, and the unfinished run as a saved session. Where a batch is cut does not change the runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.errors import InputError
from gatewalk.search.columns import check_values
from gatewalk.search.options import Search
from gatewalk.search.runs import RUN_COLUMNS, Improvements, Runs
from gatewalk.search.scheduler import SLICE_SECONDS, Slice, Stop
from gatewalk.search.seeds import LAW_VERSION
from gatewalk.search.session import Session, advance_runs, session_of

if TYPE_CHECKING:
    from gatewalk.cgp.operators import OwnObserver

BATCH_SECONDS = 0.5
_FIRST_SLICE = 16  # programs of a slice while the speed of a search is unknown
_FIRST_BATCH = 2  # runs
# The most runs of a batch, however short they are. A few batches are then stored in a fraction of a second,
# so Ctrl-C is answered soon, and few runs are in memory at a time.
_LARGEST_BATCH = 16_384
_LARGEST_PROGRAMS = 1 << 25  # the most bytes that all programs of a batch take together


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """An unfinished run: its number, the saved session, and the seconds spent on it."""

    run: int
    state: bytes
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Runs of one search to do; the first of them may continue from a checkpoint.

    cell: a number by which the one who made the batch knows it.
    improvements: whether those of the runs are wanted.
    observer: who watches the runs. They are then done in one go, as what it has seen is not saved with a run.
    pace: programs per second as measured before; 0 if unknown.
    seconds: after how long finished runs are handed over. limit: after how long an unfinished run is.
    """

    search: Search
    seed: int
    runs: Sequence[int]
    cell: int = 0
    checkpoint: Checkpoint | None = None
    improvements: bool = True
    pace: float = 0.0
    seconds: float = BATCH_SECONDS
    limit: float = inf
    observer: OwnObserver | None = None


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a batch.

    parts: the finished runs. left: the numbers of the runs not begun. checkpoint: the unfinished run, if any.
    pace: programs per second as now measured. spent: the seconds that it took.
    """

    cell: int
    parts: tuple[Runs, ...]
    left: Sequence[int]
    checkpoint: Checkpoint | None
    pace: float
    spent: float
    law_version: int = LAW_VERSION

    @property
    def finished(self) -> int:
        """How many runs were finished."""
        return sum(len(part) for part in self.parts)


def run_batch(
    batch: Batch, stop: Stop = lambda: False, on_slice: Callable[[Session], None] = lambda session: None
) -> Outcome:
    """Do a batch until it is done, its time is up, or `stop` says so; both are called after every slice."""
    began = time.perf_counter()
    session = _session(batch)
    piece = Slice(max(_FIRST_SLICE, int(batch.pace * SLICE_SECONDS)))
    parts: list[Runs] = []
    while True:
        before, sliced = session.programs, time.perf_counter()
        finished = advance_runs(session, piece.steps)
        now = time.perf_counter()
        piece.took(session.programs - before, seconds=now - sliced)
        if finished is not None:
            parts.append(finished if batch.improvements else _without_improvements(finished))
        on_slice(session)
        spent = now - began
        is_due = spent > batch.limit or (bool(parts) and spent > batch.seconds)
        is_due = is_due and batch.observer is None
        if stop() or is_due or session.delivered == len(session.runs):
            break
    checkpoint = None
    if session.is_under_way:
        from gatewalk.search.saving import save

        checkpoint = Checkpoint(run=session.run, state=save(session), seconds=session.seconds)
    return Outcome(
        cell=batch.cell,
        parts=tuple(parts),
        left=session.not_begun,
        checkpoint=checkpoint,
        pace=piece.steps / SLICE_SECONDS,
        spent=spent,
    )


def _session(batch: Batch) -> Session:
    """The runs of a batch. A run whose checkpoint is damaged starts anew, with the same result."""
    if batch.checkpoint is not None:
        from gatewalk.search.saving import restore

        with suppress(InputError):
            session = restore(batch.search, batch.checkpoint.state)
            if (session.seed, session.run) == (batch.seed, batch.checkpoint.run):
                return replace(session, runs=batch.runs)
    return session_of(batch.search, seed=batch.seed, runs=batch.runs, observer=batch.observer)


def _without_improvements(runs: Runs) -> Runs:
    none: Improvements = ()
    return replace(runs, improvements=[none] * len(runs))


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


def _check_part(batch: Batch, runs: Runs) -> list[int]:
    """Refuse runs that are not of the batch or have impossible values; returns their numbers."""
    if runs.search != batch.search or runs.seed != batch.seed:
        raise InputError("a worker sent runs with settings that it was not given")
    for column in RUN_COLUMNS:
        values = list(runs.values(column.name))
        if len(values) != len(runs):
            raise InputError(f"a worker sent {len(values)} values of {column.name} for {len(runs)} runs")
        check_values(column, values)
    if len(runs.programs) != len(runs) or len(runs.improvements) != len(runs):
        raise InputError("a worker sent runs without their programs or traces")
    batch.search.check_programs(runs.programs)
    numbers: list[int] = runs.run.tolist()
    return numbers


@dataclass
class Pending:
    """The runs of one search that are left to do, handed out in batches.

    cell, improvements, seconds, limit, observer: those of every `Batch`.
    fresh: the runs that were not yet in a batch. again: those that came back unfinished, which go first.
    finished, spent, bytes, pace: what was learnt from the runs so far; the size of a batch follows from it.
    """

    search: Search
    seed: int
    fresh: list[Sequence[int]]
    again: list[tuple[Sequence[int], Checkpoint | None]] = field(default_factory=list)
    cell: int = 0
    improvements: bool = True
    seconds: float = BATCH_SECONDS
    limit: float = inf
    observer: OwnObserver | None = None
    finished: int = 0
    spent: float = 0.0
    bytes: int = 0
    pace: float = 0.0

    def next_batch(self, *, workers: int) -> Batch | None:
        """The next batch, at most an equal share for each worker; None if there is nothing to begin."""
        checkpoint = None
        if self.again:
            runs, checkpoint = self.again.pop(0)
        elif self.fresh:
            left = sum(map(len, self.fresh))
            runs = _taken(self.fresh, min(self._size(), -(-left // max(1, workers))))
        else:
            return None
        return Batch(
            search=self.search,
            seed=self.seed,
            runs=runs,
            cell=self.cell,
            checkpoint=checkpoint,
            improvements=self.improvements,
            pace=self.pace,
            seconds=self.seconds,
            limit=self.limit,
            observer=self.observer,
        )

    def record(self, outcome: Outcome) -> None:
        """Learn from an outcome, and put its unfinished runs at the front."""
        self.finished += outcome.finished
        self.spent += outcome.spent
        self.bytes += sum(_program_bytes(part) for part in outcome.parts)
        self.pace = outcome.pace
        if outcome.checkpoint is not None:
            self.again.append(((outcome.checkpoint.run,), outcome.checkpoint))
        if outcome.left:
            self.again.append((outcome.left, None))

    def _size(self) -> int:
        """How many runs fit the time of a batch; few until their time is known."""
        if not self.finished:
            return _FIRST_BATCH
        size = int(self.seconds * self.finished / max(self.spent, 1e-9))
        fitting = _LARGEST_PROGRAMS * self.finished // max(self.bytes, 1)
        return max(1, min(size, 8 * self.finished, fitting, _LARGEST_BATCH))


def _taken(fresh: list[Sequence[int]], count: int) -> Sequence[int]:
    """The first `count` runs, or as many as there are; as one range if possible."""
    taken: list[Sequence[int]] = []
    while fresh and count:
        runs = fresh.pop(0)
        if len(runs) > count:
            fresh.insert(0, runs[count:])
        taken.append(runs[:count])
        count -= len(taken[-1])
    return taken[0] if len(taken) == 1 else tuple(chain.from_iterable(taken))


def _program_bytes(runs: Runs) -> int:
    """The bytes that the programs take; if they are long, they take most of the memory."""
    if isinstance(runs.programs, np.ndarray):
        return runs.programs.nbytes
    return sum(program.nbytes for program in runs.programs)
