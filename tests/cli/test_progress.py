"""Progress elsewhere than on a terminal: nothing of short work, then a line from time to time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gatewalk.cli import progress as module
from gatewalk.cli.progress import PLAIN_EVERY, QUIET_SECONDS, progress


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def test_short_work_is_silent(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress("work", 10) as show:
        clock.now = QUIET_SECONDS - 0.1
        show(10, "done")
    assert capsys.readouterr() == ("", "")


def test_long_work_is_told_from_time_to_time_and_at_its_end(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("work", 10) as show:
        for second in range(13):
            clock.now = float(second)
            show(second / 2, f"at {second} [ok]")
    told = [0 * PLAIN_EVERY + 2, PLAIN_EVERY + 2, 2 * PLAIN_EVERY + 2]
    lines = [f"work: {10 * at / 2:.0f} % {at:.0f} s at {at:.0f} [ok]" for at in told]
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == lines  # the last state was said at its time, and is not said again


def test_what_was_not_said_is_said_at_the_end(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress("work", 0) as show:
        clock.now = 3.0
        show(1, "first")
        clock.now = 4.0
        show(2, "last")
    assert capsys.readouterr().err.splitlines() == ["work:  3 s first", "work:  4 s last"]


def test_a_compilation_is_announced_once() -> None:
    code = (
        "import numba\n"
        "from gatewalk.cli.progress import announce_compilation\n"
        "announce_compilation()\n"
        "for add in (1, 2):\n"
        "    numba.njit(lambda x: x + add)(1)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.count("compiling kernels for this processor") == 1
