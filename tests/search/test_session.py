"""Runs under way: however they are cut, saved and continued, they end as if they had not been."""

from dataclasses import fields, replace
from functools import cache

import numpy as np
import pytest
from hypothesis import settings as limits
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from walks import same_run

from gatewalk.errors import InputError
from gatewalk.search import session as room
from gatewalk.search.evolve import evolve, run_many
from gatewalk.search.options import search_for
from gatewalk.search.runs import Runs, joined, runs_of
from gatewalk.search.saving import restore, save
from gatewalk.search.session import Session, advance, advance_runs, begin, has_kernel, result, session_of

SEED = 3
DRAWN = {"selection": "strict", "options": {"waiting": "drawn"}}
TREES = {"algorithm": "tgp-multi"}
# One for every engine that keeps something between offspring, every mutation, and every way to do many runs;
# with the evaluations between which a search may change on its way.
SEARCHES = {
    "small symbolic": ("and:5", {"nodes": 12}, "auto table symbolic reference"),
    "parity": ("xor:4", {"nodes": 9, "gates": "xor"}, "auto table symbolic"),
    "small": ("maj:3", {"nodes": 15, "profile": "tinyverse"}, "auto reference"),
    "small table": ("and:10", {"nodes": 20, "evaluation": "table"}, "table symbolic"),
    "symbolic": ("and:20", {"nodes": 60}, "auto"),
    "incremental": ("mul:2", {"nodes": 80, "gates": "and,or,xor,not"}, "auto"),
    "incremental, several": ("mul:2", {"nodes": 80, "offspring": 4, "mutation": "rate:0.01"}, "auto"),
    "plain": ("maj:3", {"nodes": 9, "gates": "and,or,const1", "offspring": 3}, "auto reference"),
    "points": ("and:5", {"nodes": 9, "gates": "and,or,xor", "mutation": "point:2"}, "auto reference"),
    "waiting, symbolic": ("and:6", {"nodes": 9, **DRAWN}, "auto table symbolic reference"),
    "waiting, table": ("maj:3", {"nodes": 9, "profile": "tinyverse", **DRAWN}, "auto reference"),
    "given start": ("and:4", {"nodes": 3, "start": "penultimate"}, "auto table"),
    "twin": ("and:3", {"nodes": 4, "evaluation": "reference"}, "reference auto"),
    "samples": ("and:7", {"nodes": 7, "training": "sample:30"}, "auto reference"),
    "samples that differ in size": ("table:3:0x96/0xfe", {"nodes": 9, "training": "sample:4"}, "auto"),
    "trees": ("and:4", {"algorithm": "tgp-single"}, "auto table symbolic reference"),
    "trees of several gates": (
        "xor:5",
        {**TREES, "gates": "and,or,nand", "options": {"empty": "true", "substitution": "both"}},
        "auto reference",
    ),
    "trees, several": ("maj:7", {**TREES, "gates": "and,or", "profile": "tinyverse", "offspring": 3}, "auto"),
    "trees on samples": ("and:7", {**TREES, "training": "sample:30"}, "auto"),
}


def search_of(name):
    target, words, _ = SEARCHES[name]
    return search_for(target, budget=400, **words)


@cache
def alone(name, run):
    """The run by itself, in one piece."""
    session = begin(search_of(name), seed=SEED, run=run)
    advance(session)
    return result(session)


class CutSearch(RuleBasedStateMachine):
    """Runs in slices of any size; now and then the one under way is saved and goes to another process.

    runs: the numbers of all runs. delivered: those that are over. session: the others.
    """

    name: str

    @initialize(runs=st.lists(st.integers(0, 9), min_size=1, max_size=5))
    def start(self, runs):
        self.runs, self.delivered = runs, []
        self.session = session_of(search_of(self.name), seed=SEED, runs=runs)

    @rule(programs=st.integers(1, 90))
    def make_a_slice(self, programs):
        self.delivered += advance_runs(self.session, programs) or []

    @rule(data=st.data())
    def carry_on_elsewhere(self, data):
        evaluation = data.draw(st.sampled_from(SEARCHES[self.name][2].split()))
        search, before = replace(search_of(self.name), evaluation=evaluation), self.session
        left = before.not_begun
        if before.is_under_way:
            restored = restore(search, save(before))
            assert same_run(result(restored), result(before))
            assert restored.seconds == before.seconds
            assert save(restored) == save(before)
            self.session = replace(restored, runs=[before.run, *left])
        elif left:
            self.session = session_of(search, seed=SEED, runs=left)

    @invariant()
    def every_run_is_delivered_or_under_way_or_not_begun(self):
        if hasattr(self, "session"):
            under_way = [self.session.run] if self.session.is_under_way else []
            numbers = [run.run for run in self.delivered]
            assert [*numbers, *under_way, *self.session.not_begun] == self.runs

    def teardown(self):
        while not self.session.finished:
            self.make_a_slice(1000)
        for run, number in zip(self.delivered, self.runs, strict=True):
            assert same_run(run, alone(self.name, number))


