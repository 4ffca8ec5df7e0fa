"""Calling `gatewalk` in this process, as a shell would."""

from __future__ import annotations

from pathlib import Path

import pytest

from gatewalk.cli.main import main


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err
