"""The command line as a whole: help, and output that nobody takes."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command import call

GATEWALK = f"{sys.executable} -m gatewalk"


def shell(command: str) -> tuple[int, str]:
    """Exit code of the first command of a pipeline, and what was said on standard error."""
    script = f"{command}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_a_reader_that_has_had_enough_is_no_error() -> None:
    status, err = shell(f"{GATEWALK} evolve and:4 --runs 20000 --json | head -1")
    assert status == 0
    assert "Traceback" not in err
    assert "Broken" not in err


def test_a_full_disk_is_told_in_one_line() -> None:
    status, err = shell(f"{GATEWALK} evolve and:4 --json > /dev/full")
    assert status == 2
    assert err.splitlines()[-1] == "gatewalk: No space left on device"


@pytest.mark.parametrize("command", ["", "campaign"])
def test_a_command_alone_shows_its_help(command: str) -> None:
    status, err = shell(f"{GATEWALK} {command}")
    assert status == 2
    assert err.startswith("Usage: ")
    assert "\nCommands:\n" in err


def test_what_is_not_utf_8_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("evolve", "and\udcff:3"), ("campaign", "status", "\udcff.sqlite"), ("\udcff",)):
        status, out, err = call(capsys, *arguments)
        assert (status, out) == (2, "")
        assert err.startswith("gatewalk: '")
        assert err.endswith(" is not text in UTF-8; use another name\n")
        assert "\\udcff" in err


def test_what_is_echoed_steers_no_terminal_and_is_short(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("\x1b[31m\a", "x" * 100_000):
        status, _, err = call(capsys, "evolve", "and:3", "--gates", word)
        assert status == 2
        assert err.rstrip("\n").isprintable()
        assert len(err) < 1100


def test_numba_without_its_compiler_is_told_in_one_line() -> None:
    status, err = shell(f"NUMBA_DISABLE_JIT=1 {GATEWALK} evolve and:4")
    assert status == 2
    assert err.startswith("gatewalk: the environment has NUMBA_DISABLE_JIT")
    assert err.count("\n") == 1


def test_ctrl_c_while_a_command_starts() -> None:
    """The first hundredths of a second are Python's own; from the package's first line on it is one line."""
    program = "import os, signal, gatewalk.__main__ as m; "
    program += "m.interrupts.attend = lambda: os.kill(os.getpid(), signal.SIGINT); m.main()"
    command = [sys.executable, "-c", program, "evolve"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "gatewalk: interrupted\n")
