"""`gatewalk circuit convert|check|draw|minimise|stats`: circuits, from files or of targets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.minimise import minimise
from gatewalk.cli.options import as_is_option, check_place, json_option, library_option
from gatewalk.errors import InputError, printable

if TYPE_CHECKING:
    from gatewalk.circuit.alignment import Alignment
    from gatewalk.circuit.circuit import Circuit
    from gatewalk.circuit.equivalence import Side, Verdict

DIFFERENT = 3  # exit code
EXAMPLES = """\b
Examples:
  gatewalk circuit convert adder.json adder.blif
  gatewalk circuit check adder.blif add:2
  gatewalk circuit draw adder.blif --out adder.pdf
  gatewalk circuit minimise adder.blif --out smaller.blif
  gatewalk circuit stats adder.blif --cost and=1,or=1,xor=2.5
  gatewalk circuit convert mul:4 multiplier.v
"""
CONVERT_EXAMPLES = """\b
Examples:
  gatewalk circuit convert adder.json adder.blif
  gatewalk circuit convert adder.blif adder.dot --as-is
  gatewalk circuit convert maj:5 majority.blif
  gatewalk circuit convert function.pla function.v
  gatewalk circuit convert parity.blif parity.json --gates nand
  gatewalk circuit convert mapped.blif plain.v --library cells.genlib
"""
CHECK_EXAMPLES = """\b
Examples:
  gatewalk circuit check adder.blif add:2
  gatewalk circuit check before.blif after.json --json
  gatewalk circuit check adder.blif add:32
  gatewalk circuit check mapped.blif function.pla --library cells.genlib
  gatewalk circuit check large.blif maj:99 --trial
"""
DRAW_EXAMPLES = """\b
Examples:
  gatewalk circuit draw adder.blif --out adder.svg
  gatewalk circuit draw adder.json --out adder.pdf
  gatewalk circuit draw adder.json --out slide.png --theme dark
  gatewalk circuit draw add:2 --out adder.svg
"""
STATS_EXAMPLES = """\b
Examples:
  gatewalk circuit stats adder.blif
  gatewalk circuit stats adder.json --cost and=1,or=1,xor=2.5 --json
  gatewalk circuit stats mapped.blif --library cells.genlib --cost cells.genlib
  gatewalk circuit stats mul:8
