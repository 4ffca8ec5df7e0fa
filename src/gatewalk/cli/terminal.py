"""All that commands show besides their results: tables, warnings, progress, and how to continue after Ctrl-C.

Progress goes to standard error (`gatewalk.search.display`). A kernel or a compilation cannot be stopped once
it has begun; `interrupts` answers Ctrl-C meanwhile.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import current_thread, main_thread
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.interrupts import INTERRUPTED, compiling, has_results
from gatewalk.errors import printable
from gatewalk.numbers import duration, number
from gatewalk.search.display import Bar, Display
from gatewalk.search.display import progress as progress

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table

    from gatewalk.campaign.execution import Progress
    from gatewalk.search.scheduler import OnProgress

CAMPAIGN_LINE_SECONDS = 10.0  # between the lines of a campaign, which are many
SHOWN_CELLS = 8
ANY_WIDTH = 10_000  # columns


def console(*, stderr: bool = False) -> Console:
    """The console for tables: as wide as the terminal; in a pipe or a file, lines are never wrapped."""
    from rich.console import Console

    usual = Console(stderr=stderr)
    return usual if usual.is_terminal else Console(stderr=stderr, width=ANY_WIDTH)


def table_without_lines(title: str = "", *, header: bool = True) -> Table:
    """An empty table, to which columns and rows are added."""
    from rich.table import Table

    return Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        show_header=header,
    )


def plain_table(header: list[str], rows: list[list[str]]) -> str:
    """A table as text that is never wrapped: the first column aligned left, the others right."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        numbers = (text.rjust(width) for text, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join([row[0].ljust(widths[0]), *numbers]).rstrip())
    return "\n".join(lines)


def warn(words: str) -> None:
    """Print a warning on standard error."""
    click.echo(f"gatewalk: warning: {printable(words)}", err=True)


def log(words: str) -> None:
    """Print a remark on standard error."""
    click.echo(f"gatewalk: {printable(words)}", err=True)


def note(words: str, *, as_json: bool = False) -> None:
    """Print what a reader wants to know; on standard error if standard output is for a program."""
    click.echo(printable(words), err=as_json or not sys.stdout.isatty())


def wrote(path: str | Path, what: str = "", *, as_json: bool = False) -> None:
    """Say which file was written."""
    note(f"wrote {path} ({what})" if what else f"wrote {path}", as_json=as_json)


@contextmanager
def reading(*sources: str) -> Iterator[OnProgress]:
    """As `progress`, within which files are read; nothing is shown if none of the sources is a file."""
    from gatewalk.circuit.files import watched
    from gatewalk.circuit.own_targets import is_file

    if not any(map(is_file, sources)):
        yield lambda share, words: None
        return
    with progress("reading") as on_progress, watched(on_progress):
        yield on_progress


@contextmanager
def campaign_display() -> Iterator[Callable[[Progress], None]]:
    """Gives a function that shows the progress of a campaign and of its newest cells."""
    from gatewalk.campaign.labels import labels
    from gatewalk.search.options import cell_values

    names: list[str] = []

    def bars(state: Progress) -> list[Bar]:
        if len(names) != len(state.cells):
            names[:] = labels([cell_values(cell.search, cell.seed) for cell in state.cells])
        whole = Bar("campaign", state.done / max(state.planned, 1), _words_on_campaign(state))
        return [whole, *_bars_of_cells(state, names)]

    with Display(line_seconds=CAMPAIGN_LINE_SECONDS) as display:
        yield lambda state: display.show(lambda: bars(state))


def _words_on_campaign(state: Progress) -> str:
    """The runs done, the rate and, where it can be told, the time left."""
    parts = [f"{state.done}/{state.planned} runs"]
    if state.done_now:
        parts.append(f"{number(state.rate, digits=3)} runs/s")
        if state.done < state.planned and state.seconds_left is not None:
            parts.append(f"about {duration(state.seconds_left)} left")
    if not state.workers:
        parts.append("waiting for workers")
    return ", ".join(parts)


