"""`gatewalk targets`: what can be searched for, and what a search for it uses by default."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.options import json_option, library_option
from gatewalk.cli.terminal import console, reading, table_without_lines
from gatewalk.errors import InputError
from gatewalk.numbers import counted

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
  gatewalk targets 'x1 & (x2 | ~x3)' --tt
  gatewalk targets --json
"""
BIT_ORDER = "X[0] is the least significant bit of a number X; row r of a table gives input i bit i of r."


@click.command(epilog=EXAMPLES)
@click.argument("target", required=False, metavar="[TARGET]")
@click.option(
    "--tt",
    "with_table",
    is_flag=True,
    help=f"Show the truth table of TARGET, with up to {MOST_INPUTS} inputs.",
)
@library_option
@json_option
def targets(target: str | None, with_table: bool, library: str | None, as_json: bool) -> None:
    """List the families of targets, each with an example, or show one TARGET.

    TARGET is a name, an expression, a table, a file, or what a Python file defines. Numbers are unsigned,
    least significant bit first. Gates, nodes, lambda and budget are the defaults of `gatewalk evolve` for
    that size.
    """
    from gatewalk.boolean.targets import families, family_member, tables_in_hex
    from gatewalk.circuit.construction import check_library, target_named

    check_library(library, target or "")
    if target is None:
        if with_table:
            raise InputError("--tt needs a target, as in gatewalk targets mul:2 --tt")
        listed = [family_member(family, family.example) for family in families()]
        if as_json:
            for member in listed:
                click.echo(json.dumps(_record(member)))
        else:
            _show_list(listed)
        return
    with reading(target, library or ""):
        chosen = target_named(target, library=library)
    if with_table and chosen.inputs > MOST_INPUTS:
        raise InputError(
            f"{chosen.label} has {chosen.inputs:,} inputs; --tt shows at most {MOST_INPUTS} inputs; "
            "choose a smaller size"
        )
    if as_json:
        click.echo(json.dumps(_record(chosen) | (tables_in_hex(chosen) if with_table else {})))
        return
    _show_target(chosen)
    if with_table:
        click.echo()
        _show_table(chosen)


def _record(target: Target) -> dict[str, Any]:
    """A target as a record of `--json`."""
    from gatewalk.boolean.targets import defaults, description

    usual = defaults(target)
    return {
        "target": target.name,
        "family": target.family,
        "description": description(target)[0],
        "n": target.inputs,
        "outputs": target.outputs,
        "input_labels": target.input_labels,
        "output_labels": target.output_labels,
        "bit_order": "least significant first",
        "gates": usual.gates,
        "nodes": usual.nodes,
        "lambda": usual.offspring,
        "budget": usual.budget,
        "fewest_nodes": target.fewest_nodes,
    }


def compact(labels: tuple[str, ...]) -> str:
    """Labels in one line, with consecutive numbers as a range: A[0..2] B[0..2] Ci, or x1..x8."""
    runs: list[tuple[str, int, int, str]] = []
    for label in labels:
        numbered = re.fullmatch(r"(.*?)(\d+)(\]?)", label)
        if numbered is None:
            runs.append((label, 0, -1, ""))
            continue
        name, number, end = numbered[1], int(numbered[2]), numbered[3]
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


def _show_list(listed: list[Target]) -> None:
    from rich.text import Text

    from gatewalk.boolean.targets import defaults, description

    table = table_without_lines()
    for heading in ("target", "inputs", "outputs", "gates"):
        table.add_column(heading, no_wrap=True)
    table.add_column("nodes", justify="right", no_wrap=True)
    screen = console()
    is_wide = screen.width >= WIDE
    if is_wide:
        table.add_column("what it is")
    for target in listed:
        usual = defaults(target)
        texts = (
            target.name,
            compact(target.input_labels),
            compact(target.output_labels),
            ",".join(usual.gates),
            str(usual.nodes),
            *([description(target)[0]] if is_wide else []),
        )
        table.add_row(*map(Text, texts))
    screen.print(table)
    screen.print(f"\nK is the size, the number after the colon. {BIT_ORDER}", highlight=False)
    screen.print(
        "`gatewalk targets mul:2` shows one target in detail; --tt adds its truth table.", highlight=False
    )
    screen.print(
        "Your own function: 'x1 & (x2 | ~x3)', table:3:0x96 (bit r is row r), a file (.csv .pla .blif .aag "
        ".aig .tt .v .json), or what a Python file defines: mine.py:dnf:5.",
        highlight=False,
    )


def _show_target(target: Target) -> None:
    from rich.text import Text

    from gatewalk.boolean.targets import defaults, description

    usual = defaults(target)
    first, rest = description(target)
    needed = f", at least {target.fewest_nodes} are needed" if target.fewest_nodes else ""
    table = table_without_lines(header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, text in {
        "target": target.label,
        "what it is": first,
        "": rest,
        counted(target.inputs, "input"): compact(target.input_labels),
        counted(target.outputs, "output"): compact(target.output_labels),
        "bit order": BIT_ORDER,
        "gates": ",".join(usual.gates),
        "nodes": f"{usual.nodes}{needed}",
        "lambda": str(usual.offspring),
        "budget": f"{usual.budget:,}",
    }.items():
        if text:
            table.add_row(name, Text(text))
    console().print(table)


def _show_table(target: Target) -> None:
    from gatewalk.boolean.targets import truth_table

    inputs = [label.rjust(2) for label in target.input_labels]
    outputs = [label.rjust(2) for label in target.output_labels]
    click.echo(f"{' '.join(inputs)} | {' '.join(outputs)}")
    values, counted = truth_table(target)
    for row in range(1 << target.inputs):
        left = " ".join(str(row >> i & 1).rjust(len(label)) for i, label in enumerate(inputs))
        signs = (
            str(int(bit)) if counts else "-"
            for bit, counts in zip(values[:, row], counted[:, row], strict=True)
        )
        right = " ".join(sign.rjust(len(label)) for sign, label in zip(signs, outputs, strict=True))
        click.echo(f"{left} | {right}")
