"""`gatewalk campaign` and `gatewalk report`: run, status, export, plot, page, refusals, Ctrl-C."""

import contextlib
import json
import os
import re
import shlex
import sqlite3
import sys
import threading
import time
from contextlib import closing

import pytest
from command import call as call_any
from processes import interrupted, running
from refusals import refused

from gatewalk import campaign as room
from gatewalk.campaign.store_file import writing

SPEC = """seed = 7
replications = 20
budget = 20_000
[grid]
target = ["and:2", "and:3"]
nodes = ["n", "2n"]
"""
LAUNCH = "from gatewalk.cli.main import main; main()"


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "spec.toml"
    path.write_text(SPEC)
    return path


def call(capsys, *arguments):
    return call_any(capsys, "campaign", *arguments)


def test_run_then_status_then_run_again(spec, capsys):
    code, out, err = call(capsys, "run", spec, "--jobs", "1")
    assert (code, out) == (0, "")
    assert f"all 80 runs are stored in {spec.with_suffix('.sqlite')} (80 new, " in err
    store = spec.with_suffix(".sqlite")
    assert store.exists()
    code, out, err = call(capsys, "status", store)
    assert code == 0
    assert "and:3 nodes=6" in out
    assert out.splitlines()[-1] == "80/80 runs, done"
    code, out, err = call(capsys, "run", spec)
    assert (code, out) == (0, "")
    assert "nothing to do" in err


def test_status_as_json(spec, capsys):
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


def test_a_dry_run_shows_and_does_nothing(spec, capsys):
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
def test_export(form, spec, capsys):
    call(capsys, "run", spec, "--jobs", "1")
    out = spec.parent / f"runs.{form}"
    code, _, err = call(capsys, "export", spec.with_suffix(".sqlite"), "--to", form, "--out", out)
    assert code == 0
    assert err == f"wrote {out} (80 runs)\n"
    assert out.stat().st_size > 0


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["run", "none.toml"], ("none.toml",)),
        (["run", "SPEC", "--jobs", "2", "--dask", "tcp://x:1"], ("--jobs", "--dask")),
        (["run", "SPEC", "--checkpoint", "0"], ("--checkpoint", "0", "more than 0")),
        (["run", "SPEC", "--checkpoint", "nan"], ("--checkpoint", "nan", "more than 0")),
        (["run", "SPEC", "--store", "SPEC"], ("spec.toml", "not a store")),
        (["status", "none.sqlite"], ("none.sqlite", "no such store")),
        (["status", "SPEC"], ("spec.toml", "not a store")),
        (["export", "none.sqlite", "--to", "csv", "--out", "a.csv"], ("none.sqlite", "no such store")),
        (["export", "none.sqlite", "--out", "a.csv"], ("--to",)),
        (["plot", "none.sqlite", "--out", "a.svg"], ("none.sqlite", "no such store")),
        (["plot", "SPEC", "--out", "a.svg"], ("spec.toml", "not a store")),
    ],
)
def test_refusals(arguments, names, spec, capsys, monkeypatch):
    monkeypatch.chdir(spec.parent)
    words = [str(spec) if word == "SPEC" else word for word in arguments]
    refused(capsys, "campaign", *words, naming=names)
    assert list(spec.parent.iterdir()) == [spec]


def test_a_scheduler_that_cannot_be_is_refused(spec, capsys):
    words = ("campaign", "run", spec, "--dask")
    refused(capsys, *words, "none.json", naming=("none.json", "no such scheduler file"))
    refused(capsys, *words, "\x1b[31m", naming=(r"\x1b[31m", "scheduler"))


def test_a_bad_value_names_file_and_line(spec, capsys):
    spec.write_text(SPEC.replace('"2n"', '"2m"'))
    refused(capsys, "campaign", "run", spec, naming=f"{spec}:6: nodes:")


def test_a_store_of_an_older_version_is_refused(spec, capsys):
    store = spec.with_suffix(".sqlite")
    call(capsys, "run", spec, "--jobs", "1")
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("PRAGMA user_version = 1")
    before = store.read_bytes()
    commands = [["run", spec], ["run", spec, "--dry-run"], ["status", store]]
    for arguments in commands:
        refused(capsys, "campaign", *arguments, naming=(store, "older Gatewalk", "new store"))
    assert store.read_bytes() == before


