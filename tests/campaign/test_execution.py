"""Campaigns: the same rows whatever the executor, the stops and the kills."""

import csv
import math
import os
import random
import signal
import sqlite3
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest
from processes import LIMIT, finished
from pyarrow import parquet

from gatewalk.campaign import Campaign, Results, campaign, execution, grid, plan, run
from gatewalk.campaign.execution import FEWEST_TELLING, CellProgress, Progress
from gatewalk.campaign.export import export
from gatewalk.campaign.results import NAMES, status
from gatewalk.campaign.spec import parse
from gatewalk.errors import InputError
from gatewalk.numbers import whole
from gatewalk.search.batch import run_batch
from gatewalk.search.evolve import run_many
from gatewalk.search.seeds import LAW_VERSION

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
        grid(target="and:4", nodes=2, budget=30_000_000, replications=2),  # cannot succeed, takes a while
    ),
)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "whole.sqlite"
    run(MIXED, path, jobs=1).close()
    return path


def test_threads_make_the_same_rows(reference, tmp_path, contents):
    run(MIXED, tmp_path / "a.sqlite", jobs=3).close()
    rows = contents(reference)
    assert len(rows) == 8 * 25 + 25 + 2
    assert contents(tmp_path / "a.sqlite") == rows


def test_results_in_memory_are_only_this_campaign():
    with run(campaign(target="and:2", replications=3), jobs=2) as results:
        assert len(results) == 3


def test_a_shared_store_returns_only_this_campaign(tmp_path):
    for name in ("and:2", "or:2"):
        with run(campaign(target=name, replications=3), tmp_path / "a.sqlite", jobs=1) as results:
            assert {cell.values["target"] for cell in results.cells()} == {name}


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_runs_are_kept_and_continued(jobs, reference, tmp_path, contents):
    """Ctrl-C at several moments: everything finished is stored, and the end is the same."""
    store = tmp_path / "a.sqlite"
    source = random.Random(jobs)
    interrupted = 0
    for _ in range(3):
        done = [0]
        pause = source.uniform(0.01, 0.1)
        timer = threading.Timer(pause, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        try:
            run(MIXED, store, jobs=jobs, watch=lambda progress, done=done: done.append(progress.done)).close()
            timer.cancel()
            timer.join(LIMIT)
        except KeyboardInterrupt:
            interrupted += 1
            timer.join(LIMIT)
            assert not done[-1] or len(contents(store)) >= done[-1]
    assert interrupted
    assert set(contents(store)) <= set(contents(reference))
    run(MIXED, store, jobs=jobs).close()
    assert contents(store) == contents(reference)
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM checkpoint").fetchone() == (0,)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_long_run_is_saved_at_an_interrupt_and_goes_on_from_there(
    jobs, tmp_path, contents, batches, monkeypatch
):
    monkeypatch.setattr(execution, "_WORTH_KEEPING", 0.0)
    long = campaign(target="and:4", nodes=2, budget=50_000_000, replications=1, seed=4, traces=True)
    store, interrupts = tmp_path / "a.sqlite", []

    def watch(progress):
        if not interrupts:
            interrupts.append(progress)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(long, store, jobs=jobs, watch=watch)
    state = status(store)
    assert (state.state, state.finished, state.checkpoints) == ("interrupted", 0, 1)
    batches.clear()
    run(long, store, jobs=jobs).close()
    assert batches[0].checkpoint is not None
    run(long, tmp_path / "whole.sqlite", jobs=1).close()
    assert contents(store) == contents(tmp_path / "whole.sqlite")


@pytest.fixture
def interrupted_storing(monkeypatch):
    """All runs are stored at the end, and just then Ctrl-C comes."""
    add = execution.add_runs

    def interrupted(*arguments, **options):
        os.kill(os.getpid(), signal.SIGINT)
        add(*arguments, **options)

    monkeypatch.setattr(execution, "_STORE_SECONDS", math.inf)
    monkeypatch.setattr(execution, "add_runs", interrupted)


def test_an_interrupt_while_the_last_runs_are_stored_loses_nothing(tmp_path, interrupted_storing):
    store = tmp_path / "a.sqlite"
    run(campaign(target="and:2", replications=30), store, jobs=1).close()
    assert (status(store).finished, status(store).state) == (30, "done")