@pytest.mark.parametrize("name", SEARCHES)
def test_slices_saving_and_other_evaluations_do_not_show(name):
    machine = type("Cut", (CutSearch,), {"name": name})
    run_state_machine_as_test(machine, settings=limits(max_examples=20, stateful_step_count=12))


@pytest.mark.parametrize("name", SEARCHES)
def test_many_runs_have_the_columns_of_single_ones(name):
    numbers = [4, 0, 7, 2**40, 1]
    session, parts = session_of(search_of(name), seed=SEED, runs=numbers), []
    while not session.finished:
        parts.append(advance_runs(session, 10**6))
    many, single = joined(parts), runs_of([alone(name, number) for number in numbers])
    for field in fields(Runs):
        ours, theirs = getattr(many, field.name), getattr(single, field.name)
        if isinstance(theirs, np.ndarray):
            assert ours.dtype == theirs.dtype, field.name
        if field.name == "programs":
            assert [program.tolist() for program in ours] == [program.tolist() for program in theirs]
        elif field.name != "seconds":
            assert (ours is None) == (theirs is None), field.name
            listed = field.name in ("improvements", "fitness") or isinstance(theirs, np.ndarray)
            assert list(ours) == list(theirs) if listed else ours == theirs, field.name
    assert (many.seconds > 0).all()


@pytest.mark.parametrize(
    ("words", "in_kernels"),
    [
        ({}, True),
        ({"training": "sample:8"}, True),
        (DRAWN, False),
        ({"evaluation": "reference"}, False),
        ({**DRAWN, "evaluation": "reference"}, False),
        ({"algorithm": "tgp-single"}, False),
        ({"algorithm": "tgp-multi", "evaluation": "reference"}, False),
    ],
)
def test_what_kernels_make_many_runs_of(words, in_kernels):
    search = search_for("and:4", **words)
    assert has_kernel(search) == in_kernels
    session = session_of(search, seed=1, runs=range(3))
    with pytest.raises(ValueError, match="no run has begun"):
        _ = session.current
    advance_runs(session, 1)
    assert (session.kernel is not None, session.walk is None) == (in_kernels, in_kernels)
    assert session.begun == (3 if in_kernels else 1)


def test_samples_that_leave_rows_out_are_given_to_a_kernel_one_by_one():
    for target, together in (("table:3:0x96", 3), ("table:3:0x96/0xfe", 1)):
        session = session_of(search_for(target, training="sample:4"), seed=1, runs=range(3))
        advance_runs(session, 1)
        assert session.kernel.size == together


@pytest.mark.parametrize("name", ["small", "waiting, table", "trees", "twin"])
def test_a_session_tells_where_it_stands(name):
    session = session_of(search_of(name), seed=SEED, runs=[5, 3])
    assert (session.is_under_way, session.over, session.finished) == (False, 0, False)
    assert (session.run, list(session.not_begun)) == (5, [5, 3])
    single = begin(search_of(name), seed=SEED, run=5)
    assert (single.run, single.iterations, single.over, list(single.not_begun)) == (5, 0, 0, [])
    assert single.is_under_way
    assert single.improvements == [(0, single.fitness)]
    advance(single)
    assert (single.is_under_way, single.over, single.finished, single.run) == (False, 1, True, 5)
    before = single.iterations
    advance(single)
    advance(single, 10)
    assert single.iterations == before
    assert not any(isinstance(part, Session) for part in vars(single).values())


