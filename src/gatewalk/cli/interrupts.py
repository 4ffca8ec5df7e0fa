"""Ctrl-C: a command that has no results yet ends at once, whatever it is doing.

Python handles a signal in the main thread, between two of its own instructions. That is too late while a
kernel is compiled, which is one instruction and may take minutes; and during the imports at the start of a
command, a KeyboardInterrupt may turn into any other error. Therefore Ctrl-C ends the process until a command
calls `has_results`, which it does when it has results to store or to show; from then on Ctrl-C raises
KeyboardInterrupt as usual. A second thread, which the signal wakes at once, acts while the main thread is
busy.
"""

from __future__ import annotations

import os
import signal
import time
from _thread import allocate_lock

INTERRUPTED = 130
_PATIENCE = 1.0  # seconds: a command with results that is still compiling after this time is ended
_state = {"has_results": 0, "compiling": 0}  # compiling: depth of nested compilations in the main thread
_exiting = allocate_lock()
_TIDY = b"\r\x1b[K\x1b[?25h"  # on a terminal: clear the progress line that was cut off, show the cursor


def exit_on_interrupt() -> None:
    """Until `has_results` is called, Ctrl-C ends this process, unless it was started with SIGINT ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _answer)


def has_results() -> None:
    """From now on there are results to lose: Ctrl-C raises KeyboardInterrupt."""
    _state["has_results"] = 1


def compiling(change: int) -> None:
    """Note that a compilation begins (1) or ends (-1) in the main thread."""
    _state["compiling"] += change


def answer_while_busy() -> None:
    """After `exit_on_interrupt`: start the thread that answers Ctrl-C while the main thread is busy."""
    from threading import Thread

    if signal.getsignal(signal.SIGINT) is not _answer:
        return
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    Thread(target=_answer_while_busy, args=(woken,), daemon=True).start()


def end(status: int) -> None:
    """End the process with this status; after an interrupt, without waiting for threads that compile."""
    import sys

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the rest takes no time, and must not be interrupted
    if status == INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError:
                continue
        os._exit(status)
    sys.exit(status)


def _answer_while_busy(woken: int) -> None:
    while signals := os.read(woken, 64):
        if signal.SIGINT not in signals:
            continue
        if _state["has_results"]:
            time.sleep(_PATIENCE)
        if not _state["has_results"] or _state["compiling"]:
            _exit()


def _answer(number: int, frame: object) -> None:
    if _state["has_results"]:
        raise KeyboardInterrupt
    _exit()


def _exit() -> None:
    """Print a message and end the process. If both threads come here, only the first one does."""
    with _exiting:
        try:
            os.write(2, (_TIDY if os.isatty(2) else b"") + b"gatewalk: interrupted\n")
        finally:
            os._exit(INTERRUPTED)
