"""The command line as a whole: help, and output that nobody takes."""

from __future__ import annotations

import subprocess
import sys

import pytest

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
