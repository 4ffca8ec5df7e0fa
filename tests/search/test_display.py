"""Progress: nothing for short work, lines in a pipe, bars on a terminal and in a notebook that disappear."""

import io
import sys
from types import SimpleNamespace

import pytest

from gatewalk.search import display
from gatewalk.search.display import LINE_SECONDS, QUIET_SECONDS, progress
from gatewalk.search.scheduler import progress_bar


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(display, "time", made)
    return made


def test_short_work_shows_no_progress(clock, capsys):
    with progress("work") as on_progress:
        clock.now = QUIET_SECONDS - 0.1
        on_progress(1.0, "done")
    assert capsys.readouterr() == ("", "")


def test_long_work_is_told_from_time_to_time(clock, capsys):
    with progress("work") as on_progress:
        for second in range(13):
            clock.now = float(second)
            on_progress(second / 20, f"at {second} [ok]")
    told = [QUIET_SECONDS, QUIET_SECONDS + LINE_SECONDS, QUIET_SECONDS + 2 * LINE_SECONDS]
    out, err = capsys.readouterr()
    assert out == ""
    # The last state was told at its time, and is not told again.
    assert err.splitlines() == [f"work: {5 * at:.0f} % {at:.0f} s at {at:.0f} [ok]" for at in told]


def test_what_was_not_told_is_told_at_the_end(clock, capsys):
    with progress("work") as on_progress:
        clock.now = 3.0
        on_progress(0.5, "first")
        clock.now = 4.0
        on_progress(1.0, "last")
    assert capsys.readouterr().err.splitlines() == ["work: 50 % 3 s first", "work: 100 % 4 s last"]


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


def test_a_terminal_gets_a_bar_that_disappears(clock, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress("work") as on_progress:
        clock.now = 1.0
        on_progress(0.1, "too early")
        assert stream.getvalue() == ""
        clock.now = 3.0
        on_progress(0.5, "words [ok]")
    assert "too early" not in stream.getvalue()
    assert "words [ok]" in stream.getvalue()
    assert "0:00:03" in stream.getvalue()
    assert stream.getvalue().endswith("\x1b[2K")  # the line is cleared


class Notebook:
    """What a cell of a notebook shows: the latest state of each of its outputs."""

    def __init__(self):
        self.outputs = []

    def display(self, data, *, raw, display_id):
        assert raw
        assert display_id
        self.outputs.append(data)
        return SimpleNamespace(update=self.update)

    def update(self, data, *, raw):
        assert raw
        self.outputs[-1] = data


@pytest.fixture
def notebook(monkeypatch):
    """Stands in for IPython, as the kernel of a notebook has it."""
    made = Notebook()
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=made.display))
    return made


def test_a_notebook_gets_a_bar_that_disappears(clock, notebook, capsys):
    with progress_bar("work") as on_progress:
        clock.now = 1.0
        on_progress(0.1, "too early")
        assert notebook.outputs == []
        clock.now = 3.0
        on_progress(0.5, "words <ok>")
        (output,) = notebook.outputs
        assert "<progress value='0.5000'" in output["text/html"]
        assert "words &lt;ok&gt;" in output["text/html"]
        assert "0:00:03" in output["text/html"]
        assert output["text/plain"] == "work: 50 % words <ok>"
    assert notebook.outputs == [{"text/html": "", "text/plain": ""}]
    assert capsys.readouterr() == ("", "")


def test_an_interrupt_takes_the_bar_away(clock, notebook):
    def interrupted():
        with progress_bar("work") as on_progress:
            clock.now = 3.0
            on_progress(0.5, "words")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert notebook.outputs == [{"text/html": "", "text/plain": ""}]


def test_nothing_is_shown_where_nobody_looks(clock, capsys):
    with progress_bar("work") as on_progress:
        clock.now = 100.0
        on_progress(0.5, "words")
    assert capsys.readouterr() == ("", "")


def test_a_function_of_ones_own_replaces_the_bar(clock, notebook):
    told = []
    with progress_bar("work", lambda *state: told.append(state)) as on_progress:
        clock.now = 3.0
        on_progress(0.5, "words")
    assert told == [(0.5, "words")]
    assert notebook.outputs == []
