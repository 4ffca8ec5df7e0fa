"""All that commands show besides their results: tables, warnings, progress, and how to continue after Ctrl-C.

Progress goes to standard error: as bars on a terminal, elsewhere as lines of text every few seconds. Work
that takes less than two seconds shows none.

A kernel or a compilation cannot be stopped once it has begun. So a long computation runs in a thread of its
own, while the main thread waits for it, shows progress and reacts to interrupts.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Lock, Thread, current_thread, main_thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from gatewalk.cli.interrupts import INTERRUPTED, compiling, has_results
from gatewalk.errors import printable
from gatewalk.numbers import duration, number

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    from gatewalk.campaign import Progress

QUIET_SECONDS = 2.0  # work that takes less time shows no progress
REFRESH_SECONDS = 0.2
LINE_SECONDS, CAMPAIGN_LINE_SECONDS = 5.0, 10.0  # between lines of text; those of a campaign are many
SHOWN_CELLS = 8
ANY_WIDTH = 10_000  # columns
# Before both are reached, the time left cannot be estimated.
ESTIMATE_SECONDS, ESTIMATE_SHARE = 4.0, 0.01

OnProgress = Callable[[float, str], None]  # the share done, from 0 to 1, and words
Result = TypeVar("Result")


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


class Bar(NamedTuple):
    """One thing under way, as it is shown: its name, the share done, and words."""

    name: str
    share: float
    words: str


State = tuple[float, Callable[[], Sequence[Bar]]]  # seconds since the start, and what there is to show


class Display:
    """Bars on a terminal, lines of text elsewhere, from time to time: `with Display() as display`."""

    def __init__(self, *, line_seconds: float = LINE_SECONDS) -> None:
        from rich.console import Console

        self._console = Console(stderr=True)
        self._is_live = self._console.is_terminal
        self._interval = REFRESH_SECONDS if self._is_live else line_seconds
        self._started = time.monotonic()
        self._due = self._started + QUIET_SECONDS
        self._live: Live | None = None
        self._lock = Lock()
        self._latest: State | None = None
        self._printed: State | None = None

    def __enter__(self) -> Display:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
        elif kind is None and self._printed is not None and self._printed is not self._latest:
            self._print()

    def show(self, bars: Callable[[], Sequence[Bar]]) -> None:
        """Show these bars if it is time to; may be called often, and from any thread."""
        now = time.monotonic()
        self._latest = (now - self._started, bars)
        if now < self._due or not self._lock.acquire(blocking=False):
            return
        try:
            self._due = now + self._interval
            if self._is_live:
                self._draw()
            else:
                self._print()
        finally:
            self._lock.release()

    def _print(self) -> None:
        assert self._latest is not None
        self._printed = self._latest
        seconds, bars = self._latest
        first, *others = bars()
        lines = [f"{first.name}: {_percent(first.share)} {seconds:.0f} s {first.words}"]
        lines += [f"  {bar.name}: {_percent(bar.share)} {bar.words}" for bar in others]
        self._console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)

    def _draw(self) -> None:
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        assert self._latest is not None
        seconds, bars = self._latest
        grid = Table.grid(padding=(0, 1))
        for _ in range(4):
            grid.add_column(no_wrap=True, overflow="ellipsis")
        width = 24 if self._console.width >= 100 else 12
        clock = f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"
        for i, bar in enumerate(bars()):
            share = ProgressBar(total=1.0, completed=min(bar.share, 1.0), width=width)
            grid.add_row(Text(bar.name), share, clock if i == 0 else "", Text(bar.words))
        if self._live is None:
            self._live = Live(grid, console=self._console, auto_refresh=False, transient=True)
            self._live.start(refresh=True)
        else:
            self._live.update(grid, refresh=True)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


@contextmanager
def progress(name: str) -> Iterator[OnProgress]:
    """Gives a function `on_progress(share, words)`, which may be called often and from any thread."""
    with Display() as display:
        yield lambda share, words: display.show(lambda: [Bar(name, share, words)])


@contextmanager
def campaign_display() -> Iterator[Callable[[Progress], None]]:
    """Gives a function that shows the progress of a campaign and of its newest cells."""
    from gatewalk.campaign.labels import labels
    from gatewalk.search.settings import cell_values

    names: list[str] = []

    def bars(state: Progress) -> list[Bar]:
        if len(names) != len(state.cells):
            names[:] = labels([cell_values(cell.settings, cell.seed) for cell in state.cells])
        whole = Bar("campaign", state.done / max(state.planned, 1), _words_on_campaign(state))
        return [whole, *_bars_of_cells(state, names)]

    with Display(line_seconds=CAMPAIGN_LINE_SECONDS) as display:
        yield lambda state: display.show(lambda: bars(state))


def _words_on_campaign(state: Progress) -> str:
    """The runs done, the rate and the time left."""
    parts = [f"{state.done}/{state.planned} runs"]
    if state.done_now:
        parts.append(f"{number(state.rate, digits=3)} runs/s")
        if state.done < state.planned:
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
        rate = tally.finished_now / max(time.perf_counter() - tally.began, 1e-3)
        if rate:
            left = (tally.planned - tally.stored) / rate
            words += f", {number(rate, digits=3)} runs/s, about {duration(left)} left"
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


def in_background(work: Callable[[], Result], *, on_wait: Callable[[], None]) -> Result:
    """Return or raise what `work` does; meanwhile `on_wait` is called several times a second."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # raised again in the main thread
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(REFRESH_SECONDS)
        on_wait()
    if errors:
        raise errors[0]
    return results[0]


def compute(name: str, work: Callable[[OnProgress], Result]) -> Result:
    """Return what `work` returns, and show its progress.

    `work` is given a function to call with the share done, from 0 to 1, and the current step in words. The
    time left is estimated as if the rest went as fast. Ctrl-C ends the process at once, so `work` must not
    write files.
    """
    latest = (0.0, "starting")
    started = time.monotonic()
    with exiting_on_interrupt(), progress(name) as show:

        def on_progress(share: float, words: str) -> None:
            nonlocal latest
            latest = (share, words + time_left(time.monotonic() - started, share))
            show(*latest)

        return in_background(lambda: work(on_progress), on_wait=lambda: show(*latest))


def time_left(seconds: float, share: float) -> str:
    """The estimated time left in words, from the seconds spent and the share done; empty if it is too early.

    >>> time_left(30.0, 0.2), time_left(30.0, 0.001), time_left(30.0, 1.0)
    (', about 2 min 0 s left', '', '')
    """
    if seconds < ESTIMATE_SECONDS or not ESTIMATE_SHARE <= share < 1.0:
        return ""
    return f", about {duration(seconds * (1.0 - share) / share)} left"


@contextmanager
def exiting_on_interrupt() -> Iterator[None]:
    """In this block Ctrl-C ends the process with 130, without waiting for threads that are busy in kernels.

    Only for computations that write no files.
    """
    try:
        yield
    except KeyboardInterrupt:
        print("gatewalk: interrupted", file=sys.stderr, flush=True)
        os._exit(INTERRUPTED)


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
