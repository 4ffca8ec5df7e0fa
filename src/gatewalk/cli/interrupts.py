"""Ctrl-C: a command that has nothing to lose ends at once, whatever it is doing.

Python answers a signal between two steps of its own, in the main thread. The first tenths of a second of a
command go into imports, where an exception may come out as anything, and a kernel's compilation is minutes
of machine code in one step. So until a command calls `keep`, because from then on it has results to store or
to show, Ctrl-C ends the process; after that it is a KeyboardInterrupt as usual. A thread that the signal
wakes even while the main thread is busy does what that one cannot.
"""

from __future__ import annotations

import os
import signal
import time
from _thread import allocate_lock

INTERRUPTED = 130
_PATIENCE = 1.0  # seconds that a command with results has before a compilation is given up
_state = {"keep": 0, "compiling": 0}  # the latter in the main thread, one in another counted
_leaving = allocate_lock()
_TIDY = b"\r\x1b[K\x1b[?25h"  # a terminal: clear the line of a display that was cut off, show the cursor


def leave_at_once() -> None:
    """From now on Ctrl-C ends this process, until `keep`; not if whoever started it said to ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _answer)


def keep() -> None:
    """There is something to lose now: Ctrl-C is a KeyboardInterrupt."""
    _state["keep"] = 1


def compiling(change: int) -> None:
    """A compilation begins (1) or ends (-1) in the main thread."""
    _state["compiling"] += change


def attend() -> None:
    """Answer Ctrl-C also while the main thread is inside a long step; after `leave_at_once`."""
    from threading import Thread

    if signal.getsignal(signal.SIGINT) is not _answer:
        return
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    Thread(target=_attend, args=(woken,), daemon=True).start()


def end(status: int) -> None:
    """End the process with this status; interrupted, without waiting for threads that compile."""
    import sys

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left takes no time, and an end is no error
    if status == INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                continue
        os._exit(status)
    sys.exit(status)


def _attend(woken: int) -> None:
    while signals := os.read(woken, 64):
        if signal.SIGINT not in signals:
            continue
        if _state["keep"]:
            time.sleep(_PATIENCE)
        if not _state["keep"] or _state["compiling"]:
            _leave()


def _answer(number: int, frame: object) -> None:
    if _state["keep"]:
        raise KeyboardInterrupt
    _leave()


def _leave() -> None:
    """Say so and go; only one of the two threads that may come here, the other waits for the end."""
    with _leaving:
        try:
            os.write(2, (_TIDY if os.isatty(2) else b"") + b"gatewalk: interrupted\n")
        finally:
            os._exit(INTERRUPTED)
