"""Calls in other processes: the same values, none with one job, and none left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from math import factorial
from pathlib import Path

import pytest

from gatewalk.studies.paper.workers import workers

SOURCE = Path(__file__).resolve().parents[2] / "src"


def test_one_job_needs_no_process() -> None:
    with workers(1) as later:
        promised = later(os.getpid)
        assert not multiprocessing.active_children()
        assert promised() == os.getpid()


@pytest.mark.parametrize("jobs", [1, 2])
def test_values_belong_to_their_calls(jobs: int) -> None:
    with workers(jobs) as later:
        promised = [later(factorial, n) for n in range(8)]
        assert later(int, "ff", base=16)() == 255
        assert [value() for value in promised] == [factorial(n) for n in range(8)]
        failed = later(factorial, -1)
        with pytest.raises(ValueError, match="negative"):
            failed()
    assert not multiprocessing.active_children()


def test_two_jobs_are_other_processes() -> None:
    with workers(2) as later:
        assert later(os.getpid)() != os.getpid()


def test_an_interrupt_breaks_calls_off() -> None:
    def interrupted() -> None:
        with workers(2) as later:
            later(time.sleep, 3600)
            later(os.getpid)()  # both are at work
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    for process in multiprocessing.active_children():
        process.join(timeout=60)
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_one_that_started_them(number: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, time\n"
        "from gatewalk.studies.paper.workers import workers\n"
        "if __name__ == '__main__':\n"
        "    with workers(2) as later:\n"
        "        later(os.getpid)()\n"
        "        waiting = [later(time.sleep, 3600) for _ in range(2)]\n"
        "        print('asleep', flush=True)\n"
        "        waiting[0]()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "asleep\n"
    if number == signal.SIGINT:
        os.killpg(process.pid, number)  # as a terminal does: every process of the group
    else:
        process.send_signal(number)
    _, err = process.communicate(timeout=60)  # the workers, too, must let go of the pipes
    assert err.count("Traceback") == (number == signal.SIGINT)
