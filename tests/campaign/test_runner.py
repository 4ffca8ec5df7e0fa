"""Campaigns: the same rows whatever the executor, the stops and the kills."""

from __future__ import annotations

import csv
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pyarrow import parquet

from gatewalk.bigint import whole
from gatewalk.campaign import Campaign, Progress, Results, campaign, grid, parse, plan, run
from gatewalk.campaign import batch as batch_module
from gatewalk.campaign.backlog import Tally
from gatewalk.campaign.export import export
from gatewalk.campaign.results import NAMES
from gatewalk.campaign.store import SECONDS_TO_STORE, enter_cells, save_checkpoint
from gatewalk.campaign.store_file import writing
from gatewalk.campaign.stored import Checkpoint
from gatewalk.errors import InputError, MissingExtra
from gatewalk.search.evolve import run_once

Contents = Callable[[Path], list[tuple[object, ...]]]

MIXED = Campaign(
    seed=11,
    traces=True,
    grids=(
        grid(
            target=["and:3", "xor:2"],
            nodes=["n", "2n"],
            selection=["strict", "nonstrict"],
            budget=3000,
            replications=25,
        ),
        grid(target="and:4", training="sample:9", replications=25),
        grid(target="and:4", nodes=2, budget=5_000_000, replications=2),  # cannot succeed
    ),
)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "whole.sqlite"
    run(MIXED, path, jobs=1).close()
    return path


def test_threads_make_the_same_rows(reference: Path, tmp_path: Path, contents: Contents) -> None:
    run(MIXED, tmp_path / "a.sqlite", jobs=3).close()
    rows = contents(reference)
    assert len(rows) == 8 * 25 + 25 + 2
    assert contents(tmp_path / "a.sqlite") == rows


def test_what_is_there_is_not_run_again(tmp_path: Path, contents: Contents) -> None:
    store = tmp_path / "a.sqlite"
    small = campaign(target="and:3", replications=20, seed=1)
    run(small, store, jobs=1).close()
    with closing(sqlite3.connect(store)) as connection:
        before = connection.execute("SELECT * FROM run ORDER BY run").fetchall()
        (last,) = connection.execute("SELECT max(id) FROM delivery").fetchone()
    done: list[int] = []
    larger = campaign(target=["and:3", "or:2"], replications=30, seed=1)
    run(larger, store, jobs=1, watch=lambda p: done.append(p.done_now)).close()
    assert done[-1] == 10 + 30
    with closing(sqlite3.connect(store)) as connection:
        earlier = connection.execute("SELECT * FROM run WHERE delivery <= ? ORDER BY run", (last,)).fetchall()
    assert len(before) == 20
    assert earlier == before
    run(larger, store, jobs=1, watch=lambda p: done.append(p.done_now)).close()
    assert done[-1] == 0


def test_traces_can_be_asked_for_later(tmp_path: Path, contents: Contents) -> None:
    small = campaign(target="and:3", replications=20, seed=1)
    run(small, tmp_path / "late.sqlite", jobs=1).close()
    seen: list[Progress] = []
    run(replace(small, traces=True), tmp_path / "late.sqlite", jobs=1, watch=seen.append).close()
    assert (seen[-1].done, seen[-1].done_now) == (20, 20)
    run(replace(small, traces=True), tmp_path / "once.sqlite", jobs=1).close()
    assert contents(tmp_path / "late.sqlite") == contents(tmp_path / "once.sqlite")


def test_results_in_memory_are_only_this_campaign() -> None:
    with run(campaign(target="and:2", replications=3), jobs=2) as results:
        assert len(results) == 3


