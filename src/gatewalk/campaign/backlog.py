"""What is still to do, cut into batches of about a second by what each cell's runs have taken so far."""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from gatewalk.campaign.plan import Cell
from gatewalk.campaign.store import Checkpoint, checkpoints, missing_runs
from gatewalk.campaign.work import Batch, Outcome

_LARGEST_BATCH = 5000


@dataclass
class Tally:
    """How far a cell is: runs asked for and stored, and what those finished now took."""

    planned: int
    stored: int
    solved: int
    seconds: float  # of the stored runs, all their lives
    finished_now: int = 0
    spent_now: float = 0.0
    pace: float = 0.0
    began: float | None = None  # when its first batch was made, by time.perf_counter


@dataclass
class Backlog:
    """The work left. `again` holds what came back unfinished and goes first."""

    connection: sqlite3.Connection
    cells: Sequence[Cell]
    numbers: Sequence[int]
    traces: bool
    seconds: float
    limit: float
    tallies: list[Tally] = field(default_factory=list)
    again: deque[tuple[int, tuple[int, ...], Checkpoint | None]] = field(default_factory=deque)
    current: int = -1
    fresh: deque[int] = field(default_factory=deque)


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
    for cell, number in zip(cells, numbers, strict=True):
        finished, solved, taken = connection.execute(
            "SELECT finished, solved, seconds FROM cell WHERE id = ?", (number,)
        ).fetchone()
        if traces and finished:  # runs without a trace are done again
            query = "SELECT count(*) FROM run JOIN trace ON trace.run = run.id WHERE cell = ?"
            (traced,) = connection.execute(query, (number,)).fetchone()
            solved, taken, finished = solved * traced // finished, taken * traced / finished, traced
        backlog.tallies.append(Tally(cell.replications, finished, solved, taken))
    return backlog


def next_batch(backlog: Backlog) -> Batch | None:
    """The next piece of work; None if there is none left to begin."""
    if backlog.again:
        return _batch(backlog, *backlog.again.popleft())
    while not backlog.fresh:
        if backlog.current + 1 >= len(backlog.cells):
            return None
        backlog.current += 1
        _open_cell(backlog)
        if backlog.again:
            return _batch(backlog, *backlog.again.popleft())
    count = min(_batch_size(backlog, backlog.tallies[backlog.current]), len(backlog.fresh))
    runs = tuple(backlog.fresh.popleft() for _ in range(count))
    return _batch(backlog, backlog.current, runs, None)


def take_back(backlog: Backlog, outcome: Outcome) -> None:
    """Count what was finished and put the rest in front."""
    tally = backlog.tallies[outcome.cell]
    tally.stored += len(outcome.rows)
    tally.solved += sum(row.solved for row in outcome.rows)
    tally.seconds += sum(row.seconds for row in outcome.rows)
    tally.finished_now += len(outcome.rows)
    tally.spent_now += outcome.spent
    tally.pace = outcome.pace
    if outcome.checkpoint is not None:
        backlog.again.append((outcome.cell, (outcome.checkpoint.run,), outcome.checkpoint))
    if outcome.left:
        backlog.again.append((outcome.cell, outcome.left, None))


def _open_cell(backlog: Backlog) -> None:
    cell, number = backlog.cells[backlog.current], backlog.numbers[backlog.current]
    missing = missing_runs(backlog.connection, number, cell.replications, traces=backlog.traces)
    if not missing:
        return
    kept = {c.run: c for c in checkpoints(backlog.connection, number)}
    for run in missing:
        if run in kept:
            backlog.again.append((backlog.current, (run,), kept[run]))
        else:
            backlog.fresh.append(run)


def _batch_size(backlog: Backlog, tally: Tally) -> int:
    """As many runs as are done in the time of a batch; few until it is known how long they take."""
    if not tally.finished_now:
        return 2
    size = int(backlog.seconds * tally.finished_now / max(tally.spent_now, 1e-9))
    return max(1, min(size, 8 * tally.finished_now, _LARGEST_BATCH))


def _batch(backlog: Backlog, cell: int, runs: tuple[int, ...], checkpoint: Checkpoint | None) -> Batch:
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
