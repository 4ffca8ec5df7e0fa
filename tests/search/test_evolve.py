"""Many runs: the same as each alone, whatever memory and threads they share; nothing finished is lost."""

import random
from functools import partial
from threading import Event, current_thread, main_thread
from types import SimpleNamespace

import numpy as np
import pytest
from processes import LIMIT
from walks import same_run

from gatewalk.boolean.table_targets import table_target
from gatewalk.errors import InputError
from gatewalk.search import batch, evolve
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for


def run_alone(search, *, seed, run):
    return run_many(search, seed=seed, runs=[run])[0]


def test_runs_come_in_the_order_asked_for():
    search = search_for("maj:3", nodes=15, budget=700)
    together = run_many(search, seed=3, runs=[4, 0, 9, 4, 2])
    assert [run.run for run in together] == [4, 0, 9, 4, 2]
    assert all(same_run(run, run_alone(search, seed=3, run=run.run)) for run in together)


def test_runs_do_not_depend_on_the_number_of_workers():
    search = search_for("and:6", nodes="n", training="sample", budget=2000)
    alone = run_many(search, seed=9, runs=range(12), jobs=1)
    for jobs in (2, 5):
        together = run_many(search, seed=9, runs=range(12), jobs=jobs)
        assert [run.run for run in together] == list(range(12))
        assert all(same_run(a, b) for a, b in zip(alone, together, strict=True))
    assert same_run(run_alone(search, seed=9, run=7), alone[7])


@pytest.mark.parametrize("jobs", [1, 2])
def test_finished_runs_are_all_delivered_at_ctrl_c(jobs):
    search = search_for("and:4", nodes=8)
    delivered = []

    def on_done(runs):
        delivered.append(runs)
        if sum(map(len, delivered)) >= 20 and not interrupted:
            interrupted.append(True)
            raise KeyboardInterrupt

    interrupted = []
    with pytest.raises(KeyboardInterrupt):
        run_many(search, seed=1, runs=range(3_000_000), jobs=jobs, on_done=on_done)
    numbers = [number for runs in delivered for number in runs.run.tolist()]
    assert 20 <= len(numbers) == len(set(numbers)) < 3_000_000
    assert all(runs.solved.all() for runs in delivered)
    assert same_run(delivered[0][0], run_alone(search, seed=1, run=numbers[0]))


def test_an_error_in_a_thread_ends_all_and_is_raised(monkeypatch):
    def broken(*_):
        raise MemoryError("no room")

    monkeypatch.setattr(batch, "advance_runs", broken)
    with pytest.raises(MemoryError, match="no room"):
        run_many(search_for("and:4", nodes=8), seed=1, runs=range(1000), jobs=2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"runs": []}, "runs is empty; give at least one run"),
        ({"runs": [-1]}, "run is -1"),
        ({"runs": 0}, "runs is 0; it must be at least 1"),
        ({"runs": 1.5}, "runs must be a whole number, not 1.5"),
        ({"runs": "3"}, "run must be a whole number, not '3'"),
        ({"runs": [2**64]}, "run is"),
        ({"runs": [0], "seed": -1}, "seed is -1"),
        ({"runs": [0], "jobs": 0}, "jobs is 0"),
        ({"runs": range(9), "jobs": 100_000}, "jobs is 100000; it must be at most 1,024"),
    ],
)
def test_numbers_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        run_many(search_for("and:3"), **wrong)


def test_a_finished_run_is_not_kept_waiting_by_a_long_one(monkeypatch):
    # Under tinyverse some strict searches never end: an input is out of reach.
    search = search_for("and:3", nodes=3, profile="tinyverse", selection="strict", budget=2_000_000)
    runs = run_many(search, seed=8, runs=range(60))
    short, long = int(runs.run[runs.solved][0]), int(runs.run[~runs.solved][0])
    delivered, waited = Event(), []
    run_batch = evolve.run_batch

    def run_and_wait(task, stop, on_slice):
        def wait(session):
            on_slice(session)
            if session.run == long and not waited:
                waited.append(delivered.wait(LIMIT))

        return run_batch(task, stop, wait)

    monkeypatch.setattr(evolve, "run_batch", run_and_wait)
    run_many(search, seed=8, runs=[short, long], jobs=2, on_done=lambda _: delivered.set())
    assert waited == [True]


@pytest.mark.parametrize("jobs", [1, 2])
def test_runs_under_way_are_told_of(jobs):
    search = search_for("xor:8", nodes=7, gates="xor", budget=200_000)
    told = []
    runs = run_many(search, seed=1, runs=range(5), jobs=jobs, on_progress=lambda *state: told.append(state))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert jobs > 1 or any(words.endswith(" iterations, fitness 128") for _, words in told)
    assert told[-1] == (1.0, "5 of 5 runs")
    assert not runs.solved.any()


def test_an_interruption_does_not_wait_for_a_thread_that_has_yet_to_begin(monkeypatch):
    """It may be compiling, or drawing rows, for minutes."""
    released, usual = Event(), batch.session_of

    def session_of(search, *, runs, **options):
        if 1 in runs:
            released.wait(LIMIT)
        return usual(search, runs=runs, **options)

    def interrupt(part):
        raise KeyboardInterrupt

    monkeypatch.setattr(batch, "session_of", session_of)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_many(search_for("and:3"), seed=1, runs=range(2), jobs=2, on_done=interrupt)
        assert not released.is_set()
    finally:
        released.set()


