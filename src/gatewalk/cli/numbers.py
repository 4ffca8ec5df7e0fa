"""Results of the theory as text: with the digits that matter, and each note only once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.markup import escape

if TYPE_CHECKING:
    from rich.console import Console

    from gatewalk.theory.statements import Applied


def number(value: Any) -> str:
    """The value of a statement as text.

    >>> number([3, 1, 0]), number(12345678.9), number(1e12), number(0.5)
    ('3, 1, 0', '12,345,679', '1.0000e+12', '0.5')
    """
    if isinstance(value, list):
        shown = [f"{item:,}" for item in value[:3]]
        return ", ".join([*shown, "..."] if len(value) > 3 else shown)
    if isinstance(value, str):
        return value
    if isinstance(value, float) and (abs(value) >= 1e9 or 0 < abs(value) < 1e-3):
        return f"{value:.4e}"
    return f"{value:,.6g}" if isinstance(value, float) and abs(value) < 1e3 else f"{value:,.0f}"


def chance(value: float, rest: float) -> str:
    """A probability as text; if it is almost 1, as 1 minus `rest`, its distance from 1.

    >>> chance(0.25, 0.75), chance(0.9999999, 1e-7), chance(1.0, 8.48e-23)
    ('0.2500', '1 - 1e-07', '1 - 8.5e-23')
    """
    return f"{value:.4f}" if rest >= 1e-3 else f"1 - {rest:.2g}"


def show_notes(console: Console, items: Sequence[Applied]) -> None:
    """Print notes on the numbers, and the reasons why others are missing; each text only once."""
    for heading, attribute in (("note", "note"), ("does not apply", "why")):
        for words, names in _names_by(items, attribute).items():
            line = f"[dim]{heading}:[/dim] {escape(', '.join(names))}: {escape(words)}"
            console.print(line, highlight=False)


def _names_by(items: Sequence[Applied], attribute: str) -> dict[str, list[str]]:
    """The names of the results that share a text, by this text: their `note` or their `why`."""
    found: dict[str, list[str]] = {}
    for item in items:
        words = getattr(item, attribute)
        if words:
            found.setdefault(words, []).append(item.name.replace(", ", " "))
    return found
