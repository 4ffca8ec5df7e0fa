"""The command line for sphinx-click: examples as code."""

from __future__ import annotations

from typing import Any

import click
from sphinx.application import Sphinx


def show_examples(app: Sphinx, context: click.Context, lines: list[str]) -> None:
    """Show the examples at the end of a help text as a block of commands."""
    examples = [line.lstrip("| ").rstrip() for line in lines]
    typed = [line for line in examples if line.startswith("gatewalk ")]
    if typed:
        lines[:] = ["Examples:", "", ".. code-block:: sh", "", *(f"   {line}" for line in typed), ""]


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("sphinx-click-process-epilog", show_examples)
    return {"parallel_read_safe": True}
