"""`gatewalk circuit minimise`: a smaller circuit, proven equal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.interrupts import keep
from gatewalk.cli.options import WHOLE, check_place, check_runs, json_option, library_option
from gatewalk.errors import printable

if TYPE_CHECKING:
    from gatewalk.synthesis.plan import Progress

EXAMPLES = """\b
Examples:
  gatewalk circuit minimise mul:3 --seconds 60 --out multiplier.v
  gatewalk circuit minimise netlist.blif --out smaller.blif
  gatewalk circuit minimise maj:7 --gates aig --seconds 20 --out maj7.aig
  gatewalk circuit minimise adder.pla --gates nand,not --cost nand=1,not=0.5
  gatewalk circuit minimise mux:2 --prove --json
  gatewalk circuit minimise mul:2 --evaluations 1e7 --runs 4 --seed 1
"""


@click.command(epilog=EXAMPLES, short_help="A smaller circuit, proven equal.")
@click.argument("source", metavar="A")
@click.option(
    "--out",
    metavar="FILE",
    help="Write the circuit in the format of the suffix: .blif .v .aig .json .svg ...",
)
@click.option(
    "--gates",
    default="any",
    show_default=True,
    metavar="NAMES",
    help="Gates to use: any (not, and all of two inputs), aig (gates like and), or a list: and,or,not.",
)
@click.option(
    "--cost",
    default="gates",
    show_default=True,
    metavar="WHAT",
    help="What to minimise: gates, depth, gates,depth (depth breaks ties), nand=1,xor=2.5 or a .genlib file.",
)
@click.option("--seconds", type=float, metavar="S", help="Stop after so many seconds.  [default: 10]")
@click.option(
    "--evaluations", type=WHOLE, metavar="N", help="Stop each run after so many evaluated circuits."
)
@click.option(
    "--slack", type=int, metavar="K", help="Also continue from circuits that cost up to K more than the best."
)
@click.option(
    "--method",
    default="auto",
    show_default=True,
    metavar="NAME",
    help="resubstitution, cgp, or auto: resubstitution unless gates have more than two inputs.",
)
@click.option(
    "--nodes", type=int, metavar="D", help="For cgp: number of nodes; default: by the size of the circuit."
)
@click.option("--mutation", metavar="M", help="For cgp: sam, point:K or rate:P.  [default: sam]")
@click.option("--lambda", "offspring", type=int, metavar="L", help="For cgp: offspring per generation.")
@click.option("--prove", is_flag=True, help="Ask a SAT solver whether fewer gates are possible.")
@click.option(
    "--runs",
    type=int,
    default=2,
    show_default=True,
    metavar="R",
    help="Number of searches; the best result counts.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Seed of all runs.")
@click.option("--jobs", type=int, metavar="J", help="Number of threads; default: one per processor.")
@library_option
@json_option
def minimise(source: str, out: str | None, as_json: bool, **given: Any) -> None:
    """Make the circuit of A, a file or a target, smaller without changing what it computes.

    Ctrl-C ends the search early and keeps the best circuit so far. With --evaluations instead of --seconds,
    the same seed gives the same circuit, for any number of jobs.
    """
    from gatewalk.circuit.formats import format_of, write_file
    from gatewalk.cli.progress import announce_compilation, progress
    from gatewalk.synthesis.minimisation import DEFAULT_SECONDS
    from gatewalk.synthesis.minimisation import minimise as minimised

    check_runs(given["runs"], given["seed"], given["jobs"])
    if out is not None:
        format_of(out)
        check_place(Path(out))
    if given["seconds"] is None and given["evaluations"] is None:
        given["seconds"] = DEFAULT_SECONDS
    announce_compilation()
    by_clock = given["seconds"] is not None
    total = given["seconds"] if by_clock else given["evaluations"] * given["runs"]
    with progress("minimise", total) as show:

        def watch(now: Progress) -> None:
            keep()
            done = now.seconds if by_clock else now.evaluations
            show(done, f"{now.gates} gates, {now.evaluations:,} circuits tried")

        found = minimised(source, watch=watch, **given)
    if out is not None:
        write_file(found.circuit, out)
    if as_json:
        click.echo(json.dumps(found.record))
    else:
        click.echo(found)
    if out is not None:
        click.echo(f"the circuit is in {printable(out)}", err=as_json or not sys.stdout.isatty())
    if found.interrupted:
        raise KeyboardInterrupt