def _bars_of_cells(state: Progress, names: Sequence[str]) -> list[Bar]:
    """The newest cells under way."""
    bars = []
    for name, tally in zip(names, state.tallies, strict=True):
        if tally.began is None or tally.stored >= tally.planned:
            continue
        words = f"{tally.stored}/{tally.planned}"
        rate = tally.finished_now / max(state.seconds - tally.began, 1e-3)
        if rate:
            words += f", {number(rate, digits=3)} runs/s"
        bars.append(Bar(printable(name), tally.stored / tally.planned, words))
    return bars[-SHOWN_CELLS:]


@cache
def announce_compilation() -> None:
    """Say once on standard error when Numba starts to compile instead of loading from its cache.

    Every compilation is also reported to `interrupts`.
    """
    from gatewalk.native.jit import watch_compilations

    is_announced = False

    def began() -> None:
        nonlocal is_announced
        if current_thread() is main_thread():
            compiling(1)
        if not is_announced:
            is_announced = True
            click.echo("compiling kernels for this processor (first use only) ...", err=True)

    def ended() -> None:
        if current_thread() is main_thread():
            compiling(-1)

    watch_compilations(began, ended)


class StageDisplay:
    """The progress of one campaign at a time, and a line for each other step: `with StageDisplay(command)`.

    command: what to type to continue; it is shown after an interrupt.
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._campaign = ExitStack()
        self._stage = ""
        self._show: Callable[[Progress], None] | None = None
        self._latest: Progress | None = None

    def __enter__(self) -> StageDisplay:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._campaign.close()
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            state = self._latest
            stored = f"{self._stage}: {runs_stored(state)}" if state else ""
            raise interrupted_with(stored, self._command) from None

    def on_progress(self, stage: str, state: Progress) -> None:
        """Show the progress of a campaign."""
        if stage != self._stage or self._show is None:
            self._campaign.close()
            click.echo(printable(f"{stage}: {runs_stored(state)}"), err=True)
            self._stage, self._show = stage, self._campaign.enter_context(campaign_display())
        has_results()
        self._latest = state
        self._show(state)

    def log(self, words: str) -> None:
        """Show the beginning of another step."""
        self._campaign.close()
        self._show = None
        click.echo(printable(words), err=True)


def runs_stored(state: Progress) -> str:
    """How many runs of a campaign are stored, as a sentence."""
    if state.done == state.planned:
        return f"all {state.planned:,} runs are stored"
    return f"{state.done:,} of {state.planned:,} runs are stored"


def interrupted_with(stored: str, command: str) -> click.exceptions.Exit:
    """Say what is stored and how to continue after Ctrl-C; returns the exception that ends the command."""
    words = ["interrupted", *([stored] if stored else []), f"continue with: {command}"]
    log("; ".join(words))
    return click.exceptions.Exit(INTERRUPTED)


def this_command(context: click.Context) -> str:
    """The command line that repeats the current command."""
    names: list[str] = []
    part = context
    while part.parent is not None:
        names.insert(0, str(part.info_name))
        part = part.parent
    arguments: list[str] = []
    options: dict[str, object] = {}
    for parameter in context.command.params:
        value = context.params[str(parameter.name)]
        if isinstance(parameter, click.Argument):
            arguments += [] if value is None else [str(value)]
        elif value != parameter.get_default(context):
            options[parameter.opts[0]] = value
    return command_line([*names, *arguments], options)


def command_line(words: Iterable[str], options: Mapping[str, object]) -> str:
    """A command of `gatewalk` as text for a shell; options are values by their flags.

    >>> command_line(["campaign", "run", "my spec.toml"], {"--jobs": 2, "--live": True})
    "gatewalk campaign run 'my spec.toml' --jobs 2 --live"
    """
    line = ["gatewalk", *words]
    for flag, value in options.items():
        if value is True:
            line.append(flag)
        elif value is not None and value is not False:
            values: tuple[Any, ...] = value if isinstance(value, tuple) else (value,)
            line += [word for item in values for word in (flag, _word(item))]
    return shlex.join(line)


def _word(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
