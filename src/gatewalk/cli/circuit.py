"""`gatewalk circuit convert|check|draw|minimise|stats`: circuits, from files or of targets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.interrupts import has_results
from gatewalk.cli.options import (
    OUT_FILE,
    SECONDS,
    Whole,
    as_is_option,
    jobs_option,
    json_option,
    library_option,
    out_option,
    runs_option,
    seed_option,
)
from gatewalk.cli.terminal import announce_compilation, log, progress, reading, wrote
from gatewalk.errors import InputError, printable
from gatewalk.numbers import counted

if TYPE_CHECKING:
    from gatewalk.boolean.targets import Target
    from gatewalk.circuit.circuit import Circuit
    from gatewalk.circuit.equivalence import Verdict

    Sides = tuple[Circuit | Target, Circuit | Target]  # of a comparison

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
MINIMISE_EXAMPLES = """\b
Examples:
  gatewalk circuit minimise mul:3 --seconds 60 --out multiplier.v
  gatewalk circuit minimise netlist.blif --out smaller.blif
  gatewalk circuit minimise maj:7 --gates aig --seconds 20 --out maj7.aig
  gatewalk circuit minimise adder.pla --gates nand,not --cost nand=1,not=0.5
  gatewalk circuit minimise mux:2 --prove --json
  gatewalk circuit minimise mul:2 --evaluations 1e7 --runs 4 --seed 1
