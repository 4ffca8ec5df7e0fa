"""`gatewalk bench`: iterations per second on standard cases, on this machine."""

from __future__ import annotations

import json

import click

from gatewalk.cli.options import Number, json_option
from gatewalk.errors import InputError

EXAMPLES = """\b
Examples:
  gatewalk bench
  gatewalk bench and:15 mul:3 --seconds 2
  gatewalk bench --json
"""


@click.command(epilog=EXAMPLES)
@click.argument("targets", nargs=-1)
@click.option(
    "--seconds",
    type=Number(least=0.01, most=3600),
    default=0.5,
    show_default=True,
    metavar="S",
    help="Processor time to spend on each case.",
)
@json_option
def bench(targets: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Measure iterations (offspring made and evaluated) per second on one core.

    Runs go from random programs to success. TARGETS choose among the standard cases; default: all.
    """
    from gatewalk.search import speed

    cases = [case for case in speed.STANDARD if not targets or case.target in targets]
    unknown = sorted(set(targets) - {case.target for case in cases})
    if unknown:
        names = ", ".join(dict.fromkeys(case.target for case in speed.STANDARD))
        raise InputError(f"{unknown[0]} is not a standard case; choose from {names}")
    if not as_json:
        click.echo(f"{'case':38} {'evaluation':>10} {'iterations/s':>14}")
    for case in cases:
        for evaluation in speed.evaluations_for(case):
            line = speed.record(case, evaluation, seconds)
            if as_json:
                click.echo(json.dumps(line))
            else:
                click.echo(f"{line['case']:38} {evaluation:>10} {line['iterations_per_second']:14,}")
