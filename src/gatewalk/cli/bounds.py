"""`gatewalk bounds`: the theorems' values for these parameters."""

from __future__ import annotations

import json
from typing import Any

import click

from gatewalk.cli.options import program_options, settings_given, target_argument

EXAMPLES = """\b
Examples:
  gatewalk bounds and:8 --nodes 16
  gatewalk bounds and:1000 --nodes n^2 --json
  gatewalk bounds and:10 --nodes n-1 --selection strict --tail 0.99
  gatewalk bounds xor:500 --nodes n
"""


@click.command(epilog=EXAMPLES, short_help="The theorems' values for these parameters.")
@target_argument
@program_options
@click.option(
    "--tail",
    type=float,
    metavar="P",
    help="Also the numbers of iterations not exceeded with probability P.",
)
def command(target: str, as_json: bool, tail: float | None, **given: Any) -> None:
    """Every result of the paper as a number for TARGET and these parameters.

    Where a result does not apply, its number is missing (null in JSON) and the reason is given.
    """
    from gatewalk.theory.statements import statements, tail_statements

    given["nodes"] = given["nodes"] or "2n"  # whatever a search for it would take
    made = settings_given(target, given)
    found = statements(made)
    tails = () if tail is None else tail_statements(made, tail)
    if as_json:
        record: dict[str, Any] = {
            "target": made.target,
            "n": made.n,
            "nodes": made.nodes,
            "selection": made.selection,
            "profile": made.profile,
            **{item.key: item.value for item in found},
        }
        if tail is not None:
            record["tail"] = {"probability": tail, **{item.key: item.value for item in tails}}
        click.echo(json.dumps(record))
        return
    _show(made, found, tails, tail)


def _show(made: Any, found: Any, tails: Any, tail: float | None) -> None:
    from rich.console import Console
    from rich.table import Table

    def table(title: str, items: Any) -> Table:
        made_table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
        made_table.add_column("result", no_wrap=True)
        made_table.add_column("value", justify="right", no_wrap=True)
        made_table.add_column("statement")
        for item in items:
            says = item.says if item.value is not None else f"[dim]does not apply: {item.why}[/dim]"
            made_table.add_row(item.name, _text(item.value), says)
        return made_table

    console = Console()
    console.print(table(f"{made.target}, D = {made.nodes}, {made.selection}, {made.profile}", found))
    if tail is not None:
        console.print()
        console.print(table(f"iterations not exceeded with probability {tail:g}", tails))


def _text(value: Any) -> str:
    if value is None:
        return "[dim]-[/dim]"
    if isinstance(value, list):
        shown = [f"{item:,}" for item in value[:3]]
        return ", ".join([*shown, "..."] if len(value) > 3 else shown)
    if isinstance(value, str):
        return value
    if isinstance(value, float) and (abs(value) >= 1e9 or 0 < abs(value) < 1e-3):
        return f"{value:.4e}"
    return f"{value:,.6g}" if isinstance(value, float) and abs(value) < 1e3 else f"{value:,.0f}"
