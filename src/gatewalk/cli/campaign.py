"""`gatewalk campaign run|status|plot|export`: many runs over a grid of settings, kept in a store."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from gatewalk.bigint import to_json
from gatewalk.cli.campaign_live import live_page
from gatewalk.cli.campaign_plot import plot
from gatewalk.cli.interrupts import keep
from gatewalk.errors import InputError, printable

if TYPE_CHECKING:
    from gatewalk.campaign import Cell
    from gatewalk.campaign.estimate import Estimate
    from gatewalk.campaign.status import Status


EXAMPLES = """\b
Examples:
  gatewalk campaign run and.toml --dry-run
  gatewalk campaign run and.toml
  gatewalk campaign status and.sqlite
  gatewalk campaign plot and.sqlite --out and.svg
  gatewalk campaign export and.sqlite --to csv --out and.csv

\b
A campaign, and.toml; lists in [grid] are combined with each other:
  seed = 7
  replications = 50
  [grid]
  target = ["and:4", "and:6", "and:8"]
  selection = ["nonstrict", "strict"]
"""

STATUS_EXAMPLES = """\b
Examples:
  gatewalk campaign status and.sqlite
  gatewalk campaign status and.sqlite --json
"""
EXPORT_EXAMPLES = """\b
Examples:
  gatewalk campaign export and.sqlite --to csv --out and.csv
  gatewalk campaign export and.sqlite --to ioh --out and-ioh      (needs traces = true)
"""


@click.group(epilog=EXAMPLES)
def command() -> None:
    """Many runs over a grid of settings, kept in a store.

    The grid is a TOML file. The store is an SQLite file with a row for each finished run; a campaign that was
    interrupted goes on where it stopped.
    """


command.add_command(plot)


RUN_EXAMPLES = """\b
Examples:
  gatewalk campaign run and.toml
  gatewalk campaign run and.toml --dry-run
  gatewalk campaign run and.toml --store runs.sqlite --jobs 4
  gatewalk campaign run and.toml --live           (prints the address of a page)
