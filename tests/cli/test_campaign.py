"""`gatewalk campaign` on the command line: run, status, export, Ctrl-C, and errors in one line."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from gatewalk import campaign as room
from gatewalk.cli.main import main

SPEC = """seed = 7
replications = 20
budget = 20_000
[grid]
target = ["and:2", "and:3"]
nodes = ["n", "2n"]
"""
LAUNCH = "from gatewalk.cli.main import main; main()"


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    return path


def call(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    with pytest.raises(SystemExit) as end:
        main(["campaign", *map(str, arguments)])
    captured = capsys.readouterr()
    assert isinstance(end.value.code, int)
    return end.value.code, captured.out, captured.err


def test_run_then_status_then_run_again(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys, "run", spec, "--jobs", "1")
    assert (code, out) == (0, "")
    assert "all 80 runs are stored (80 now in" in err
    store = spec.with_suffix(".sqlite")
    assert store.exists()
    code, out, err = call(capsys, "status", store)
    assert code == 0
    assert "and:3 nodes=6" in out
    assert out.splitlines()[-1] == "80/80 runs, done"
    code, out, err = call(capsys, "run", spec)
    assert (code, out) == (0, "")
    assert "nothing to do" in err


def test_status_as_json(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "run", spec, "--jobs", "1", "--store", spec.parent / "x.sqlite")
    code, out, _ = call(capsys, "status", spec.parent / "x.sqlite", "--json")
    cells = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(c["target"], c["nodes"], c["finished"]) for c in cells] == [
        ("and:2", 2, 20),
        ("and:2", 4, 20),
        ("and:3", 3, 20),
        ("and:3", 6, 20),
    ]


def test_a_dry_run_shows_and_does_nothing(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "run", spec, "--dry-run", "--jobs", "2")
    assert code == 0
    assert "and:2 nodes=2" in out
    assert "4 cells, 80 runs, 80 to do; " in out.splitlines()[-1]
    assert "on 2 threads" in out.splitlines()[-1]
    assert not spec.with_suffix(".sqlite").exists()
    call(capsys, "run", spec, "--jobs", "1")
    _, out, _ = call(capsys, "run", spec, "--dry-run")
    assert "80 runs, 0 to do" in out


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_export(form: str, spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "run", spec, "--jobs", "1")
    out = spec.parent / f"runs.{form}"
    code, _, err = call(capsys, "export", spec.with_suffix(".sqlite"), "--to", form, "--out", out)
    assert code == 0
    assert "80 runs in" in err
    assert out.stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "none.toml"], "none.toml: cannot read"),
        (["run", "SPEC", "--jobs", "0"], "--jobs is 0"),
        (["run", "SPEC", "--jobs", "2", "--dask", "tcp://x:1"], "exclude each other"),
        (["run", "SPEC", "--checkpoint", "0"], "--checkpoint"),
        (["run", "SPEC", "--dask", "none.json"], "no such scheduler file"),
        (["run", "SPEC", "--store", "SPEC"], "not a store"),
        (["status", "none.sqlite"], "no such store"),
        (["status", "SPEC"], "not a store"),
        (["export", "none.sqlite", "--to", "csv", "--out", "a.csv"], "no such store"),
        (["export", "none.sqlite", "--out", "a.csv"], "--to"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], words: str, spec: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, *[str(spec) if a == "SPEC" else a for a in arguments])
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def test_a_bad_value_names_file_and_line(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec.write_text(SPEC.replace('"2n"', '"2m"'))
    code, _, err = call(capsys, "run", spec)
    assert code == 2
    assert f"{spec}:6: nodes:" in err


def test_a_store_of_an_older_version_is_refused(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = spec.with_suffix(".sqlite")
    call(capsys, "run", spec, "--jobs", "1")
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA user_version = 1")
    before = store.read_bytes()
    commands: list[list[str | Path]] = [["run", spec], ["run", spec, "--dry-run"], ["status", store]]
    for arguments in commands:
        code, out, err = call(capsys, *arguments)
        assert (code, out) == (2, "")
        assert "older Gatewalk" in err
        assert "use a new store" in err
        assert len(err.splitlines()) == 1
    assert store.read_bytes() == before


def test_ctrl_c_among_short_runs_keeps_all_that_are_finished(tmp_path: Path) -> None:
    spec = tmp_path / "many.toml"
    spec.write_text('replications = 10_000_000\n[grid]\ntarget = "and:4"\n')
    command = [sys.executable, "-c", LAUNCH, "campaign", "run", str(spec), "--jobs", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ)
    store = spec.with_suffix(".sqlite")
    while not _finished(store):
        assert process.poll() is None
        time.sleep(0.1)
    before = _finished(store)
    began = time.perf_counter()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert time.perf_counter() - began < 10  # a second on a machine with nothing else to do
    assert process.returncode == 130
    stored = _finished(store)
    assert before <= stored < 10_000_000
    assert f"interrupted; {stored} of 10000000 runs are stored" in err.splitlines()[-1]
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchone() == (stored,)


def _finished(store: Path) -> int:
    """The runs of a store that may not have its tables yet."""
    with contextlib.suppress(sqlite3.OperationalError), closing(_reader(store)) as connection:
        return int(connection.execute("SELECT total(finished) FROM cell").fetchone()[0])
    return 0


def _reader(store: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{store}?mode=ro", uri=True)


def test_ctrl_c_keeps_all_and_says_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = tmp_path / "long.toml"
    # two nodes cannot compute and:4: these runs would take for ever
    spec.write_text('[grid]\ntarget = ["and:2", "and:4"]\nnodes = 2\nbudget = 100_000_000_000\n')
    command = [sys.executable, "-c", LAUNCH, "campaign", "run", str(spec), "--jobs", "2"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    store = spec.with_suffix(".sqlite")
    while True:
        assert process.poll() is None
        time.sleep(0.3)
        if not store.exists() or store.with_name(store.name + "-lock").exists() is False:
            continue
        code, out, _ = call(capsys, "status", store)
        if code == 0 and "30/60 runs, running" in out:
            break
    time.sleep(1.5)  # so that the runs on their way are worth keeping
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert "interrupted; 30 of 60 runs are stored; go on with: gatewalk campaign run" in err.splitlines()[-1]
    code, out, _ = call(capsys, "status", store)
    assert out.splitlines()[-1].startswith("30/60 runs, interrupted, ")
    assert "on their way; go on with: gatewalk campaign run" in out.splitlines()[-1]


def test_a_command_plans_once(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[str] = []
    usual = room.plan

    def counted(campaign: room.Campaign) -> tuple[room.Cell, ...]:
        planned.append(campaign.source)
        return usual(campaign)

    monkeypatch.setattr(room, "plan", counted)
    monkeypatch.setattr("gatewalk.campaign.runner.plan", counted)
    assert call(capsys, "run", spec, "--jobs", "1")[0] == 0
    assert call(capsys, "run", spec, "--dry-run")[0] == 0
    assert planned == [str(spec), str(spec)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--checkpoint", "nan"], "--checkpoint is nan; it must be a number of seconds, more than 0"),
        (["--checkpoint", "inf"], "--checkpoint is inf"),
        (["--checkpoint", "-1"], "--checkpoint is -1.0"),
        (["--jobs", "100000"], "--jobs is 100000; it must be at most 1,024"),
        (["--dask", "\x1b[31m"], r"\x1b[31m: no way to reach a scheduler"),
    ],
)
def test_options_that_cannot_be(
    spec: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    code, out, err = call(capsys, "run", spec, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.splitlines()) == 1


def test_how_to_go_on_is_quoted_and_complete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(room, "run", interrupted)
    folder = tmp_path / "my $(runs)"
    folder.mkdir()
    spec, store = folder / "a.toml", folder / "b.sqlite"
    spec.write_text(SPEC)
    options = ["--store", str(store), "--jobs", "3", "--checkpoint", "7.5"]
    code, _, err = call(capsys, "run", spec, *options)
    assert code == 130
    command = err.partition("go on with: ")[2]
    assert shlex.split(command) == ["gatewalk", "campaign", "run", str(spec), *options]
    _, _, err = call(capsys, "run", spec, "--dask", "tls://10.0.0.1:8786")
    assert err.endswith(" --dask tls://10.0.0.1:8786\n")
    assert "--jobs" not in err


def test_status_keeps_the_cluster_in_how_to_go_on(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "run", spec, "--jobs", "1")
    store = spec.with_suffix(".sqlite")
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE campaign SET executor = 'dask tcp://h:8786', source = 'my \x1bspec.toml'")
        connection.execute("UPDATE cell SET planned = 30")
    _, out, _ = call(capsys, "status", store)
    again = f"gatewalk campaign run 'my \\x1bspec.toml' --store {store} --dask tcp://h:8786"
    assert out.endswith(f"; go on with: {again}\n")


def test_status_after_replications_were_lowered(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "run", spec, "--jobs", "1")
    spec.write_text(SPEC.replace("replications = 20", "replications = 5"))
    call(capsys, "run", spec, "--jobs", "1")
    _, out, _ = call(capsys, "status", spec.with_suffix(".sqlite"))
    assert " 5/5 " in out
    assert out.splitlines()[-1] == "20/20 runs, done, 60 more stored than are asked for"
