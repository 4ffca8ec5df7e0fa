"""`gatewalk study`: the list, a run, mistakes in a line, and what Ctrl-C leaves."""

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
from command import call, record, records

from gatewalk.studies import names

SOURCE = Path(__file__).resolve().parents[2] / "src"
SPEC = """
seed = 3
replications = 4
budget = 500
[study]
title = "T"
question = "Q?"
x = "nodes"
[grid]
target = "and:3"
nodes = [3, 4]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    home = tmp_path / "mine"
    home.mkdir()
    (home / "spec.toml").write_text(SPEC, encoding="utf-8")
    return home


def test_the_list_names_every_study(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "study", "list")
    assert status == 0
    assert all(name in out for name in names())
    listed = records(capsys, "study", "list")
    assert [line["study"] for line in listed] == list(names())
    assert all(line["question"] and line["minutes"] for line in listed)


def test_a_folder_of_a_user_is_run_and_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, mine: Path
) -> None:
    out = tmp_path / "results"
    status, printed, err = call(capsys, "study", "run", mine, "--out", out, "--jobs", "1")
    assert status == 0
    assert f"the page: {out / 'index.html'}" in printed
    assert "runs: 0 of 8 runs are stored" in err
    assert f"gatewalk study run {mine} --out {out} --jobs 1" in (out / "index.html").read_text(
        encoding="utf-8"
    )
    line = record(capsys, "study", "run", mine, "--out", out, "--jobs", "1")
    assert (line["study"], len(line["cells"])) == ("mine", 2)
    assert call(capsys, "study", "run", mine, "--out", out)[2].startswith("runs: 8 of 8 runs are stored")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run"], "say which study"),
        (["run", "nodes", "--all"], "say which study"),
        (["run", "node"], "did you mean nodes"),
        (["run", "./nowhere"], "no such folder"),
        (["run", "nodes", "--jobs", "0"], "at least 1"),
        (["run", "nodes", "--seed", "-1"], "at least 0"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = call(capsys, "study", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert words in err
    assert list(tmp_path.iterdir()) == []


def test_mistakes_in_a_folder_are_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, mine: Path
) -> None:
    (mine / "study.py").write_text("def findings(measured):\n    return measured.nothing\n", encoding="utf-8")
    status, out, err = call(capsys, "study", "run", mine, "--out", tmp_path / "out", "--jobs", "1")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"gatewalk: {mine / 'study.py'}:2: AttributeError")
    assert "Traceback" not in err
    (mine / "spec.toml").write_text(SPEC.replace("title", "titel"), encoding="utf-8")
    status, out, err = call(capsys, "study", "run", mine)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_an_interrupted_study_says_how_to_go_on(tmp_path: Path, mine: Path) -> None:
    spec = SPEC.replace("replications = 4", "replications = 2000").replace('"and:3"', '"and:10"')
    spec = spec.replace("budget = 500", "budget = 100000000").replace("[3, 4]", "[9, 10]")
    (mine / "spec.toml").write_text(spec, encoding="utf-8")
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-m", "gatewalk", "study", "run", str(mine), "--out", str(out), "--jobs", "1"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    deadline = time.monotonic() + 240
    while stored(out / "runs.sqlite") < 5 and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    last = err.strip().splitlines()[-1]
    assert "of its 4000 runs are stored; go on with: gatewalk study run" in last
    assert "Traceback" not in err
    assert stored(out / "runs.sqlite") >= 5


def stored(store: Path) -> int:
    """Runs in the store; none while it is being made."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM run").fetchone()[0])
    except sqlite3.Error:
        return 0
