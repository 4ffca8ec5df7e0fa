"""Running a campaign: the missing runs are cut into batches, executed, and stored as they are finished.

Finished runs are written a few times a second, together with the counts of their cells, in one transaction.
Ctrl-C ends the batches within a slice and keeps what they had finished. A killed process loses only the runs
under way and those not yet written; the next invocation repeats them, with the same result.
"""

from __future__ import annotations

import math
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from gatewalk.campaign.planning import SECONDS_TO_STORE, Cell, plan
from gatewalk.campaign.results import Results
from gatewalk.campaign.spec import Campaign
from gatewalk.campaign.store import (
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
from gatewalk.search.batch import BATCH_SECONDS, Batch, Checkpoint, Outcome, Pending, run_batch
from gatewalk.search.runs import Runs
from gatewalk.search.scheduler import Executor, executor_name, interruptible, run_all, threads
from gatewalk.search.seeds import LAW_VERSION

_STORE_SECONDS = 0.3  # between two transactions
_CLUSTER_BATCH = 1.0  # seconds that a batch takes on a cluster
_CLUSTER_LIMIT = 5.0  # seconds after which a worker of a cluster hands over an unfinished run
FEWEST_TELLING, LEAST_TELLING = 100, 2.0  # runs and seconds of a cell, before which its time cannot be told
_WORTH_KEEPING = 1.0  # seconds that an unfinished run must have taken to be saved on Ctrl-C


@dataclass
class CellProgress:
    """How far a cell is: the runs planned and stored, and those finished by this invocation.

    seconds: spent on all stored runs, also by earlier invocations.
    began: the seconds from the beginning of this invocation to its first batch.
    """

    planned: int
    stored: int
    solved: int
    seconds: float
    finished_now: int = 0
    began: float | None = None


@dataclass(frozen=True, kw_only=True)
class Progress:
    """How far a campaign is, as its `watch` is told.

    cells, tallies: the cells, and the counts of each.
    workers: threads, or workers of Dask.
    seconds: since this call began.

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
        """An estimate of the seconds left; None while a cell that is not done has too few runs to tell.

        The work left in these cells takes as long as their work so far, by the mean time of each one's runs.
        `benchmarks/time_left.py` compares it with the truth.
        """
        under_way = [tally for tally in self.tallies if tally.stored < tally.planned]
        if any(tally.began is None or tally.finished_now < FEWEST_TELLING for tally in under_way):
            return None
        if not under_way:
            return 0.0
        means = [tally.seconds / tally.stored + SECONDS_TO_STORE for tally in under_way]
        done = sum(tally.finished_now * mean for tally, mean in zip(under_way, means, strict=True))
        left = sum((t.planned - t.stored) * mean for t, mean in zip(under_way, means, strict=True))
        spent = self.seconds - min(tally.began or 0.0 for tally in under_way)
        return spent * left / done if spent >= LEAST_TELLING else None


Watch = Callable[[Progress], None]


def run(
    campaign: Campaign,
    store: str | os.PathLike[str] | None = None,
    *,
    cells: tuple[Cell, ...] | None = None,
    jobs: int | None = None,
    dask: str | None = None,
    checkpoint_seconds: float = 60.0,
    watch: Watch = lambda progress: None,
) -> Results:
    """Do the runs of a campaign that a store lacks.

    Ctrl-C raises KeyboardInterrupt after everything that is finished is stored.

    store: a file, made if it does not exist; without one the results live in memory only.
    cells: the plan of the campaign, if it has been made already.
    jobs: threads, by default one per processor; 1 stays in the calling thread.
    dask: the address of a Dask scheduler, or its scheduler file, instead of threads.
    checkpoint_seconds: how often long runs are saved.
    watch: told about the progress several times a second.

    >>> from gatewalk.campaign import campaign
    >>> results = run(campaign(target="and:3", replications=5, seed=7), "and.sqlite", jobs=1)
    >>> len(results)
    5
    """
    jobs = threads(jobs)
    check_seconds("checkpoint_seconds", checkpoint_seconds)
    if dask is not None:
        need("distributed", "running on a cluster")
    cells = plan(campaign) if cells is None else cells
    keys = tuple(cell.key for cell in cells)

    def fill(connection: sqlite3.Connection) -> None:
        with _cluster(dask) as cluster:
            execution = _Execution(connection, campaign, cells, jobs, cluster, checkpoint_seconds, watch)
            execution.run()

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


def _cluster(address: str | None) -> AbstractContextManager[Executor[Batch, Outcome] | None]:
    if address is None:
        return nullcontext()
    from gatewalk.campaign.cluster import on_cluster

    return on_cluster(address)


@dataclass
class _Execution:
    """One call of `run`: the cells with their runs left to do, and what waits to be stored.

    numbers: those of the cells in the store. pending: the runs left of the cells that have begun.
    unfinished: the cells of runs that came back unfinished; they go first.
    waiting: finished runs that are not stored yet, with the numbers of their cells.
    saved: for an unfinished run, by cell and number, its seconds when it was last saved.
    """

    connection: sqlite3.Connection
    campaign: Campaign
    cells: Sequence[Cell]
    jobs: int
    cluster: Executor[Batch, Outcome] | None
    checkpoint_seconds: float
    watch: Watch
    invocation: int = 0
    numbers: list[int] = field(default_factory=list)
    tallies: list[CellProgress] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    unfinished: list[int] = field(default_factory=list)
    waiting: list[tuple[int, Sequence[Runs]]] = field(default_factory=list)
    saved: dict[tuple[int, int], float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)
    stored_at: float = field(default_factory=time.perf_counter)

    def run(self) -> None:
        """Do the runs that the store lacks, cell after cell."""
        self.numbers = enter_cells(self.connection, self.cells)
        self.tallies = _tallies(self.connection, self.cells, self.numbers, traces=self.campaign.traces)
        name = executor_name(self.jobs) if self.cluster is None else self.cluster.name
        self.invocation = begin_campaign(self.connection, self.campaign, name)
        state = "failed"
        try:
            run_all(
                self._next_batch,
                run_batch,
                self._keep,
                jobs=self.jobs,
                tick=self._tick,
                executor=self.cluster,
            )
            state = "done"
        except KeyboardInterrupt:
            state = "interrupted"
            raise
        finally:
            with interruptible():  # Ctrl-C at this moment must not lose what is finished
                if state != "done":
                    self._save_unfinished()
                self._store()
                end_campaign(self.connection, self.invocation, state)
        self._report()

    @property
    def _workers(self) -> int:
        return self.jobs if self.cluster is None else self.cluster.workers

    def _next_batch(self) -> Batch | None:
        while self.unfinished:
            if (batch := self._batch(self.unfinished.pop(0))) is not None:
                return batch
        while True:
            if self.pending and (batch := self._batch(len(self.pending) - 1)) is not None:
                return batch
            if len(self.pending) == len(self.cells):
                return None
            self.pending.append(self._left(len(self.pending)))

    def _batch(self, cell: int) -> Batch | None:
        batch = self.pending[cell].next_batch(workers=self._workers)
        if batch is not None and self.tallies[cell].began is None:
            self.tallies[cell].began = time.perf_counter() - self.began
        return batch

    def _left(self, index: int) -> Pending:
        """The runs of a cell that the store lacks; those with a checkpoint go first."""
        cell, number, on_cluster = self.cells[index], self.numbers[index], self.cluster is not None
        saved = {checkpoint.run: checkpoint for checkpoint in checkpoints(self.connection, number)}
        fresh: list[Sequence[int]] = []
        again: list[tuple[Sequence[int], Checkpoint | None]] = []
        for gap in missing_runs(self.connection, number, cell.replications, traces=self.campaign.traces):
            first = gap.start
            for run in sorted(run for run in saved if run in gap):
                again.append(((run,), saved[run]))
                fresh.append(range(first, run))
                first = run + 1
            fresh.append(range(first, gap.stop))
        return Pending(
            cell.search,
            cell.seed,
            [runs for runs in fresh if runs],
            again,
            cell=index,
            improvements=self.campaign.traces,
            seconds=_CLUSTER_BATCH if on_cluster else BATCH_SECONDS,
            limit=min(_CLUSTER_LIMIT, self.checkpoint_seconds) if on_cluster else self.checkpoint_seconds,
        )

    def _keep(self, outcome: Outcome) -> None:
        """Take what became of a batch: finished runs are stored soon, long unfinished ones are saved."""
        if outcome.law_version != LAW_VERSION:
            raise InputError(
                f"a worker runs another version of the law ({outcome.law_version}, here {LAW_VERSION}); "
                "install the same Gatewalk everywhere"
            )
        pending, tally = self.pending[outcome.cell], self.tallies[outcome.cell]
        before = len(pending.again)
        pending.record(outcome)
        self.unfinished += [outcome.cell] * (len(pending.again) - before)
        tally.stored += outcome.finished
        tally.finished_now += outcome.finished
        for part in outcome.parts:
            tally.solved += int(part.solved.sum())
            tally.seconds += float(part.seconds.sum())
        if outcome.parts:
            self.waiting.append((self.numbers[outcome.cell], outcome.parts))
        checkpoint = outcome.checkpoint
        if checkpoint is not None:
            key = (outcome.cell, checkpoint.run)
            if checkpoint.seconds - self.saved.get(key, 0.0) >= 0.9 * self.checkpoint_seconds:
                self.saved[key] = checkpoint.seconds
                save_checkpoint(self.connection, self.numbers[outcome.cell], checkpoint)

    def _save_unfinished(self) -> None:
        for pending in self.pending:
            for _, checkpoint in pending.again:
                if checkpoint is not None and checkpoint.seconds >= _WORTH_KEEPING:
                    save_checkpoint(self.connection, self.numbers[pending.cell], checkpoint)

    def _tick(self) -> None:
        if time.perf_counter() - self.stored_at > _STORE_SECONDS:
            self._store()
        self._report()

    def _report(self) -> None:
        seconds = time.perf_counter() - self.began
        self.watch(Progress(cells=self.cells, tallies=self.tallies, workers=self._workers, seconds=seconds))

    def _store(self) -> None:
        """Store all waiting runs in one transaction; many small cells would make thousands of them."""
        if self.waiting:
            add_runs(self.connection, self.invocation, self.waiting, traces=self.campaign.traces)
            self.waiting = []
        self.stored_at = time.perf_counter()


def _tallies(
    connection: sqlite3.Connection, cells: Sequence[Cell], numbers: Sequence[int], *, traces: bool
) -> list[CellProgress]:
    """What the store has of each cell. traces: runs without a trace do not count, since they are repeated."""
    stored = {cell.number: cell for cell in stored_cells(connection)}
    tallies = []
    for cell, number in zip(cells, numbers, strict=True):
        counts = stored[number]
        finished, solved, seconds = counts.finished, counts.solved, counts.seconds
        if traces and finished:
            solved, seconds = solved * counts.traced // finished, seconds * counts.traced / finished
            finished = counts.traced
        tallies.append(CellProgress(cell.replications, finished, solved, seconds))
    return tallies
