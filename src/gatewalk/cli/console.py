"""The console on which commands print tables: as wide as the terminal; in a pipe or file, without a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_ANY_LINE = 10_000  # columns


def console(*, stderr: bool = False) -> Console:
    """A console that wraps lines only on a terminal."""
    from rich.console import Console

    found = Console(stderr=stderr)
    return found if found.is_terminal else Console(stderr=stderr, width=_ANY_LINE)