@pytest.mark.parametrize(
    "numbers", [{"seed": -1, "runs": [0]}, {"seed": 1, "runs": [0, -1]}, {"seed": 1, "runs": [2**64]}]
)
def test_numbers_that_cannot_be_are_refused(numbers):
    with pytest.raises(InputError, match=r"^(seed|run) is "):
        session_of(search_for("and:4"), **numbers)


def test_a_longer_budget_prolongs_the_same_run():
    (short,) = run_many(search_for("xor:6", nodes="n", budget=100), seed=1, runs=[0])
    session = begin(search_for("xor:6", nodes="n", budget=500), seed=1, run=0)
    advance(session, 100)
    assert short.program.tolist() == session.current.program.tolist()


@pytest.mark.parametrize("name", ["small", "trees of several gates", "waiting, table"])
def test_a_saved_run_goes_on_under_a_longer_budget(name):
    longer = replace(search_of(name), budget=4000)
    whole = begin(longer, seed=SEED, run=1)
    advance(whole)
    short = begin(replace(longer, budget=50), seed=SEED, run=1)
    advance(short)
    assert short.finished
    restored = restore(longer, save(short))
    advance(restored)
    assert same_run(result(restored), result(whole))


@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
def test_counts(profile):
    # A censored run reports its budget; a start that is optimal reports nothing.
    censored = evolve("xor:8", nodes=8, profile=profile, budget=1234, seed=3)
    assert (censored.solved, censored.iterations) == (False, 1234)
    starts, uncounted = (1, 0) if profile == "paper" else (2, 1)
    assert censored.evaluations == 1234 + uncounted + starts
    solved = [evolve("and:1", nodes=1, profile=profile, seed=seed) for seed in range(20)]
    assert all(run.solved and run.iterations == 0 and run.evaluations == starts for run in solved)


def test_lambda_ends_at_the_budget_within_a_generation():
    run = evolve("xor:8", nodes=7, offspring=4, budget=10, seed=1)
    assert (run.iterations, run.solved) == (10, False)


def test_generalisation_is_measured_on_the_validation_rows():
    run = evolve("and:30", nodes=60, training="sample", seed=5)
    assert run.solved
    assert run.generalisation is not None
    assert 0.9 < run.generalisation <= 1.0


def test_kernels_take_on_no_more_than_they_have_room_for(monkeypatch):
    search = search_for("and:4", nodes=6)
    whole = run_many(search, seed=4, runs=range(25))
    monkeypatch.setattr(room, "MOST_GENES", 4 * 19)  # four programs of 19 genes
    session = session_of(search, seed=4, runs=range(25))
    runs = [run for _ in range(2) for run in advance_runs(session, 10**6)]
    assert len(runs) == 8
    while not session.finished:
        runs += advance_runs(session, 10**6)
    assert all(same_run(a, b) for a, b in zip(whole, runs, strict=True))


def test_kernels_take_on_no_more_samples_than_they_have_room_for(monkeypatch):
    search = search_for("and:9", training="sample:70")
    whole = run_many(search, seed=4, runs=range(7))
    monkeypatch.setattr(room, "MOST_WORDS", 3 * 40)  # two sets of ten columns of two words for three runs
    session = session_of(search, seed=4, runs=range(7))
    runs = list(advance_runs(session, 10**9))
    assert len(runs) == 3
    while not session.finished:
        runs += advance_runs(session, 10**9)
    assert all(same_run(a, b) for a, b in zip(whole, runs, strict=True))


@pytest.mark.parametrize("words", [{"nodes": 8}, {"algorithm": "tgp-single"}])
def test_seconds_of_runs_add_up_to_those_of_their_slices(monkeypatch, words):
    clock = iter(range(0, 10**6, 10))  # every look at the clock is ten seconds later
    monkeypatch.setattr(room.time, "perf_counter", lambda: float(next(clock)))
    session, runs = session_of(search_for("and:5", **words), seed=1, runs=range(20)), []
    while not session.finished:
        runs += advance_runs(session, 40) or []
    looks = next(clock) / 10
    assert sum(run.seconds for run in runs) == pytest.approx(10.0 * (looks / 2))
    if "nodes" in words:
        longest = max(runs, key=lambda run: run.evaluations)
        assert longest.seconds == max(run.seconds for run in runs)
