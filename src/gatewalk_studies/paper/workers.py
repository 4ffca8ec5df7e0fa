"""Calls in other processes: drawing and fitting hold Python's global lock, so threads would not help.

The processes are started afresh (spawned), because a process with threads cannot be forked safely. A script
that calls `reproduce` with more than one job therefore has to guard its entry with
`if __name__ == "__main__"`, as the documentation of `multiprocessing` says.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, Protocol, TypeVar

from gatewalk.campaign.held_interrupts import interrupts_held_back

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Promise(Protocol[T_co]):
    """A value that is being computed; calling the promise waits for it."""

    def __call__(self) -> T_co: ...


class Later(Protocol):
    """Starts a call: `later(function, *arguments)` returns the promise of its value."""

    def __call__(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> Promise[T]: ...


@contextmanager
def workers(jobs: int) -> Iterator[Later]:
    """`jobs` processes that make calls, in the order given, until the block is left.

    With one job there is no other process: a call is made here when its value is asked for. If an exception,
    such as Ctrl-C, ends the block, unfinished calls are abandoned.
    """
    if jobs == 1:
        yield _here
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_prepare)

    def later(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> Promise[T]:
        with interrupts_held_back():
            taken: Future[T] = pool.submit(function, *arguments, **options)
        return taken.result

    try:
        yield later
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    pool.shutdown()


def _here(function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> Promise[T]:
    return lambda: function(*arguments, **options)


def _prepare() -> None:
    """Set up a worker: the parent process handles Ctrl-C, and the worker ends when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)