def test_a_shared_store_returns_only_this_campaign(tmp_path: Path) -> None:
    for name in ("and:2", "or:2"):
        with run(campaign(target=name, replications=3), tmp_path / "a.sqlite", jobs=1) as results:
            assert {cell.values["target"] for cell in results.cells()} == {name}


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_runs_are_kept_and_continued(
    jobs: int, reference: Path, tmp_path: Path, contents: Contents
) -> None:
    """Ctrl-C at several moments: everything finished is stored, and the end is the same."""
    store = tmp_path / "a.sqlite"
    source = random.Random(jobs)
    interrupted = 0
    for _ in range(3):
        pause = source.uniform(0.01, 0.1)
        timer = threading.Timer(pause, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        try:
            run(MIXED, store, jobs=jobs).close()
            timer.cancel()
            timer.join()
        except KeyboardInterrupt:
            interrupted += 1
            timer.join()
    assert interrupted
    assert set(contents(store)) <= set(contents(reference))
    run(MIXED, store, jobs=jobs).close()
    assert contents(store) == contents(reference)
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM checkpoint").fetchone() == (0,)


def test_long_runs_are_checkpointed(
    tmp_path: Path, contents: Contents, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_module, "SLICE_SECONDS", 0.005)
    long = campaign(target="and:4", nodes=2, budget=10_000_000, replications=2, seed=4)
    seen: list[tuple[object, ...]] = []
    store = tmp_path / "a.sqlite"

    def watch(progress: Progress) -> None:
        with closing(sqlite3.connect(store)) as connection:
            seen.extend(connection.execute("SELECT cell, run, length(state) FROM checkpoint"))

    run(long, store, jobs=2, checkpoint_seconds=0.02, watch=watch).close()
    run(long, tmp_path / "b.sqlite", jobs=1).close()
    assert {row[1] for row in seen} == {0, 1}
    assert contents(store) == contents(tmp_path / "b.sqlite")


def test_a_failing_run_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(batch_module, "course_of", fail)
    for jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            run(campaign(target="and:2", replications=3), jobs=jobs)
    with pytest.raises(InputError, match="at least 1"):
        run(campaign(target="and:2"), jobs=0)


def test_outside_the_main_thread() -> None:
    found: list[int] = []

    def go() -> None:
        with run(campaign(target="and:2", replications=3), jobs=2) as results:
            found.append(len(results))

    thread = threading.Thread(target=go)
    thread.start()
    thread.join()
    assert found == [3]


def test_progress_counts_and_estimates() -> None:
    seen: list[Progress] = []
    run(campaign(target=["and:2", "and:3"], replications=50), jobs=1, watch=seen.append).close()
    last = seen[-1]
    assert (last.done, last.planned, last.done_now) == (100, 100, 100)
    assert last.rate > 0
    assert last.seconds_left == 0


def test_what_is_left_must_also_be_stored() -> None:
    """Short runs are done faster than one thread stores them."""
    tally = Tally(planned=3_000_000, stored=1_000_000, solved=1_000_000, seconds=1.0)
    progress = Progress(cells=(), tallies=[tally], workers=2, seconds=5.0)
    assert progress.seconds_left == 2_000_000 * SECONDS_TO_STORE
    tally.seconds = 1_000_000.0
    assert progress.seconds_left == 1_000_000


def test_long_programs_come_back_whatever_the_cuts(tmp_path: Path, contents: Contents) -> None:
    """Programs that are compressed, of trees and of fixed length, in columns and one by one."""
    both = Campaign(
        seed=3,
        grids=(
            grid(target="and:6", nodes=90, replications=300),
            grid(target="and:6", nodes=90, training="sample", replications=40),
            grid(target="and:6", algorithm=["tgp-single", "tgp-multi"], replications=40),
        ),
    )
    run(both, tmp_path / "a.sqlite", jobs=1).close()
    run(both, tmp_path / "b.sqlite", jobs=3).close()
    rows = contents(tmp_path / "a.sqlite")
    assert len(rows) == 420
    assert rows == contents(tmp_path / "b.sqlite")
    with Results.open(tmp_path / "a.sqlite") as results:
        for found in results.runs():
            again = run_once(found.settings, seed=3, run=found.run)
            assert found.program.tolist() == again.program.tolist()
            assert (found.iterations, found.gates, found.solved) == (
                again.iterations,
                again.gates,
                again.solved,
            )


# Forks from a process with everything imported, so that a kill costs no start of Python.
NURSERY = """
import os, random, signal, sqlite3, sys, time
from gatewalk.campaign import parse, run

store, spec, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
campaign = parse(spec)
run(parse(spec.replace("= 15_000", "= 1").replace("= 2_000_000", "= 1")), jobs=1)
source = random.Random(25)
delivered = early = 0
while delivered < kills:
    child = os.fork()
    if child == 0:
        run(campaign, store, jobs=2, checkpoint_seconds=0.05)
        os._exit(0)
    time.sleep(source.uniform(0.0, 0.25 if early == 0 else 0.01))
    os.kill(child, signal.SIGKILL)
    _, how = os.waitpid(child, 0)
    if os.WIFSIGNALED(how):
        delivered += 1
    else:
        early += 1
        assert os.WEXITSTATUS(how) == 0
    try:
        with sqlite3.connect(store) as connection:
            rows = connection.execute("SELECT count(*) FROM run").fetchone()[0]
    except sqlite3.OperationalError:
        rows = -1  # killed before there was a table
    print(rows)
run(campaign, store, jobs=2).close()
"""

KILLED = """
seed = 25
traces = true
replications = 15_000
[[grid]]
target = ["and:4", "and:5"]
selection = ["strict", "nonstrict"]
[[grid]]
target = "and:4"
nodes = 2
budget = 2_000_000
replications = 3
"""


def test_killed_at_25_random_moments(tmp_path: Path, contents: Contents) -> None:
    store = tmp_path / "killed.sqlite"
    command = [sys.executable, "-c", NURSERY, str(store), KILLED, "25"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    counts = [int(line) for line in done.stdout.split()]
    assert counts == sorted(counts)  # nothing stored is ever lost
    assert sum(count < 60_003 for count in counts) >= 5, counts
    run(parse(KILLED), tmp_path / "whole.sqlite", jobs=2).close()
    rows = contents(store)
    assert len(rows) == 4 * 15_000 + 3
    assert rows == contents(tmp_path / "whole.sqlite")


def test_a_damaged_checkpoint_is_told_and_does_not_block(tmp_path: Path) -> None:
    path, told = tmp_path / "runs.sqlite", list[str]()
    small = campaign(target="and:4", nodes=["n", "2n"], replications=5, seed=2)
    with writing(path) as connection:
        numbers = enter_cells(connection, plan(small))
        save_checkpoint(connection, numbers[1], Checkpoint(run=3, state=b"rubbish", seconds=9.0))
    with run(small, path, jobs=1, warn=told.append) as results, run(small, jobs=1) as expected:
        assert [one.iterations for one in results.runs()] == [one.iterations for one in expected.runs()]
    (words,) = told
    assert str(path) in words
    assert "the checkpoint of run 3 of and:4 nodes=8 is damaged" in words
    run(small, path, jobs=1, warn=told.append).close()
    assert len(told) == 1


def test_a_store_holds_what_its_start_file_said(tmp_path: Path) -> None:
    start, path = tmp_path / "genes.json", tmp_path / "runs.sqlite"
    start.write_text("[0, 0, 1, 0, 1, 2, 4]")
    small = campaign(target="and:3", nodes=2, start=str(start), replications=3, seed=2)
    with run(small, path, jobs=1) as before:
        expected = [one.program.tolist() for one in before.runs()]
    start.unlink()
    with Results.open(path) as results:
        assert [one.program.tolist() for one in results.runs()] == expected
        (cell,) = results.cells()
        assert cell.settings.start == "genes:0,0,1,0,1,2,4"


def test_dask_is_asked_for_before_there_is_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r"gatewalk\[dask\]"):
        run(MIXED, tmp_path / "runs.sqlite", dask="tcp://127.0.0.1:1")
    assert not list(tmp_path.iterdir())


def test_a_fitness_of_thousands_of_digits_from_the_search_to_every_reader(tmp_path: Path) -> None:
    """With Python's limit on digits as it is in any program."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        wanted = campaign(target="and:15000", nodes=1, budget=3, replications=2, traces=True)
        with run(wanted, tmp_path / "a.sqlite", jobs=1) as results:
            fitness = results.columns()["fitness"]
            assert all(value.bit_length() > 14_990 for value in fitness)
            assert [row[NAMES.index("fitness")] for row in results.rows()] == fitness
            (cell,) = results.cells()
            assert [one.fitness for one in results.runs()] == fitness
            assert "about 2^149" in repr(results.run(cell, 0))
            assert [trace[-1][1] for _, trace in results.traces(cell)] == fitness
            export(results, "csv", tmp_path / "a.csv")
            export(results, "parquet", tmp_path / "a.parquet")
        with open(tmp_path / "a.csv", newline="") as file:
            assert [whole(row["fitness"]) for row in csv.DictReader(file)] == fitness
        table = parquet.read_table(tmp_path / "a.parquet")
        assert list(map(whole, table["fitness"].to_pylist())) == fitness
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -math.inf, -1.0, 0.0])
def test_what_is_no_length_of_time(seconds: float) -> None:
    with pytest.raises(InputError, match="it must be a number of seconds, more than 0"):
        run(campaign(target="and:2"), checkpoint_seconds=seconds)


def test_no_thread_is_started_for_too_many_jobs() -> None:
    with pytest.raises(InputError, match="jobs is 100000; it must be at most 1,024"):
        run(campaign(target="and:2"), jobs=100_000)


def test_a_plan_that_was_made_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = campaign(target="and:2", replications=3)
    cells = plan(wanted)
    monkeypatch.setattr("gatewalk.campaign.runner.plan", None)
    with run(wanted, cells=cells, jobs=1) as results:
        assert len(results) == 3
