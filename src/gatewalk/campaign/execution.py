"""Running a campaign: the missing runs are cut into batches, executed, and stored as they are finished.

Finished runs are written a few times a second, together with the counts of their cells, in one transaction.
Ctrl-C ends the batches within a slice and keeps what they had finished. A killed process loses only the runs
under way and those not yet written; the next invocation repeats them, with the same result. A batch takes
about a second; how many runs that is follows from how long the runs of the cell have taken so far.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gatewalk.campaign.batch import Batch, Outcome
from gatewalk.campaign.cluster import LostCluster
from gatewalk.campaign.executors import CLUSTER, Executor, Inline, on_threads
from gatewalk.campaign.plan import LAW_VERSION, SECONDS_TO_STORE, Cell, plan
from gatewalk.campaign.results import Results
from gatewalk.campaign.spec import Campaign
from gatewalk.campaign.store import (
    Checkpoint,
    FinishedRuns,
    add_runs,
    begin_campaign,
    checkpoints,
    end_campaign,
    enter_cells,
    missing_runs,
    save_checkpoint,
)
from gatewalk.campaign.store import cells as stored_cells
from gatewalk.campaign.store_file import in_memory, writing
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.search.scheduler import threads

# The most runs of a batch, however short they are. A few batches are then stored in a fraction of a second,
# so Ctrl-C is answered soon, and few runs are in memory at a time.
_LARGEST_BATCH = 16_384
_LARGEST_PROGRAMS = 1 << 25  # the most bytes that all programs of a batch take together


@dataclass
class CellProgress:
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
    tallies: list[CellProgress] = field(default_factory=list)
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
        backlog.tallies.append(CellProgress(cell.replications, finished, solved, taken))
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


def record_outcome(backlog: Backlog, outcome: Outcome) -> None:
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


def _batch_size(backlog: Backlog, tally: CellProgress) -> int:
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


_TICK_SECONDS = 0.2
_STORE_SECONDS = 0.3  # seconds between two transactions
_THREAD_BATCH, _CLUSTER_BATCH = 0.5, 1.0  # seconds that a batch takes
_CLUSTER_LIMIT = 5.0  # seconds after which a worker of a cluster hands over an unfinished run
_WORTH_KEEPING = 1.0  # seconds that an unfinished run must have taken to be saved on Ctrl-C


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a campaign is, as its `watch` is told.

    Attributes
    ----------
    cells, tallies
        The cells, and the counts of each.
    workers
        Threads, or workers of Dask.
    seconds
        Since this call began.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> seen = []
    >>> _ = run(campaign(target="and:3", replications=5), jobs=1, watch=seen.append)
    >>> len(seen[-1].cells), seen[-1].workers
    (1, 1)
    """

    cells: Sequence[Cell]
    tallies: Sequence[CellProgress]
    workers: int
    seconds: float

    @property
    def planned(self) -> int:
        return sum(tally.planned for tally in self.tallies)

    @property
    def done(self) -> int:
        return sum(min(tally.stored, tally.planned) for tally in self.tallies)

    @property
    def done_now(self) -> int:
        return sum(tally.finished_now for tally in self.tallies)

    @property
    def rate(self) -> float:
        """Runs a second."""
        return self.done_now / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """An estimate of the seconds left, from the mean time of each cell's runs; None while unknown.

        It is at least the time that one thread needs to store the runs.
        """
        finished = sum(tally.stored for tally in self.tallies)
        if not finished:
            return None
        overall = sum(tally.seconds for tally in self.tallies) / finished
        left, runs = 0.0, 0
        for tally in self.tallies:
            mean = tally.seconds / tally.stored if tally.stored else overall
            left += max(0, tally.planned - tally.stored) * mean
            runs += max(0, tally.planned - tally.stored)
        return max(left / max(1, self.workers), runs * SECONDS_TO_STORE)


Watch = Callable[[Progress], None]


def run(
    campaign: Campaign,
    store: str | os.PathLike[str] | None = None,
    *,
    cells: tuple[Cell, ...] | None = None,
    jobs: int | None = None,
    dask: str | None = None,
    checkpoint_seconds: float = 60.0,
    watch: Watch | None = None,
) -> Results:
    """Do the runs of a campaign that a store lacks.

    Ctrl-C raises KeyboardInterrupt after everything that is finished is stored.

    Parameters
    ----------
    campaign
        The campaign.
    store
        A file, made if it is not there; by default the results live in memory only.
    cells
        The plan of the campaign, if it has been made already.
    jobs
        Threads, by default one per processor; 1 stays in the calling thread.
    dask
        The address of a Dask scheduler, or its scheduler file, instead of threads.
    checkpoint_seconds
        How often long runs are saved.
    watch
        Told about the progress several times a second.

    Returns
    -------
    Results
        Those of the campaign.

    Examples
    --------
    >>> from gatewalk.campaign import campaign
    >>> results = run(campaign(target="and:3", replications=5, seed=7), "and.sqlite", jobs=1)
    >>> len(results)
    5
    """
    threads(jobs)  # checks it
    check_seconds("checkpoint_seconds", checkpoint_seconds)
    if dask is not None:
        need("distributed", "running on a cluster")
    cells = plan(campaign) if cells is None else cells
    keys = tuple(cell.key for cell in cells)

    def fill(connection: sqlite3.Connection) -> None:
        loop = _Loop(cells, connection, campaign, checkpoint_seconds, watch)
        with _interruptible() as interrupted, _executor(jobs, dask, loop.told(interrupted)) as executor:
            loop.go(executor, interrupted)

    if store is not None:
        with writing(store) as connection:
            fill(connection)
        return Results.open(store, keys)
    connection = in_memory()
    try:
        fill(connection)
    except BaseException:
        connection.close()
        raise
    return Results(connection, keys)