@pytest.mark.parametrize("outputs", [1, 2, 3])
@pytest.mark.parametrize("inputs", [3, 4, 7])
def test_rows_that_do_not_count_are_left_out_by_kernels_and_twins_alike(inputs, outputs):
    """Tables drawn by a seeded source, of which every output counts on rows of its own."""
    source = random.Random(10 * inputs + outputs)
    rows = 1 << inputs
    values, cares = ([source.getrandbits(rows) | 1 for _ in range(outputs)] for _ in range(2))
    target = table_target(values, inputs, cares=cares)
    cases = [{"nodes": 20}, {"nodes": 90, "offspring": 4, "mutation": "rate:0.1"}]
    if outputs == 1:
        cases.append({"algorithm": "tgp-multi", "gates": "and,xor"})
    for words in cases:
        budget = 300 if inputs < 7 else 40
        fast, literal = (
            run_alone(search_for(target, budget=budget, evaluation=evaluation, **words), seed=2, run=0)
            for evaluation in ("auto", "reference")
        )
        assert fast.program.tolist() == literal.program.tolist()
        assert (fast.iterations, fast.fitness) == (literal.iterations, literal.fitness)
        circuit = fast.circuit
        wrong = sum(
            bool(care >> row & 1) and bool(value >> row & 1) != bool(bits[o])
            for row in range(rows)
            for bits in [np.atleast_1d(circuit(*(row >> j & 1 for j in range(inputs))))]
            for o, (value, care) in enumerate(zip(values, cares, strict=True))
        )
        assert wrong == fast.fitness


@pytest.mark.parametrize("name", ["mul:3", "add:3", "mcomp:3", "epar:8", "alu:2"])
def test_functions_of_practice_are_found_with_nothing_but_their_name(name):
    # About a second at most; the slowest of 100 runs of each took 1.5 million iterations.
    runs = run_many(search_for(name), seed=1, runs=range(2))
    assert runs.solved.all()
    assert runs.iterations.max() < 2_000_000


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("profile", "algorithm"), [("paper", "cgp"), ("tinyverse", "cgp"), ("paper", "tgp-multi")]
)
def test_every_improvement_is_told_once_and_in_order(jobs, profile, algorithm):
    search = search_for("or:5", algorithm=algorithm, profile=profile, budget=3000)
    told = {}

    def on_improvement(run, iterations, fitness):
        assert current_thread() is main_thread()
        told.setdefault(run, []).append((iterations, fitness))

    runs = run_many(search, seed=4, runs=30, jobs=jobs, on_improvement=on_improvement)
    uncounted = search.law.uncounted
    expected = {
        run.run: [(max(0, offspring - uncounted), fitness) for offspring, fitness in run.improvements]
        for run in runs
    }
    assert told == expected
    assert any(len(improvements) > 2 for improvements in told.values())


@pytest.mark.parametrize("jobs", [1, 2])
def test_improvements_of_runs_that_wait_between_batches_are_told_once(jobs, monkeypatch):
    # Batches of eight runs, in slices of 40 programs, each of which ends with the first finished run.
    monkeypatch.setattr(evolve, "Pending", partial(batch.Pending, seconds=0.0))
    monkeypatch.setattr(batch.Pending, "_size", lambda pending: 8)
    monkeypatch.setattr(batch, "Slice", lambda _: SimpleNamespace(steps=40, took=lambda made, seconds: None))
    continued = []
    usual = batch._session
    monkeypatch.setattr(batch, "_session", lambda b: continued.append(b.checkpoint is not None) or usual(b))
    told = {}
    runs = run_many(
        "and:12",
        nodes=12,
        seed=4,
        runs=40,
        jobs=jobs,
        on_improvement=lambda run, *improvement: told.setdefault(run, []).append(improvement),
    )
    assert any(continued)
    assert told == {run.run: list(run.improvements) for run in runs}


def test_improvements_are_told_while_a_run_is_under_way():
    # Four nodes are too few, so the run ends only because of the exception.
    search = search_for("xor:6", gates="xor", nodes=4, budget=30_000_000)
    told = []

    def on_improvement(run, iterations, fitness):
        told.append((run, iterations, fitness))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_many(search, seed=1, runs=[3], on_improvement=on_improvement)
    assert told == [(3, 0, 32)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_exception_of_ones_own_ends_all_runs_and_loses_none(jobs):
    delivered, told = [], []

    def on_improvement(*improvement):
        told.append(improvement)
        if len(told) == 50:
            raise ZeroDivisionError("my mistake")

    with pytest.raises(ZeroDivisionError, match="my mistake"):
        run_many(
            "and:4",
            nodes=8,
            seed=1,
            runs=1_000_000,
            jobs=jobs,
            on_improvement=on_improvement,
            on_done=lambda runs: delivered.extend(runs.run.tolist()),
        )
    assert len(told) == 50
    assert len(set(delivered)) == len(delivered) < 1_000_000
    assert set(delivered) >= {run for run, _, fitness in told if fitness == 0}


@pytest.fixture
def watched(monkeypatch):
    monkeypatch.setattr(evolve, "is_watched", lambda: True)
    evolve._say.cache_clear()


def test_a_default_budget_that_is_no_million_is_said_once_before_the_run(watched, capsys):
    for _ in range(2):
        evolve.evolve("mul:2", seed=1)
    evolve.evolve("and:4", seed=1)
    evolve.evolve("mul:2", budget=50_000_000, seed=1)
    evolve.evolve("mul:2", budget=1000, seed=1)
    line = "budget: 50,000,000 iterations, the default for mul:2 (budget=... sets it)"
    assert capsys.readouterr() == ("", f"{line}\n")


def test_nothing_is_said_of_budgets_where_nobody_looks(capsys):
    evolve._say.cache_clear()
    evolve.evolve("mul:2", seed=1)
    assert capsys.readouterr() == ("", "")


def test_the_number_of_runs_may_come_from_numpy():
    assert run_many("and:2", runs=np.int64(3)).run.tolist() == [0, 1, 2]
