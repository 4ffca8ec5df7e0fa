"""Search for a circuit: one run, or many side by side on threads."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, Queue
from threading import Event, Lock, get_ident
from typing import Any

from gatewalk.errors import InputError, whole_number
from gatewalk.search.course import advance_course, course_of
from gatewalk.search.doubts import doubts
from gatewalk.search.run import Run
from gatewalk.search.runs import Runs, in_order
from gatewalk.search.session import Session, check_run, check_seed
from gatewalk.search.settings import Settings, settings

MOST_JOBS = 1024
SLICE_SECONDS = 0.1
PATIENCE = 0.5  # seconds that a thread without a run under way is waited for when interrupted
FIRST_SLICE = 1000  # iterations
SHARE_SECONDS = 0.25  # of the runs that a thread takes on at once
Watcher = Callable[[Session], None]
Delivery = Callable[[Runs], None]


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
    return run_many(made, seed=seed, runs=[run])[0]


def run_many(
    made: Settings,
    *,
    seed: int = 0,
    runs: Iterable[int],
    jobs: int = 1,
    on_done: Delivery | None = None,
    watch: Watcher | None = None,
) -> Runs:
    """Many runs, `jobs` at a time, in the order given; the same whatever the number of jobs.

    Parameters
    ----------
    made
        What to search for, from `settings`.
    seed, runs
        The result of a run depends on the settings, the seed and its number only.
    jobs
        Threads; kernels run side by side.
    on_done
        Told of the runs that were finished since it was last told, in columns.
    watch
        Told, between slices, of a run that is under way; from any thread.

    Returns
    -------
    Runs
        Columns as arrays, and a sequence of `Run`.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C, within a slice, after `on_done` had all finished runs.

    Examples
    --------
    >>> runs = run_many(settings("and:4", nodes=8), seed=1, runs=range(1000))
    >>> bool(runs.solved.all()), runs[3].run
    (True, 3)
    """
    numbers = runs if isinstance(runs, range) else list(runs)
    check_seed(seed)
    check_jobs(jobs)
    for number in (min(numbers, default=0), max(numbers, default=0)):
        check_run(number)
    if not numbers:
        raise InputError("no runs to do: give the number of at least one")
    parts: list[Runs] = []

    def deliver(part: Runs) -> None:
        parts.append(part)
        if on_done:
            on_done(part)

    shares = _Shares(numbers, jobs)
    if jobs == 1:

        def tell(session: Session | None) -> None:
            if watch and session is not None:
                watch(session)

        for part in _work(made, seed, shares, Event(), tell):
            deliver(part)
    else:
        _on_threads(made, seed, shares, min(jobs, len(numbers)), deliver, watch)
    return in_order(parts, numbers)


class _Shares:
    """Runs handed out to threads, more at once the shorter they are."""

    def __init__(self, numbers: Sequence[int], jobs: int) -> None:
        self._numbers, self._jobs, self._next = numbers, jobs, 0
        self._lock = Lock()

    def take(self, size: int) -> Sequence[int]:
        """At most so many, and no more than every thread could have of those that are left."""
        with self._lock:
            left = len(self._numbers) - self._next
            count = max(1, min(size, -(-left // self._jobs)))
            self._next += count
            return self._numbers[self._next - count : self._next]


def _work(
    made: Settings,
    seed: int,
    shares: _Shares,
    stop: Event,
    watch: Callable[[Session | None], None] | None,
) -> Iterator[Runs]:
    """Runs, as they are finished; those under way when `stop` is set are not among them.

    watch: told of the run under way after every slice; None if the next one is not begun.
    """
    share, slice_size = 1, FIRST_SLICE
    while numbers := shares.take(share):
        course = course_of(made, seed=seed, runs=numbers)
        began = time.perf_counter()
        while not stop.is_set():
            at = time.perf_counter()
            part = advance_course(course, slice_size)
            if part is not None:
                yield part
            if watch:
                watch(course.session)
            if course.is_over:  # which says nothing of how long a whole slice takes
                break
            if time.perf_counter() - at < SLICE_SECONDS:
                slice_size *= 2
        if stop.is_set():
            return
        spent = max(time.perf_counter() - began, 1e-6)
        share = max(1, min(8 * share, int(share * SHARE_SECONDS / spent)))


def _on_threads(
    made: Settings, seed: int, shares: _Shares, jobs: int, deliver: Delivery, watch: Watcher | None
) -> None:
    """Threads take runs and deliver results; None is the last delivery of a thread.

    When interrupted, those that are in the middle of a run are waited for; those that have yet to begin one,
    and may be compiling or drawing rows for minutes, are not.
    """
    stop = Event()
    delivered: Queue[Runs | None] = Queue()
    beginning: set[int] = set()  # threads without a run under way

    def tell(session: Session | None) -> None:
        if session is None:
            beginning.add(get_ident())
            return
        beginning.discard(get_ident())
        if watch:
            watch(session)

    def work() -> None:
        beginning.add(get_ident())
        try:
            for part in _work(made, seed, shares, stop, tell):
                delivered.put(part)
        except BaseException:
            stop.set()
            raise
        finally:
            beginning.discard(get_ident())
            delivered.put(None)

    at_work = jobs
    waiting: list[Runs] = []  # taken from the queue, and not yet delivered

    def take(timeout: float | None = None) -> None:
        nonlocal at_work
        if not waiting:
            part = delivered.get(timeout=timeout)
            if part is None:
                at_work -= 1
                return
            waiting.append(part)
        deliver(waiting.pop())

    pool = ThreadPoolExecutor(jobs)
    threads = [pool.submit(work) for _ in range(jobs)]
    try:
        while at_work:
            take()
    except KeyboardInterrupt:
        stop.set()
        patient_until = time.monotonic() + PATIENCE
        while waiting or (at_work and (time.monotonic() < patient_until or at_work > len(beginning))):
            with suppress(Empty):
                take(timeout=SLICE_SECONDS)
        raise
    finally:
        stop.set()
        pool.shutdown(wait=not at_work)
    for thread in threads:
        thread.result()


def check_jobs(jobs: int, what: str = "jobs") -> None:
    """Refuse a number of threads that no computer has a use for, before any is started."""
    whole_number(what, jobs, least=1, most=MOST_JOBS)


def default_jobs() -> int:
    """As many threads as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
