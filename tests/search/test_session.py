"""Searches under way: however they are cut, saved and continued, they end as if they had not been."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from walks import same_run

from gatewalk.errors import InputError
from gatewalk.search import session as room
from gatewalk.search.algorithms import algorithm_of, runs_in_kernels, saved_sizes
from gatewalk.search.evolve import evolve, run_many, run_once
from gatewalk.search.saving import restore, save
from gatewalk.search.session import advance, advance_course, begin, course_of, result, resumed
from gatewalk.search.settings import settings

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
    target, options, _ = SEARCHES[name]
    return settings(target, budget=400, **options)


@cache
def alone(name, run):
    """The run by itself, in one piece."""
    session = begin(search_of(name), seed=SEED, run=run)
    advance(session)
    return result(session)


class CutSearch(RuleBasedStateMachine):
    """Runs in slices of any size; now and then the one under way is saved and goes to another process."""

    name: str

    @initialize(runs=st.lists(st.integers(0, 9), min_size=1, max_size=5))
    def start(self, runs):
        self.runs, self.finished = runs, []
        self.course = course_of(search_of(self.name), seed=SEED, runs=runs)

    @rule(iterations=st.integers(1, 90))
    def make_a_slice(self, iterations):
        self.finished += advance_course(self.course, iterations) or []

    @rule(data=st.data())
    def carry_on_elsewhere(self, data):
        made = search_of(self.name)
        chosen = replace(made, evaluation=data.draw(st.sampled_from(SEARCHES[self.name][2].split())))
        before, left = self.course.session, self.course.not_begun
        if before is None:
            self.course = course_of(chosen, seed=SEED, runs=left)
            return
        session = restore(chosen, save(before))
        assert same_run(result(session), result(before))
        assert session.seconds == before.seconds
        self.course = resumed(session, runs=left)

    @invariant()
    def every_run_is_finished_or_under_way_or_not_begun(self):
        if hasattr(self, "course"):
            under_way = [] if self.course.session is None else [self.course.session.run]
            numbers = [run.run for run in self.finished]
            assert [*numbers, *under_way, *self.course.not_begun] == self.runs

    def teardown(self):
        while not self.course.is_over:
            self.make_a_slice(1000)
        for run, number in zip(self.finished, self.runs, strict=True):
            assert same_run(run, alone(self.name, number))


@pytest.mark.parametrize("name", SEARCHES)
def test_slices_saving_and_other_evaluations_do_not_show(name):
    machine = type("Cut", (CutSearch,), {"name": name})
    limits = hypothesis_settings(max_examples=20, stateful_step_count=12)
    run_state_machine_as_test(machine, settings=limits)


def test_what_is_not_a_saved_search_is_refused():
    made = settings("and:3")
    data = save(begin(made, seed=0, run=0))
    with pytest.raises(InputError, match="other settings"):
        restore(settings("and:4"), data)
    with pytest.raises(InputError, match="not a saved search"):
        restore(made, data[:50])


def test_a_longer_budget_prolongs_the_same_run():
    short = run_once(settings("xor:6", nodes="n", budget=100), seed=1, run=0)
    session = begin(settings("xor:6", nodes="n", budget=500), seed=1, run=0)
    advance(session, 100)
    assert short.program.tolist() == session.walk.program.tolist()


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
    made = settings("and:4", nodes=6)
    whole = run_many(made, seed=4, runs=range(25))
    monkeypatch.setattr(room, "MOST_GENES", 4 * 19)  # four programs of 19 genes
    course = course_of(made, seed=4, runs=range(25))
    runs = [run for _ in range(2) for run in advance_course(course, 10**6)]
    assert len(runs) == 8
    while not course.is_over:
        runs += advance_course(course, 10**6)
    assert all(same_run(a, b) for a, b in zip(whole, runs, strict=True))


def test_seconds_of_runs_add_up_to_those_of_their_slices(monkeypatch):
    clock = iter(range(0, 10**6, 10))  # every look at the clock is ten seconds later
    monkeypatch.setattr(room.time, "perf_counter", lambda: float(next(clock)))
    course = course_of(settings("and:5", nodes=8), seed=1, runs=range(20))
    runs, slices = [], 0
    while not course.is_over:
        runs += advance_course(course, 40) or []
        slices += 1
    assert sum(run.seconds for run in runs) == pytest.approx(10.0 * slices)
    longest = max(runs, key=lambda run: run.evaluations)
    assert longest.seconds == max(run.seconds for run in runs)


@pytest.mark.parametrize(
    ("options", "module", "in_kernels"),
    [
        ({}, "cgp_search", True),
        ({"training": "sample:8"}, "cgp_search", True),
        (DRAWN, "cgp_waiting", False),
        ({"evaluation": "reference"}, "cgp_reference", False),
        ({**DRAWN, "evaluation": "reference"}, "cgp_reference", False),
        ({"algorithm": "tgp-single"}, "tgp_search", False),
        ({"algorithm": "tgp-multi"}, "tgp_search", False),
        ({"algorithm": "tgp-multi", "evaluation": "reference"}, "tgp_reference", False),
    ],
)
def test_the_module_and_its_arrays(options, module, in_kernels):
    chosen = settings("and:4", **options)
    algorithm = algorithm_of(chosen)
    assert algorithm.__name__ == f"gatewalk.search.{module}"
    assert runs_in_kernels(chosen) == in_kernels
    names = ("wanted", "start", "advance", "saved", "restored", "check_programs", "gates", "circuit")
    assert all(callable(getattr(algorithm, name)) for name in names)
    arrays = algorithm.saved(begin(chosen, seed=1, run=0).walk)
    sizes = saved_sizes(chosen)
    assert set(arrays) == set(sizes)
    assert all(size in (None, arrays[name].size) for name, size in sizes.items())


def test_samples_that_leave_rows_out_are_done_one_by_one():
    assert runs_in_kernels(settings("table:3:0x96", training="sample:4"))
    assert not runs_in_kernels(settings("table:3:0x96/0xfe", training="sample:4"))
