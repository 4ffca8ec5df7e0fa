"""`gatewalk campaign run|status|plot|export`: a grid of settings, run many times and kept in a store."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gatewalk.cli.interrupts import has_results
from gatewalk.cli.options import SECONDS, Number, jobs_option, json_option, out_option, store_argument
from gatewalk.cli.terminal import (
    announce_compilation,
    campaign_display,
    command_line,
    interrupted_with,
    log,
    note,
    plain_table,
    progress,
    runs_stored,
    this_command,
    warn,
    wrote,
)
from gatewalk.errors import InputError, printable, shown
from gatewalk.numbers import UNKNOWN, counted, duration, fixed, number, running_time, to_json

if TYPE_CHECKING:
    from gatewalk.campaign import Cell, Results
    from gatewalk.campaign.execution import Progress
    from gatewalk.campaign.results import Status

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
RUN_EXAMPLES = """\b
Examples:
  gatewalk campaign run and.toml
  gatewalk campaign run and.toml --dry-run
  gatewalk campaign run and.toml --store runs.sqlite --jobs 4
  gatewalk campaign run and.toml --live           (and.html follows it)
"""
STATUS_EXAMPLES = """\b
Examples:
  gatewalk campaign status and.sqlite
  gatewalk campaign status and.sqlite --json
"""
PLOT_EXAMPLES = """\b
Kinds:
  time          expected running time against --x, with bounds and exact values
  ecdf          share of runs solved within a time, all sizes together
  distribution  Kaplan-Meier curves with bands for each size, and exact curves,
                with a test of the runs against them in words
  fixed-target  evaluations until few mismatches are left (needs traces = true)
  success       success rates with intervals
  growth        fitted curves and local exponents, against n
  compare       the values of one option in pairs, also in words

\b
Examples:
  gatewalk campaign plot and.sqlite --kind time --out and.svg
  gatewalk campaign plot and.sqlite --kind time --x nodes --out nodes.pdf
  gatewalk campaign plot and.sqlite --kind growth --where selection=strict --out growth.png
  gatewalk campaign plot and.sqlite --kind compare --by selection --out selection.svg
  gatewalk campaign plot and.sqlite --kind ecdf --out ecdf.tex     (for pgfplots)
"""
EXPORT_EXAMPLES = """\b
Examples:
  gatewalk campaign export and.sqlite --to csv --out and.csv
  gatewalk campaign export and.sqlite --to summary --out cells.csv
  gatewalk campaign export and.sqlite --to tex --where nodes=2n --out table.tex
  gatewalk campaign export and.sqlite --to ioh --out and-ioh      (needs traces = true)
