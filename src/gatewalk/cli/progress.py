"""Progress on standard error: a live line on a terminal, plain lines every few seconds elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from gatewalk.cli.interrupts import compiling

QUIET_SECONDS = 2.0  # work that takes less time shows no progress
PLAIN_EVERY = 5.0

Show = Callable[[float, str], None]
State = tuple[float, float, str]  # seconds since the start, done, words


@contextmanager
def progress(what: str, total: float) -> Iterator[Show]:
    """Gives a function `show(done, words)`, which may be called often and from any thread."""
    console = Console(stderr=True)
    started = time.monotonic()
    if not console.is_terminal:
        show, finish = _plain(console, what, total, started)
        yield show
        finish()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
        TextColumn("{task.fields[words]}"),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=total, words="", visible=False)

        def show_bar(done: float, words: str) -> None:
            visible = time.monotonic() - started > QUIET_SECONDS
            bar.update(task, completed=done, words=words, visible=visible)

        yield show_bar


def _plain(console: Console, what: str, total: float, started: float) -> tuple[Show, Callable[[], None]]:
    """A function that shows a state and one that ends; the end shows the last state if any was shown."""
    quiet_until = started + QUIET_SECONDS
    said: State | None = None
    last: State = (0.0, 0.0, "")

    def show(done: float, words: str) -> None:  # called often, so the text is made in `say`
        nonlocal quiet_until, last
        now = time.monotonic()
        last = (now - started, done, words)
        if now >= quiet_until:
            quiet_until = now + PLAIN_EVERY
            say()

    def say() -> None:
        nonlocal said
        said = last
        seconds, done, words = last
        share = f"{100 * done / total:.0f} %" if total else ""
        console.print(f"{what}: {share} {seconds:.0f} s {words}", markup=False, highlight=False)

    def finish() -> None:
        if said is not None and said != last:
            say()

    return show, finish


def announce_compilation() -> None:
    """Say once on standard error when Numba starts to compile instead of loading from its cache.

    Every compilation is also reported to `interrupts`.
    """
    from gatewalk.native.compilation import watch_compilations

    said = False

    def began() -> None:
        nonlocal said
        if current_thread() is main_thread():
            compiling(1)
        if not said:
            said = True
            Console(stderr=True).print("compiling kernels for this processor, only at first use ...")

    def ended() -> None:
        if current_thread() is main_thread():
            compiling(-1)

    watch_compilations(began, ended)
