"""How far long work is, as people see it: bars on a terminal or in a notebook, elsewhere lines of text.

Work that takes less than two seconds shows nothing, and when work ends the bars disappear. A thread of its
own keeps the clock going while the others are busy in a kernel. Commands always show how far they are;
functions that are called from Python ask `scheduler.progress_bar`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from importlib import import_module
from threading import Event, Lock, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from gatewalk.errors import printable
from gatewalk.search.scheduler import OnProgress, is_notebook

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

QUIET_SECONDS = 2.0  # work that takes less time shows no progress
REFRESH_SECONDS = 0.2
LINE_SECONDS = 5.0  # between lines of text


class Bar(NamedTuple):
    """One thing under way, as it is shown: its name, the share done, and words."""

    name: str
    share: float
    words: str


Bars = Callable[[], Sequence[Bar]]


class Screen(Protocol):
    """Where bars are drawn, each time in place of what was there before."""

    def draw(self, bars: Sequence[Bar], seconds: float) -> None: ...
    def clear(self) -> None: ...


class Display:
    """Bars on a terminal or in a notebook, lines of text elsewhere: `with Display() as display`."""

    def __init__(self, *, line_seconds: float = LINE_SECONDS) -> None:
        from rich.console import Console

        self._console = Console(stderr=True)
        self._screen: Screen | None = None
        if is_notebook():
            self._screen = _Notebook()
        elif self._console.is_terminal:
            self._screen = _Terminal(self._console)
        self._interval = line_seconds if self._screen is None else REFRESH_SECONDS
        self._started = time.monotonic()
        self._due = self._started + QUIET_SECONDS
        self._lock = Lock()
        self._ended = Event()
        self._latest: Bars | None = None
        self._printed: Bars | None = None

    def __enter__(self) -> Display:
        self._clock = Thread(target=self._refresh, daemon=True)
        self._clock.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        with self._lock:
            if self._screen is not None:
                self._screen.clear()
            elif kind is None and self._printed is not None and self._printed is not self._latest:
                self._print()
        self._clock.join(REFRESH_SECONDS)

    def show(self, bars: Bars) -> None:
        """Show these bars if it is time to; may be called often, and from any thread."""
        self._latest = bars
        self._show_latest()

    def _refresh(self) -> None:
        while not self._ended.wait(REFRESH_SECONDS):
            self._show_latest()

    def _show_latest(self) -> None:
        now = time.monotonic()
        if self._latest is None or now < self._due or not self._lock.acquire(blocking=False):
            return
        try:
            if self._ended.is_set():
                return
            self._due = now + self._interval
            if self._screen is None:
                self._print()
            else:
                self._screen.draw(self._latest(), now - self._started)
        finally:
            self._lock.release()

    def _print(self) -> None:
        assert self._latest is not None
        self._printed = self._latest
        seconds = time.monotonic() - self._started
        first, *others = self._latest()
        lines = [f"{first.name}: {_percent(first.share)} {seconds:.0f} s {first.words}"]
        lines += [f"  {bar.name}: {_percent(bar.share)} {bar.words}" for bar in others]
        self._console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)


class _Terminal:
    """Bars on the terminal, drawn by rich."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None

    def draw(self, bars: Sequence[Bar], seconds: float) -> None:
        from rich.live import Live
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 1))
        for _ in range(4):
            grid.add_column(no_wrap=True, overflow="ellipsis")
        width = 24 if self._console.width >= 100 else 12
        for i, bar in enumerate(bars):
            share = ProgressBar(total=1.0, completed=min(bar.share, 1.0), width=width)
            grid.add_row(Text(bar.name), share, _clock(seconds) if i == 0 else "", Text(bar.words))
        if self._live is None:
            self._live = Live(grid, console=self._console, auto_refresh=False, transient=True)
            self._live.start(refresh=True)
        else:
            self._live.update(grid, refresh=True)

    def clear(self) -> None:
        if self._live is not None:
            self._live.stop()


class _Notebook:
    """Bars in the output of a cell, which is replaced each time and empty in the end.

    Rich would need ipywidgets for that, which many notebooks do not have.
    """

    def __init__(self) -> None:
        self._handle: Any = None

    def draw(self, bars: Sequence[Bar], seconds: float) -> None:
        rows = [
            f"<tr><td>{escape(bar.name)}</td><td><progress value='{min(bar.share, 1.0):.4f}' max='1'>"
            f"</progress></td><td>{_clock(seconds) if i == 0 else ''}</td><td>{escape(bar.words)}</td></tr>"
            for i, bar in enumerate(bars)
        ]
        text = "\n".join(f"{bar.name}: {_percent(bar.share)} {bar.words}" for bar in bars)
        self._show({"text/html": f"<table>{''.join(rows)}</table>", "text/plain": text})

    def clear(self) -> None:
        if self._handle is not None:
            self._show({"text/html": "", "text/plain": ""})

    def _show(self, data: dict[str, str]) -> None:
        if self._handle is None:
            display = import_module("IPython.display").display
            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def remark(words: str) -> None:
    """Print a line on standard error."""
    print(printable(words), file=sys.stderr, flush=True)


@contextmanager
def progress(name: str) -> Iterator[OnProgress]:
    """Gives a function `on_progress(share, words)`, which may be called often and from any thread."""

    def on_progress(share: float, words: str) -> None:
        display.show(lambda: [Bar(name, share, words)])

    with Display() as display:
        on_progress(0.0, "starting")
        yield on_progress


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"
