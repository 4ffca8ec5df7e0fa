"""`gatewalk paper`: options, errors, a small reproduction, and what Ctrl-C leaves."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from gatewalk.cli.main import main

SOURCE = Path(__file__).resolve().parents[2] / "src"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(["paper", *arguments])
    captured = capsys.readouterr()
    return int(stopped.value.code or 0), captured.out, captured.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "complet"], "complete, incomplete, xor"),
        (["--only", "complete,and"], "'and'"),
        (["--profile", "tiny"], "tinyverse, paper"),
        (["--replications", "1"], "at least 2"),
        (["--jobs", "0"], "at least 1"),
        (["--seed", "-1"], "0 or more"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str], words: str
) -> None:
    status, out, err = run(capsys, *arguments, "--out", str(tmp_path / "out"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert not (tmp_path / "out").exists()


def test_a_missing_extra_is_named_before_the_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    status, out, err = run(capsys, "--quick", "--out", str(tmp_path / "out"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "gatewalk[plot]" in err
    assert not (tmp_path / "out").exists()


def test_a_quick_reproduction_and_again(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "xor results"
    arguments = ("--quick", "--only", "xor", "--replications", "5", "--jobs", "1", "--out", str(out))
    status, printed, err = run(capsys, *arguments)
    assert status == 0
    assert f"the page: {out / 'index.html'}" in printed
    assert "Xor, n = 2" in err
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "gatewalk paper --replications 5 --only xor --jobs 1 --out" in page
    status, _, err = run(capsys, *arguments)
    assert status == 0
    assert "Xor, n = 2: 25 of 25 runs are stored" in err


def test_an_interrupted_reproduction_says_how_to_go_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gatewalk", "paper", "--only", "complete", "--profile", "paper"]
    command += ["--replications", "5000", "--jobs", "1", "--out", str(tmp_path)]
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(SOURCE)}
    )
    store = tmp_path / "runs.sqlite"
    deadline = time.monotonic() + 240
    while stored(store) < 20 and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    last = err.strip().splitlines()[-1]
    assert "runs are stored" in last
    assert "go on with: gatewalk paper --replications 5000 --only complete --profile paper --jobs 1" in last
    assert "Traceback" not in err
    assert stored(store) >= 20


def test_an_interrupt_while_figures_are_drawn(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gatewalk", "paper", "--quick", "--only", "xor", "--replications", "5"]
    process = subprocess.Popen(
        [*command, "--jobs", "2", "--out", str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        start_new_session=True,
    )
    assert process.stderr is not None
    before = ""
    while "comparing" not in before:
        line = process.stderr.readline()
        assert line
        before += line
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: every process of the group
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "go on with: gatewalk paper" in err
    assert "Traceback" not in err


def stored(store: Path) -> int:
    """Runs in the store; none while it is being made."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM run").fetchone()[0])
    except sqlite3.Error:
        return 0