def test_a_second_interrupt_while_runs_are_stored_loses_nothing(tmp_path, interrupted_storing):
    store, interrupts = tmp_path / "a.sqlite", []

    def watch(progress):
        if progress.done == 30 and not interrupts:
            interrupts.append(progress)
            os.kill(os.getpid(), signal.SIGINT)

    endless = grid(target="and:4", nodes=2, budget=10**12, replications=1)
    with pytest.raises(KeyboardInterrupt):
        run(Campaign(grids=(grid(target="and:2", replications=30), endless)), store, jobs=1, watch=watch)
    assert (status(store).finished, status(store).state) == (30, "interrupted")


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    "words",
    [
        {"budget": 10_000_000},
        {"budget": 1_000_000, "target": "and:8", "training": "sample:200"},
        {"budget": 300, "evaluation": "reference"},
        {"budget": 100_000, "target": "xor:4", "algorithm": "tgp-single", "gates": "and"},
    ],
    ids=["kernel", "sampled", "reference", "tree"],
)
def test_cuts_do_not_change_rows(words, jobs, tmp_path, contents, short_slices, batches):
    """Long runs are handed over and saved many times on their way, and taken up again."""
    # Two nodes are too few for these targets, and trees of and compute no xor: runs use their whole budget.
    long = campaign(**{"target": "and:4", "nodes": 2, "replications": 2, "seed": 4, "traces": True} | words)
    store, saved = tmp_path / "cut.sqlite", set()

    def watch(progress):
        with closing(sqlite3.connect(store)) as connection:
            saved.update(connection.execute("SELECT run, length(state) > 0 FROM checkpoint").fetchall())

    run(long, store, jobs=jobs, checkpoint_seconds=0.002, watch=watch).close()
    assert saved == {(0, 1), (1, 1)}
    assert len(batches) > 6
    run(long, tmp_path / "whole.sqlite", jobs=1).close()
    assert contents(store) == contents(tmp_path / "whole.sqlite")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_run_is_reported_and_what_was_finished_is_stored(jobs, tmp_path, monkeypatch):
    """Also if the failure comes right after what was finished, before either was looked at."""
    looked, first_done, failed = threading.Event(), threading.Event(), threading.Event()

    def fail_in_second_cell(batch, stop):
        if jobs == 2:
            assert looked.wait(LIMIT)
        if batch.cell == 0:
            outcome = run_batch(batch, stop)
            first_done.set()
            return outcome
        assert first_done.wait(LIMIT)
        time.sleep(0.1)
        failed.set()
        raise ZeroDivisionError

    def watch(progress):
        looked.set()
        if jobs == 2:
            assert failed.wait(LIMIT)
            time.sleep(0.1)

    monkeypatch.setattr(execution, "run_batch", fail_in_second_cell)
    store = tmp_path / "a.sqlite"
    with pytest.raises(ZeroDivisionError):
        run(campaign(target=["and:2", "and:3"], replications=2), store, jobs=jobs, watch=watch)
    state = status(store)
    assert (state.campaign["state"], [cell.finished for cell in state.cells]) == ("failed", [2, 0])


def test_runs_of_another_law_are_refused(tmp_path, monkeypatch):
    def of_another_version(batch, stop):
        return replace(run_batch(batch, stop), law_version=LAW_VERSION + 1)

    monkeypatch.setattr(execution, "run_batch", of_another_version)
    with pytest.raises(InputError, match="another version of the law"):
        run(campaign(target="and:2", replications=3), tmp_path / "a.sqlite", jobs=1)
    assert status(tmp_path / "a.sqlite").finished == 0


def test_outside_the_main_thread():
    counts = []

    def go():
        with run(campaign(target="and:2", replications=3), jobs=2) as results:
            counts.append(len(results))

    thread = threading.Thread(target=go)
    thread.start()
    thread.join(LIMIT)
    assert counts == [3]


