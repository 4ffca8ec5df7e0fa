"""`gatewalk bench`: iterations per second on standard cases, on this machine."""

from __future__ import annotations

import json
from math import isnan

import click

EXAMPLES = """\b
Examples:
  gatewalk bench
  gatewalk bench and:15 mul:3 --seconds 2
  gatewalk bench --json
"""


@click.command(epilog=EXAMPLES, short_help="Iterations per second on standard cases.")
@click.argument("targets", nargs=-1)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    default=0.5,
    show_default=True,
    help="Processor time spent on each case.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines on standard output.")
def command(targets: tuple[str, ...], seconds: float, as_json: bool) -> None:
    """Measure iterations (offspring made and evaluated) per second on one core.

    Runs go from random programs to success. Without TARGETS all standard cases are measured, otherwise those
    with these targets.
    """
    from gatewalk.cli.console import console
    from gatewalk.errors import InputError
    from gatewalk.search import speed

    if isnan(seconds):
        raise InputError("--seconds is not a number")
    cases = [case for case in speed.STANDARD if not targets or case.target in targets]
    unknown = set(targets) - {case.target for case in cases}
    if unknown:
        names = ", ".join(dict.fromkeys(case.target for case in speed.STANDARD))
        raise InputError(f"no standard case with target {', '.join(sorted(unknown))}: there are {names}")
    screen = console(stderr=as_json)
    if not as_json:
        screen.print(f"{'case':38} {'evaluation':>10} {'iterations/s':>14}", highlight=False)
    for case in cases:
        for evaluation in speed.evaluations_for(case):
            line = speed.record(case, evaluation, seconds)
            if as_json:
                click.echo(json.dumps(line))
            else:
                screen.print(
                    f"{line['case']:38} {evaluation:>10} {line['iterations_per_second']:14,}", highlight=False
                )