def test_ctrl_c_among_short_runs_keeps_all_that_are_finished(tmp_path):
    spec = tmp_path / "many.toml"
    spec.write_text('replications = 10_000_000\n[grid]\ntarget = "and:4"\n')
    command = [sys.executable, "-c", LAUNCH, "campaign", "run", str(spec), "--jobs", "2"]
    store = spec.with_suffix(".sqlite")
    with running(command) as process:
        process.wait_until(lambda _: _finished(store))
        before = _finished(store)
        began = time.perf_counter()
        process.interrupt()
        code, _, err = process.end()
    assert time.perf_counter() - began < 10  # a second on a machine with nothing else to do
    assert code == 130
    stored = _finished(store)
    assert before <= stored < 10_000_000
    assert f"interrupted; {stored:,} of 10,000,000 runs are stored" in err.splitlines()[-1]
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchone() == (stored,)


def _finished(store):
    """The runs of a store that may not have its tables yet."""
    with contextlib.suppress(sqlite3.OperationalError), closing(_reader(store)) as connection:
        return int(connection.execute("SELECT total(finished) FROM cell").fetchone()[0])
    return 0


def _reader(store):
    return sqlite3.connect(f"file:{store}?mode=ro", uri=True)


def test_ctrl_c_keeps_all_and_says_how_to_continue(tmp_path, capsys):
    spec = tmp_path / "long.toml"
    # two nodes cannot compute and:4: these runs would take for ever
    spec.write_text('[grid]\ntarget = ["and:2", "and:4"]\nnodes = 2\nbudget = 100_000_000_000\n')
    command = [sys.executable, "-c", LAUNCH, "campaign", "run", str(spec), "--jobs", "2"]
    store = spec.with_suffix(".sqlite")

    def half_done(_):
        if not store.exists() or not store.with_name(store.name + "-lock").exists():
            return False
        code, out, _ = call(capsys, "status", store)
        return code == 0 and "30/60 runs, running" in out

    with running(command) as process:
        process.wait_until(half_done)
        time.sleep(1.5)  # so that the runs in progress are worth keeping
        process.interrupt()
        code, out, err = process.end()
    assert code == 130
    assert out == ""
    assert (
        "interrupted; 30 of 60 runs are stored; continue with: gatewalk campaign run" in err.splitlines()[-1]
    )
    code, out, _ = call(capsys, "status", store)
    assert out.splitlines()[-1].startswith("30/60 runs, interrupted, ")
    assert "in progress; continue with: gatewalk campaign run" in out.splitlines()[-1]


def test_a_command_plans_once(spec, capsys, monkeypatch):
    planned = []
    usual = room.plan

    def counted(campaign):
        planned.append(campaign.source)
        return usual(campaign)

    monkeypatch.setattr(room, "plan", counted)
    monkeypatch.setattr("gatewalk.campaign.execution.plan", counted)
    assert call(capsys, "run", spec, "--jobs", "1")[0] == 0
    assert call(capsys, "run", spec, "--dry-run")[0] == 0
    assert planned == [str(spec), str(spec)]


