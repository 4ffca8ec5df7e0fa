"""`gatewalk paper`: reproduce the paper's experiments and compare them with the published numbers."""

from __future__ import annotations

from pathlib import Path

import click

from gatewalk.cli.stages import Stages, command_again
from gatewalk.errors import InputError, shown

EXAMPLES = """\b
Examples:
  gatewalk paper
  gatewalk paper --only complete --profile tinyverse --replications 1000
  gatewalk paper --only complete,xor --out results/without-samples
"""


@click.command(epilog=EXAMPLES, short_help="Reproduce the paper: runs, figures, tables, comparison.")
@click.option(
    "--replications",
    default=30,
    show_default=True,
    type=int,
    metavar="R",
    help="Number of runs of each cell.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="complete|incomplete|xor",
    help="Only these parts, as a list or repeated.",
)
@click.option(
    "--profile",
    multiple=True,
    metavar="tinyverse|paper",
    help="As the published experiments were run, or Algorithms 1-3 to the letter; default: both.",
)
@click.option(
    "--jobs", type=int, metavar="J", help="Number of threads, then of processes; default: one per processor."
)
@click.option(
    "--out", default="results/paper", show_default=True, type=click.Path(path_type=Path), metavar="FOLDER"
)
@click.option("--seed", default=1, show_default=True, type=int, metavar="S")
@click.option(
    "--quick",
    is_flag=True,
    help="A taste in seconds: small n and short runs, of which not all can be compared.",
)
def command(
    replications: int,
    only: tuple[str, ...],
    profile: tuple[str, ...],
    jobs: int | None,
    out: Path,
    seed: int,
    quick: bool,
) -> None:
    """Reproduce the paper: its runs, figures and tables, beside the published numbers.

    Writes a page, FOLDER/index.html. If the command is repeated, only runs that FOLDER lacks are made.
    """
    from gatewalk.cli.progress import announce_compilation
    from gatewalk.search.evolve import check_jobs
    from gatewalk.studies.paper.experiments import Request
    from gatewalk.studies.paper.models import PARTS, PROFILES
    from gatewalk.studies.paper.reproduce import reproduce

    if replications < 2:
        raise InputError(f"--replications is {replications}; statistics need at least 2")
    if seed < 0:
        raise InputError(f"--seed is {seed}; it must be 0 or more")
    if jobs is not None:
        check_jobs(jobs, "--jobs")
    request = Request(
        parts=_chosen("--only", only, PARTS),
        profiles=_chosen("--profile", profile, PROFILES),
        replications=replications,
        seed=seed,
    )
    if quick:
        request = request.quick()
    again = command_again(click.get_current_context())
    announce_compilation()
    with Stages(again) as stages:
        report = reproduce(request, out, jobs=jobs, watch=stages.watch, say=stages.say, command=again)
    for line in report.summary:
        click.echo(line)
    click.echo(f"the page: {report.page}")


def _chosen(option: str, texts: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The given values, from lists or one by one, in the order in which they are run."""
    given = [value.strip() for text in texts for value in text.split(",")]
    for value in given:
        if value not in allowed:
            raise InputError(f"{option} {shown(value)} is unknown; use {', '.join(allowed)}")
    return tuple(value for value in allowed if value in given or not given)
