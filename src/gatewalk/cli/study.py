"""`gatewalk study list|run` and `gatewalk paper`: papers and open questions, each with one command."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatewalk.cli.options import Whole, jobs_option, json_option, seed_option
from gatewalk.cli.terminal import (
    StageDisplay,
    announce_compilation,
    table_without_lines,
    this_command,
)
from gatewalk.errors import InputError, printable, shown
from gatewalk.numbers import to_json

if TYPE_CHECKING:
    from gatewalk.studies import Report
    from gatewalk.studies.folder import Study

WIDEST, NARROWEST = 100, 40  # columns of the list
FEWEST_REPLICATIONS = 2  # statistics need them
EXAMPLES = """\b
Examples:
  gatewalk study list
  gatewalk study run nodes --quick
  gatewalk study run growth --out results/growth --jobs 2
  gatewalk study run ./mine            # your own study: see docs/how-to/studies.md
  gatewalk study run --all --quick     # every study of the package, and a page that links them
"""
HOW_TO_RUN = """
A quick run, seconds:   gatewalk study run nodes --quick
The full study:         gatewalk study run nodes
What each one asks:     gatewalk study list --json"""
PAPER_EXAMPLES = """\b
Examples:
  gatewalk paper
  gatewalk paper --only complete --profile tinyverse --replications 1000
  gatewalk paper --only complete,xor --out results/without-samples
"""


@click.group(epilog=EXAMPLES)
def study() -> None:
    """Reproduce a paper, or study an open question, with one command.

    A study is a folder with a campaign, a question, claims, published data to compare with, and notes on the
    results.
    """


@study.command("list")
@json_option
def list_studies(as_json: bool) -> None:
    """List the studies of the package: name, title, time on two cores."""
    from gatewalk.studies import names, read_study

    studies = [read_study(name) for name in names()]
    if as_json:
        for listed in studies:
            click.echo(to_json(_record(listed)))
        return
    from shutil import get_terminal_size

    from rich.console import Console

    table = table_without_lines()
    for name in ("study", "about", "two cores"):
        table.add_column(name, no_wrap=name != "about", justify="right" if name == "two cores" else "left")
    for listed in studies:
        table.add_row(listed.name, listed.title, _time(listed))
    Console(width=max(NARROWEST, min(WIDEST, get_terminal_size().columns))).print(table)
    click.echo(HOW_TO_RUN)


def _record(listed: Study) -> dict[str, object]:
    return {
        "study": listed.name,
        "title": listed.title,
        "question": listed.question,
        "answer": listed.answer,
        "citations": list(listed.citations),
        "minutes": listed.minutes,
        "published": listed.published is not None,
    }


def _time(listed: Study) -> str:
    if listed.minutes is None:
        return ""
    return f"{listed.minutes:g} min" if listed.minutes >= 1 else f"{60 * listed.minutes:.0f} s"


@study.command(epilog=EXAMPLES)
@click.argument("name", required=False, metavar="NAME|FOLDER")
@click.option(
    "--all", "every", is_flag=True, help="Run every study of the package, each in a folder of its own."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the page and the runs; default: results/studies/NAME.",
)
@click.option(
    "--quick",
    is_flag=True,
    help="Do a quick run in seconds: a few runs at small sizes, too few for conclusions.",
)
@jobs_option
@seed_option(None, "Seed to use instead of the study's own.")
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
    of a folder is executed: run only folders whose code you trust. Repeating the command makes only the runs
    that are missing.
    """
    from gatewalk.studies import names, read_study
    from gatewalk.studies.page import write_gallery

    if every == (name is not None):
        raise InputError("name a study (see `gatewalk study list`), give the path of a folder, or use --all")
    studies = [read_study(chosen) for chosen in (names() if every else [str(name)])]
    home = out or Path("results/studies")
    done = []
    for chosen in studies:
        folder = home if out and not every else home / chosen.name
        if every and not as_json:
            click.echo(f"study {chosen.name}", err=True)
        report = _run(chosen, folder, quick=quick, jobs=jobs, seed=seed)
        _show(report, as_json)
        done.append((chosen, report))
    if every:
        index = write_gallery(done, home)
        if not as_json:
            click.echo(printable(f"wrote {index}, which links all pages"))


def _run(
    chosen: Study,
    folder: Path,
    *,
    quick: bool,
    jobs: int | None,
    seed: int | None,
    replications: int | None = None,
    choices: Mapping[str, tuple[str, ...]] | None = None,
) -> Report:
    from gatewalk.studies import Request, run_study

    again = this_command(click.get_current_context())
    announce_compilation()
    with StageDisplay(again) as stages:
        return run_study(
            Request(
                study=chosen,
                out=folder,
                quick=quick,
                jobs=jobs,
                seed=seed,
                replications=replications,
                choices=choices or {},
                watch=stages.on_progress,
                say=stages.log,
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
    click.echo(printable(f"wrote {report.page}"))


@click.command(epilog=PAPER_EXAMPLES)
@click.option(
    "--replications",
    default=30,
    show_default=True,
    type=Whole(FEWEST_REPLICATIONS),
    metavar="R",
    help="Number of runs of each cell.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="complete|incomplete|xor",
    help="Parts to reproduce, as a list or repeated; default: all.",
)
@click.option(
    "--profile",
    multiple=True,
    metavar="tinyverse|paper",
    help="As the published experiments were run, or Algorithms 1-3 to the letter; default: both.",
)
@jobs_option
@click.option(
    "--out",
    default="results/paper",
    show_default=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the page and the runs.",
)
@seed_option(1)
@click.option(
    "--quick",
    is_flag=True,
    help="Do a quick run in seconds: small n and short runs, not all of which can be compared.",
)
def paper(
    replications: int,
    only: tuple[str, ...],
    profile: tuple[str, ...],
    jobs: int | None,
    out: Path,
    seed: int,
    quick: bool,
) -> None:
    """Reproduce the paper: its runs, figures and tables, compared with the published numbers.

    This is `gatewalk study run paper` with more options. It writes a page, DIR/index.html. Repeating the
    command makes only the runs that are missing.
    """
    from gatewalk.studies import read_study
    from gatewalk.studies.folder import read_code

    study = read_study("paper")
    allowed = read_code(study.folder).choices
    report = _run(
        study,
        out,
        quick=quick,
        jobs=jobs,
        seed=seed,
        replications=replications,
        choices={
            name: _chosen(f"--{name}", texts, allowed[name])
            for name, texts in (("only", only), ("profile", profile))
        },
    )
    _show(report, as_json=False)


def _chosen(option: str, texts: tuple[str, ...], allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The given values, from lists or one by one, each checked; all values if none is given."""
    given = tuple(value.strip() for text in texts for value in text.split(","))
    for value in given:
        if value not in allowed:
            raise InputError(f"unknown {option} {shown(value)}; choose from {', '.join(allowed)}")
    return given or allowed