def test_how_to_continue_is_quoted_and_complete(tmp_path, capsys, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(room, "run", stopped)
    folder = tmp_path / "my $(runs)"
    folder.mkdir()
    spec, store = folder / "a.toml", folder / "b.sqlite"
    spec.write_text(SPEC)
    options = ["--store", str(store), "--jobs", "3", "--checkpoint", "7.5"]
    code, _, err = call(capsys, "run", spec, *options)
    assert code == 130
    command = err.partition("continue with: ")[2]
    assert shlex.split(command) == ["gatewalk", "campaign", "run", str(spec), *options]
    _, _, err = call(capsys, "run", spec, "--dask", "tls://10.0.0.1:8786")
    assert err.endswith(" --dask tls://10.0.0.1:8786\n")
    assert "--jobs" not in err


def test_status_keeps_the_cluster_in_how_to_continue(spec, capsys):
    call(capsys, "run", spec, "--jobs", "1")
    store = spec.with_suffix(".sqlite")
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE campaign SET executor = 'dask tcp://h:8786', source = 'my \x1bspec.toml'")
        connection.execute("UPDATE cell SET planned = 30")
    _, out, _ = call(capsys, "status", store)
    again = f"gatewalk campaign run 'my \\x1bspec.toml' --store {store} --dask tcp://h:8786"
    assert out.endswith(f"; continue with: {again}\n")


def test_status_after_replications_were_lowered(spec, capsys):
    call(capsys, "run", spec, "--jobs", "1")
    spec.write_text(SPEC.replace("replications = 20", "replications = 5"))
    call(capsys, "run", spec, "--jobs", "1")
    _, out, _ = call(capsys, "status", spec.with_suffix(".sqlite"))
    assert " 5/5 " in out
    assert out.splitlines()[-1] == "20/20 runs, done, 60 beyond the number requested"


def rows(store):
    with room.Results.open(store) as results:
        columns = results.columns()
    return list(zip(*(values for name, values in columns.items() if name != "seconds"), strict=True))


def test_a_campaign_that_is_watched_has_the_same_runs_and_a_page(spec, capsys):
    plain, live = spec.with_name("plain.sqlite"), spec.with_name("live.sqlite")
    assert call(capsys, "run", spec, "--store", plain, "--jobs", "1")[0] == 0
    code, out, err = call(capsys, "run", spec, "--store", live, "--jobs", "1", "--live")
    assert (code, out) == (0, "")
    page = spec.with_name("live.html")
    assert err.splitlines()[0] == f"gatewalk: open {page} in a browser to follow the campaign"
    assert "warning" not in err
    assert rows(plain) == rows(live)
    written = page.read_text(encoding="utf-8")
    assert "all 80 runs are stored" in written
    assert 'data-reload=""' in written
    assert {path.suffix for path in spec.parent.iterdir()} == {".toml", ".sqlite", ".html"}


def test_a_page_of_a_campaign_that_does_not_begin_is_not_left(spec, capsys):
    store, taken = spec.with_suffix(".sqlite"), spec.with_name("runs.html")
    store.write_text("no store")
    code, _, err = call(capsys, "run", spec, "--live")
    assert code == 2
    assert "not a store" in err.splitlines()[-1]
    assert not spec.with_suffix(".html").exists()
    refused(capsys, "campaign", "run", spec, "--store", taken, "--live", naming=(taken, "the store itself"))
    assert not taken.exists()


def test_ctrl_c_ends_the_campaign_and_its_page(spec):
    spec.write_text("[grid]\ntarget = 'xor:12'\nnodes = 'n'\nreplications = 2\nbudget = 1_000_000_000_000\n")
    page = spec.with_suffix(".html")

    def is_followed(under_way):
        return page.exists() and "running: 0 of 2 runs are stored" in page.read_text(encoding="utf-8")

    command = [sys.executable, "-c", LAUNCH, "campaign", "run", str(spec), "--jobs", "1", "--live"]
    code, _, err = interrupted(command, is_followed)
    assert code == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1].endswith("--jobs 1 --live")
    written = page.read_text(encoding="utf-8")
    assert "0 of 2 runs are stored; the campaign was interrupted" in written
    assert 'data-reload=""' in written


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("plots") / "and.sqlite"
    both = room.campaign(target=["and:2", "and:3"], selection=["nonstrict", "strict"], replications=6, seed=7)
    room.run(both, path, jobs=1).close()
    return path


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a.svg", b"<?xml"), ("a.pdf", b"%PDF"), ("a.png", b"\x89PNG"), ("a.tex", b"% needs")],
)
def test_plot_formats(store, tmp_path, capsys, name, begins):
    code, out, err = call(capsys, "plot", store, "--kind", "ecdf", "--out", tmp_path / name)
    assert (code, out) == (0, "")
    assert err == f"wrote {tmp_path / name} (ecdf, 24 runs)\n"
    assert (tmp_path / name).read_bytes().startswith(begins)


def test_comparisons_are_read_out(store, tmp_path, capsys):
    out_path = tmp_path / "a.svg"
    code, out, _ = call(
        capsys, "plot", store, "--kind", "compare", "--where", "target=and:3", "--out", out_path
    )
    assert code == 0
    assert out.startswith("and:3: ")
    assert len(out.splitlines()) == 2


def test_runs_are_compared_with_their_chains_in_words(store, tmp_path, capsys):
    figure = tmp_path / "a.svg"
    small = ("--kind", "distribution", "--where", "selection=nonstrict", "--memory", "0.02", "--out", figure)
    code, out, err = call(capsys, "plot", store, *small)
    first, second, last = out.splitlines()
    assert code == 0
    assert re.fullmatch(
        r"and:2: 6 runs: no difference shown from their chain: largest distance .*; p = .*", first
    )
    assert second.startswith("and:3: no exact distribution: and:3 with 6 nodes has ")
    assert "more than --memory 0.02" in second
    assert last.endswith("corrected by Holm for 1 cell; below 0.05 they differ.")
    assert err.splitlines()[-1] == f"wrote {figure} (distribution, 12 runs)"
    code, out, _ = call(capsys, "plot", store, *small, "--unit", "evaluations")
    assert (code, out) == (0, "exact curves count iterations, not evaluations\n")