"""


@click.group(epilog=EXAMPLES, short_help="Circuit files: convert, check, draw, minimise, count gates.")
def command() -> None:
    """Circuit files: convert, check, draw, minimise, count gates.

    Instead of a circuit file, a target can be given, such as add:4, table:3:0x96 or function.pla. It stands
    for a circuit that computes it, built by a fixed rule and not the smallest one.
    """


@command.command(epilog=CONVERT_EXAMPLES, short_help="Write a circuit in another format.")
@click.argument("source", metavar="A")
@click.argument("result", metavar="B")
@click.option(
    "--gates", metavar="NAMES", help="Use only these gates, such as and,or,not, or those of a .genlib file."
)
@library_option
@as_is_option
def convert(source: str, result: str, gates: str | None, library: str | None, as_is: bool) -> None:
    """Write the circuit of A, a file or a target, to file B. The suffixes give the formats."""
    from gatewalk.circuit.formats import format_of, write_file
    from gatewalk.circuit.named import check_library, circuit_named, gates_named

    if as_is and gates is not None:
        raise InputError("--as-is and --gates exclude each other: leave one of them out")
    check_library(library, source)
    format_of(result)
    check_place(Path(result))
    allowed = None if gates is None else gates_named(gates)
    circuit = circuit_named(source, library=library)
    written = circuit if as_is else circuit.simplify(gates=allowed)
    write_file(written, result)
    fewer = f", {len(circuit)} before simplification" if len(written) < len(circuit) else ""
    click.echo(f"wrote {printable(result)}: {_counted(written)}{fewer}")


@command.command(epilog=CHECK_EXAMPLES, short_help="Check whether two circuits or targets compute the same.")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option(
    "--trial", is_flag=True, help="Beyond about 20 inputs, only try random rows, which proves nothing."
)
@library_option
@json_option
def check(one: str, other: str, trial: bool, library: str | None, as_json: bool) -> None:
    """Check whether A and B, files or targets, compute the same.

    Inputs and outputs are matched by name if A and B have the same names, else by position. Rows that a
    target or a PLA does not care about do not count. The exit code is 0 if they are equal and 3 if they
    differ; then a row that shows it is printed.
    """
    from gatewalk.circuit.alignment import align
    from gatewalk.circuit.named import check_library, side_named

    check_library(library, one, other)
    side = side_named(one, library=library)
    alignment = align(side, side_named(other, library=library))
    verdict = _compare(side, alignment.other, trial)
    record = _record(side, alignment, verdict)
    click.echo(json.dumps(record) if as_json else _words(record, verdict))
    if not verdict:
        raise click.exceptions.Exit(DIFFERENT)


def _compare(one: Side, other: Side, trial: bool) -> Verdict:
    from gatewalk.circuit.equivalence import EXHAUSTIVE_INPUTS, compare, try_rows
    from gatewalk.cli.progress import progress

    n = len(one.input_labels)
    if trial and n > EXHAUSTIVE_INPUTS:
        return try_rows(one, other)
    if n > EXHAUSTIVE_INPUTS:
        click.echo(
            f"gatewalk: {n} inputs: compared by SAT, which may take long (--trial only tries rows)",
            err=True,
        )
    with progress("check", 1 << n if n < 64 else 0) as show:
        return compare(one, other, watch=lambda done, total: show(done, f"{done:,} of {total:,} rows"))


def _record(one: Side, alignment: Alignment, verdict: Verdict) -> dict[str, Any]:
    other = alignment.other
    row: dict[str, Any] | None = None
    if verdict.counterexample is not None and verdict.values is not None:
        row = {
            "inputs": dict(zip(one.input_labels, verdict.counterexample, strict=True)),
            "a": dict(zip(one.output_labels, verdict.values[0], strict=True)),
            "b": dict(zip(other.output_labels, verdict.values[1], strict=True)),
        }
    return {
        "a": one.name,
        "b": other.name,
        "equal": verdict.equal,
        "proof": verdict.proof,
        "method": verdict.method,
        "rows": verdict.rows,
        "inputs_by": alignment.inputs,
        "outputs_by": alignment.outputs,
        "counterexample": row,
    }


def _words(record: dict[str, Any], verdict: Verdict) -> str:
    matched = f"inputs matched by {record['inputs_by']}, outputs by {record['outputs_by']}"
    row = record["counterexample"]
    if row is None:
        return f"{verdict}; {matched}"
    lines = [f"different; {matched}"]
    for title, values in (("inputs", row["inputs"]), (record["a"], row["a"]), (record["b"], row["b"])):
        lines.append(f"  {title}: " + " ".join(f"{label}={value}" for label, value in values.items()))
    return "\n".join(lines)


@command.command(epilog=DRAW_EXAMPLES, short_help="Draw a schematic: SVG, PDF or PNG.")
@click.argument("source", metavar="A")
@click.option("--out", required=True, metavar="FILE", help="The picture: .svg, .pdf or .png.")
@click.option(
    "--theme",
    type=click.Choice(["auto", "light", "dark"]),
    default="auto",
    show_default=True,
    help="Colours; auto follows the reader's screen in SVG and is light in other formats.",
)
@library_option
@as_is_option
def draw(source: str, out: str, theme: Any, library: str | None, as_is: bool) -> None:
    """Draw the circuit of A, a file or a target."""
    from gatewalk.circuit.drawing import schematic
    from gatewalk.circuit.named import check_library, circuit_named
    from gatewalk.circuit.picture_files import check_suffix, write_picture

    check_suffix(out)
    check_library(library, source)
    check_place(Path(out))
    circuit = circuit_named(source, library=library)
    written = circuit if as_is else circuit.simplify()
    write_picture(schematic(written), out, theme=theme)
    click.echo(f"wrote {printable(out)}: {_counted(written)}")


def _counted(circuit: Circuit) -> str:
    return f"{len(circuit)} gate{'' if len(circuit) == 1 else 's'}"


@command.command(epilog=STATS_EXAMPLES, short_help="Count gates by kind; depth and cost.")
@click.argument("source", metavar="A")
@click.option(
    "--cost",
    "weights",
    metavar="GATE=COST,...",
    help="Also show the cost, with these costs of gates or the areas in a .genlib file.",
)
@library_option
@json_option
def stats(source: str, weights: str | None, library: str | None, as_json: bool) -> None:
    """Inputs, outputs, gates by kind and depth of the circuit of A, a file or a target, unsimplified."""
    from gatewalk.circuit.named import check_library, circuit_named, weights_named

    check_library(library, source)
    costs = None if weights is None else weights_named(weights)
    circuit = circuit_named(source, library=library)
    record: dict[str, Any] = {
        "circuit": source,
        "inputs": len(circuit.input_labels),
        "outputs": len(circuit.outputs),
        "gates": len(circuit),
        "kinds": circuit.counts,
        "depth": circuit.depth,
        "simplified_gates": len(circuit.simplify()),
    }
    if costs is not None:
        record["cost"] = circuit.cost(costs)
    if as_json:
        click.echo(json.dumps(record))
        return
    kinds = ", ".join(f"{count} {name}" for name, count in circuit.counts.items())
    shown = {**record, "kinds": kinds or "none", "simplified_gates": f"{record['simplified_gates']} gates"}
    width = max(map(len, shown)) + 2
    for key, value in shown.items():
        click.echo(f"{key.removesuffix('_gates'):{width}}{value}")


command.add_command(minimise)
