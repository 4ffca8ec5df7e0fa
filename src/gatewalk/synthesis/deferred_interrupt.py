"""A few steps that Ctrl-C does not come between: it is answered when they are done."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Put off Ctrl-C until the end of the block; only the main thread ever hears of it.

    Examples
    --------
    >>> with deferred_interrupt():
    ...     both = [1, 2]
    """
    usual = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(usual):
        yield
        return
    heard: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if heard:
            usual(*heard[0])
