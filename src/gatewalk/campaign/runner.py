"""Running a campaign: what the store lacks is cut into batches, executed, and stored as it comes.

Finished runs are written a few times a second, together with their counts, in one transaction each time.
Ctrl-C ends the batches within a slice and keeps what they had; a killed process loses what it was doing and
what it had not written yet, which is run again with the same result.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sqlite3
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from gatewalk.campaign.backlog import Backlog, Tally, backlog_of, next_batch, take_back
from gatewalk.campaign.batch import Outcome
from gatewalk.campaign.cluster import LostCluster
from gatewalk.campaign.executors import CLUSTER, Executor, Inline, on_threads
from gatewalk.campaign.finished import Finished
from gatewalk.campaign.identity import LAW_VERSION
from gatewalk.campaign.labels import labels
from gatewalk.campaign.plan import Cell, plan
from gatewalk.campaign.results import Results
from gatewalk.campaign.spec import Campaign
from gatewalk.campaign.store import (
    SECONDS_TO_STORE,
    add_runs,
    begin_campaign,
    end_campaign,
    enter_cells,
    save_checkpoint,
)
from gatewalk.campaign.store_file import file_of, in_memory, writing
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.search.evolve import check_jobs, default_jobs
from gatewalk.search.settings import cell_values

_TICK_SECONDS = 0.2
_STORE_SECONDS = 0.3  # between two transactions
_THREAD_BATCH, _CLUSTER_BATCH = 0.5, 1.0  # seconds
_CLUSTER_LIMIT = 5.0  # seconds after which a cluster hands over a run on its way
_WORTH_KEEPING = 1.0  # seconds a run must have taken to be kept on Ctrl-C


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
    tallies: Sequence[Tally]
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
        """What is left at the mean length of each cell's runs, all of which one thread must store.

        None while nothing is known.
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
    warn: Callable[[str], None] = warnings.warn,
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
    warn
        Told, in a line, of what was found wrong and mended.

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
    if jobs is not None:
        check_jobs(jobs)
    check_seconds("checkpoint_seconds", checkpoint_seconds)
    if dask is not None:
        need("distributed", "running on a cluster")
    cells = plan(campaign) if cells is None else cells
    keys = tuple(cell.key for cell in cells)

    def fill(connection: sqlite3.Connection) -> None:
        loop = _Loop(cells, connection, campaign, checkpoint_seconds, watch, warn)
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
    """Refuse what is no length of time."""
    if not 0 < seconds < math.inf:
        raise InputError(f"{what} is {seconds}; it must be a number of seconds, more than 0")


@dataclass
class _Loop:
    cells: tuple[Cell, ...]
    connection: sqlite3.Connection
    campaign: Campaign
    checkpoint_seconds: float
    watch: Watch | None
    warn: Callable[[str], None]
    saved_at: dict[tuple[int, int], float] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)
    backlog: Backlog | None = None
    workers: int = 1
    waiting: list[tuple[int, Sequence[Finished]]] = field(default_factory=list)  # to be stored
    stored_at: float = field(default_factory=time.perf_counter)

    def told(self, interrupted: threading.Event) -> Callable[[], bool]:
        """What a batch in the main thread asks after every slice."""

        def stop() -> bool:
            self.report()
            return interrupted.is_set()

        return stop

    def report(self) -> None:
        if self.watch and self.backlog:
            seconds = time.perf_counter() - self.began
            tallies = self.backlog.tallies
            self.watch(Progress(cells=self.cells, tallies=tallies, workers=self.workers, seconds=seconds))

    def go(self, executor: Executor, interrupted: threading.Event) -> None:
        numbers = enter_cells(self.connection, self.cells)
        ident = begin_campaign(self.connection, self.campaign, executor.name)
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
            self._drain(executor, interrupted, ident, self.backlog)
            state = "done"
        except KeyboardInterrupt:
            state = "interrupted"
            raise
        finally:
            self._store(ident)
            end_campaign(self.connection, ident, state)
        self.report()

    def _drain(self, executor: Executor, interrupted: threading.Event, ident: int, backlog: Backlog) -> None:
        try:
            self._work_off(executor, interrupted, ident, backlog)
        except LostCluster:
            self._keep_under_way(executor, backlog)
            raise
        if interrupted.is_set():
            self._keep_under_way(executor, backlog)
            raise KeyboardInterrupt

    def _work_off(
        self, executor: Executor, interrupted: threading.Event, ident: int, backlog: Backlog
    ) -> None:
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
            if time.perf_counter() - self.stored_at > _STORE_SECONDS:
                self._store(ident)
            self.report()

    def _keep_under_way(self, executor: Executor, backlog: Backlog) -> None:
        """Stop, and save the runs on their way as far as they are known."""
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
            take_back(backlog, outcome)
            if outcome.began_anew is not None:
                self._tell_of_damage(outcome.cell, outcome.began_anew)
            if outcome.parts:
                self.waiting.append((backlog.numbers[outcome.cell], outcome.parts))
        for outcome in outcomes:
            kept = outcome.checkpoint
            if kept is None:
                continue
            place = (outcome.cell, kept.run)
            if kept.seconds - self.saved_at.get(place, 0.0) >= 0.9 * self.checkpoint_seconds:
                self.saved_at[place] = kept.seconds
                save_checkpoint(self.connection, backlog.numbers[outcome.cell], kept)

    def _tell_of_damage(self, cell: int, run: int) -> None:
        names = labels([cell_values(one.settings, one.seed) for one in self.cells])
        store = file_of(self.connection) or "the store"
        where = f"{store}: the checkpoint of run {run} of {names[cell]}"
        self.warn(f"{where} is damaged; the run was begun from its start")

    def _store(self, ident: int) -> None:
        """Store what waits, in one transaction: a campaign of many small cells would make thousands."""
        if self.waiting:
            add_runs(self.connection, ident, self.waiting)
            self.waiting = []
        self.stored_at = time.perf_counter()


@contextlib.contextmanager
def _executor(jobs: int | None, dask: str | None, stop: Callable[[], bool]) -> Iterator[Executor]:
    if dask is not None:
        from gatewalk.campaign.cluster import on_cluster

        with on_cluster(dask) as executor:
            yield executor
    elif (jobs or default_jobs()) == 1:
        yield Inline(stop)
    else:
        with on_threads(jobs or default_jobs()) as threads:
            yield threads


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """An event that Ctrl-C (or a polite kill) sets; a second Ctrl-C does what it always did."""
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
