"""`gatewalk study list|run`: reproduce papers and studies of open questions, each by one command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatewalk.bigint import to_json
from gatewalk.cli.options import json_option
from gatewalk.cli.stages import Stages, command_again
from gatewalk.errors import InputError, printable, whole_number

if TYPE_CHECKING:
    from gatewalk.studies import Report, Study

EXAMPLES = """\b
Examples:
  gatewalk study list
  gatewalk study run nodes --quick
  gatewalk study run growth --out results/growth --jobs 2
  gatewalk study run ./mine            # your own study: see docs/how-to/studies.md
  gatewalk study run --all --quick     # every study of the package, and a page that links them
"""
HOW_TO_RUN = """
A taste in seconds:   gatewalk study run nodes --quick
The whole study:      gatewalk study run nodes
What each asks:       gatewalk study list --json"""


@click.group(epilog=EXAMPLES)
def command() -> None:
    """Reproduce papers and studies of open questions, each by one command.

    A study is a folder with a campaign, a question, claims, published data to compare with, and notes on the
    results.
    """


@command.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the studies of the package: name, title, time on two cores."""
    from gatewalk.studies import find, names, read_study

    studies = [read_study(find(name)) for name in names()]
    if as_json:
        for study in studies:
            click.echo(to_json(_described(study)))
        return
    from shutil import get_terminal_size

    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("study", "about", "two cores"):
        table.add_column(name, no_wrap=name != "about", justify="right" if name == "two cores" else "left")
    for study in studies:
        table.add_row(study.name, study.title, _time(study))
    Console(width=max(40, min(100, get_terminal_size().columns))).print(table)
    click.echo(HOW_TO_RUN)


@command.command(epilog=EXAMPLES)
@click.argument("name", required=False, metavar="NAME|FOLDER")
@click.option(
    "--all", "every", is_flag=True, help="Run every study of the package, each in a folder of its own."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="The folder for the page and the runs; default: results/studies/NAME.",
)
@click.option(
    "--quick", is_flag=True, help="A taste in seconds: small sizes and few runs, too few for conclusions."
)
@click.option("--jobs", type=int, metavar="J", help="Number of threads; default: one per processor.")
@click.option("--seed", type=int, metavar="S", help="Another seed than that of the study.")
@json_option
def run(
    name: str | None,
    every: bool,
    out: Path | None,
    quick: bool,
    jobs: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Run a study and write its page, DIR/index.html.

    NAME is one of `gatewalk study list`; FOLDER is the path of your own study, such as ./mine. The study.py
    of a folder is executed: run only folders whose code you trust. If the command is repeated, only runs that
    DIR lacks are made.
    """
    from gatewalk.search.evolve import check_jobs
    from gatewalk.studies import find, names, read_study
    from gatewalk.studies.gallery import write_gallery

    if every == (name is not None):
        raise InputError("say which study: a NAME of `gatewalk study list`, the path of a FOLDER, or --all")
    if jobs is not None:
        check_jobs(jobs, "--jobs")
    if seed is not None:
        whole_number("--seed", seed, least=0)
    studies = [read_study(find(one)) for one in (names() if every else [str(name)])]
    home = out or Path("results/studies")
    again = command_again(click.get_current_context())
    done = []
    for study in studies:
        folder = home if out and not every else home / study.name
        if every and not as_json:
            click.echo(f"study {study.name}", err=True)
        report = _run(study, folder, quick=quick, jobs=jobs, seed=seed, again=again)
        _show(report, as_json)
        done.append((study, report))
    if every:
        index = write_gallery(done, home)
        if not as_json:
            click.echo(f"all pages: {printable(str(index))}")


def _run(
    study: Study, folder: Path, *, quick: bool, jobs: int | None, seed: int | None, again: str
) -> Report:
    from gatewalk.cli.progress import announce_compilation
    from gatewalk.studies import Request, run_study

    announce_compilation()
    with Stages(again) as stages:
        return run_study(
            Request(
                study=study,
                out=folder,
                quick=quick,
                jobs=jobs,
                seed=seed,
                watch=stages.watch,
                say=stages.say,
                command=again,
            )
        )


def _show(report: Report, as_json: bool) -> None:
    if as_json:
        click.echo(to_json(report.record))
        return
    for line in report.summary:
        click.echo(printable(line))
    for claim in report.record.get("claims", ()):
        click.echo(printable(f"{claim['verdict']}: {claim['statement']}"))
    click.echo(f"the page: {printable(str(report.page))}")


def _described(study: Study) -> dict[str, object]:
    return {
        "study": study.name,
        "title": study.title,
        "question": study.question,
        "answer": study.answer,
        "citations": list(study.citations),
        "minutes": study.minutes,
        "published": study.published is not None,
    }


def _time(study: Study) -> str:
    if study.minutes is None:
        return ""
    return f"{study.minutes:g} min" if study.minutes >= 1 else f"{60 * study.minutes:.0f} s"
