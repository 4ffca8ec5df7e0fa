"""Search for a circuit: one run, or many side by side on threads."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, Queue
from threading import Event, Lock, get_ident
from typing import Any

from gatewalk.errors import InputError
from gatewalk.search.reading import why_hopeless
from gatewalk.search.runs import Run, Runs, in_order
from gatewalk.search.scheduler import FIRST_SLICE, SLICE_SECONDS, threads
from gatewalk.search.session import Session, advance_course, check_run, check_seed, course_of
from gatewalk.search.settings import Settings, settings

PATIENCE = 0.5  # seconds to wait, after an interrupt, for threads that have no run under way
SHARE_SECONDS = 0.25  # about how long the runs take that a thread gets at once
Watcher = Callable[[Session], None]
Delivery = Callable[[Runs], None]


def evolve(target: str, *, seed: int = 0, run: int = 0, **options: Any) -> Run:
    """Search for a circuit that computes a target.

    Parameters
    ----------
    target
        What to search for: a name such as "and:8", a file, or whatever `gatewalk.target` takes.
    seed, run
        The seed, and the number of the run under this seed. Both, with the settings, determine the result.
    **options
        The options of `settings`: `nodes`, `selection`, `gates`, `mutation`, `budget` and so on.

    Returns
    -------
    Run
        The result, with the circuit as `run.circuit`.

    Examples
    --------
    >>> evolve("and:3", nodes=4, seed=1).solved
    True
    """
    chosen = settings(target, **options)
    for doubt in why_hopeless(chosen):
        warnings.warn(doubt, stacklevel=2)
    return run_once(chosen, seed=seed, run=run)


def run_once(settings: Settings, *, seed: int, run: int) -> Run:
    """One run with these settings."""
    return run_many(settings, seed=seed, runs=[run])[0]


def run_many(
    settings: Settings,
    *,
    seed: int = 0,
    runs: Iterable[int],
    jobs: int = 1,
    on_done: Delivery | None = None,
    watch: Watcher | None = None,
) -> Runs:
    """Many runs with the same settings, on several threads if wanted.

    Parameters
    ----------
    settings
        What to search for, and how; made by `gatewalk.settings`.
    seed, runs
        The seed, and the numbers of the runs. The result of a run depends on the settings, the seed and its
        number only, not on `jobs` or on the other runs.
    jobs
        The number of threads; kernels run on them in parallel.
    on_done
        Called with the runs that were finished since the last call, in columns.
    watch
        Called between slices with the session of a run that is under way; from any thread.

    Returns
    -------
    Runs
        The runs in the order of `runs`: columns as arrays, and a sequence of `Run`.

    Raises
    ------
    KeyboardInterrupt
        At Ctrl-C, after at most a slice, when all finished runs were passed to `on_done`.

    Examples
    --------
    >>> runs = run_many(settings("and:4", nodes=8), seed=1, runs=range(1000))
    >>> bool(runs.solved.all()), runs[3].run
    (True, 3)
    """
    numbers = runs if isinstance(runs, range) else list(runs)
    check_seed(seed)
    threads(jobs)  # checks it
    for number in (min(numbers, default=0), max(numbers, default=0)):
        check_run(number)
    if not numbers:
        raise InputError("runs is empty; give at least one run")
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

        for part in _work(settings, seed, shares, Event(), tell):
            deliver(part)
    else:
        _on_threads(settings, seed, shares, min(jobs, len(numbers)), deliver, watch)
    return in_order(parts, numbers)


class _Shares:
    """The runs that are left, handed out to threads in shares: the shorter the runs, the more at once."""

    def __init__(self, numbers: Sequence[int], jobs: int) -> None:
        self._numbers, self._jobs, self._next = numbers, jobs, 0
        self._lock = Lock()

    def take(self, size: int) -> Sequence[int]:
        """The next runs: at most so many, and no more than an equal part, for each thread, of those left."""
        with self._lock:
            left = len(self._numbers) - self._next
            count = max(1, min(size, -(-left // self._jobs)))
            self._next += count
            return self._numbers[self._next - count : self._next]


def _work(
    settings: Settings,
    seed: int,
    shares: _Shares,
    stop: Event,
    watch: Callable[[Session | None], None] | None,
) -> Iterator[Runs]:
    """Do runs, and yield them as they are finished; a run that is under way when `stop` is set is given up.

    watch: called after every slice with the session of the run under way; with None if none has begun.
    """
    share, slice_size = 1, FIRST_SLICE
    while numbers := shares.take(share):
        course = course_of(settings, seed=seed, runs=numbers)
        began = time.perf_counter()
        while not stop.is_set():
            at = time.perf_counter()
            part = advance_course(course, slice_size)
            if part is not None:
                yield part
            if watch:
                watch(course.session)
            if course.is_over:
                break  # a slice that ended with the last run says nothing of how long a whole one takes
            if time.perf_counter() - at < SLICE_SECONDS:
                slice_size *= 2
        if stop.is_set():
            return
        spent = max(time.perf_counter() - began, 1e-6)
        share = max(1, min(8 * share, int(share * SHARE_SECONDS / spent)))


def _on_threads(
    settings: Settings, seed: int, shares: _Shares, jobs: int, deliver: Delivery, watch: Watcher | None
) -> None:
    """Do runs on threads, which put finished runs into a queue; None is the last item of a thread.

    After an interrupt, threads in the middle of a run are given the time to end their slice. Threads that
    have not begun a run may be compiling or drawing rows for minutes; they get `PATIENCE` seconds.
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
            for part in _work(settings, seed, shares, stop, tell):
                delivered.put(part)
        except BaseException:
            stop.set()
            raise
        finally:
            beginning.discard(get_ident())
            delivered.put(None)

    at_work = jobs
    undelivered: list[Runs] = []  # taken from the queue, but not yet passed to `deliver`

    def take(timeout: float | None = None) -> None:
        nonlocal at_work
        if not undelivered:
            part = delivered.get(timeout=timeout)
            if part is None:
                at_work -= 1
                return
            undelivered.append(part)
        deliver(undelivered.pop())

    pool = ThreadPoolExecutor(jobs)
    workers = [pool.submit(work) for _ in range(jobs)]
    try:
        while at_work:
            take()
    except KeyboardInterrupt:
        stop.set()
        patient_until = time.monotonic() + PATIENCE
        while undelivered or (at_work and (time.monotonic() < patient_until or at_work > len(beginning))):
            with suppress(Empty):
                take(timeout=SLICE_SECONDS)
        raise
    finally:
        stop.set()
        pool.shutdown(wait=not at_work)
    for worker in workers:
        worker.result()
