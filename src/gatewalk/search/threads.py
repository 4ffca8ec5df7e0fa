"""Many runs side by side on threads, their results in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from gatewalk.errors import whole_number

Result = TypeVar("Result")


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
    whole_number("jobs", jobs, least=1)
    stop = Event()
    done = []
    pool = ThreadPoolExecutor(jobs)
    try:
        for result in pool.map(lambda run: make(run, stop), runs):
            done.append(result)
            if on_done:
                on_done(result)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
    return done
