"""Ctrl-C: at once while there is nothing to lose, an exception from then on."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

# A step of machine code that Python cannot interrupt, as a compilation is; it takes minutes.
LONG_STEP = 'hashlib.pbkdf2_hmac("sha256", b"", b"", 1_000_000_000)'
PROGRAM = """
import hashlib, signal, threading, time
from gatewalk.cli import interrupts
interrupts.leave_at_once()
interrupts.attend()
{before}
try:
    threading.Timer(0.5, print, ["ready"], {{"flush": True}}).start()  # when the main thread is at work
    {work}
except KeyboardInterrupt:
    print("kept", flush=True)
print("done", flush=True)
"""


def interrupted(before: str, work: str) -> tuple[int, str, str]:
    """Exit code and output of a program that gets Ctrl-C when it is ready."""
    program = PROGRAM.format(before=before, work=work)
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, out, err


@pytest.mark.parametrize(
    ("before", "work"),
    [
        ("", "time.sleep(600)"),
        ("", LONG_STEP),
        ("interrupts.keep(); interrupts.compiling(1)", LONG_STEP),
    ],
)
def test_a_process_with_nothing_to_lose_ends_at_once(before: str, work: str) -> None:
    assert interrupted(before, work) == (130, "", "gatewalk: interrupted\n")


def test_one_with_results_gets_an_exception() -> None:
    assert interrupted("interrupts.keep()", "time.sleep(600)") == (0, "kept\ndone\n", "")


def test_who_was_told_to_ignore_it_does() -> None:
    before = "signal.signal(signal.SIGINT, signal.SIG_IGN); interrupts.leave_at_once()"
    assert interrupted(before, "time.sleep(2)") == (0, "done\n", "")


def test_the_end_does_not_wait_for_threads_that_compile() -> None:
    program = """
import threading, time
from gatewalk.cli import interrupts
threading.Thread(target=time.sleep, args=(600,)).start()
print("flushed")
interrupts.end(130)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "flushed\n", "")
