"""What is shown: whole lines in a pipe, campaigns under way, interrupts and how to continue after them."""

import io
import shlex
import sys

import click
import pytest
from click.testing import CliRunner
from processes import PATIENCE, finished, interrupted

from gatewalk.campaign import campaign, run
from gatewalk.cli import terminal
from gatewalk.cli.terminal import (
    StageDisplay,
    campaign_display,
    command_line,
    console,
    plain_table,
    this_command,
)
from gatewalk.search import display

SMALL = campaign(target=["and:3", "and:4"], replications=60)


def test_a_long_line_is_not_wrapped_in_a_pipe(capsys):
    console().print("word " * 100)
    assert capsys.readouterr().out.count("\n") == 1
    console(stderr=True).print("word " * 100)
    assert capsys.readouterr().err.count("\n") == 1


def test_a_plain_table_is_aligned():
    text = plain_table(["cell", "runs"], [["and:3", "5"], ["or:10 strict", "120"]])
    assert text.splitlines() == ["cell          runs", "and:3            5", "or:10 strict   120"]


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self):
        return True


def show_all(monkeypatch):
    """Show every state at once, and each only once."""
    monkeypatch.setattr(display.Display, "_refresh", lambda display: None)
    monkeypatch.setattr(display, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(display, "REFRESH_SECONDS", 0.0)
    monkeypatch.setattr(terminal, "CAMPAIGN_LINE_SECONDS", 0.0)


def test_a_campaign_as_lines(monkeypatch, capsys):
    show_all(monkeypatch)
    with campaign_display() as show:
        run(SMALL, jobs=1, watch=show).close()
    err = capsys.readouterr().err
    lines = err.splitlines()
    assert "\x1b" not in err
    assert lines[-1].startswith("campaign: 100 % ")
    assert " 120/120 runs, " in lines[-1]
    assert "left" not in lines[-1]
    assert any(line.startswith("  and:3: ") and "runs/s" in line for line in lines)


def test_a_short_campaign_shows_nothing(capsys):
    with campaign_display() as show:
        run(campaign(target="and:2", replications=2), jobs=1, watch=show).close()
    assert capsys.readouterr().err == ""


def test_a_campaign_on_a_terminal(monkeypatch):
    show_all(monkeypatch)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with campaign_display() as show:
        run(SMALL, jobs=1, watch=show).close()
    assert "120/120 runs" in stream.getvalue()
    assert "and:4" in stream.getvalue()


def test_a_compilation_is_announced_once():
    code = (
        "import numba\n"
        "from gatewalk.cli.terminal import announce_compilation\n"
        "announce_compilation()\n"
        "for add in (1, 2):\n"
        "    numba.njit(lambda x: x + add)(1)\n"
    )
    done = finished([sys.executable, "-c", code], check=True)
    assert done.stderr.count("compiling kernels for this processor") == 1


BUSY = """
import gatewalk.__main__ as m, hashlib, time
m.interrupts.exit_on_interrupt()
m.interrupts.answer_while_busy()
from threading import Thread
from gatewalk.search import display
display.QUIET_SECONDS = 0.0
display.LINE_SECONDS = 0.1
with display.progress("work") as on_progress:
    Thread(target=lambda: time.sleep(600)).start()  # Python waits for it at its end
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)  # busy for minutes, without the lock: as in a kernel
"""


def test_progress_goes_on_while_the_main_thread_is_busy_and_an_interrupt_waits_for_no_thread():
    code, _, err = interrupted(
        [sys.executable, "-c", BUSY], lambda process: process.err.count("starting") > 2
    )
    assert code == 130
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    assert "Traceback" not in err


def test_an_interrupt_says_how_to_continue(capsys):
    stages = StageDisplay("gatewalk study run 'x \x1b'")
    stages.log("fitting \x1b[31m")
    with pytest.raises(click.exceptions.Exit) as left, stages:
        raise KeyboardInterrupt
    assert left.value.exit_code == 130
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "fitting \\x1b[31m",
        "gatewalk: interrupted; continue with: gatewalk study run 'x \\x1b'",
    ]


