"""Many runs: the same as each alone, whatever memory and threads they share; nothing finished is lost."""

import random
from threading import Event

import numpy as np
import pytest
from processes import LIMIT
from walks import same_run

from gatewalk.boolean.table_targets import table_target
from gatewalk.errors import InputError
from gatewalk.search import evolve as room
from gatewalk.search.evolve import run_many, run_once
from gatewalk.search.settings import settings


def test_runs_come_in_the_order_asked_for():
    made = settings("maj:3", nodes=15, budget=700)
    together = run_many(made, seed=3, runs=[4, 0, 9, 4, 2])
    assert [run.run for run in together] == [4, 0, 9, 4, 2]
    assert all(same_run(run, run_once(made, seed=3, run=run.run)) for run in together)


def test_runs_do_not_depend_on_the_number_of_workers():
    made = settings("and:6", nodes="n", training="sample", budget=2000)
    alone = run_many(made, seed=9, runs=range(12), jobs=1)
    for jobs in (2, 5):
        together = run_many(made, seed=9, runs=range(12), jobs=jobs)
        assert [run.run for run in together] == list(range(12))
        assert all(same_run(a, b) for a, b in zip(alone, together, strict=True))
    assert same_run(run_once(made, seed=9, run=7), alone[7])


@pytest.mark.parametrize("jobs", [1, 2])
def test_finished_runs_are_all_delivered_at_ctrl_c(jobs):
    made = settings("and:4", nodes=8)
    delivered = []

    def on_done(runs):
        delivered.append(runs)
        if sum(map(len, delivered)) >= 20 and not interrupted:
            interrupted.append(True)
            raise KeyboardInterrupt

    interrupted = []
    with pytest.raises(KeyboardInterrupt):
        run_many(made, seed=1, runs=range(3_000_000), jobs=jobs, on_done=on_done)
    numbers = [number for runs in delivered for number in runs.run.tolist()]
    assert 20 <= len(numbers) == len(set(numbers)) < 3_000_000
    assert all(runs.solved.all() for runs in delivered)
    assert same_run(delivered[0][0], run_once(made, seed=1, run=numbers[0]))


def test_an_error_in_a_thread_ends_all_and_is_raised(monkeypatch):
    def broken(*_):
        raise MemoryError("no room")

    monkeypatch.setattr(room, "advance_course", broken)
    with pytest.raises(MemoryError, match="no room"):
        run_many(settings("and:4", nodes=8), seed=1, runs=range(1000), jobs=2)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"runs": []}, "runs is empty; give at least one run"),
        ({"runs": [-1]}, "run is -1"),
        ({"runs": [2**64]}, "run is"),
        ({"runs": [0], "seed": -1}, "seed is -1"),
        ({"runs": [0], "jobs": 0}, "jobs is 0"),
        ({"runs": range(9), "jobs": 100_000}, "jobs is 100000; it must be at most 1,024"),
    ],
)
def test_numbers_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        run_many(settings("and:3"), **wrong)


def test_slices_do_not_grow_with_the_number_of_short_runs(monkeypatch):
    sizes = []
    advance_course = room.advance_course

    def noted(course, iterations):
        sizes.append(iterations)
        return advance_course(course, iterations)

    monkeypatch.setattr(room, "advance_course", noted)
    monkeypatch.setattr(room, "SHARE_SECONDS", 0.0)  # one run after the other
    runs = run_many(settings("and:2"), seed=1, runs=range(80), jobs=1)
    assert len(runs.iterations) == len(sizes) == 80
    assert set(sizes) == {room.FIRST_SLICE}


def test_a_finished_run_is_not_kept_waiting_by_a_long_one():
    # Under tinyverse some strict searches never end: an input is out of reach.
    made = settings("and:3", nodes=3, profile="tinyverse", selection="strict", budget=2_000_000)
    runs = run_many(made, seed=8, runs=range(60))
    short, long = int(runs.run[runs.solved][0]), int(runs.run[~runs.solved][0])
    delivered = Event()
    waited = []

    def watch(session):
        if session.run == long and not waited:
            waited.append(delivered.wait(20.0))

    run_many(made, seed=8, runs=[short, long], jobs=2, on_done=lambda _: delivered.set(), watch=watch)
    assert waited == [True]


def test_runs_under_way_are_told_of():
    made = settings("xor:8", nodes=7, gates="xor", budget=20_000)
    told = []
    run_many(
        made, seed=1, runs=range(2), watch=lambda session: told.append((session.run, session.iterations))
    )
    assert told[0] == (0, room.FIRST_SLICE - 1)  # the start is a program too
    assert told == sorted(told)
    assert len(told) > 3


def test_an_interruption_does_not_wait_for_a_thread_that_has_yet_to_begin(monkeypatch):
    """It may be compiling, or drawing rows, for minutes."""
    released, usual = Event(), room.course_of

    def course_of(made, *, seed, runs):
        if 1 in runs:
            released.wait(LIMIT)
        return usual(made, seed=seed, runs=runs)

    def interrupt(part):
        raise KeyboardInterrupt

    monkeypatch.setattr(room, "course_of", course_of)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_many(settings("and:3"), seed=1, runs=range(2), jobs=2, on_done=interrupt)
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
    wanted = table_target(values, inputs, cares=cares)
    cases = [{"nodes": 20}, {"nodes": 90, "offspring": 4, "mutation": "rate:0.1"}]
    if outputs == 1:
        cases.append({"algorithm": "tgp-multi", "gates": "and,xor"})
    for options in cases:
        budget = 300 if inputs < 7 else 40
        found = [
            run_once(settings(wanted, budget=budget, evaluation=one, **options), seed=2, run=0)
            for one in ("auto", "reference")
        ]
        assert found[0].program.tolist() == found[1].program.tolist()
        assert (found[0].iterations, found[0].fitness) == (found[1].iterations, found[1].fitness)
        circuit = found[0].circuit
        wrong = sum(
            bool(care >> row & 1) and bool(value >> row & 1) != bool(bits[o])
            for row in range(rows)
            for bits in [np.atleast_1d(circuit(*(row >> j & 1 for j in range(inputs))))]
            for o, (value, care) in enumerate(zip(values, cares, strict=True))
        )
        assert wrong == found[0].fitness


@pytest.mark.parametrize("name", ["mul:3", "add:3", "mcomp:3", "epar:8", "alu:2"])
def test_functions_of_practice_are_found_with_nothing_but_their_name(name):
    # About a second at most; the slowest of 100 runs of each took 1.5 million iterations.
    found = run_many(settings(name), seed=1, runs=range(2))
    assert found.solved.all()
    assert found.iterations.max() < 2_000_000
