"""What is still to do, cut into batches of about a second by what each cell's runs have taken so far."""

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

# However short its runs: what a few batches bring is stored in a fraction of a second, so that Ctrl-C is
# answered soon, and the runs in memory stay few.
_LARGEST_BATCH = 16_384
_LARGEST_PROGRAMS = 1 << 25  # bytes, of all programs of a batch


@dataclass
class Tally:
    """How far a cell is: runs asked for and stored, and what those finished now took."""

    planned: int
    stored: int
    solved: int
    seconds: float  # of the stored runs, all their lives
    finished_now: int = 0
    spent_now: float = 0.0
    program_bytes_now: int = 0
    pace: float = 0.0
    began: float | None = None  # when its first batch was made, by time.perf_counter


@dataclass
class Backlog:
    """The work left. `again` holds what came back unfinished and goes first; `fresh`, runs of `current`."""

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
    """All that the store lacks of these cells."""
    backlog = Backlog(connection, cells, numbers, traces, seconds, limit)
    stored = {cell.number: cell for cell in stored_cells(connection)}
    for cell, number in zip(cells, numbers, strict=True):
        there = stored[number]
        finished, solved, taken, traced = there.finished, there.solved, there.seconds, there.traced
        if traces and finished:  # runs without a trace are done again
            solved, taken, finished = solved * traced // finished, taken * traced / finished, traced
        backlog.tallies.append(Tally(cell.replications, finished, solved, taken))
    return backlog


def next_batch(backlog: Backlog) -> Batch | None:
    """The next piece of work; None if there is none left to begin."""
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
    """Count what was finished and put the rest in front."""
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
    """Take up what the next cell lacks: runs on their way first, the others as ranges between them."""
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
    """The first `count` runs, or as many as there are; a range if they are one."""
    taken: list[range] = []
    while fresh and count:
        gap = fresh.popleft()
        if len(gap) > count:
            fresh.appendleft(gap[count:])
        taken.append(gap[:count])
        count -= len(taken[-1])
    return taken[0] if len(taken) == 1 else tuple(chain.from_iterable(taken))


def _batch_size(backlog: Backlog, tally: Tally) -> int:
    """As many runs as are done in the time of a batch; few until it is known how long they take."""
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
