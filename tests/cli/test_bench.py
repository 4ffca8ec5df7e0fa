"""`gatewalk bench`: the keys of its JSON lines, and names that it does not know."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from gatewalk.cli.bench import command
from gatewalk.errors import InputError

KEYS = {"case", "n", "nodes", "gates", "evaluation", "iterations_per_second"}


def test_json_lines() -> None:
    done = CliRunner().invoke(command, ["and:200", "--seconds", "0.01", "--json"], catch_exceptions=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(line) for line in lines] == [KEYS]
    assert lines[0]["evaluation"] == "symbolic"
    assert (lines[0]["n"], lines[0]["nodes"], lines[0]["gates"]) == (200, 200, "and")
    assert lines[0]["iterations_per_second"] > 0


def test_unknown_case() -> None:
    with pytest.raises(InputError, match="and:999"):
        CliRunner().invoke(command, ["and:999"], catch_exceptions=False)