def test_an_interrupt_says_what_is_stored(capsys):
    states = []
    run(campaign(target="and:2", replications=3), jobs=1, watch=states.append).close()
    stages = StageDisplay("again")
    stages.on_progress("runs", states[-1])
    with pytest.raises(click.exceptions.Exit), stages:
        raise KeyboardInterrupt
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "runs: all 3 runs are stored"
    assert told[-1] == "gatewalk: interrupted; runs: all 3 runs are stored; continue with: again"


def test_other_errors_pass():
    with pytest.raises(ValueError, match="other"), StageDisplay("x"):
        raise ValueError("other")


def test_a_command_is_repeated_as_a_shell_takes_it():
    @click.group()
    def outer():
        """A group."""

    @outer.command()
    @click.argument("name", required=False)
    @click.option("--many", multiple=True)
    @click.option("--flag", is_flag=True)
    @click.option("--number", default=3)
    @click.option("--seconds", default=60.0)
    @click.option("--seed", type=int)
    def inner(name, many, flag, number, seconds, seed):
        click.echo(this_command(click.get_current_context()))

    def repeated(*arguments):
        return CliRunner().invoke(outer, ["inner", *arguments], prog_name="x y").output

    for words in (
        "'a b' --many 1 --many 2 --flag",
        "a --number 4",
        "--seconds 7.5",
        "a --number 0 --seed 0",  # zero is not the same as nothing
    ):
        assert repeated(*shlex.split(words)) == f"gatewalk inner {words}\n"
    assert repeated() == "gatewalk inner\n"


def test_options_without_a_value_are_left_out():
    options = {"--store": "my file", "--dask": None, "--live": False, "--jobs": 2, "--checkpoint": 60.0}
    line = command_line(["campaign", "run"], options)
    assert line == "gatewalk campaign run --store 'my file' --jobs 2 --checkpoint 60"


# A step of machine code that Python cannot interrupt, as a compilation is; it takes minutes.
LONG_STEP = 'hashlib.pbkdf2_hmac("sha256", b"", b"", 1_000_000_000)'
PROGRAM = """
import hashlib, signal, threading, time
from gatewalk.cli import interrupts
interrupts.exit_on_interrupt()
interrupts.answer_while_busy()
{before}
try:
    threading.Timer(0.5, print, ["ready"], {{"flush": True}}).start()  # when the main thread is at work
    {work}
except KeyboardInterrupt:
    print("kept", flush=True)
print("done", flush=True)
"""


def ended(before, work):
    """Exit code and output of a program that gets Ctrl-C when it is ready."""
    program = PROGRAM.format(before=before, work=work)
    code, out, err = interrupted([sys.executable, "-c", program], lambda process: process.out == "ready\n")
    return code, out.removeprefix("ready\n"), err


@pytest.mark.parametrize(
    ("before", "work"),
    [
        ("", "time.sleep(600)"),
        ("", LONG_STEP),
        ("interrupts.has_results(); interrupts.compiling(1)", LONG_STEP),
    ],
)
def test_a_process_with_nothing_to_lose_ends_at_once(before, work):
    assert ended(before, work) == (130, "", "gatewalk: interrupted\n")


def test_one_with_results_gets_an_exception():
    assert ended("interrupts.has_results()", "time.sleep(600)") == (0, "kept\ndone\n", "")


def test_who_was_told_to_ignore_it_does():
    before = "signal.signal(signal.SIGINT, signal.SIG_IGN); interrupts.exit_on_interrupt()"
    assert ended(before, "time.sleep(2)") == (0, "done\n", "")


def test_the_end_does_not_wait_for_threads_that_compile():
    program = """
import threading, time
from gatewalk.cli import interrupts
threading.Thread(target=time.sleep, args=(600,)).start()
print("flushed")
interrupts.end(130)
"""
    done = finished([sys.executable, "-c", program], timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (130, "flushed\n", "")