"""


@click.group(epilog=EXAMPLES)
def circuit() -> None:
    """Convert, check, draw and minimise circuits, and count their gates.

    Instead of a circuit file, a target can be given, such as add:4, table:3:0x96 or function.pla. A circuit
    for it is then built by a fixed rule; it is not minimal.
    """


@circuit.command(epilog=CONVERT_EXAMPLES, short_help="Write a circuit in another format.")
@click.argument("source", metavar="A")
@click.argument("out", metavar="B", type=OUT_FILE)
@click.option(
    "--gates", metavar="NAMES", help="Gates to use, such as and,or,not, or those of a .genlib file."
)
@library_option
@as_is_option
def convert(source: str, out: Path, gates: str | None, library: str | None, as_is: bool) -> None:
    """Write the circuit of A, a file or a target, to file B. The suffixes give the formats."""
    from gatewalk.circuit.construction import check_library, circuit_named
    from gatewalk.circuit.files import format_of, write_file
    from gatewalk.circuit.library import gates_named

    if as_is and gates is not None:
        raise InputError("use either --as-is or --gates, not both")
    check_library(library, source)
    format_of(out)
    with reading(source, gates or "", library or "") as on_progress:
        allowed = None if gates is None else gates_named(gates)
        given = circuit_named(source, library=library)
        on_progress(1.0, "simplifying")
        written = given if as_is else given.simplify(gates=allowed)
    write_file(written, out)
    fewer = f", {len(given):,} before simplification" if len(written) < len(given) else ""
    click.echo(printable(f"wrote {out}: {counted(len(written), 'gate')}{fewer}"))


@circuit.command(epilog=CHECK_EXAMPLES, short_help="Check whether two circuits compute the same function.")
@click.argument("one", metavar="A")
@click.argument("other", metavar="B")
@click.option("--trial", is_flag=True, help="Above 24 inputs, only test random rows; this is not a proof.")
@library_option
@json_option
def check(one: str, other: str, trial: bool, library: str | None, as_json: bool) -> None:
    """Check whether A and B, files or targets, compute the same function.

    Inputs and outputs are matched by name if A and B have the same names, else by position. Rows that are
    don't-cares of a target or a PLA are left out. The exit code is 0 if A and B are equal and 3 if they
    differ; then a row on which they differ is printed.
    """
    from gatewalk.circuit.construction import check_library, circuit_or_target

    check_library(library, one, other)
    with reading(one, other, library or ""):
        sides = circuit_or_target(one, library=library), circuit_or_target(other, library=library)
    names = _name(one, sides[0]), _name(other, sides[1])
    verdict = _compare(sides, names, trial)
    record = _record(sides, names, verdict)
    click.echo(json.dumps(record) if as_json else _words(record, verdict))
    if not verdict:
        raise click.exceptions.Exit(DIFFERENT)


def _name(text: str, side: Circuit | Target) -> str:
    from gatewalk.boolean.targets import Target

    return side.label if isinstance(side, Target) else text


def _compare(sides: Sides, names: tuple[str, str], trial: bool) -> Verdict:
    from gatewalk.circuit.equivalence import EXHAUSTIVE_INPUTS, equivalent, try_rows

    n = len(sides[0].input_labels)
    if trial and n > EXHAUSTIVE_INPUTS:
        return try_rows(*sides, by_name=True, names=names)
    if n > EXHAUSTIVE_INPUTS:
        log(f"{n} inputs: comparing by SAT, which may take a while (--trial only tests random rows)")
    with progress("check") as on_progress:
        return equivalent(
            *sides,
            by_name=True,
            names=names,
            watch=lambda done, total: on_progress(done / total, f"{done:,} of {total:,} rows"),
        )


def _record(sides: Sides, names: tuple[str, str], verdict: Verdict) -> dict[str, Any]:
    from gatewalk.circuit.equivalence import matching

    one, other = sides
    matched = matching(one, other)
    other_labels = one.output_labels if matched.outputs == "name" else other.output_labels
    row: dict[str, Any] | None = None
    if verdict.counterexample is not None and verdict.values is not None:
        row = {
            "inputs": dict(zip(one.input_labels, verdict.counterexample, strict=True)),
            "a": dict(zip(one.output_labels, verdict.values[0], strict=True)),
            "b": dict(zip(other_labels, verdict.values[1], strict=True)),
        }
    return {
        "a": names[0],
        "b": names[1],
        "equal": verdict.equal,
        "proof": verdict.proof,
        "method": verdict.method,
        "rows": verdict.rows,
        "inputs_by": matched.inputs,
        "outputs_by": matched.outputs,
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


@circuit.command(epilog=DRAW_EXAMPLES, short_help="Draw a schematic: SVG, PDF or PNG.")
@click.argument("source", metavar="A")
@out_option("The picture: .svg, .pdf or .png.", required=True)
@click.option(
    "--theme",
    type=click.Choice(["auto", "light", "dark"]),
    default="auto",
    show_default=True,
    help="Colours; auto follows the reader's screen in SVG and is light in other formats.",
)
@library_option
@as_is_option
def draw(source: str, out: Path, theme: Any, library: str | None, as_is: bool) -> None:
    """Draw the circuit of A, a file or a target."""
    from gatewalk.circuit.construction import check_library, circuit_named
    from gatewalk.circuit.drawing.picture import check_suffix, write_picture
    from gatewalk.circuit.drawing.schematic import schematic

    check_suffix(out)
    check_library(library, source)
    with reading(source, library or "") as on_progress:
        given = circuit_named(source, library=library)
        on_progress(1.0, "simplifying")
        drawn = given if as_is else given.simplify()
    write_picture(schematic(drawn), out, theme=theme)
    click.echo(printable(f"wrote {out}: {counted(len(drawn), 'gate')}"))


@circuit.command(epilog=MINIMISE_EXAMPLES, short_help="Find a smaller circuit, proven equal.")
@click.argument("source", metavar="A")
@out_option("Write the circuit; the suffix gives the format: .blif .v .aig .json .svg ...")
@click.option(
    "--gates",
    default="any",
    show_default=True,
    metavar="NAMES",
    help="Gates to use: any (not and every two-input gate), aig (and with inverted inputs or output, where "
    "inverters do not count), or a list: and,or,not.",
)
@click.option(
    "--cost",
    default="gates",
    show_default=True,
    metavar="WHAT",
    help="What to minimise: gates, depth, gates,depth (depth breaks ties), nand=1,xor=2.5 or a .genlib file.",
)
@click.option("--seconds", type=SECONDS, metavar="S", help="Stop after this many seconds.  [default: 10]")
@click.option(
    "--evaluations", type=Whole(), metavar="N", help="Stop each run after this many evaluated circuits."
)
@click.option(
    "--slack",
    type=Whole(),
    metavar="K",
    help="Also continue from circuits that cost up to K more than the best; default: 4, 12 above 150 gates.",
)
@click.option(
    "--method",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="resubstitution, cgp, or auto: resubstitution unless gates have more than two inputs.",
)
@click.option(
    "--nodes",
    type=Whole(),
    metavar="D",
    help="For cgp: number of nodes; default: depends on the size of the circuit.",
)
@click.option("--mutation", metavar="M", help="For cgp: sam, point:K or rate:P.  [default: sam]")
@click.option("--lambda", "offspring", type=Whole(), metavar="L", help="For cgp: offspring per generation.")
@click.option(
    "--prove",
    is_flag=True,
    help="Then ask a SAT solver whether fewer gates are possible: for half of --seconds, or up to a minute "
    "without --seconds.",
)
@runs_option(2, "Number of searches, of which the best result counts.")
@seed_option(0)
@jobs_option
@library_option
@json_option
def minimise(source: str, out: Path | None, as_json: bool, **given: Any) -> None:
    """Make the circuit of A, a file or a target, smaller without changing what it computes.

    Ctrl-C ends the search early and keeps the best circuit so far. With --evaluations instead of --seconds,
    the same seed gives the same circuit, for any --jobs.
    """
    from gatewalk.circuit.files import format_of, watched, write_file
    from gatewalk.synthesis.minimisation import DEFAULT_SECONDS
    from gatewalk.synthesis.minimisation import minimise as minimised

    if out is not None:
        format_of(out)
    if given["seconds"] is None and given["evaluations"] is None:
        given["seconds"] = DEFAULT_SECONDS
    announce_compilation()
    with progress("minimise") as show, watched(show):

        def on_progress(share: float, words: str) -> None:
            has_results()
            show(share, words)

        result = minimised(source, on_progress=on_progress, **given)
    if out is not None:
        write_file(result.circuit, out)
    click.echo(json.dumps(result.record) if as_json else result)
    if out is not None:
        wrote(out, as_json=as_json)
    if result.interrupted:
        raise KeyboardInterrupt


@circuit.command(epilog=STATS_EXAMPLES, short_help="Count gates by kind; show depth and cost.")
@click.argument("source", metavar="A")
@click.option(
    "--cost",
    "weights",
    metavar="GATE=COST,...",
    help="Also show the cost, from these costs of gates or the areas in a .genlib file.",
)
@library_option
@json_option
def stats(source: str, weights: str | None, library: str | None, as_json: bool) -> None:
    """Count the inputs, outputs and gates of the circuit of A, a file or a target, before simplification."""
    from gatewalk.circuit.construction import check_library, circuit_named
    from gatewalk.circuit.cost import weights_named

    check_library(library, source)
    with reading(source, weights or "", library or "") as on_progress:
        costs = None if weights is None else weights_named(weights)
        given = circuit_named(source, library=library)
        on_progress(1.0, "simplifying")
        simplified = given.simplify()
    record: dict[str, Any] = {
        "circuit": source,
        "inputs": len(given.input_labels),
        "outputs": len(given.outputs),
        "gates": len(given),
        "kinds": given.counts,
        "depth": given.depth,
        "simplified_gates": len(simplified),
    }
    if costs is not None:
        record["cost"] = given.cost(costs)
    if as_json:
        click.echo(json.dumps(record))
        return
    kinds = ", ".join(f"{count} {name}" for name, count in given.counts.items())
    shown = {**record, "kinds": kinds or "none", "simplified_gates": f"{record['simplified_gates']} gates"}
    width = max(map(len, shown)) + 2
    for key, value in shown.items():
        click.echo(f"{key.removesuffix('_gates'):{width}}{value}")
