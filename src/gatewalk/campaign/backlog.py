"""The runs that a campaign still has to do, cut into batches of about a second.

How many runs make a batch follows from how long the runs of the cell have taken so far.
"""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from gatewalk.campaign.batch import Batch, Outcome
from gatewalk.campaign.plan import Cell
from gatewalk.campaign.store import missing_runs
from gatewalk.campaign.stored import Checkpoint, checkpoints
from gatewalk.campaign.stored import cells as stored_cells

# The most runs of a batch, however short they are. A few batches are then stored in a fraction of a second,
# so Ctrl-C is answered soon, and few runs are in memory at a time.
_LARGEST_BATCH = 16_384
_LARGEST_PROGRAMS = 1 << 25  # the most bytes that all programs of a batch take together


@dataclass
class Tally:
    """How far a cell is: the runs planned and stored, and the cost of those finished by this invocation."""

    planned: int
    stored: int
    solved: int
    seconds: float  # spent on all stored runs, also by earlier invocations
    finished_now: int = 0
    spent_now: float = 0.0
    program_bytes_now: int = 0
    pace: float = 0.0
    began: float | None = None  # the time.perf_counter() of its first batch


@dataclass
class Backlog:
    """The runs left to do.

    again: runs that came back unfinished, which go first. current, fresh: the cell now cut into batches, and
    its runs that are not yet in a batch. seconds, limit: those of every `Batch`.
    """

    connection: sqlite3.Connection
    cells: Sequence[Cell]
    numbers: Sequence[int]
    traces: bool
    seconds: float
    limit: float
    tallies: list[Tally] = field(default_factory=list)
    again: deque[tuple[int, Sequence[int], Checkpoint | None]] = field(default_factory=deque)
    current: int = -1
    fresh: deque[range] = field(default_factory=deque)


def backlog_of(
    connection: sqlite3.Connection,
    cells: Sequence[Cell],
    numbers: Sequence[int],
    *,
    traces: bool,
    seconds: float,
    limit: float,
) -> Backlog:
    """The runs of these cells that the store does not have."""
    backlog = Backlog(connection, cells, numbers, traces, seconds, limit)
    stored = {cell.number: cell for cell in stored_cells(connection)}
    for cell, number in zip(cells, numbers, strict=True):
        there = stored[number]
        finished, solved, taken, traced = there.finished, there.solved, there.seconds, there.traced
        if traces and finished:  # runs that were stored without a trace are repeated
            solved, taken, finished = solved * traced // finished, taken * traced / finished, traced
        backlog.tallies.append(Tally(cell.replications, finished, solved, taken))
    return backlog


def next_batch(backlog: Backlog) -> Batch | None:
    """The next batch; None if there is nothing left to begin."""
    while not backlog.again and not backlog.fresh:
        if backlog.current + 1 >= len(backlog.cells):
            return None
        backlog.current += 1
        _open_cell(backlog)
    if backlog.again:
        return _batch(backlog, *backlog.again.popleft())
    runs = _take(backlog.fresh, _batch_size(backlog, backlog.tallies[backlog.current]))
    return _batch(backlog, backlog.current, runs, None)


def take_back(backlog: Backlog, outcome: Outcome) -> None:
    """Count the finished runs of an outcome, and put its unfinished runs at the front."""
    tally = backlog.tallies[outcome.cell]
    tally.stored += outcome.finished
    for part in outcome.parts:
        tally.solved += int(part.runs.solved.sum())
        tally.seconds += float(part.runs.seconds.sum())
        tally.program_bytes_now += part.program_bytes
    tally.finished_now += outcome.finished
    tally.spent_now += outcome.spent
    tally.pace = outcome.pace
    if outcome.checkpoint is not None:
        backlog.again.append((outcome.cell, (outcome.checkpoint.run,), outcome.checkpoint))
    if outcome.left:
        backlog.again.append((outcome.cell, outcome.left, None))


def _open_cell(backlog: Backlog) -> None:
    """Begin the next cell: list its missing runs, those with a checkpoint first."""
    cell, number = backlog.cells[backlog.current], backlog.numbers[backlog.current]
    kept = checkpoints(backlog.connection, number)
    for gap in missing_runs(backlog.connection, number, cell.replications, traces=backlog.traces):
        first = gap.start
        for checkpoint in kept:
            if checkpoint.run in gap:
                backlog.again.append((backlog.current, (checkpoint.run,), checkpoint))
                backlog.fresh.append(range(first, checkpoint.run))
                first = checkpoint.run + 1
        backlog.fresh.append(range(first, gap.stop))
    backlog.fresh = deque(runs for runs in backlog.fresh if runs)


def _take(fresh: deque[range], count: int) -> Sequence[int]:
    """The first `count` runs, or as many as there are; as one range if possible."""
    taken: list[range] = []
    while fresh and count:
        gap = fresh.popleft()
        if len(gap) > count:
            fresh.appendleft(gap[count:])
        taken.append(gap[:count])
        count -= len(taken[-1])
    return taken[0] if len(taken) == 1 else tuple(chain.from_iterable(taken))


def _batch_size(backlog: Backlog, tally: Tally) -> int:
    """How many runs fit the time of a batch; few until the cell's pace is known."""
    if not tally.finished_now:
        return 2
    size = int(backlog.seconds * tally.finished_now / max(tally.spent_now, 1e-9))
    fitting = _LARGEST_PROGRAMS * tally.finished_now // max(tally.program_bytes_now, 1)
    return max(1, min(size, 8 * tally.finished_now, fitting, _LARGEST_BATCH))


def _batch(backlog: Backlog, cell: int, runs: Sequence[int], checkpoint: Checkpoint | None) -> Batch:
    planned, tally = backlog.cells[cell], backlog.tallies[cell]
    if tally.began is None:
        tally.began = time.perf_counter()
    return Batch(
        cell=cell,
        settings=planned.settings,
        seed=planned.seed,
        runs=runs,
        checkpoint=checkpoint,
        traces=backlog.traces,
        pace=tally.pace,
        seconds=backlog.seconds,
        limit=backlog.limit,
    )
