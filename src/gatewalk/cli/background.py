"""Long computations that answer Ctrl-C at once and never look dead.

A kernel or a compilation that has begun cannot be stopped, so the computation runs in a thread of its own
and the main thread waits for it: it keeps progress moving, and it is free to hear of an interruption.
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
TELLING_SECONDS, TELLING_SHARE = 4.0, 0.01  # before that nobody knows how long it takes


def in_background(work: Callable[[], Result], *, beat: Callable[[], None]) -> Result:
    """What `work` returns or raises; `beat` is called some times a second meanwhile."""
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
    """At Ctrl-C the process ends with 130, without waiting for threads that are busy in kernels.

    For computations that leave nothing half written.
    """
    try:
        yield
    except KeyboardInterrupt:
        print("gatewalk: interrupted", file=sys.stderr, flush=True)
        os._exit(130)


def time_left(seconds: float, done: float) -> str:
    """Words on the time left after so many seconds, none before they tell anything.

    >>> time_left(30.0, 0.2), time_left(30.0, 0.001), time_left(30.0, 1.0)
    (', about 2 min 0 s left', '', '')
    """
    from gatewalk.campaign.labels import duration

    if seconds < TELLING_SECONDS or not TELLING_SHARE <= done < 1.0:
        return ""
    return f", about {duration(seconds * (1.0 - done) / done)} left"


def watched(title: str, work: Callable[[Callable[[str, float], None]], Result]) -> Result:
    """What `work` returns, with progress: it is given a function to tell what it does and how much is done.

    How much of the whole is done, from 0 to 1, gives the time left, as if the rest went as fast.
    For computations that leave nothing half written: Ctrl-C ends them at once.
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
