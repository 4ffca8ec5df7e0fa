"""Where batches run: in the main thread, on threads of this process, or on a Dask cluster.

An executor takes up to `slots` batches at a time and returns their outcomes in any order. All executors call
the same `run_batch`, so the runs are the same everywhere.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Protocol

from gatewalk.campaign.batch import Batch, Outcome, run_batch

MAIN_THREAD, THREADS, CLUSTER = "main thread", " threads", "dask "  # parts of the names of executors
_PATIENCE = 0.5  # seconds to wait for threads that have no run under way
_JOIN_SECONDS = 0.05


class Executor(Protocol):
    """What the loop of a campaign needs of an executor."""

    name: str

    @property
    def slots(self) -> int:
        """How many batches to submit ahead, those that wait included."""
        ...

    @property
    def workers(self) -> int:
        """How many batches run at the same time."""
        ...

    def submit(self, batch: Batch) -> None: ...
    def wait(self, seconds: float) -> list[Outcome]:
        """The outcomes that are ready; if there are none, wait for one for about so many seconds."""
        ...

    def stop(self) -> list[Outcome]:
        """Stop within a slice; returns the outcomes of all batches under way, as far as they can be had."""
        ...


class Inline:
    """One batch at a time in the calling thread; `stop` is called after every slice."""

    name = MAIN_THREAD
    slots = 1
    workers = 1

    def __init__(self, stop: Callable[[], bool]) -> None:
        self._stop = stop
        self._waiting: list[Batch] = []

    def submit(self, batch: Batch) -> None:
        self._waiting.append(batch)

    def wait(self, seconds: float) -> list[Outcome]:
        batches, self._waiting = self._waiting, []
        return [run_batch(batch, self._stop) for batch in batches]

    def stop(self) -> list[Outcome]:
        return []


class Threads:
    """Batches on `jobs` threads, side by side, because kernels release Python's global lock."""

    def __init__(self, jobs: int) -> None:
        self.name = f"{jobs}{THREADS}"
        self.workers = jobs
        self.slots = jobs + 1  # one batch waits in the queue, so that no thread has to wait
        self._batches: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        # Not a SimpleQueue: in Python 3.11 its `get` hangs if a signal arrives just when the timeout ends.
        self._outcomes: queue.Queue[Outcome | BaseException] = queue.Queue()
        self._stop = threading.Event()
        self._under_way: set[threading.Thread] = set()  # threads past their first slice: worth waiting for
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()

    def _serve(self) -> None:
        this = threading.current_thread()

        def stop() -> bool:  # called after every slice
            self._under_way.add(this)
            return self._stop.is_set()

        while (batch := self._batches.get()) is not None:
            if self._stop.is_set():
                continue
            try:
                self._outcomes.put(run_batch(batch, stop))
            except BaseException as error:
                self._outcomes.put(error)
            self._under_way.discard(this)

    def submit(self, batch: Batch) -> None:
        self._batches.put(batch)

    def wait(self, seconds: float) -> list[Outcome]:
        try:
            first = self._checked(self._outcomes.get(timeout=seconds))
        except queue.Empty:
            return []
        return [first, *self._ready()]

    def _ready(self) -> Iterator[Outcome]:
        with contextlib.suppress(queue.Empty):
            while True:
                yield self._checked(self._outcomes.get_nowait())

    def _checked(self, outcome: Outcome | BaseException) -> Outcome:
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def stop(self) -> list[Outcome]:
        patient_until = time.monotonic() + (0.0 if self._stop.is_set() else _PATIENCE)
        self._stop.set()
        for _ in self._threads:
            self._batches.put(None)
        while at_work := [thread for thread in self._threads if thread.is_alive()]:
            # A thread before its first slice has nothing to hand over, and may be compiling for a minute.
            if time.monotonic() > patient_until and self._under_way.isdisjoint(at_work):
                break
            at_work[0].join(_JOIN_SECONDS)
        return list(self._ready())


@contextlib.contextmanager
def on_threads(jobs: int) -> Iterator[Threads]:
    """Start threads that end with the block."""
    executor = Threads(jobs)
    try:
        yield executor
    finally:
        with contextlib.suppress(Exception):
            executor.stop()
