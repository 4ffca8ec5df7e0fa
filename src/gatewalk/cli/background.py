"""Long computations that show progress and answer Ctrl-C at once.

A kernel or a compilation cannot be stopped once it has begun. So the computation runs in a separate thread,
while the main thread waits for it, updates the progress line and reacts to interrupts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic
from typing import TypeVar

Result = TypeVar("Result")
BEAT_SECONDS = 0.2
TELLING_SECONDS, TELLING_SHARE = 4.0, 0.01  # before both are reached, the time left cannot be estimated


def in_background(work: Callable[[], Result], *, beat: Callable[[], None]) -> Result:
    """Return or raise what `work` does; meanwhile `beat` is called several times a second."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised again in the main thread
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(BEAT_SECONDS)
        beat()
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def ending_at_once() -> Iterator[None]:
    """In this block Ctrl-C ends the process with 130, without waiting for threads that are busy in kernels.

    Only for computations that write no files.
    """
    try:
        yield
    except KeyboardInterrupt:
        print("gatewalk: interrupted", file=sys.stderr, flush=True)
        os._exit(130)


def time_left(seconds: float, done: float) -> str:
    """The estimated time left in words, from the seconds spent and the share done; empty if it is too early.

    >>> time_left(30.0, 0.2), time_left(30.0, 0.001), time_left(30.0, 1.0)
    (', about 2 min 0 s left', '', '')
    """
    from gatewalk.campaign.labels import duration

    if seconds < TELLING_SECONDS or not TELLING_SHARE <= done < 1.0:
        return ""
    return f", about {duration(seconds * (1.0 - done) / done)} left"


def watched(title: str, work: Callable[[Callable[[str, float], None]], Result]) -> Result:
    """Return what `work` returns, and show its progress.

    `work` is given a function to call with the current step in words and the share done, from 0 to 1. The
    time left is estimated as if the rest went as fast. Ctrl-C ends the process at once, so `work` must not
    write files.
    """
    from gatewalk.cli.progress import progress

    last = (0.0, "begins")
    started = monotonic()
    with ending_at_once(), progress(title, 1.0) as show:

        def tell(what: str, done: float) -> None:
            nonlocal last
            last = (done, what + time_left(monotonic() - started, done))
            show(*last)

        return in_background(lambda: work(tell), beat=lambda: show(*last))
