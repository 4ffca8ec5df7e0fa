"""Campaigns: the same rows whatever the executor, the stops and the kills."""

from __future__ import annotations

import csv
import math
import os
import pickle
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from threading import Event

import pytest
from processes import LIMIT, PATIENCE, finished
from pyarrow import parquet

from gatewalk.campaign import (
    Campaign,
    Progress,
    Results,
    campaign,
    execution,
    executors,
    grid,
    parse,
    plan,
    run,
)
from gatewalk.campaign import batch as batch_module
from gatewalk.campaign.batch import Batch, Outcome, check_outcome, run_batch
from gatewalk.campaign.execution import CellProgress, backlog_of, next_batch, record_outcome
from gatewalk.campaign.executors import Inline, on_threads
from gatewalk.campaign.export import export
from gatewalk.campaign.held_interrupts import interrupts_held_back
from gatewalk.campaign.packing import unpack_trace
from gatewalk.campaign.plan import SECONDS_TO_STORE
from gatewalk.campaign.results import NAMES
from gatewalk.campaign.store import (
    Checkpoint,
    FinishedRuns,
    add_runs,
    begin_campaign,
    enter_cells,
    rows_of,
    save_checkpoint,
)
from gatewalk.campaign.store_file import RUN, in_memory, writing
from gatewalk.errors import InputError
from gatewalk.numbers import whole
from gatewalk.search.evolve import evolve, run_many, run_once
from gatewalk.search.settings import settings

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
def reference(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "whole.sqlite"
    run(MIXED, path, jobs=1).close()
    return path


def test_threads_make_the_same_rows(reference, tmp_path, contents):
    run(MIXED, tmp_path / "a.sqlite", jobs=3).close()
    rows = contents(reference)
    assert len(rows) == 8 * 25 + 25 + 2
    assert contents(tmp_path / "a.sqlite") == rows


def test_what_is_there_is_not_run_again(tmp_path, contents):
    store = tmp_path / "a.sqlite"
    small = campaign(target="and:3", replications=20, seed=1)
    run(small, store, jobs=1).close()
    with closing(sqlite3.connect(store)) as connection:
        before = connection.execute("SELECT * FROM run ORDER BY run").fetchall()
        (last,) = connection.execute("SELECT max(id) FROM delivery").fetchone()
    done = []
    larger = campaign(target=["and:3", "or:2"], replications=30, seed=1)
    run(larger, store, jobs=1, watch=lambda p: done.append(p.done_now)).close()
    assert done[-1] == 10 + 30
    with closing(sqlite3.connect(store)) as connection:
        earlier = connection.execute("SELECT * FROM run WHERE delivery <= ? ORDER BY run", (last,)).fetchall()
    assert len(before) == 20
    assert earlier == before
    run(larger, store, jobs=1, watch=lambda p: done.append(p.done_now)).close()
    assert done[-1] == 0


def test_traces_can_be_asked_for_later(tmp_path, contents):
    small = campaign(target="and:3", replications=20, seed=1)
    run(small, tmp_path / "late.sqlite", jobs=1).close()
    seen = []
    run(replace(small, traces=True), tmp_path / "late.sqlite", jobs=1, watch=seen.append).close()
    assert (seen[-1].done, seen[-1].done_now) == (20, 20)
    run(replace(small, traces=True), tmp_path / "once.sqlite", jobs=1).close()
    assert contents(tmp_path / "late.sqlite") == contents(tmp_path / "once.sqlite")


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
        pause = source.uniform(0.01, 0.1)
        timer = threading.Timer(pause, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        try:
            run(MIXED, store, jobs=jobs).close()
            timer.cancel()
            timer.join(LIMIT)
        except KeyboardInterrupt:
            interrupted += 1
            timer.join(LIMIT)
    assert interrupted
    assert set(contents(store)) <= set(contents(reference))
    run(MIXED, store, jobs=jobs).close()
    assert contents(store) == contents(reference)
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM checkpoint").fetchone() == (0,)


def test_long_runs_are_checkpointed(tmp_path, contents, monkeypatch):
    monkeypatch.setattr(batch_module, "SLICE_SECONDS", 0.005)
    long = campaign(target="and:4", nodes=2, budget=10_000_000, replications=2, seed=4)
    seen = []
    store = tmp_path / "a.sqlite"

    def watch(progress):
        with closing(sqlite3.connect(store)) as connection:
            seen.extend(connection.execute("SELECT cell, run, length(state) FROM checkpoint"))

    run(long, store, jobs=2, checkpoint_seconds=0.02, watch=watch).close()
    run(long, tmp_path / "b.sqlite", jobs=1).close()
    assert {row[1] for row in seen} == {0, 1}
    assert contents(store) == contents(tmp_path / "b.sqlite")


def test_a_failing_run_is_reported(monkeypatch):
    def fail(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(batch_module, "course_of", fail)
    for jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            run(campaign(target="and:2", replications=3), jobs=jobs)
    with pytest.raises(InputError, match="at least 1"):
        run(campaign(target="and:2"), jobs=0)


def test_outside_the_main_thread():
    found = []

    def go():
        with run(campaign(target="and:2", replications=3), jobs=2) as results:
            found.append(len(results))

    thread = threading.Thread(target=go)
    thread.start()
    thread.join(LIMIT)
    assert found == [3]


def test_progress_counts_and_estimates():
    seen = []
    run(campaign(target=["and:2", "and:3"], replications=50), jobs=1, watch=seen.append).close()
    last = seen[-1]
    assert (last.done, last.planned, last.done_now) == (100, 100, 100)
    assert last.rate > 0
    assert last.seconds_left == 0


def test_what_is_left_must_also_be_stored():
    """Short runs are done faster than one thread stores them."""
    tally = CellProgress(planned=3_000_000, stored=1_000_000, solved=1_000_000, seconds=1.0)
    progress = Progress(cells=(), tallies=[tally], workers=2, seconds=5.0)
    assert progress.seconds_left == 2_000_000 * SECONDS_TO_STORE
    tally.seconds = 1_000_000.0
    assert progress.seconds_left == 1_000_000


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


def test_a_damaged_checkpoint_does_not_block(tmp_path):
    path = tmp_path / "runs.sqlite"
    small = campaign(target="and:4", nodes=["n", "2n"], replications=5, seed=2)
    with writing(path) as connection:
        numbers = enter_cells(connection, plan(small))
        save_checkpoint(connection, numbers[1], Checkpoint(run=3, state=b"rubbish", seconds=9.0))
        save_checkpoint(connection, numbers[1], Checkpoint(run=4, state="no bytes", seconds=9.0))
    with run(small, path, jobs=1) as results, run(small, jobs=1) as expected:
        assert [one.iterations for one in results.runs()] == [one.iterations for one in expected.runs()]
        assert results.connection.execute("SELECT count(*) FROM checkpoint").fetchone() == (0,)


def test_a_store_holds_what_its_start_file_said(tmp_path):
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


def test_a_fitness_of_thousands_of_digits_from_the_search_to_every_reader(tmp_path):
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
def test_what_is_no_length_of_time(seconds):
    with pytest.raises(InputError, match="it must be a number of seconds, more than 0"):
        run(campaign(target="and:2"), checkpoint_seconds=seconds)


def test_no_thread_is_started_for_too_many_jobs():
    with pytest.raises(InputError, match="jobs is 100000; it must be at most 1,024"):
        run(campaign(target="and:2"), jobs=100_000)


def test_a_plan_that_was_made_is_not_made_again(monkeypatch):
    wanted = campaign(target="and:2", replications=3)
    cells = plan(wanted)
    monkeypatch.setattr("gatewalk.campaign.execution.plan", None)
    with run(wanted, cells=cells, jobs=1) as results:
        assert len(results) == 3


SOME = FinishedRuns(runs=run_many(settings("and:2"), runs=range(1)), traces=None)


def outcome(runs, spent, left=()):
    """As if these runs, all alike, had taken so long."""
    part = FinishedRuns(runs=SOME.runs.take([0] * len(runs)), traces=None)
    return Outcome(cell=0, parts=(part,), left=left, checkpoint=None, pace=10.0, spent=spent)


def finished_parts(cell, runs):
    return run_batch(Batch(cell=0, settings=cell.settings, seed=cell.seed, runs=runs, seconds=60.0)).parts


def test_batches_follow_the_time_that_runs_take():
    cells = plan(campaign(target="and:2", replications=1000))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        sizes = []
        done = []
        while (batch := next_batch(left)) is not None:
            assert batch.limit == 60.0
            sizes.append(len(batch.runs))
            done += batch.runs
            record_outcome(left, outcome(batch.runs, spent=len(batch.runs) * 0.01))
    assert sizes[:4] == [2, 16, 100, 100]
    assert max(sizes) == 100
    assert done == list(range(1000))
    assert left.tallies[0].stored == 1000
    assert left.tallies[0].solved == 1000
    assert left.tallies[0].seconds == pytest.approx(1000 * SOME.runs.seconds[0])


def test_a_million_short_runs_are_few_batches_and_no_list():
    cells = plan(campaign(target="and:2", replications=1_000_000))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        left = backlog_of(connection, cells, numbers, traces=False, seconds=0.5, limit=60.0)
        batches = []
        while (batch := next_batch(left)) is not None:
            assert isinstance(batch.runs, range)
            batches.append(batch.runs)
            record_outcome(left, outcome(batch.runs, spent=len(batch.runs) * 1e-6))
    assert max(map(len, batches)) == execution._LARGEST_BATCH
    assert len(batches) < 100
    assert [runs.stop for runs in batches] == [runs.start for runs in batches[1:]] + [1_000_000]


def test_long_programs_make_small_batches(monkeypatch):
    """So that memory does not depend on their length."""
    each = SOME.program_bytes
    monkeypatch.setattr(execution, "_LARGEST_PROGRAMS", 50 * each + 1)
    cells = plan(campaign(target="and:2", replications=1000))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        sizes = []
        while (batch := next_batch(left)) is not None:
            sizes.append(len(batch.runs))
            record_outcome(left, outcome(batch.runs, spent=1e-6))
    assert sizes[:4] == [2, 16, 50, 50]
    assert max(sizes) == 50


def test_what_comes_back_goes_first():
    cells = plan(campaign(target="and:2", replications=10))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        first = next_batch(left)
        assert first is not None
        record_outcome(left, outcome(first.runs[:1], spent=1.0, left=(1,)))
        again = next_batch(left)
        assert again is not None
        assert again.runs == (1,)
        assert again.pace == 10.0


def test_gaps_are_gathered_into_batches():
    cells = plan(campaign(target="and:2", replications=40))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        ident = begin_campaign(connection, campaign(target="and:2"), "test")
        add_runs(connection, ident, [(numbers[0], finished_parts(cells[0], range(0, 40, 2)))])
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        assert left.tallies[0].stored == 20
        batches = []
        while (batch := next_batch(left)) is not None:
            batches.append(tuple(batch.runs))
            record_outcome(left, outcome(batch.runs, spent=len(batch.runs) * 0.1))
    assert batches == [(1, 3), tuple(range(5, 25, 2)), tuple(range(25, 40, 2))]


def test_checkpoints_of_the_store_are_taken_up():
    cells = plan(campaign(target="and:2", replications=4))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        kept = Checkpoint(run=2, state=b"state", seconds=5.0)
        save_checkpoint(connection, numbers[0], kept)
        save_checkpoint(connection, numbers[0], Checkpoint(run=9, state=b"beyond the plan", seconds=5.0))
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        first, second, third = (next_batch(left) for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.runs, first.checkpoint) == ((2,), kept)
    assert (second.runs, second.checkpoint) == (range(2), None)
    assert third.runs == range(3, 4)


# two nodes cannot compute and:4, so these runs use their whole budget
LONG = settings("and:4", nodes=2, budget=120_000)
SAMPLED = settings("and:4", nodes=2, budget=30_000, training="sample:15")
TREE = settings("xor:4", algorithm="tgp-single", gates="and", budget=20_000)


def rows(*outcomes):
    """All that is stored of finished runs, with their traces, times left out, by number."""
    found = []
    for part in (part for outcome in outcomes for part in outcome.parts):
        traces = part.traces if part.traces is not None else [None] * len(part)
        for row, trace in zip(rows_of(part.runs, cell=0, delivery=0), traces, strict=True):
            values = dict(zip((column.name for column in RUN), row, strict=True))
            del values["seconds"], values["delivery"]
            found.append((*values.values(), trace))
    return sorted(found, key=lambda row: row[:2])


def in_pieces(search, runs, stop, limit):
    """Hand over and take up again until all is done."""
    first = Batch(cell=0, settings=search, seed=5, runs=runs, limit=limit, seconds=0.0, traces=True)
    todo, outcomes = [first], []
    while todo:
        outcome = run_batch(todo.pop(0), stop)
        outcomes.append(outcome)
        kept = outcome.checkpoint
        if kept:
            todo.append(replace(first, runs=(kept.run,), checkpoint=kept, pace=outcome.pace))
        if outcome.left:
            todo.append(replace(first, runs=outcome.left, pace=outcome.pace))
    assert len(outcomes) > 2 * len(runs)
    return rows(*outcomes)


def test_rows_are_the_runs_of_search():
    outcome = run_batch(
        Batch(cell=0, settings=settings("and:4"), seed=5, runs=(0, 3), seconds=60.0, traces=True)
    )
    assert outcome.finished == 2
    assert outcome.checkpoint is None
    runs = [run for part in outcome.parts for run in part.runs]
    traces = [unpack_trace(trace) for part in outcome.parts for trace in part.traces or ()]
    assert [run.run for run in runs] == [0, 3]
    for found, trace in zip(runs, traces, strict=True):
        run = evolve("and:4", seed=5, run=found.run)
        assert found.record() | {"seconds": 0} == run.record() | {"seconds": 0}
        assert found.elementary_steps == run.elementary_steps
        assert found.program.tolist() == run.program.tolist()
        assert trace == tuple((offspring + 1, fitness) for offspring, fitness in run.improvements)
        assert trace[0][0] == 1
        assert trace[-1] == (found.evaluations, 0)


@pytest.mark.parametrize("search", [LONG, SAMPLED, TREE], ids=["kernel", "sampled", "tree"])
def test_cuts_do_not_change_rows(search, monkeypatch):
    whole = run_batch(
        Batch(cell=0, settings=search, seed=5, runs=(0, 1), seconds=600.0, limit=600.0, traces=True)
    )
    assert not whole.left
    assert whole.finished == 2
    expected = rows(whole)
    monkeypatch.setattr(batch_module, "SLICE_SECONDS", 0.0001)
    assert in_pieces(search, (0, 1), lambda: False, limit=0.0) == expected
    assert in_pieces(search, (0, 1), lambda: True, limit=60.0) == expected


def test_a_checkpoint_is_finished_before_the_runs_behind_it():
    batch = Batch(cell=0, settings=LONG, seed=5, runs=(4, 5, 6), seconds=600.0, limit=600.0)
    cut = run_batch(batch, lambda: True)
    assert cut.checkpoint is not None
    rest = run_batch(replace(batch, checkpoint=cut.checkpoint))
    assert [number for part in rest.parts for number in part.runs.run.tolist()] == [4, 5, 6]
    assert rows(rest) == rows(run_batch(batch))


def test_a_stopped_batch_hands_everything_back():
    outcome = run_batch(Batch(cell=2, settings=LONG, seed=5, runs=(4, 5, 6)), lambda: True)
    assert (outcome.cell, outcome.parts, outcome.left) == (2, (), (5, 6))
    assert outcome.checkpoint is not None
    assert outcome.checkpoint.run == 4


def test_finished_runs_do_not_wait_for_the_others():
    search = settings("and:3", nodes=1, budget=30_000)
    outcome = run_batch(Batch(cell=0, settings=search, seed=5, runs=range(500), seconds=0.0, limit=600.0))
    assert 1 <= outcome.finished < 100
    under_way = 0 if outcome.checkpoint is None else 1
    assert outcome.left == range(outcome.finished + under_way, 500)


def test_the_time_of_a_batch_is_kept_to():
    endless = settings("and:4", nodes=2, budget=10**12)
    outcome = run_batch(Batch(cell=0, settings=endless, seed=5, runs=(0, 1), limit=0.2))
    assert outcome.spent < 2
    assert outcome.checkpoint is not None
    assert outcome.pace > 10_000


@pytest.mark.parametrize("traces", [False, True])
def test_outcomes_travel(traces):
    batch = Batch(cell=0, settings=settings("and:4"), seed=5, runs=range(50), seconds=60.0, traces=traces)
    outcome = run_batch(pickle.loads(pickle.dumps(batch)))
    again = pickle.loads(pickle.dumps(outcome))
    assert again.finished == 50
    assert rows(again) == rows(outcome)
    assert all((part.traces is not None) == traces for part in again.parts)
    assert all(run.improvements == () for part in again.parts for run in part.runs)


def test_the_start_is_at_evaluation_one_whatever_the_law():
    search = settings("and:4", profile="tinyverse")
    outcome = run_batch(Batch(cell=0, settings=search, seed=1, runs=range(20), seconds=60.0, traces=True))
    checked = 0
    for part in outcome.parts:
        for one_run, packed in zip(part.runs, part.traces or (), strict=True):
            trace = unpack_trace(packed)
            evaluations = [at for at, _ in trace]
            assert evaluations[0] == 1
            assert sorted(set(evaluations)) == evaluations
            assert trace[-1] == (one_run.evaluations if len(trace) > 1 else 1, 0)
            checked += 1
    assert checked == 20


def test_a_part_counts_its_runs():
    (part,) = run_batch(Batch(cell=0, settings=LONG, seed=1, runs=(3,), seconds=60.0)).parts
    assert isinstance(part, FinishedRuns)
    assert len(part) == 1


def damaged(kept):
    """Checkpoints that cannot be used: rubbish, cut short, and of another run."""
    other = run_batch(Batch(cell=0, settings=LONG, seed=5, runs=(8,), limit=0.0)).checkpoint
    assert other is not None
    return [
        replace(kept, state=b""),
        replace(kept, state=kept.state[:-7]),
        replace(kept, state=kept.state.replace(b'"seed": 5', b'"seed": 6')),
        replace(kept, state=other.state),
    ]


def test_a_run_whose_checkpoint_is_damaged_is_begun_anew():
    first = Batch(cell=0, settings=LONG, seed=5, runs=(4,), limit=0.0, traces=True)
    kept = run_batch(first).checkpoint
    assert kept is not None
    whole = run_batch(replace(first, limit=600.0, seconds=600.0))
    for checkpoint in damaged(kept):
        outcome = run_batch(replace(first, checkpoint=checkpoint, limit=600.0, seconds=600.0))
        assert rows(outcome) == rows(whole)


def test_outcomes_of_a_batch_pass():
    for search in (LONG, SAMPLED, TREE):
        batch = Batch(cell=3, settings=search, seed=5, runs=(0, 1, 2), traces=True, limit=0.01)
        outcome = run_batch(batch)
        assert check_outcome(batch, outcome) is outcome


def test_outcomes_that_cannot_be_are_refused():
    batch = Batch(cell=3, settings=settings("and:4"), seed=5, runs=(0, 1, 2), traces=True, pace=1e9)
    good = run_batch(batch)
    (part,) = good.parts
    runs = part.runs

    def with_runs(**columns):
        return replace(good, parts=(replace(part, runs=replace(runs, **columns)),))

    programs = runs.programs.copy()
    programs[1, 2] = 10**6
    wrong = [
        None,
        replace(good, cell=4),
        replace(good, left=(7,)),
        replace(good, parts=()),
        replace(good, parts=(part, part)),
        with_runs(seed=6),
        with_runs(settings=settings("and:5")),
        with_runs(run=runs.run + 1),
        with_runs(iterations=-runs.iterations - 1),
        with_runs(iterations=runs.iterations[:2]),
        with_runs(fitness=[-1, 0, 0]),
        with_runs(seconds=runs.seconds * float("nan")),
        with_runs(programs=programs),
        with_runs(programs=programs[:, :5]),
        with_runs(programs=programs[:2]),
        replace(good, parts=(replace(part, traces=[]),)),
    ]
    for outcome in wrong:
        with pytest.raises(InputError):
            check_outcome(batch, outcome)


SHORT = Batch(cell=0, settings=settings("and:3"), seed=1, runs=(0, 1))
ENDLESS = Batch(cell=1, settings=settings("and:4", nodes=2, budget=10**12), seed=1, runs=(0,))


def test_threads_hand_outcomes_back():
    with on_threads(2) as executor:
        assert (executor.workers, executor.name) == (2, "2 threads")
        for _ in range(3):
            executor.submit(SHORT)
        outcomes = []
        while len(outcomes) < 3:
            outcomes += executor.wait(1.0)
    for outcome in outcomes:
        assert [number for part in outcome.parts for number in part.runs.run.tolist()] == [0, 1]


def test_stopping_hands_a_run_on_its_way_back():
    with on_threads(1) as executor:
        executor.submit(ENDLESS)
        assert executor.wait(0.2) == []
        (outcome,) = executor.stop()
    assert outcome.checkpoint is not None


def test_what_was_not_begun_is_dropped_on_a_stop():
    with on_threads(1) as executor:
        executor.submit(ENDLESS)
        executor.submit(ENDLESS)
        executor.wait(0.1)
        assert len(executor.stop()) == 1


def test_the_main_thread_works_when_waited_for():
    executor = Inline(lambda: False)
    executor.submit(SHORT)
    (outcome,) = executor.wait(0.0)
    assert outcome.finished == 2
    assert executor.stop() == []


SIGNALS = """
import os, signal, threading, time
from gatewalk.campaign.executors import on_threads

signal.signal(signal.SIGUSR1, lambda *_: None)
over = threading.Event()

def send():
    while not over.is_set():
        os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(0.0001)

sender = threading.Thread(target=send)
sender.start()
with on_threads(1) as executor:
    print(sum(len(executor.wait(0.0005)) for _ in range(3000)))
over.set()
sender.join()
"""


def test_signals_do_not_make_waiting_endless():
    command = [sys.executable, "-c", SIGNALS]
    done = finished(command, check=True)
    assert done.stdout == "0\n"


def test_a_thread_before_its_first_slice_is_not_waited_for(monkeypatch):
    """It may be compiling for a minute, and has nothing to hand over."""
    released, begun = Event(), Event()

    def compiling(batch, stop):
        begun.set()
        released.wait(LIMIT)

    monkeypatch.setattr(executors, "run_batch", compiling)
    try:
        with on_threads(1) as executor:
            executor.submit(SHORT)
            assert begun.wait(LIMIT)
            assert executor.stop() == []
    finally:
        released.set()


def test_a_run_under_way_is_waited_for_however_long_its_slice(monkeypatch):
    monkeypatch.setattr(executors, "_PATIENCE", 0.0)
    begun = Event()

    def slow(batch, stop):
        while not stop():
            begun.set()
        time.sleep(0.3)
        return "handed over"

    monkeypatch.setattr(executors, "run_batch", slow)
    with on_threads(1) as executor:
        executor.submit(SHORT)
        assert begun.wait(LIMIT)
        assert executor.stop() == ["handed over"]


WAIT = "import sys; print('up', flush=True); sys.stdin.read(); print('done')"


def test_the_child_never_sees_it_and_the_parent_does_again():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with interrupts_held_back():
        child = subprocess.Popen(
            [sys.executable, "-c", WAIT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    too_long = threading.Timer(PATIENCE, child.kill)
    too_long.start()
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    assert child.stdout is not None
    assert child.stdout.readline() == "up\n"
    os.kill(child.pid, signal.SIGINT)
    assert child.communicate("", PATIENCE)[0] == "done\n"
    too_long.cancel()
    assert child.returncode == 0
