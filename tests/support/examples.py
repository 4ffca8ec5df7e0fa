"""Running the examples of a page, in order and in one folder, and comparing what they print."""

import contextlib
import doctest
import io
import math
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
from documents import ROOT, commands, session
from notebooks import run_cell, shown_by
from processes import LIMIT

from gatewalk.cli.main import gatewalk, main
from gatewalk.search import display

RUN = ("sh", "console", "python", "toml")
_SAID_ONCE = re.compile(r"^compiling kernels for this processor.*\n", re.MULTILINE)
_FOR_A_SHELL = re.compile(r"[|&;<>()$`*?~{}]")


def run_page(found, home):
    """Run the blocks of a page and compare what they print with what the page shows.

    Parameters
    ----------
    found
        The blocks, in order.
    home
        The working folder, which is the current one while they run.

    Raises
    ------
    AssertionError
        If a block fails or prints something else; the message says at which line.
    """
    names = {"__name__": "__main__"}
    with contextlib.chdir(home), _environment(COLUMNS="100", GATEWALK_DEBUG=""), _without_progress():
        for at, block in enumerate(found):
            try:
                _run_block(block, _output_of(found, at), names)
            except Exception as error:
                raise AssertionError(f"line {block.line}: {type(error).__name__}: {error}") from error


def check_unrun(block):
    """Check of a block that is not run what can be checked: that Python compiles and that options exist."""
    if block.language == "python":
        compile(block.text, f"line {block.line}", "exec")
    elif block.language == "sh":
        lines = commands(block.text)
        for command in lines:
            check_options(command)
    elif block.language == "console":
        for command, _ in session(block.text):
            check_options(command)


def check_options(command):
    """Check that each command `gatewalk ...` in a line of a shell, and each of its options, exists.

    Raises
    ------
    AssertionError
        If one does not.
    """
    for part in re.split(r"&&|\|\||;", command):
        words = shlex.split(part, comments=True)
        if not words or words[0] != "gatewalk":
            continue
        node = gatewalk
        context = click.Context(node)
        rest = words[1:]
        while (
            isinstance(node, click.Group)
            and rest
            and re.fullmatch(r"[a-z_-]+", rest[0])
            and rest[0][0] != "-"
        ):
            below = node.get_command(context, rest[0])
            assert below is not None, f"there is no command {rest[0]!r}: {part.strip()}"
            node, rest = below, rest[1:]
        known = {"-h", "--help"}.union(*([*one.opts, *one.secondary_opts] for one in node.params))
        used = {word.split("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        assert used <= known, f"there is no option {', '.join(sorted(used - known))}: {part.strip()}"


def compare(shown, printed):
    """Compare what a page shows with what was printed.

    `...` in a line of the page stands for anything in that line, `...` on a line of its own for any lines.

    Raises
    ------
    AssertionError
        If they differ, with both texts.
    """
    wanted = "".join(
        r"(?:.*\n)*?"
        if line.strip() == "..."
        else re.escape(line.rstrip()).replace(r"\.\.\.", ".*?") + r" *\n"
        for line in shown.rstrip().splitlines()
    )
    got = _SAID_ONCE.sub("", printed).rstrip() + "\n"
    assert re.fullmatch(wanted, got), f"the page shows\n{shown}\nbut this was printed:\n{got}"


def compare_shown(stored, now):
    """Compare how a cell's last value was shown with how it is now: texts, and that pictures are there.

    Raises
    ------
    AssertionError
        If they differ.
    """
    assert set(now) == set(stored), f"the notebook shows {sorted(stored)}, but this is {sorted(now)}"
    if not any(media.startswith("image/") for media in stored):
        compare(stored["text/plain"], now["text/plain"])


def _output_of(found, at):
    """The block that shows what this one prints, if there is one."""
    if at + 1 == len(found):
        return None
    after = found[at + 1]
    return after if after.is_output and after.language in ("text", "output") and not after.file else None


def _run_block(block, output, names):
    if block.not_run:
        check_unrun(block)
    elif block.file:
        path = Path(block.file)
        assert not path.is_absolute()
        assert ".." not in path.parts
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)
    elif block.language == "toml":
        raise AssertionError("say in which file this is (```toml file=NAME), or why it is not run")
    elif block.language == "sh":
        printed = "".join(run_command(command, block.status) for command in commands(block.text))
        if output:
            compare(output.text, printed)
    elif block.language == "console":
        told = session(block.text)
        assert told, "no line begins with '$ '"
        for command, shown in told:
            status = block.status or (2 if re.match(r"gatewalk: ", shown) else 0)
            printed = run_command(command, status)
            if shown:
                compare(shown, printed)
    elif block.language == "python" and block.text.lstrip().startswith(">>>"):
        _run_doctest(block, names)
    elif block.language == "python":
        value = None

        def call():
            nonlocal value
            value = run_cell(block.text, names, line=block.line)

        printed = _captured(call)
        if output:
            compare(output.text, printed)
        if block.shows:
            compare_shown(block.shows, shown_by(value))
    else:
        assert not re.search(r"^(\$ |>>> )", block.text, re.MULTILINE), "label it: ```console or ```python"


def _run_doctest(block, names):
    test = doctest.DocTestParser().get_doctest(block.text, names, "page", None, block.line)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0, report.getvalue()


def run_command(command, status=0):
    """What a command prints on both streams, as a terminal would show it.

    `gatewalk` runs in this process, which saves its start; anything that needs a shell gets one.

    Raises
    ------
    AssertionError
        If it ends with another status.
    """
    check_options(command)
    words = shlex.split(command, comments=True)
    quoted = " ".join(re.sub(r"'[^']*'|\"[^\"$`]*\"", "", command).split("#")[:1])
    if words[0] == "gatewalk" and not _FOR_A_SHELL.search(quoted):
        ended = 0

        def call():
            nonlocal ended
            try:
                main(words[1:])
            except SystemExit as stop:
                ended = int(stop.code or 0)

        printed = _captured(call)
    else:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LIMIT,
            env={
                **os.environ,
                "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT / "src"),
            },
        )
        ended, printed = done.returncode, done.stdout
    assert ended == status, f"{command} ended with {ended}, not {status}:\n{printed}"
    return printed


def _captured(call):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        call()
    return printed.getvalue()


@contextlib.contextmanager
def _without_progress():
    """A terminal shows how far a command is and takes it away again; a page shows what stays."""
    before = display.QUIET_SECONDS
    display.QUIET_SECONDS = math.inf
    try:
        yield
    finally:
        display.QUIET_SECONDS = before


@contextlib.contextmanager
def _environment(**values):
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
