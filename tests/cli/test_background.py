"""Long computations in a thread of their own: results, errors, and Ctrl-C at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from threading import Event, Timer, current_thread, main_thread

import pytest

from gatewalk.cli.background import in_background
from gatewalk.errors import InputError


def test_results_and_beats() -> None:
    beaten = Event()

    def work() -> str:
        beaten.wait(60)
        return "main" if current_thread() is main_thread() else "other"

    assert in_background(work, beat=beaten.set) == "other"


def test_errors_are_raised_where_one_waits() -> None:
    def work() -> None:
        raise InputError("wrong")

    with pytest.raises(InputError, match="wrong"):
        in_background(work, beat=lambda: None)


BUSY = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from gatewalk.cli.background import ending_at_once, in_background

def work():  # as a kernel on a thread of a pool, which Python waits for at its end
    with ThreadPoolExecutor(1) as pool:
        pool.submit(time.sleep, 600).result()

with ending_at_once():
    in_background(work, beat=lambda: print("waiting", file=sys.stderr, flush=True))
"""


def interrupted(command: list[str], word: str) -> tuple[int, str]:
    """Exit code and standard error of a command that gets Ctrl-C when this word comes."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    too_long = Timer(240, process.kill)  # what never says so must not keep the tests waiting
    too_long.start()
    seen = []
    for line in process.stderr:
        seen.append(line)
        if word in line:
            break
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    too_long.cancel()
    return process.returncode, "".join(seen) + err


def test_an_interruption_waits_for_no_thread() -> None:
    status, err = interrupted([sys.executable, "-c", BUSY], "waiting")
    assert status == 130
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["exact", "and:5", "--nodes", "6"],  # minutes
        ["observe", "xor:12", "--nodes", "13", "--budget", "1000000000000"],  # days
    ],
)
def test_commands_show_progress_and_can_be_interrupted(arguments: list[str]) -> None:
    status, err = interrupted([sys.executable, "-m", "gatewalk", *arguments], " s ")
    assert status == 130
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    assert "Traceback" not in err