"""

where_option = click.option(
    "--where",
    multiple=True,
    metavar="COLUMN=VALUE",
    help="Use only cells with this value, e.g. target=and:6 or nodes=2n. Can be repeated; values of the same "
    "column are alternatives.",
)


@click.group(epilog=EXAMPLES)
def campaign() -> None:
    """Run a grid of settings many times and keep the results in a store.

    The grid is a TOML file. The store is an SQLite file with a row for each finished run; a campaign that was
    interrupted continues where it stopped.
    """


@campaign.command(epilog=RUN_EXAMPLES)
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The store; default: SPEC with the suffix .sqlite.",
)
@jobs_option
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Run on a cluster: the address of a Dask scheduler, tcp://HOST:PORT, or its file.",
)
@click.option(
    "--checkpoint",
    default=60,
    show_default=True,
    type=SECONDS,
    metavar="SECONDS",
    help="Time between saves of a long run, so that it can be continued.",
)
@click.option(
    "--dry-run", is_flag=True, help="Only show the cells, the number of runs and an estimate of the time."
)
@click.option(
    "--live",
    is_flag=True,
    help="Keep the page of `gatewalk report` up to date while it runs, next to the store, as .html.",
)
def run(
    spec: Path,
    store: Path | None,
    jobs: int | None,
    dask: str | None,
    checkpoint: float,
    dry_run: bool,
    live: bool,
) -> None:
    """Run the campaign in the TOML file SPEC.

    Runs that the store already has are not repeated.
    """
    from gatewalk import campaign as campaigns
    from gatewalk.campaign.cluster import LostCluster
    from gatewalk.campaign.planning import doubts_of, doubts_of_merging
    from gatewalk.search.evolve import default_budgets

    if jobs is not None and dask is not None:
        raise InputError("use either --jobs (threads here) or --dask (a cluster), not both")
    requested = campaigns.read(spec)
    cells = campaigns.plan(requested)
    for doubt in (*doubts_of(cells), *doubts_of_merging(requested, cells)):
        warn(doubt)
    unsaid = [cell.search for cell in cells if cell.words.get("budget") is None]
    for budgets in default_budgets(unsaid, setting="budget = ..."):
        click.echo(printable(budgets), err=True)
    path = store or spec.with_suffix(".sqlite")
    if dry_run:
        _show_plan(cells, path, jobs)
        return
    again = this_command(click.get_current_context())
    announce_compilation()
    state: Progress | None = None
    try:
        with (
            _live_page(path) if live else nullcontext(lambda: None) as begin_page,
            campaign_display() as show,
        ):

            def watch(now: Progress) -> None:
                nonlocal state
                has_results()
                if state is None:
                    begin_page()
                state = now
                show(now)

            campaigns.run(
                requested,
                path,
                cells=cells,
                jobs=jobs,
                dask=dask,
                checkpoint_seconds=checkpoint,
                watch=watch,
            ).close()
    except KeyboardInterrupt:
        raise interrupted_with(runs_stored(state) if state else "nothing is lost", again) from None
    except LostCluster as error:
        stored = runs_stored(state) if state else "nothing is stored yet"
        raise InputError(f"{error}; {stored}; start a scheduler and continue with: {again}") from None
    assert state is not None
    new = f"{state.done_now:,} new, {duration(state.seconds)}" if state.done_now else "nothing to do"
    note(f"{runs_stored(state)} in {path} ({new})")


@contextmanager
def _live_page(store: Path) -> Iterator[Callable[[], None]]:
    """Let `gatewalk report --follow` keep a page up to date; gives a function that starts it.

    Call it when the campaign is writing to the store. It is a process of its own, because closing the file in
    the process that writes would drop SQLite's locks, and in a session of its own, so that it sees no Ctrl-C:
    it ends by itself, with the last page, when the campaign does, and is waited for.
    """
    from gatewalk.report.store_page import check_not_the_store, page_of, write_page

    page = store.with_suffix(".html")
    check_not_the_store(store, page)
    write_page(page_of(None, reload_seconds=1.0), page)
    log(f"open {page} in a browser to follow the campaign")
    follow = [sys.executable, "-m", "gatewalk", "report", str(store), "--out", str(page), "--follow"]
    followers: list[subprocess.Popen[str]] = []

    def begin() -> None:
        followers.append(
            subprocess.Popen(
                follow,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )

    try:
        yield begin
    finally:
        if not followers:  # the campaign did not begin
            page.unlink(missing_ok=True)
        for follower in followers:
            complaint = follower.communicate()[1]
            if follower.returncode:
                warn(f"the page is not complete: {complaint.strip()}")


def _show_plan(cells: tuple[Cell, ...], store: Path, jobs: int | None) -> None:
    from gatewalk.campaign.labels import labels
    from gatewalk.campaign.planning import estimates, together
    from gatewalk.campaign.results import stored_runs
    from gatewalk.search.options import cell_values
    from gatewalk.search.scheduler import threads

    stored = stored_runs(store, cells)
    missing = [max(0, cell.replications - runs) for cell, runs in zip(cells, stored, strict=True)]
    tried = estimates(cells, missing)
    names = labels([cell_values(cell.search, cell.seed) for cell in cells])
    rows = [
        [printable(name), str(cell.replications), str(runs), duration(tried.get(place))]
        for place, (name, cell, runs) in enumerate(zip(names, cells, stored, strict=True))
    ]
    click.echo(plain_table(["cell", "runs", "stored", "estimate"], rows))
    count = threads(jobs)
    seconds = together(tried, missing, threads=count)
    time = f"about {duration(seconds)} on {counted(count, 'thread')}"
    if seconds is None:
        unknown = sum(value is None for value in tried.values())
        time = f"no estimate: in a short trial of {counted(unknown, 'cell')} no run ended"
    runs = sum(cell.replications for cell in cells)
    click.echo(f"{counted(len(cells), 'cell')}, {counted(runs, 'run')}, {sum(missing):,} to do; {time}")


@campaign.command(epilog=STATUS_EXAMPLES, short_help="Show what a store holds and what is still to do.")
@store_argument
@json_option
def status(store: Path, as_json: bool) -> None:
    """Show what STORE holds and how much of its campaign is done, also while it runs."""
    from gatewalk.campaign.results import status as status_of

    state = status_of(store)
    if not as_json:
        _show_status(state)
        return
    for cell in state.cells:
        record = {
            **cell.values,
            "planned": cell.planned,
            "finished": cell.finished,
            "solved": cell.solved,
            "iterations": cell.iterations,
            "seconds": cell.seconds,
        }
        click.echo(to_json(record))


def _show_status(state: Status) -> None:
    rows = []
    for name, cell in zip(state.labels, state.cells, strict=True):
        rate = fixed(cell.solved / cell.finished, 3) if cell.finished else UNKNOWN
        ert = running_time(cell.expected_running_time) if cell.finished else UNKNOWN
        runs = f"{min(cell.finished, cell.planned)}/{cell.planned}"
        rows.append([printable(name), runs, rate, ert, duration(cell.seconds)])
    click.echo(plain_table(["cell", "runs", "solved", "ERT", "spent"], rows))
    line = f"{state.finished}/{state.planned} runs, {state.state}"
    if state.more:
        line += f", {state.more:,} beyond the number requested"
    if state.checkpoints:
        line += f", {state.checkpoints:,} in progress"
    if state.rate:
        line += f", {number(state.rate, digits=3)} runs/s"
    elif not state.running and state.finished < state.planned:
        again = command_line(["campaign", "run", state.source or "SPEC"], _options_before(state))
        line += f"; continue with: {again}"
    click.echo(printable(line))


def _options_before(state: Status) -> dict[str, object]:
    """The options with which the campaign was last started, as far as the store knows them."""
    from gatewalk.search.scheduler import threads

    options: dict[str, object] = {"--store": state.name}
    if state.scheduler is not None:
        options["--dask"] = state.scheduler
    elif state.threads is not None and state.threads != threads():
        options["--jobs"] = state.threads
    return options


@campaign.command(epilog=PLOT_EXAMPLES)
@store_argument
@click.option("--kind", default="time", show_default=True, metavar="KIND", help="Kind of figure; see below.")
@out_option("The figure: .svg, .pdf, .png or .tex.", required=True)
@click.option("--x", default="n", show_default=True, metavar="n|nodes|lambda|budget", help="Horizontal axis.")
@click.option(
    "--by",
    metavar="OPTION",
    help="For --kind compare: the option to compare, e.g. selection; default: the one that varies.",
)
@click.option(
    "--unit",
    default="iterations",
    show_default=True,
    metavar="iterations|evaluations|elementary_steps",
    help="Unit of running time.",
)
@where_option
@click.option(
    "--seconds",
    default=60,
    show_default=True,
    type=SECONDS,
    metavar="SECONDS",
    help="For --kind distribution: leave out exact curves that take longer, each.",
)
@click.option(
    "--memory",
    default=4,
    show_default=True,
    type=Number(least=0.001, most=1e6),
    metavar="GB",
    help="For --kind distribution: leave out exact curves that need more memory.",
)
def plot(
    store: Path,
    kind: str,
    out: Path,
    x: str,
    by: str | None,
    unit: str,
    where: tuple[str, ...],
    seconds: float,
    memory: float,
) -> None:
    """Draw a figure of STORE."""
    from gatewalk.analysis import plots
    from gatewalk.analysis.exact_distributions import ExactFits
    from gatewalk.analysis.style import FILES, save
    from gatewalk.campaign import Results
    from gatewalk.extras import need

    has_results()
    plots.check_kind(kind)
    if out.suffix not in FILES:
        raise InputError(f"--out: cannot draw {out.name}; use one of {' '.join(FILES)}")
    need("matplotlib", "drawing figures")
    if by is not None and kind != "compare":
        raise InputError(f"--by is for --kind compare, not {kind}")
    with Results.open(store) as results:
        if out.exists() and results.is_in(out):
            raise InputError(f"--out: {out} is the store itself; give the figure another name")
        chosen = _chosen(results, where)
        words, fits = "", None
        with progress(kind) as on_progress:
            if kind == "distribution" and unit == "iterations":
                most = int(memory * 1e9)
                fits = chosen.exact_fits(seconds=seconds, memory=most, on_progress=on_progress)
                words = str(fits)
            elif kind == "distribution":
                fits, words = ExactFits(cells=()), f"exact curves count iterations, not {unit}"
            figure = plots.plot(chosen, kind, x=x, by=by, unit=unit, fits=fits, on_progress=on_progress)
        save(figure, out)
        if kind == "compare":
            words = str(plots.compare(chosen, by, unit=unit))
        for line in words.splitlines():
            click.echo(printable(line))
        wrote(out, f"{kind}, {counted(len(chosen), 'run')}")


def _chosen(results: Results, texts: tuple[str, ...]) -> Results:
    """The results that --where selects."""
    values: dict[str, list[str]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--where {shown(text)}: write COLUMN=VALUE, as in --where nodes=2n")
        values.setdefault(name.strip(), []).append(value.strip())
    try:
        return results.where(**values) if values else results
    except InputError as error:
        raise InputError(f"--where: {error}") from None


@campaign.command(epilog=EXPORT_EXAMPLES)
@store_argument
@click.option(
    "--to",
    required=True,
    metavar="csv|parquet|ioh|summary|tex",
    help="csv, parquet: a row per run. ioh: for IOHprofiler. summary: a row per cell, as CSV. tex: the same "
    "as a table for LaTeX.",
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="File to write; for ioh, a new folder.",
)
@click.option(
    "--for-spreadsheet",
    is_flag=True,
    help="In CSV, prefix text that starts with = + - @ with an apostrophe, so that a spreadsheet does not "
    "run it as a formula.",
)
@where_option
def export(store: Path, to: str, out: Path, for_spreadsheet: bool, where: tuple[str, ...]) -> None:
    """Write the runs of STORE, or a row for each cell, to a file for other programs."""
    from gatewalk.campaign import Results
    from gatewalk.campaign.export import export as write

    has_results()  # unfinished files are deleted
    with Results.open(store) as results:
        chosen = _chosen(results, where)
        write(chosen, to, out, for_spreadsheet=for_spreadsheet)
        runs = counted(len(chosen), "run")
        wrote(out, f"{counted(len(chosen.cells()), 'cell')}, {runs}" if to in ("summary", "tex") else runs)
