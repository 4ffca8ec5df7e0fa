"""Ctrl-C deferred until a block of statements is done, so that it cannot leave a structure half changed."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


@contextmanager
def deferred_interrupt() -> Iterator[None]:
    """Defer Ctrl-C until the end of the block. In other threads than the main one this does nothing.

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
