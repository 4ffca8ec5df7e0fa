"""`gatewalk targets`: what can be searched for, and what a search for it uses by default."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.console import console
from gatewalk.cli.options import json_option, library_option
from gatewalk.errors import InputError

if TYPE_CHECKING:
    from gatewalk.boolean.targets import Target

MOST_INPUTS = 12  # of a truth table that can be shown
WIDE = 110  # columns: on a narrower terminal descriptions are left out
EXAMPLES = """\b
Examples:
  gatewalk targets
  gatewalk targets mul:2
  gatewalk targets mul:2 --tt
  gatewalk targets function.pla --tt
  gatewalk targets --json
"""
BIT_ORDER = "X[0] is the least significant bit of a number X; row r of a table gives input i bit i of r."


@click.command(epilog=EXAMPLES, short_help="List the functions to search for: inputs, outputs, defaults.")
@click.argument("target", required=False, metavar="[TARGET]")
@click.option(
    "--tt", "with_table", is_flag=True, help=f"Show the truth table of TARGET, up to {MOST_INPUTS} inputs."
)
@library_option
@json_option
def command(target: str | None, with_table: bool, library: str | None, as_json: bool) -> None:
    """List the families of targets, each with an example, or show one TARGET: a name, a table or a file.

    Numbers are unsigned, least significant bit first. Gates, nodes, lambda and budget are the defaults of
    `gatewalk evolve` for that size.
    """
    from gatewalk.boolean.description import tables_in_hex
    from gatewalk.boolean.targets import families, member
    from gatewalk.circuit.named import check_library, target_named

    check_library(library, target or "")
    if target is None:
        if with_table:
            raise InputError("--tt needs a target, as in gatewalk targets mul:2 --tt")
        listed = [member(family, family.example) for family in families()]
        if as_json:
            for one in listed:
                click.echo(json.dumps(_record(one)))
        else:
            _print_list(listed)
        return
    wanted = target_named(target, library=library)
    if with_table and wanted.inputs > MOST_INPUTS:
        size = f"{wanted.inputs} inputs and 2^{wanted.inputs} rows"
        raise InputError(
            f"{wanted.label} has {size}; --tt shows up to {MOST_INPUTS} inputs: take a smaller size"
        )
    if as_json:
        click.echo(json.dumps(_record(wanted) | (tables_in_hex(wanted) if with_table else {})))
        return
    _print_one(wanted)
    if with_table:
        click.echo()
        _print_table(wanted)


def _record(wanted: Target) -> dict[str, Any]:
    """A target as a record of `--json`."""
    from gatewalk.boolean.description import description
    from gatewalk.boolean.targets import defaults

    usual = defaults(wanted)
    return {
        "target": wanted.name,
        "family": wanted.family,
        "description": description(wanted)[0],
        "n": wanted.inputs,
        "outputs": wanted.outputs,
        "input_labels": wanted.input_labels,
        "output_labels": wanted.output_labels,
        "bit_order": "least significant first",
        "gates": usual.gates,
        "nodes": usual.nodes,
        "lambda": usual.offspring,
        "budget": usual.budget,
        "fewest_nodes": wanted.fewest_nodes,
    }


def compact(labels: tuple[str, ...]) -> str:
    """Labels in one line, with consecutive numbers as a range: A[0..2] B[0..2] Ci, or x1..x8."""
    runs: list[tuple[str, int, int, str]] = []
    for label in labels:
        found = re.fullmatch(r"(.*?)(\d+)(\]?)", label)
        if found is None:
            runs.append((label, 0, -1, ""))
            continue
        name, number, end = found[1], int(found[2]), found[3]
        if runs and runs[-1][0] == name and runs[-1][2] + 1 == number:
            runs[-1] = (name, runs[-1][1], number, end)
        else:
            runs.append((name, number, number, end))
    return " ".join(_range(*run) for run in runs)


def _range(name: str, first: int, last: int, end: str) -> str:
    if last < first:
        return name
    if first == last:
        return f"{name}{first}{end}"
    return f"{name}{first}..{last}{end}" if end else f"{name}{first}..{name}{last}"


def _print_list(listed: list[Target]) -> None:
    from rich.table import Table
    from rich.text import Text

    from gatewalk.boolean.description import description
    from gatewalk.boolean.targets import defaults

    table = Table(box=None, pad_edge=False)
    for heading in ("target", "inputs", "outputs", "gates"):
        table.add_column(heading, no_wrap=True)
    table.add_column("nodes", justify="right", no_wrap=True)
    screen = console()
    is_wide = screen.width >= WIDE
    if is_wide:
        table.add_column("what it is")
    for wanted in listed:
        usual = defaults(wanted)
        texts = (
            wanted.name,
            compact(wanted.input_labels),
            compact(wanted.output_labels),
            ",".join(usual.gates),
            str(usual.nodes),
            *([description(wanted)[0]] if is_wide else []),
        )
        table.add_row(*map(Text, texts))
    screen.print(table)
    screen.print(f"\nK is the size, the number after the colon. {BIT_ORDER}", highlight=False)
    screen.print(
        "`gatewalk targets mul:2` shows one target in detail; --tt adds its truth table.", highlight=False
    )
    screen.print(
        "Your own function: table:3:0x96 (bit r is row r), or a file: .pla .blif .aag .aig .tt .v .json.",
        highlight=False,
    )


def _print_one(wanted: Target) -> None:
    from rich.table import Table
    from rich.text import Text

    from gatewalk.boolean.description import description
    from gatewalk.boolean.targets import defaults

    usual = defaults(wanted)
    first, rest = description(wanted)
    needed = f", at least {wanted.fewest_nodes} are needed" if wanted.fewest_nodes else ""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, text in {
        "target": wanted.label,
        "what it is": first,
        "": rest,
        _counted(wanted.inputs, "input"): compact(wanted.input_labels),
        _counted(wanted.outputs, "output"): compact(wanted.output_labels),
        "bit order": BIT_ORDER,
        "gates": ",".join(usual.gates),
        "nodes": f"{usual.nodes}{needed}",
        "lambda": str(usual.offspring),
        "budget": f"{usual.budget:,}",
    }.items():
        if text:
            table.add_row(name, Text(text))
    console().print(table)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _print_table(wanted: Target) -> None:
    from gatewalk.boolean.description import truth_table

    inputs = [label.rjust(2) for label in wanted.input_labels]
    outputs = [label.rjust(2) for label in wanted.output_labels]
    click.echo(f"{' '.join(inputs)} | {' '.join(outputs)}")
    values, counted = truth_table(wanted)
    for row in range(1 << wanted.inputs):
        left = " ".join(str(row >> i & 1).rjust(len(label)) for i, label in enumerate(inputs))
        signs = (
            str(int(bit)) if counts else "-"
            for bit, counts in zip(values[:, row], counted[:, row], strict=True)
        )
        right = " ".join(sign.rjust(len(label)) for sign, label in zip(signs, outputs, strict=True))
        click.echo(f"{left} | {right}")