def check_seconds(what: str, seconds: float) -> None:
    """Raise `InputError` unless this is a positive number of seconds."""
    if not 0 < seconds < math.inf:
        raise InputError(f"{what} is {seconds}; it must be a number of seconds, more than 0")


@dataclass
class _Loop:
    cells: tuple[Cell, ...]
    connection: sqlite3.Connection
    campaign: Campaign
    checkpoint_seconds: float
    watch: Watch | None
    saved_at: dict[tuple[int, int], float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)
    backlog: Backlog | None = None
    ident: int = 0  # of this call, in the store
    workers: int = 1
    waiting: list[tuple[int, Sequence[FinishedRuns]]] = field(default_factory=list)  # to be stored
    stored_at: float = field(default_factory=time.perf_counter)

    def told(self, interrupted: threading.Event) -> Callable[[], bool]:
        """The `stop` function of a batch in the main thread; it also stores and reports what is finished."""

        def stop() -> bool:
            self._tick()
            return interrupted.is_set()

        return stop

    def report(self) -> None:
        if self.watch and self.backlog:
            seconds = time.perf_counter() - self.began
            tallies = self.backlog.tallies
            self.watch(Progress(cells=self.cells, tallies=tallies, workers=self.workers, seconds=seconds))

    def go(self, executor: Executor, interrupted: threading.Event) -> None:
        numbers = enter_cells(self.connection, self.cells)
        self.ident = begin_campaign(self.connection, self.campaign, executor.name)
        cluster = executor.name.startswith(CLUSTER)
        self.backlog = backlog_of(
            self.connection,
            self.cells,
            numbers,
            traces=self.campaign.traces,
            seconds=_CLUSTER_BATCH if cluster else _THREAD_BATCH,
            limit=min(_CLUSTER_LIMIT, self.checkpoint_seconds) if cluster else self.checkpoint_seconds,
        )
        state = "failed"
        try:
            self._drain(executor, interrupted, self.backlog)
            state = "done"
        except KeyboardInterrupt:
            state = "interrupted"
            raise
        finally:
            self._store()
            end_campaign(self.connection, self.ident, state)
        self.report()

    def _drain(self, executor: Executor, interrupted: threading.Event, backlog: Backlog) -> None:
        try:
            self._work_off(executor, interrupted, backlog)
        except LostCluster:
            self._keep_under_way(executor, backlog)
            raise
        if interrupted.is_set():
            self._keep_under_way(executor, backlog)
            raise KeyboardInterrupt

    def _work_off(self, executor: Executor, interrupted: threading.Event, backlog: Backlog) -> None:
        in_flight = 0
        while not interrupted.is_set():
            self.workers = executor.workers
            while in_flight < executor.slots and (batch := next_batch(backlog)) is not None:
                executor.submit(batch)
                in_flight += 1
            if not in_flight:
                return
            outcomes = executor.wait(_TICK_SECONDS)
            in_flight -= len(outcomes)
            self._keep(outcomes, backlog)
            self._tick()

    def _keep_under_way(self, executor: Executor, backlog: Backlog) -> None:
        """Stop the executor, and save the unfinished runs that it hands over."""
        self._keep(executor.stop(), backlog)
        for cell, _, checkpoint in backlog.again:
            if checkpoint is not None and checkpoint.seconds >= _WORTH_KEEPING:
                save_checkpoint(self.connection, backlog.numbers[cell], checkpoint)

    def _keep(self, outcomes: Sequence[Outcome], backlog: Backlog) -> None:
        for outcome in outcomes:
            if outcome.law_version != LAW_VERSION:
                raise InputError(
                    f"a worker runs another version of the law ({outcome.law_version}, here {LAW_VERSION}); "
                    "install the same Gatewalk everywhere"
                )
            record_outcome(backlog, outcome)
            if outcome.parts:
                self.waiting.append((backlog.numbers[outcome.cell], outcome.parts))
        for outcome in outcomes:
            kept = outcome.checkpoint
            if kept is None:
                continue
            key = (outcome.cell, kept.run)
            if kept.seconds - self.saved_at.get(key, 0.0) >= 0.9 * self.checkpoint_seconds:
                self.saved_at[key] = kept.seconds
                save_checkpoint(self.connection, backlog.numbers[outcome.cell], kept)

    def _tick(self) -> None:
        if time.perf_counter() - self.stored_at > _STORE_SECONDS:
            self._store()
        self.report()

    def _store(self) -> None:
        """Store all waiting runs in one transaction; many small cells would make thousands of them."""
        if self.waiting:
            add_runs(self.connection, self.ident, self.waiting)
            self.waiting = []
        self.stored_at = time.perf_counter()


@contextlib.contextmanager
def _executor(jobs: int | None, dask: str | None, stop: Callable[[], bool]) -> Iterator[Executor]:
    if dask is not None:
        from gatewalk.campaign.cluster import on_cluster

        with on_cluster(dask) as executor:
            yield executor
    elif threads(jobs) == 1:
        yield Inline(stop)
    else:
        with on_threads(threads(jobs)) as executor:
            yield executor


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C or SIGTERM sets; a second Ctrl-C acts as usual."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, frame: object) -> None:
        asked.set()
        for each, handler in usual.items():
            signal.signal(each, handler)

    for number in usual:
        signal.signal(number, note)
    try:
        yield asked
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
