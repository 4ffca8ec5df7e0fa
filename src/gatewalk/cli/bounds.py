"""`gatewalk bounds`: the values of the theorems for given parameters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape

from gatewalk.cli.console import console as unwrapped
from gatewalk.cli.numbers import chance, number, show_notes
from gatewalk.cli.options import program_options, search_options, settings_given, target_argument

if TYPE_CHECKING:
    from rich.console import Console

    from gatewalk.search.settings import Settings
    from gatewalk.theory.statements import Applied

EXAMPLES = """\b
Examples:
  gatewalk bounds and:8 --nodes 16
  gatewalk bounds and:1000 --nodes n^2 --json
  gatewalk bounds and:10 --nodes n-1 --selection strict --tail 0.99
  gatewalk bounds and:8 --training sample
  gatewalk bounds xor:500 --nodes n
"""


@click.command(epilog=EXAMPLES, short_help="The theorems' values for these parameters.")
@target_argument
@program_options
@search_options
@click.option(
    "--tail",
    type=float,
    metavar="P",
    help="Also show the numbers of iterations that are not exceeded with probability P.",
)
def command(target: str, as_json: bool, tail: float | None, **given: Any) -> None:
    """Every result of the paper as a number for TARGET and these parameters.

    Where a result does not apply, its number is missing (null in JSON), and the reason is given: which
    assumption of the result the search does not meet.
    """
    from gatewalk.theory.statements import statements, tail_statements

    given["nodes"] = given["nodes"] or "2n"  # not the default of `evolve`, which depends on the target
    settings = settings_given(target, given)
    found = statements(settings)
    tails = () if tail is None else tail_statements(settings, tail)
    if as_json:
        record: dict[str, Any] = {
            "target": settings.target,
            "n": settings.n,
            "nodes": settings.nodes,
            "selection": settings.selection,
            "profile": settings.profile,
            "training": settings.training,
            **_record(found),
        }
        if tail is not None:
            record["tail"] = {"probability": tail, **_record(tails)}
        click.echo(json.dumps(record))
        return
    _show(settings, found, tails, tail)


def _record(items: Sequence[Applied]) -> dict[str, Any]:
    """The values by their keys, the reasons for nulls, and notes on the other values."""
    return {
        **{item.key: item.value for item in items},
        "reasons": {item.key: item.why for item in items if item.why},
        "notes": {item.key: item.note for item in items if item.note},
    }


def _show(settings: Settings, found: Sequence[Applied], tails: Sequence[Applied], tail: float | None) -> None:
    console = unwrapped()
    search = f"{settings.selection}, {settings.profile}, {settings.training}"
    _show_items(console, f"{settings.label}, D = {settings.nodes}, {search}", found)
    if tail is not None:
        console.print()
        _show_items(console, f"iterations not exceeded with probability {tail:g}", tails)


def _show_items(console: Console, title: str, items: Sequence[Applied]) -> None:
    """Print the numbers, notes on them, and the reasons why others are missing; each text only once."""
    from rich.table import Table

    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("result", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("statement")
    values = {item.key: item.value for item in items}
    for item in items:
        if not item.why:
            is_chance = item.key == "lemma7_probability"
            shown = chance(item.value, values["lemma7_rest"]) if is_chance else number(item.value)
            table.add_row(item.name, escape(shown), escape(item.says))
    if table.row_count:
        console.print(table)
    else:
        console.print(f"[bold]{escape(title)}[/bold]", highlight=False)
    show_notes(console, items)
