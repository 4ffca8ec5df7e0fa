"""Search for a circuit: one run, or many side by side on threads."""

from __future__ import annotations

import os
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from threading import Event
from typing import Any

from gatewalk.search.run import Run
from gatewalk.search.session import Session, advance, begin, result
from gatewalk.search.settings import Settings, doubts, settings

SLICE_SECONDS = 0.1
HAND_OVER_SECONDS = 0.05  # between two deliveries of a thread: one for each short run would cost more than it
Watcher = Callable[[Session], None]


def evolve(target: str, *, seed: int = 0, run: int = 0, **options: Any) -> Run:
    """Search for a circuit of the target; the options are those of `settings`.

    >>> evolve("and:3", nodes=4, seed=1).solved
    True
    """
    made = settings(target, **options)
    for doubt in doubts(made):
        warnings.warn(doubt, stacklevel=2)
    return run_once(made, seed=seed, run=run)


def run_once(made: Settings, *, seed: int, run: int) -> Run:
    """One run."""
    session = begin(made, seed=seed, run=run)
    _to_end(session, Event(), None)
    return result(session)


def run_many(
    made: Settings,
    *,
    seed: int = 0,
    runs: Iterable[int],
    jobs: int = 1,
    on_done: Callable[[Run], None] | None = None,
    watch: Watcher | None = None,
) -> list[Run]:
    """Many runs, `jobs` at a time, in the order given; the same whatever the number of jobs.

    Ctrl-C stops within a slice: `KeyboardInterrupt` is raised after `on_done` had all finished runs.
    """
    numbers = list(runs)
    done: dict[int, Run] = {}

    def finish(run: Run) -> None:
        done[run.run] = run
        if on_done:
            on_done(run)

    if jobs == 1:
        for run in _one_by_one(made, seed, iter(numbers), Event(), watch):
            finish(run)
    else:
        _on_threads(made, seed, iter(numbers), jobs, finish, watch)
    return [done[number] for number in numbers]


def _to_end(session: Session, stop: Event, watch: Watcher | None) -> None:
    """Advance in slices, between which `stop` is looked at and `watch` is told."""
    size = 1000
    while not session.finished and not stop.is_set():
        before = session.seconds
        advance(session, size)
        if watch:
            watch(session)
        if session.seconds - before < SLICE_SECONDS:
            size *= 2


def _one_by_one(
    made: Settings, seed: int, numbers: Iterator[int], stop: Event, watch: Watcher | None
) -> Iterator[Run]:
    """Runs in the same memory; one that is stopped before its end is not among them."""
    session = None
    for number in numbers:
        session = begin(made, seed=seed, run=number, after=session)
        _to_end(session, stop, watch)
        if not session.finished:
            return
        yield result(session)


def _on_threads(
    made: Settings,
    seed: int,
    numbers: Iterator[int],
    jobs: int,
    finish: Callable[[Run], None],
    watch: Watcher | None,
) -> None:
    """Threads take numbers and deliver runs; None is the last delivery of a thread."""
    stop = Event()
    delivered: SimpleQueue[list[Run] | None] = SimpleQueue()

    def work() -> None:
        ready: list[Run] = []
        handed_over = time.monotonic()

        def hand_over() -> None:
            nonlocal ready, handed_over
            if ready and time.monotonic() - handed_over > HAND_OVER_SECONDS:
                delivered.put(ready)
                ready, handed_over = [], time.monotonic()

        def look(session: Session) -> None:
            hand_over()
            if watch:
                watch(session)

        try:
            for run in _one_by_one(made, seed, numbers, stop, look):
                ready.append(run)
                hand_over()
        except BaseException:
            stop.set()
            raise
        finally:
            delivered.put(ready)
            delivered.put(None)

    unfinished: deque[Run] = deque()
    at_work = jobs

    def take(delivery: list[Run] | None) -> None:
        nonlocal at_work
        at_work -= delivery is None
        unfinished.extend(delivery or ())
        while unfinished:
            finish(unfinished.popleft())

    pool = ThreadPoolExecutor(jobs)
    threads = [pool.submit(work) for _ in range(jobs)]
    try:
        while at_work:
            take(delivered.get())
    except KeyboardInterrupt:
        stop.set()
        while at_work:
            take(delivered.get())
        raise
    finally:
        stop.set()
        pool.shutdown(wait=True)
    for thread in threads:
        thread.result()


def default_jobs() -> int:
    """As many threads as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