"""


@command.command(epilog=RUN_EXAMPLES)
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--store", type=click.Path(path_type=Path), help="The store; default: SPEC with the suffix .sqlite."
)
@click.option("--jobs", type=int, metavar="J", help="Number of threads; default: one per processor.")
@click.option(
    "--dask", metavar="ADDRESS", help="Run on a cluster: a Dask scheduler, tcp://HOST:PORT or its file."
)
@click.option(
    "--checkpoint",
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How often a long run is saved, so that it can be continued.",
)
@click.option(
    "--dry-run", is_flag=True, help="Only show the cells, the number of runs and an estimate of the time."
)
@click.option(
    "--live", is_flag=True, help="While it runs, serve the page of `gatewalk report` on this machine."
)
@click.option(
    "--live-host", metavar="HOST", help="The interface of --live, such as 0.0.0.0; default: 127.0.0.1."
)
@click.option("--live-port", type=int, metavar="PORT", help="The port of --live; default: any free port.")
def run(
    spec: Path,
    store: Path | None,
    jobs: int | None,
    dask: str | None,
    checkpoint: float,
    dry_run: bool,
    live: bool,
    live_host: str | None,
    live_port: int | None,
) -> None:
    """Run the campaign in the TOML file SPEC.

    Runs that the store already has are not repeated.
    """
    from gatewalk import campaign as campaigns
    from gatewalk.campaign.cluster import LostCluster
    from gatewalk.campaign.labels import duration
    from gatewalk.campaign.plan import doubts_of
    from gatewalk.campaign.progress import shown
    from gatewalk.campaign.runner import check_seconds
    from gatewalk.cli.progress import announce_compilation
    from gatewalk.search.evolve import check_jobs

    if jobs is not None and dask is not None:
        raise InputError("--jobs and --dask exclude each other: threads here, or a cluster")
    if jobs is not None:
        check_jobs(jobs, "--jobs")
    check_seconds("--checkpoint", checkpoint)
    if not live and (live_host is not None or live_port is not None):
        raise InputError("--live-host and --live-port are for --live: add it, or leave them out")
    campaign = campaigns.read(spec)
    cells = campaigns.plan(campaign)
    for doubt in doubts_of(cells):
        click.echo(f"gatewalk: warning: {printable(doubt)}", err=True)
    target = store or spec.with_suffix(".sqlite")
    if dry_run:
        _show_plan(cells, target, jobs)
        return
    again = _command(click.get_current_context())
    announce_compilation()
    latest: list[campaigns.Progress] = []
    try:
        with (
            live_page(target, host=live_host, port=live_port, wanted=live) as finish,
            shown(sys.stderr) as show,
        ):

            def watch(progress: campaigns.Progress) -> None:
                keep()
                latest[:] = [progress]
                show(progress)

            campaigns.run(
                campaign,
                target,
                cells=cells,
                jobs=jobs,
                dask=dask,
                checkpoint_seconds=checkpoint,
                watch=watch,
                warn=lambda words: click.echo(f"gatewalk: warning: {printable(words)}", err=True),
            ).close()
            finish()
    except KeyboardInterrupt:
        done = summary_of(latest[0].done, latest[0].planned) if latest else "nothing is lost"
        click.echo(f"gatewalk: interrupted; {done}; go on with: {again}", err=True)
        raise click.exceptions.Exit(130) from None
    except LostCluster as error:
        done = summary_of(latest[0].done, latest[0].planned) if latest else "nothing is stored yet"
        raise InputError(f"{error}; {done}; start a scheduler and go on with: {again}") from None
    progress = latest[0]
    took = (
        f"{progress.done_now} now in {duration(progress.seconds)}" if progress.done_now else "nothing to do"
    )
    click.echo(
        f"{summary_of(progress.done, progress.planned)} ({took}) in {printable(str(target))}",
        err=not sys.stdout.isatty(),
    )


def summary_of(done: int, planned: int) -> str:
    """A sentence on how many runs are stored."""
    return f"all {planned} runs are stored" if done == planned else f"{done} of {planned} runs are stored"


def _command(context: click.Context) -> str:
    """The command line as it was given, to type again."""
    given = context.params
    names = ("store", "jobs", "dask", "checkpoint", "live", "live_host", "live_port")
    typed = [name for name in names if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    return _run_again(str(given["spec"]), {name: given[name] for name in typed})


def _run_again(spec: str, options: Mapping[str, object]) -> str:
    """The command that continues the campaign, quoted for a shell."""
    words = ["gatewalk", "campaign", "run", spec]
    for name, value in options.items():
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            words.append(f"{value:g}" if isinstance(value, float) else str(value))
    return printable(shlex.join(words))


def _show_plan(cells: tuple[Cell, ...], store: Path, jobs: int | None) -> None:
    from gatewalk.campaign.estimate import estimates, together
    from gatewalk.campaign.labels import duration, labels
    from gatewalk.campaign.status import stored_runs
    from gatewalk.search.evolve import default_jobs
    from gatewalk.search.settings import cell_values

    stored = stored_runs(store, cells)
    missing = [max(0, cell.replications - there) for cell, there in zip(cells, stored, strict=True)]
    found = estimates(cells, missing)
    names = labels([cell_values(cell.settings, cell.seed) for cell in cells])
    rows = [
        [printable(name), str(cell.replications), str(there), *_times(e)]
        for name, cell, there, e in zip(names, cells, stored, found, strict=True)
    ]
    click.echo(_table(["cell", "runs", "stored", "likely", "at most"], rows))
    threads = jobs or default_jobs()
    whole = together(found, missing, threads=threads)
    if whole.likely is None:
        time = f"at most {duration(whole.most)} on {threads} threads"
    else:
        time = f"about {duration(whole.likely)} on {threads} threads (at most {duration(whole.most)})"
    runs = sum(cell.replications for cell in cells)
    click.echo(f"{len(cells)} cells, {runs} runs, {sum(missing)} to do; {time}")


def _times(estimate: Estimate | None) -> tuple[str, str]:
    """The likely and the longest time of a cell in words; "?" if it is unknown."""
    from gatewalk.campaign.labels import duration

    if estimate is None:
        return "?", "?"
    return "?" if estimate.likely is None else duration(estimate.likely), duration(estimate.most)


@command.command(epilog=STATUS_EXAMPLES)
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines on standard output, one per cell.")
def status(store: Path, as_json: bool) -> None:
    """Show what a store holds and how far its campaign is, also while it runs."""
    from gatewalk.campaign.status import status as status_of

    found = status_of(store)
    if as_json:
        for cell in found.cells:
            record = {
                **cell.values,
                "planned": cell.planned,
                "finished": cell.finished,
                "solved": cell.solved,
            }
            record |= {"iterations": cell.iterations, "seconds": cell.seconds}
            click.echo(to_json(record))
        return
    _show_status(found)


def _show_status(found: Status) -> None:
    from gatewalk.campaign.labels import duration

    rows = []
    for name, cell in zip(found.labels, found.cells, strict=True):
        rate = f"{cell.solved / cell.finished:.3f}" if cell.finished else "-"
        ert = f"{cell.expected_running_time:.5g}" if cell.finished else "-"
        runs = f"{min(cell.finished, cell.planned)}/{cell.planned}"
        rows.append([printable(name), runs, rate, ert, duration(cell.seconds)])
    click.echo(_table(["cell", "runs", "solved", "ERT", "spent"], rows))
    line = f"{found.finished}/{found.planned} runs, {printable(found.state)}"
    if found.more:
        line += f", {found.more} more stored than are asked for"
    if found.checkpoints:
        line += f", {found.checkpoints} on their way"
    if found.rate:
        line += f", {found.rate:.3g} runs/s, about {duration(found.seconds_left)} left"
    elif not found.running and found.finished < found.planned:
        line += f"; go on with: {_run_again(found.source or 'SPEC', _as_before(found))}"
    click.echo(line)


def _as_before(found: Status) -> dict[str, object]:
    """The options with which the campaign was last started, as far as the store knows them."""
    from gatewalk.search.evolve import default_jobs

    options: dict[str, object] = {"store": found.name}
    if found.scheduler is not None:
        options["dask"] = found.scheduler
    elif found.threads is not None and found.threads != default_jobs():
        options["jobs"] = found.threads
    return options


@command.command(epilog=EXPORT_EXAMPLES)
@click.argument("store", type=click.Path(path_type=Path))
@click.option("--to", required=True, metavar="csv|parquet|ioh", help="The format.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="The file to write; for ioh, a new folder."
)
@click.option(
    "--for-spreadsheet",
    is_flag=True,
    help="In CSV, put an apostrophe before texts that begin with = + - @: a spreadsheet would run them.",
)
def export(store: Path, to: str, out: Path, for_spreadsheet: bool) -> None:
    """Write the runs of a store to a file for other programs."""
    from gatewalk.campaign import Results
    from gatewalk.campaign.export import export as write

    keep()  # unfinished files are deleted
    with Results.open(store) as results:
        write(results, to, out, for_spreadsheet=for_spreadsheet)
        click.echo(f"{len(results)} runs in {printable(str(out))}", err=not sys.stdout.isatty())


def _table(header: list[str], rows: list[list[str]]) -> str:
    """A table as text: the first column aligned left, the others right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        cells = [
            row[0].ljust(widths[0]),
            *(text.rjust(w) for text, w in zip(row[1:], widths[1:], strict=True)),
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