def test_progress_counts_and_estimates():
    seen = []
    small = campaign(target=["and:2", "and:3", "and:4"], nodes=2, budget=100, replications=50)
    with run(small, jobs=1, watch=seen.append) as results:
        by_cell = list(results.by_cell())
    last = seen[-1]
    assert (last.done, last.planned, last.done_now) == (150, 150, 150)
    assert last.rate > 0
    assert last.seconds_left == 0
    for tally, (cell, columns) in zip(last.tallies, by_cell, strict=True):
        assert (tally.planned, tally.stored, tally.finished_now) == (50, 50, 50)
        assert tally.solved == cell.solved == sum(columns["solved"])
        assert tally.seconds == pytest.approx(sum(columns["seconds"]))
        assert tally.began is not None
    assert [tally.solved for tally in last.tallies][::2] == [50, 0]


def test_the_time_left_is_shown_only_where_it_can_be_told():
    """The work left in cells that are not done, as long as theirs so far; nothing while one is too new."""
    quick = CellProgress(planned=1000, stored=1000, solved=1000, seconds=1.0, finished_now=1000, began=0.0)
    slow = CellProgress(planned=1000, stored=500, solved=500, seconds=50.0, finished_now=500, began=10.0)
    progress = Progress(cells=(), tallies=[quick, slow], workers=2, seconds=60.0)
    assert progress.seconds_left == pytest.approx(50.0)  # 500 runs in 50 seconds, and 500 are left
    slow.finished_now = FEWEST_TELLING - 1
    assert progress.seconds_left is None
    slow.finished_now, slow.began = 500, 59.0
    assert progress.seconds_left is None
    slow.began = None
    assert progress.seconds_left is None
    assert Progress(cells=(), tallies=[quick], workers=2, seconds=5.0).seconds_left == 0.0


def test_long_programs_come_back_whatever_the_cuts(tmp_path, contents):
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
        for stored in results.runs():
            (again,) = run_many(stored.search, seed=3, runs=[stored.run])
            assert stored.program.tolist() == again.program.tolist()
            assert stored.record() | {"seconds": 0} == again.record() | {"seconds": 0}


# Forks from a process with everything imported, so that a kill costs no start of Python.
NURSERY = """
import os, random, signal, sqlite3, sys, time
from gatewalk.campaign import run
from gatewalk.campaign.spec import parse

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


def test_killed_at_25_random_moments(tmp_path, contents):
    store = tmp_path / "killed.sqlite"
    command = [sys.executable, "-c", NURSERY, str(store), KILLED, "25"]
    done = finished(command)
    assert done.returncode == 0, done.stderr
    counts = [int(line) for line in done.stdout.split()]
    assert counts == sorted(counts)  # nothing stored is ever lost
    assert sum(count < 60_003 for count in counts) >= 5, counts
    run(parse(KILLED), tmp_path / "whole.sqlite", jobs=2).close()
    rows = contents(store)
    assert len(rows) == 4 * 15_000 + 3
    assert rows == contents(tmp_path / "whole.sqlite")


def test_a_fitness_of_thousands_of_digits_from_the_search_to_every_reader(tmp_path):
    """With Python's limit on digits as it is in any program."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        large = campaign(target="and:15000", nodes=1, budget=3, replications=2, traces=True)
        with run(large, tmp_path / "a.sqlite", jobs=1) as results:
            fitness = results.columns()["fitness"]
            assert all(value.bit_length() > 14_990 for value in fitness)
            assert [row[NAMES.index("fitness")] for row in results.rows()] == fitness
            (cell,) = results.cells()
            assert [stored.fitness for stored in results.runs()] == fitness
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
def test_what_is_no_length_of_time(seconds):
    with pytest.raises(InputError, match="it must be a number of seconds, more than 0"):
        run(campaign(target="and:2"), checkpoint_seconds=seconds)


def test_no_thread_is_started_for_too_many_or_too_few_jobs():
    with pytest.raises(InputError, match="at least 1"):
        run(campaign(target="and:2"), jobs=0)
    with pytest.raises(InputError, match="jobs is 100000; it must be at most 1,024"):
        run(campaign(target="and:2"), jobs=100_000)


def test_a_plan_that_was_made_is_not_made_again(monkeypatch):
    small = campaign(target="and:2", replications=3)
    cells = plan(small)
    monkeypatch.setattr("gatewalk.campaign.execution.plan", None)
    with run(small, cells=cells, jobs=1) as results:
        assert len(results) == 3
