"""`gatewalk study` and `gatewalk paper`: the list, runs, refusals, and what Ctrl-C leaves."""

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from command import call, record, records
from processes import interrupted
from refusals import refused

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
def mine(tmp_path):
    home = tmp_path / "mine"
    home.mkdir()
    (home / "spec.toml").write_text(SPEC, encoding="utf-8")
    return home


def test_the_list_names_every_study(capsys):
    status, out, _ = call(capsys, "study", "list")
    assert status == 0
    assert all(name in out for name in names())
    listed = records(capsys, "study", "list")
    assert [line["study"] for line in listed] == list(names())
    assert all(line["question"] and line["minutes"] for line in listed)


def test_a_folder_of_a_user_is_run_and_again(capsys, tmp_path, mine):
    out = tmp_path / "results"
    status, printed, err = call(capsys, "study", "run", mine, "--out", out, "--jobs", "1")
    assert status == 0
    assert f"wrote {out / 'index.html'}\n" in printed
    assert "runs: 0 of 8 runs are stored" in err
    assert f"gatewalk study run {mine} --out {out} --jobs 1" in (out / "index.html").read_text(
        encoding="utf-8"
    )
    line = record(capsys, "study", "run", mine, "--out", out, "--jobs", "1")
    assert (line["study"], len(line["cells"])) == ("mine", 2)
    assert call(capsys, "study", "run", mine, "--out", out)[2].startswith("runs: all 8 runs are stored")


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["study", "run"], ("study list", "--all")),
        (["study", "run", "nodes", "--all"], ("study list", "--all")),
        (["study", "run", "node"], ("'node'", "did you mean nodes")),
        (["study", "run", "./nowhere"], ("nowhere", "no such folder")),
        (["paper", "--only", "complet"], ("--only", "'complet'", "complete, incomplete, xor")),
        (["paper", "--only", "complete,and"], ("--only", "'and'")),
        (["paper", "--profile", "tiny"], ("--profile", "'tiny'", "tinyverse, paper")),
        (["paper", "--replications", "1"], ("--replications", "1", "at least 2")),
    ],
)
def test_refusals(capsys, tmp_path, monkeypatch, arguments, names):
    monkeypatch.chdir(tmp_path)
    refused(capsys, *arguments, naming=names)
    assert list(tmp_path.iterdir()) == []


def test_mistakes_in_a_folder_are_one_line(capsys, tmp_path, mine):
    (mine / "study.py").write_text("def findings(measured):\n    return measured.nothing\n", encoding="utf-8")
    status, out, err = call(capsys, "study", "run", mine, "--out", tmp_path / "out", "--jobs", "1")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"gatewalk: {mine / 'study.py'}:2: AttributeError")
    assert "Traceback" not in err
    (mine / "spec.toml").write_text(SPEC.replace("title", "titel"), encoding="utf-8")
    refused(capsys, "study", "run", mine, naming=("spec.toml", "titel"))


def test_ctrl_c_says_how_to_continue_a_study(tmp_path, mine):
    # The runs of and:3 end at once and are stored while those of xor:14 go on for days.
    spec = SPEC.replace('"and:3"', '["and:3", "xor:14"]').replace("[3, 4]", "[13]")
    spec = spec.replace("replications = 4", "replications = 50").replace("500", "1_000_000_000_000")
    (mine / "spec.toml").write_text(spec, encoding="utf-8")
    out = tmp_path / "out"
    code, _, err = interrupted(
        [sys.executable, "-m", "gatewalk", "study", "run", str(mine), "--out", str(out), "--jobs", "1"],
        lambda _: stored(out / "runs.sqlite") >= 5,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert code == 130
    last = err.strip().splitlines()[-1]
    assert "of 100 runs are stored; continue with: gatewalk study run" in last
    assert "Traceback" not in err
    assert stored(out / "runs.sqlite") >= 5


def test_a_quick_reproduction_of_the_paper_and_again(capsys, tmp_path):
    out = tmp_path / "xor results"
    arguments = ("--quick", "--only", "xor", "--replications", "5", "--jobs", "1", "--out", str(out))
    status, printed, err = call(capsys, "paper", *arguments)
    assert status == 0
    assert f"wrote {out / 'index.html'}\n" in printed
    assert "runs: 0 of 100 runs are stored" in err
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "gatewalk paper --replications 5 --only xor --jobs 1 --out" in page
    status, _, err = call(capsys, "paper", *arguments)
    assert status == 0
    assert "runs: all 100 runs are stored" in err


def test_ctrl_c_says_how_to_continue_the_paper(tmp_path):
    command = [sys.executable, "-m", "gatewalk", "paper", "--only", "complete", "--profile", "paper"]
    command += ["--replications", "5000", "--jobs", "1", "--out", str(tmp_path)]
    store = tmp_path / "runs.sqlite"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    code, _, err = interrupted(command, lambda _: stored(store) >= 20, env=environment)
    assert code == 130
    last = err.strip().splitlines()[-1]
    assert "runs are stored" in last
    assert (
        "continue with: gatewalk paper --replications 5000 --only complete --profile paper --jobs 1" in last
    )
    assert "Traceback" not in err
    assert stored(store) >= 20


def test_ctrl_c_while_figures_are_drawn(tmp_path):
    command = [sys.executable, "-m", "gatewalk", "paper", "--quick", "--only", "xor", "--replications", "5"]
    code, _, err = interrupted(
        [*command, "--jobs", "2", "--out", str(tmp_path)],
        lambda process: "judging" in process.err,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert code == 130
    assert "continue with: gatewalk paper" in err
    assert "Traceback" not in err


def stored(store):
    """Runs in the store; none while it is being made."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM run").fetchone()[0])
    except sqlite3.Error:
        return 0
