"""The command line for sphinx-click: commands by the names that users type, examples as code."""

from __future__ import annotations

from typing import Any

import click
from sphinx.application import Sphinx

from gatewalk.cli.main import COMMANDS, gatewalk


def name_commands(app: Sphinx) -> None:
    """Name each command: its module calls it `command`, the command line as in `COMMANDS`."""
    context = click.Context(gatewalk)
    for name in COMMANDS:
        command = gatewalk.get_command(context, name)
        assert command is not None
        command.name = name


def show_examples(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Show the examples at the end of a help text as a block of commands."""
    examples = [line.lstrip("| ").rstrip() for line in lines]
    typed = [line for line in examples if line.startswith("gatewalk ")]
    if typed:
        lines[:] = ["Examples:", "", ".. code-block:: sh", "", *(f"   {line}" for line in typed), ""]


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("builder-inited", name_commands)
    app.connect("sphinx-click-process-epilog", show_examples)
    return {"parallel_read_safe": True}
