"""Stages of a command: what is said, and how to go on after an interrupt."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from gatewalk.cli.stages import Stages, command_again


def test_an_interrupt_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    stages = Stages("gatewalk study run x")
    stages.say("fitting \x1b[31m")
    with pytest.raises(click.exceptions.Exit) as left, stages:
        raise KeyboardInterrupt
    assert left.value.exit_code == 130
    said = capsys.readouterr().err.splitlines()
    assert said == ["fitting \\x1b[31m", "gatewalk: interrupted; go on with: gatewalk study run x"]


def test_other_errors_pass() -> None:
    with pytest.raises(ValueError, match="other"), Stages("x"):
        raise ValueError("other")


def test_the_command_is_said_again_as_a_shell_takes_it() -> None:
    @click.group()
    def outer() -> None:
        """A group."""

    @outer.command()
    @click.argument("name")
    @click.option("--many", multiple=True)
    @click.option("--flag", is_flag=True)
    @click.option("--number", default=3)
    def inner(name: str, many: tuple[str, ...], flag: bool, number: int) -> None:
        click.echo(command_again(click.get_current_context()))

    done = CliRunner().invoke(
        outer, ["inner", "a b", "--many", "1", "--many", "2", "--flag"], prog_name="x y"
    )
    assert done.output == "gatewalk inner 'a b' --many 1 --many 2 --flag\n"
    done = CliRunner().invoke(outer, ["inner", "a", "--number", "4"])
    assert done.output == "gatewalk inner a --number 4\n"
