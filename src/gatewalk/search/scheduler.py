"""Work on threads and in slices: how every long computation shows progress, answers Ctrl-C and loses nothing.

Work is divided into tasks. The calling thread draws tasks, delivers results and shows progress; threads only
do the tasks, and nothing else in the house starts any. A task takes its work in slices of about a tenth of a
second and asks `stop` after each. At Ctrl-C, `stop` says yes: the tasks under way return what they have, that
is delivered, and KeyboardInterrupt is raised. Kernels release Python's global lock, so threads are enough.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread, current_thread, main_thread
from typing import Generic, Protocol, TypeVar

from gatewalk.errors import whole_number

MOST_JOBS = 1024
SLICE_SECONDS = 0.1
TICK_SECONDS = 0.2
_PATIENCE = 0.5  # seconds to wait, after an interrupt, for threads that are not past their first slice
_JOIN_SECONDS = 0.05
MAIN_THREAD, THREADS = "main thread", " threads"  # parts of the names of executors

Task = TypeVar("Task")
Result = TypeVar("Result")
TaskIn = TypeVar("TaskIn", contravariant=True)
Stop = Callable[[], bool]  # asked after every slice
OnProgress = Callable[[float, str], None]  # the share done, from 0 to 1, and words; in the calling thread


@contextmanager
def progress_bar(name: str, on_progress: OnProgress | None = None) -> Iterator[OnProgress]:
    """Gives `on_progress` itself or, if it is None, what draws a bar wherever somebody may look.

    That is on a terminal or in a notebook, and after two seconds; elsewhere nothing is shown.

    name: what the bar is called.
    """
    if on_progress is not None:
        yield on_progress
    elif not is_watched():
        yield lambda share, words: None
    else:
        from gatewalk.search.display import progress

        with progress(name) as on_bar:
            on_bar(0.0, "starting; at first use kernels are compiled")
            yield on_bar


def is_watched() -> bool:
    """Whether somebody may see standard error: on a terminal or in a notebook."""
    return (sys.stderr is not None and sys.stderr.isatty()) or is_notebook()


def is_notebook() -> bool:
    """Whether this process is the kernel of a notebook, such as Jupyter's or Colab's."""
    ipython = sys.modules.get("IPython")  # a notebook has imported it
    return ipython is not None and getattr(ipython.get_ipython(), "kernel", None) is not None


def threads(jobs: int | None = None, *, what: str = "jobs") -> int:
    """The number of threads that `jobs` asks for, checked; None: one for each processor of this process.

    what: how a message calls `jobs`.
    """
    if jobs is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    whole_number(what, jobs, least=1, most=MOST_JOBS)
    return jobs


def executor_name(jobs: int) -> str:
    """What does the tasks in this process, in words."""
    return MAIN_THREAD if jobs == 1 else f"{jobs}{THREADS}"


@dataclass
class Slice:
    """How much work to do between two looks at the clock: little at first, then a tenth of a second's.

    >>> piece = Slice(100)
    >>> piece.took(100, seconds=0.001)
    >>> piece.steps
    200
    """

    steps: int = 1000

    def took(self, made: int, *, seconds: float) -> None:
        """Learn from a slice that made so many steps, perhaps fewer than it should have."""
        if made > 0:
            fitting = int(made * SLICE_SECONDS / max(seconds, 1e-9))
            self.steps = max(1, min(2 * self.steps, fitting))


class Executor(Protocol[TaskIn, Result]):
    """Where tasks are done: here, on threads, or on a cluster."""

    @property
    def name(self) -> str: ...
    @property
    def slots(self) -> int:
        """How many tasks to submit ahead, those that wait included."""
        ...

    @property
    def workers(self) -> int:
        """How many tasks are done at the same time."""
        ...

    def submit(self, task: TaskIn) -> None: ...
    def wait(self, seconds: float) -> list[Result]:
        """The results that are ready; if there are none, wait for one for about so many seconds."""
        ...

    def stop(self) -> list[Result]:
        """Stop within a slice; returns the results of all tasks under way, as far as they can be had."""
        ...


def run_all(
    next_task: Callable[[], Task | None],
    do: Callable[[Task, Stop], Result],
    deliver: Callable[[Result], None],
    *,
    jobs: int = 1,
    tick: Callable[[], None] = lambda: None,
    executor: Executor[Task, Result] | None = None,
) -> None:
    """Do tasks until there are none left, and deliver the results as they come, in any order.

    next_task: the next task; None if there is none at the moment. It is asked again after every delivery.
    jobs: the number of threads; 1 stays in the calling thread.
    tick: called several times a second.
    executor: what does the tasks, instead of threads of this process.
    """
    with interruptible() as interrupted:

        def stop_here() -> bool:
            tick()
            return interrupted.is_set()

        if executor is None:
            executor = _Here(do, stop_here) if jobs == 1 else _Threads(do, jobs)
        try:
            _work_off(next_task, deliver, tick, executor, interrupted)
        except BaseException:
            with suppress(Exception):  # what can still be had is kept; the first error is the one to raise
                for result in executor.stop():
                    deliver(result)
            raise
        for result in executor.stop():
            deliver(result)
        if interrupted.is_set():
            raise KeyboardInterrupt


def _work_off(
    next_task: Callable[[], Task | None],
    deliver: Callable[[Result], None],
    tick: Callable[[], None],
    executor: Executor[Task, Result],
    interrupted: Event,
) -> None:
    under_way = 0
    while not interrupted.is_set():
        while under_way < executor.slots and (task := next_task()) is not None:
            executor.submit(task)
            under_way += 1
        if not under_way:
            return
        for result in executor.wait(TICK_SECONDS):
            under_way -= 1
            deliver(result)
        tick()


def mapped(
    do: Callable[[Task, Stop], Result],
    items: Iterable[Task],
    *,
    jobs: int = 1,
    on_done: Callable[[Result], None] = lambda result: None,
    tick: Callable[[], None] = lambda: None,
) -> list[Result]:
    """What `do` makes of every item, in their order. on_done: told about every result as it comes.

    >>> mapped(lambda number, stop: number * number, [1, 2, 3], jobs=2)
    [1, 4, 9]
    """
    results: dict[int, Result] = {}
    numbered = iter(enumerate(items))

    def do_numbered(task: tuple[int, Task], stop: Stop) -> tuple[int, Result]:
        return task[0], do(task[1], stop)

    def deliver(result: tuple[int, Result]) -> None:
        results[result[0]] = result[1]
        on_done(result[1])

    run_all(lambda: next(numbered, None), do_numbered, deliver, jobs=jobs, tick=tick)
    return [results[number] for number in range(len(results))]


@contextmanager
def interruptible() -> Iterator[Event]:
    """An event that Ctrl-C or SIGTERM sets; the second one acts as usual.

    In other threads than the main one no signal arrives, and one that is ignored stays ignored.
    """
    asked = Event()
    if current_thread() is not main_thread():
        yield asked
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    usual = {number: handler for number, handler in handlers.items() if handler is not signal.SIG_IGN}

    def note(number: int, frame: object) -> None:
        asked.set()
        restore()

    def restore() -> None:
        for number, handler in usual.items():
            signal.signal(number, handler)

    for number in usual:
        signal.signal(number, note)
    try:
        yield asked
    finally:
        restore()


class _Here(Generic[Task, Result]):
    """One task at a time in the calling thread; `stop` is asked after every slice."""

    name = executor_name(1)
    slots = 1
    workers = 1

    def __init__(self, do: Callable[[Task, Stop], Result], stop: Stop) -> None:
        self._do, self._stop = do, stop
        self._waiting: list[Task] = []

    def submit(self, task: Task) -> None:
        self._waiting.append(task)

    def wait(self, seconds: float) -> list[Result]:
        tasks, self._waiting = self._waiting, []
        return [self._do(task, self._stop) for task in tasks]

    def stop(self) -> list[Result]:
        return []


class _Threads(Generic[Task, Result]):
    """Tasks on `jobs` threads, side by side."""

    def __init__(self, do: Callable[[Task, Stop], Result], jobs: int) -> None:
        self.name = executor_name(jobs)
        self.workers = jobs
        self.slots = jobs + 1  # one task waits in the queue, so that no thread has to wait
        self._do = do
        self._tasks: queue.SimpleQueue[list[Task]] = queue.SimpleQueue()  # an empty list ends a thread
        # Not a SimpleQueue: in Python 3.11 its `get` hangs if a signal arrives just when the timeout ends.
        self._results: queue.Queue[tuple[Result] | BaseException] = queue.Queue()
        self._stop = Event()
        self._under_way: set[Thread] = set()  # threads past their first slice: worth waiting for
        self._threads = [Thread(target=self._serve, daemon=True) for _ in range(jobs)]
        for thread in self._threads:
            thread.start()

    def _serve(self) -> None:
        this = current_thread()

        def stop() -> bool:
            self._under_way.add(this)
            return self._stop.is_set()

        while task := self._tasks.get():
            if self._stop.is_set():
                continue
            try:
                self._results.put((self._do(task[0], stop),))
            except BaseException as error:
                self._results.put(error)
            self._under_way.discard(this)

    def submit(self, task: Task) -> None:
        self._tasks.put([task])

    def wait(self, seconds: float) -> list[Result]:
        try:
            return self._ready(self._results.get(timeout=seconds))
        except queue.Empty:
            return []

    def _ready(self, *answers: tuple[Result] | BaseException) -> list[Result]:
        """The results that have come; a failure is raised only by a call that has no results to lose."""
        ready = list(answers)
        with suppress(queue.Empty):
            while True:
                ready.append(self._results.get_nowait())
        results = [answer[0] for answer in ready if isinstance(answer, tuple)]
        failures = [answer for answer in ready if isinstance(answer, BaseException)]
        if failures and not results:
            raise failures[0]
        for failure in failures:
            self._results.put(failure)
        return results

    def stop(self) -> list[Result]:
        patient_until = time.monotonic() + _PATIENCE
        self._stop.set()
        for _ in self._threads:
            self._tasks.put([])
        while at_work := [thread for thread in self._threads if thread.is_alive()]:
            # A thread before its first slice has nothing to hand over, and may be compiling for a minute.
            if time.monotonic() > patient_until and self._under_way.isdisjoint(at_work):
                break
            at_work[0].join(_JOIN_SECONDS)
        return self._ready()
