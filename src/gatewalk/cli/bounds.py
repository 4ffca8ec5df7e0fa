"""`gatewalk bounds`: the values of the theorems for given parameters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cli.options import (
    Number,
    program_options,
    search_from_options,
    settings_options,
    target_argument,
)
from gatewalk.cli.terminal import console, table_without_lines
from gatewalk.numbers import MINUS, fixed, number

if TYPE_CHECKING:
    from rich.console import Console

    from gatewalk.theory.statements import Applied

EXAMPLES = """\b
Examples:
  gatewalk bounds and:8 --nodes 16
  gatewalk bounds and:1000 --nodes n^2 --json
  gatewalk bounds and:10 --nodes n-1 --selection strict --tail 0.99
  gatewalk bounds and:8 --training sample
  gatewalk bounds xor:500 --nodes n
"""


@click.command(epilog=EXAMPLES)
@target_argument
@program_options(nodes="2n")
@settings_options("training", "mutation", "offspring", "start")
@click.option(
    "--tail",
    type=Number(),
    metavar="P",
    help="Also show the numbers of iterations that are not exceeded with probability P.",
)
def bounds(target: str, as_json: bool, tail: float | None, **given: Any) -> None:
    """Evaluate every theorem, ours and the paper's, for TARGET and these parameters.

    For each question the best bound that is proven comes first, then the paper's.

    Where a result does not apply, its value is missing (null in JSON) and the assumption that fails is named.
    """
    from gatewalk.theory.statements import statements, tail_statements

    search = search_from_options(target, given)
    assert isinstance(search, CgpSearch)  # there is no option --algorithm
    items = statements(search)
    tails = () if tail is None else tail_statements(search, tail)
    if as_json:
        record: dict[str, Any] = {
            "target": search.target.name,
            "n": search.n,
            "nodes": search.nodes,
            "selection": search.selection,
            "profile": search.profile,
            "training": str(search.training),
            **_record(items),
        }
        if tail is not None:
            record["tail"] = {"probability": tail, **_record(tails)}
        click.echo(json.dumps(record))
        return
    screen = console()
    words = f"{search.selection}, {search.profile}, {search.training}"
    _show(screen, f"{search.target.label}, D = {search.nodes}, {words}", items)
    if tail is not None:
        screen.print()
        _show(screen, f"iterations not exceeded with probability {tail:g}", tails)


def _record(items: Sequence[Applied]) -> dict[str, Any]:
    """The values by their keys, the reasons for nulls, and notes on the other values."""
    return {
        **{item.key: item.value for item in items},
        "reasons": {item.key: item.why for item in items if item.why},
        "notes": {item.key: item.note for item in items if item.note},
    }


def _show(screen: Console, title: str, items: Sequence[Applied]) -> None:
    """Print the values, notes on them, and the reasons why others are missing; each text only once."""
    table = table_without_lines(title)
    table.add_column("result", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("statement")
    values = {item.key: item.value for item in items}
    for item in items:
        if not item.why:
            is_chance = item.key == "lemma7_probability"
            shown = (
                chance(item.value, values["lemma7_rest"])
                if is_chance
                else value_text(item.value, side=item.side)
            )
            table.add_row(item.name, escape(shown), escape(item.says))
    if table.row_count:
        screen.print(table)
    else:
        screen.print(f"[bold]{escape(title)}[/bold]", highlight=False)
    show_notes(screen, items)


def value_text(value: Any, *, side: str = "") -> str:
    """The value of a statement: from 1,000 on as a whole number, else to six digits.

    side: "at most" or "at least" for a bound, which is rounded outwards; else to the nearest.

    >>> value_text([3, 1, 0, 0]), value_text(12345678.9), value_text(1e12), value_text(0.5)
    ('3, 1, 0, ...', '12,345,679', '1 · 10¹²', '0.5')
    >>> value_text(4.34530001, side="at most"), value_text(1999.9, side="at least")
    ('4.34531', '1,999')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join([*map(number, value[:3]), *(["..."] if len(value) > 3 else [])])
    is_large = abs(value) >= 1e3 and isfinite(value)
    if side and isfinite(value):
        value = _outwards(Decimal(repr(float(value))), side, digits=4 if abs(value) >= 1e12 else 6)
    return number(round(value)) if is_large else number(value, digits=6)


def _outwards(value: Decimal, side: str, *, digits: int) -> float:
    """To whole numbers from 1,000 to 10^12, else to so many digits."""
    rounding = ROUND_CEILING if side == "at most" else ROUND_FLOOR
    if 1000 <= value < 10**12:
        return int(value.to_integral_value(rounding))
    return float(Context(prec=digits, rounding=rounding).plus(value))


def chance(value: float, rest: float) -> str:
    """A probability as text; if it is almost 1, as 1 minus `rest`, its distance from 1.

    >>> chance(0.25, 0.75), chance(0.9999999, 1e-7), chance(1.0, 8.48e-23)
    ('0.2500', '1 − 10⁻⁷', '1 − 8.5 · 10⁻²³')
    """
    return fixed(value, 4) if rest >= 1e-3 else f"1 {MINUS} {number(rest, digits=2).removeprefix('1 · ')}"


def show_notes(screen: Console, items: Sequence[Applied]) -> None:
    """Print notes on the numbers, and the reasons why others are missing; each text only once."""
    for heading, attribute in (("note", "note"), ("does not apply", "why")):
        for words, names in _names_by(items, attribute).items():
            line = f"[dim]{heading}:[/dim] {escape(', '.join(names))}: {escape(words)}"
            screen.print(line, highlight=False)


def _names_by(items: Sequence[Applied], attribute: str) -> dict[str, list[str]]:
    """The names of the results that share a text, by this text: their `note` or their `why`."""
    names: dict[str, list[str]] = {}
    for item in items:
        words = getattr(item, attribute)
        if words:
            names.setdefault(words, []).append(item.name.replace(", ", " "))
    return names
