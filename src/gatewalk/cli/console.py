"""Where commands print tables: a console as wide as the terminal, and wide enough for any line elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_ANY_LINE = 10_000  # columns


def console(*, stderr: bool = False) -> Console:
    """A console that does not wrap lines for a reader that is no terminal."""
    from rich.console import Console

    found = Console(stderr=stderr)
    return found if found.is_terminal else Console(stderr=stderr, width=_ANY_LINE)
