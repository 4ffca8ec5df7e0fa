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
from typing import TypeVar

Result = TypeVar("Result")
BEAT_SECONDS = 0.2


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


def watched(title: str, work: Callable[[Callable[[str, float], None]], Result]) -> Result:
    """What `work` returns, with progress: it is given a function to tell what it does and how much is done.

    For computations that leave nothing half written: Ctrl-C ends them at once.
    """
    from gatewalk.cli.progress import progress

    last = (0.0, "begins")
    with ending_at_once(), progress(title, 1.0) as show:

        def tell(what: str, done: float) -> None:
            nonlocal last
            last = (done, what)
            show(*last)

        return in_background(lambda: work(tell), beat=lambda: show(*last))
