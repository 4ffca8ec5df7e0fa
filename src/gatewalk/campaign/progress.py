"""The progress of a running campaign: a live display on a terminal, an occasional line of text elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from gatewalk.campaign.labels import duration, labels
from gatewalk.campaign.runner import Progress, Watch
from gatewalk.errors import printable
from gatewalk.search.settings import cell_values

_REFRESH_SECONDS = 0.25
_FIRST_LINE, _LINE_SECONDS = 2.0, 10.0
_SHOWN_CELLS = 8


@contextlib.contextmanager
def shown(stream: IO[str]) -> Iterator[Watch]:
    """A callback for `run` that shows progress on a stream, live if the stream is a terminal."""
    if stream.isatty():
        with _live(stream) as watch:
            yield watch
    else:
        yield _plain(stream)


def summary(progress: Progress) -> str:
    """One line with the runs done, the rate and the time left."""
    parts = [f"{progress.done}/{progress.planned} runs"]
    if progress.done_now:
        parts.append(f"{progress.rate:.3g} runs/s")
        if progress.done < progress.planned:
            parts.append(f"about {duration(progress.seconds_left)} left")
    if not progress.workers:
        parts.append("waiting for workers")
    return ", ".join(parts)


def cell_note(stored: int, planned: int, rate: float, left: float | None) -> str:
    """One line with the runs done, the rate and the time left of a cell."""
    note = f"{stored}/{planned}"
    return note if left is None else f"{note}, {rate:.3g} runs/s, about {duration(left)} left"


def active_cells(progress: Progress, names: Sequence[str]) -> list[tuple[str, int, int, float, float | None]]:
    """The newest cells under way: label, runs stored, runs planned, runs per second, seconds left."""
    found: list[tuple[str, int, int, float, float | None]] = []
    for name, tally in zip(names, progress.tallies, strict=True):
        if tally.began is not None and tally.stored < tally.planned:
            rate = tally.finished_now / max(time.perf_counter() - tally.began, 1e-3)
            left = (tally.planned - tally.stored) / rate if rate else None
            found.append((printable(name), tally.stored, tally.planned, rate, left))
    return found[-_SHOWN_CELLS:]


def _namer() -> Callable[[Progress], Sequence[str]]:
    """A function that returns the labels of a campaign's cells and computes them only once."""
    known: list[str] = []

    def names(progress: Progress) -> Sequence[str]:
        if len(known) != len(progress.cells):
            known[:] = labels([cell_values(cell.settings, cell.seed) for cell in progress.cells])
        return known

    return names


def _plain(stream: IO[str]) -> Watch:
    due, names = time.monotonic() + _FIRST_LINE, _namer()

    def watch(progress: Progress) -> None:
        nonlocal due
        if time.monotonic() < due:
            return
        due = time.monotonic() + _LINE_SECONDS
        print(summary(progress), file=stream)
        for name, stored, planned, rate, left in active_cells(progress, names(progress)):
            print(f"  {name}: {cell_note(stored, planned, rate, left)}", file=stream)
        stream.flush()

    return watch


@contextlib.contextmanager
def _live(stream: IO[str]) -> Iterator[Watch]:
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(file=stream), auto_refresh=False, transient=True) as live:
        due, names = 0.0, _namer()

        def watch(progress: Progress) -> None:
            nonlocal due
            if time.monotonic() >= due:
                due = time.monotonic() + _REFRESH_SECONDS
                live.update(_display(progress, names(progress)), refresh=True)

        yield watch


def _display(progress: Progress, names: Sequence[str]) -> Any:
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    bars = Table.grid(padding=(0, 2))
    bars.add_row("campaign", ProgressBar(progress.planned, progress.done, width=30), summary(progress))
    for name, stored, planned, rate, left in active_cells(progress, names):
        note = cell_note(stored, planned, rate, left)
        bars.add_row(name, ProgressBar(planned, stored, width=30), note)
    return Group(bars)
