"""Search for a circuit: one run, or many side by side on threads."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from threading import Event
from typing import Any

from gatewalk.search.run import Run
from gatewalk.search.session import Session, advance, begin, result
from gatewalk.search.settings import Settings, doubts, settings

SLICE_SECONDS = 0.1
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


def run_once(
    made: Settings, *, seed: int, run: int, stop: Event | None = None, watch: Watcher | None = None
) -> Run:
    """One run, in slices between which `stop` is looked at and `watch` is told."""
    session = begin(made, seed=seed, run=run)
    size = 1000
    while not session.finished and not (stop and stop.is_set()):
        before = session.seconds
        advance(session, size)
        if watch:
            watch(session)
        if session.seconds - before < SLICE_SECONDS:
            size *= 2
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
    numbers: Sequence[int] = list(runs)
    done: dict[int, Run] = {}

    def finish(run: Run) -> None:
        done[run.run] = run
        if on_done:
            on_done(run)

    if jobs == 1:
        for number in numbers:
            finish(run_once(made, seed=seed, run=number, watch=watch))
    else:
        _on_threads(made, seed, numbers, jobs, finish, watch)
    return [done[number] for number in numbers]


def _on_threads(
    made: Settings,
    seed: int,
    numbers: Sequence[int],
    jobs: int,
    finish: Callable[[Run], None],
    watch: Watcher | None,
) -> None:
    stop = Event()
    waiting = iter(numbers)
    pool = ThreadPoolExecutor(jobs)
    pending: set[Future[Run]] = set()

    def submit() -> None:
        number = next(waiting, None)
        if number is not None:
            pending.add(pool.submit(run_once, made, seed=seed, run=number, stop=stop, watch=watch))

    try:
        for _ in range(jobs * 2):
            submit()
        while pending:
            finished, _ = wait(pending, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in finished:
                pending.discard(future)
                finish(future.result())
                submit()
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def default_jobs() -> int:
    """As many threads as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