def test_a_row_per_cell_is_exported(store, tmp_path, capsys):
    for to, begins in (("summary", "cell,target,n,"), ("tex", "% needs")):
        path = tmp_path / f"cells.{to}"
        code, _, err = call(
            capsys, "export", store, "--to", to, "--where", "nodes=2n", "--where", "n=3", "--out", path
        )
        assert code == 0
        assert err == f"wrote {path} (2 cells, 12 runs)\n"
        assert path.read_text().startswith(begins)


def test_budgets_that_nobody_chose_are_said(tmp_path, capsys):
    spec = tmp_path / "two.toml"
    spec.write_text('replications = 1\n[[grid]]\ntarget = ["mul:2", "maj:3"]\n[[grid]]\ntarget = "and:2"\n')
    said = "budget: 50,000,000 iterations, the default for mul:2, maj:3 (budget = ... sets it)"
    assert call(capsys, "run", spec, "--dry-run")[2].splitlines()[0] == said
    spec.write_text(f"budget = 1000\n{spec.read_text()}")
    assert "budget" not in call(capsys, "run", spec, "--dry-run")[2]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("--kind", "distribution", "--seconds", "0", "--out", "a.svg"), ("--seconds", "more than 0")),
        (("--kind", "distribution", "--memory", "0", "--out", "a.svg"), ("--memory", "at least")),
        (("--kind", "pie", "--out", "a.svg"), ("'pie'", "time, ecdf")),
        (("--out", "a.jpg"), ("--out", "a.jpg", ".svg .pdf .png .tex")),
        (("--kind", "growth", "--out", "a.svg"), ("3 or more values of n", "2")),
        (("--by", "selection", "--out", "a.svg"), ("--by", "--kind compare")),
        (("--where", "n", "--out", "a.svg"), ("--where 'n'", "COLUMN=VALUE")),
        (("--where", "n=x", "--out", "a.svg"), ("--where", "n is 'x'", "whole number")),
        (("--where", "n=9", "--out", "a.svg"), ("--where", "and.sqlite: no cell has n=9; n is 2, 3")),
        (("--where", "node=9", "--out", "a.svg"), ("--where", "'node'", "did you mean nodes?")),
    ],
)
def test_plot_refuses(store, tmp_path, monkeypatch, capsys, arguments, names):
    monkeypatch.chdir(tmp_path)
    refused(capsys, "campaign", "plot", store, *arguments, naming=names)
    assert not list(tmp_path.iterdir())


def test_the_page_is_written(store, tmp_path, capsys):
    out = tmp_path / "page.html"
    threads = threading.active_count()
    code, printed, err = call_any(capsys, "report", store, "--out", out)
    assert (code, printed) == (0, "")
    assert err.splitlines()[-1] == f"wrote {out} (24 runs, 0.1 MB)"
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert threading.active_count() == threads
    assert list(tmp_path.iterdir()) == [out]


def test_report_refuses(store, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken.sqlite").write_bytes(b"no store")
    refused(capsys, "report", store, "--out", "a.pdf", naming=("a.pdf", ".html"))
    for name in ("broken.sqlite", "missing.sqlite", str(tmp_path)):
        refused(capsys, "report", name, "--out", "a.html", naming=name)
    assert [path.name for path in tmp_path.iterdir()] == ["broken.sqlite"]


def test_the_store_is_not_overwritten(tmp_path, capsys):
    path = tmp_path / "and.html"
    room.run(room.campaign(target="and:2", replications=2, seed=7), path, jobs=1).close()
    before = path.read_bytes()
    refused(capsys, "report", path, "--out", path, naming=(path, "the store itself"))
    assert path.read_bytes() == before


def test_a_finished_store_is_followed_once(store, tmp_path, capsys):
    out = tmp_path / "page.html"
    code, printed, err = call_any(capsys, "report", store, "--out", out, "--follow")
    assert (code, printed) == (0, "")
    assert err == f"wrote {out} (24 runs, 0.1 MB)\n"
    assert list(tmp_path.iterdir()) == [out]


def test_ctrl_c_leaves_the_last_complete_page_of_a_report(store, tmp_path):
    out = tmp_path / "page.html"
    command = [sys.executable, "-m", "gatewalk", "report", str(store), "--out", str(out), "--follow"]
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with writing(store):  # as a campaign does
        code, printed, err = interrupted(command, lambda _: out.exists(), env=path)
    assert (code, printed, err) == (130, "", "gatewalk: interrupted\n")
    page = out.read_text(encoding="utf-8")
    assert "running: all 24 runs are stored" in page
    assert page.endswith("</html>\n")
    assert list(tmp_path.iterdir()) == [out]
