"""Work on threads and in slices of time, between which a caller can look at it, report, or stop it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from gatewalk.errors import whole_number

if TYPE_CHECKING:
    from gatewalk.cgp.walk import Walk

MOST_JOBS = 1024
FIRST_SLICE = 1000  # iterations
SLICE_SECONDS = 0.1
Result = TypeVar("Result")


def threads(jobs: int | None = None, *, what: str = "jobs") -> int:
    """The number of threads that `jobs` asks for, checked; None: one for each processor of this process.

    what: how a message calls `jobs`.
    """
    if jobs is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    whole_number(what, jobs, least=1, most=MOST_JOBS)
    return jobs


def runs_on_threads(
    make: Callable[[int, Event], Result],
    runs: Iterable[int],
    jobs: int,
    on_done: Callable[[Result], None] | None = None,
) -> list[Result]:
    """The results of make(run, stop) for every run, in order, made on `jobs` threads.

    Kernels release the interpreter's lock, so they run in parallel. When interrupted, `stop` is set; `make`
    must check it between slices. on_done: called with every result.
    """
    stop = Event()
    done = []
    pool = ThreadPoolExecutor(threads(jobs))
    try:
        for result in pool.map(lambda run: make(run, stop), runs):
            done.append(result)
            if on_done:
                on_done(result)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
    return done


def slices(walk: Walk, stop: Event | None = None) -> Iterator[None]:
    """Advance a walk to the end of its run, or until `stop` is set; yields after every slice.

    A slice takes about a tenth of a second, whatever the size of the programs.
    """
    from gatewalk.cgp.walk import advance  # here, because it needs Numba, and commands import this module

    iterations = FIRST_SLICE
    while not walk.finished and not (stop and stop.is_set()):
        began = perf_counter()
        advance(walk, iterations)
        seconds = perf_counter() - began
        if seconds < SLICE_SECONDS / 2:
            iterations *= 2
        elif seconds > SLICE_SECONDS:
            iterations = max(1, iterations // 2)
        yield
