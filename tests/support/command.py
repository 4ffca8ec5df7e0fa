"""Calling `gatewalk` in this process, as a shell would."""

import json

import pytest

from gatewalk.cli.main import main


def call(capsys, *arguments):
    """Exit code, standard output and standard error of a command."""
    with pytest.raises(SystemExit) as stopped:
        main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


def records(capsys, *arguments):
    """What a command that succeeds prints with `--json`, a line each."""
    status, out, _ = call(capsys, *arguments, "--json")
    assert status == 0
    return [json.loads(line) for line in out.splitlines()]


def record(capsys, *arguments):
    """The only line that a command that succeeds prints with `--json`."""
    (found,) = records(capsys, *arguments)
    return found
