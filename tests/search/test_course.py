"""Courses: the same runs however they are sliced, and nothing lost in the middle."""

from __future__ import annotations

from typing import Any

import pytest
from runs import same

from gatewalk.search import course as room
from gatewalk.search.course import Course, advance_course, course_of, resumed
from gatewalk.search.evolve import run_many, run_once
from gatewalk.search.run import Run
from gatewalk.search.saving import restore, save
from gatewalk.search.settings import settings

CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "kernels": ("and:5", {"nodes": 8, "offspring": 3}),
    "trees": ("and:4", {"algorithm": "tgp-single"}),
    "samples": ("and:7", {"training": "sample:30"}),
    "large samples": ("and:20", {"training": "sample:70", "nodes": 60}),
    "trees on samples": ("and:7", {"algorithm": "tgp-multi", "training": "sample:30"}),
}
each_case = pytest.mark.parametrize("case", CASES)


def finished(course: Course, iterations: int, *, slices: int = 10**9) -> list[Run]:
    """The runs that come out of so many slices."""
    found: list[Run] = []
    while not course.is_over and slices > 0:
        found += advance_course(course, iterations) or []
        slices -= 1
    return found


@each_case
@pytest.mark.parametrize("iterations", [1, 10, 1000])
def test_slices_do_not_show(case: str, iterations: int) -> None:
    target, options = CASES[case]
    made = settings(target, budget=500, **options)
    whole = run_many(made, seed=2, runs=range(12))
    found = finished(course_of(made, seed=2, runs=range(12)), iterations)
    assert [run.run for run in found] == list(range(12))
    assert all(same(a, b) for a, b in zip(whole, found, strict=True))


@each_case
def test_a_run_does_not_show_what_was_run_before_it(case: str) -> None:
    target, options = CASES[case]
    made = settings(target, budget=500, **options)
    together = run_many(made, seed=3, runs=range(8))
    assert all(same(run_once(made, seed=3, run=run.run), run) for run in together)


@each_case
def test_every_run_is_finished_or_under_way_or_not_begun(case: str) -> None:
    target, options = CASES[case]
    made = settings(target, budget=500, **options)
    whole = run_many(made, seed=2, runs=range(30))
    for slices in range(1, 25, 4):
        course = course_of(made, seed=2, runs=range(30))
        found = finished(course, 20, slices=slices)
        if course.session is not None:  # saved, and gone on with elsewhere, before all that were not begun
            rest = resumed(restore(made, save(course.session)), runs=course.not_begun)
        else:
            rest = course_of(made, seed=2, runs=course.not_begun)
        found += finished(rest, 50)
        assert [run.run for run in found] == list(range(30))
        assert all(same(a, b) for a, b in zip(whole, found, strict=True))


def test_kernels_take_on_no_more_than_they_have_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made = settings("and:4", nodes=6)
    whole = run_many(made, seed=4, runs=range(25))
    monkeypatch.setattr(room, "MOST_GENES", 4 * 19)  # four programs of 19 genes
    course = course_of(made, seed=4, runs=range(25))
    found = finished(course, 10**6, slices=2)
    assert len(found) == 8
    found += finished(course, 10**6)
    assert all(same(a, b) for a, b in zip(whole, found, strict=True))


def test_seconds_of_runs_add_up_to_those_of_their_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 10**6, 10))  # every look at the clock is ten seconds later
    monkeypatch.setattr(room.time, "perf_counter", lambda: float(next(clock)))
    course = course_of(settings("and:5", nodes=8), seed=1, runs=range(20))
    found, slices = [], 0
    while not course.is_over:
        found += advance_course(course, 40) or []
        slices += 1
    assert sum(run.seconds for run in found) == pytest.approx(10.0 * slices)
    longest = max(found, key=lambda run: run.evaluations)
    assert longest.seconds == max(run.seconds for run in found)
