"""Estimates of time from a short trial."""

from __future__ import annotations

import pytest

from gatewalk.campaign import campaign, estimate, plan
from gatewalk.campaign.estimate import Estimate, estimates, together
from gatewalk.campaign.store import SECONDS_TO_STORE
from gatewalk.search.course import Course, advance_course
from gatewalk.search.evolve import run_many
from gatewalk.search.runs import Runs


def test_solvable_cells_have_a_likely_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "_LONGEST_TRIAL", 0.05)
    cells = plan(campaign(target=["and:2", "and:3"], budget=100_000))
    for found in estimates(cells, [100, 100]):
        assert found.likely is not None
        assert 0 < found.likely < found.most


def test_a_cell_that_does_not_end_has_only_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "_LONGEST_TRIAL", 0.05)
    (found,) = estimates(plan(campaign(target="and:4", nodes=2, budget=10**12)), [10])
    assert found.likely is None
    assert found.most > 60


def test_nothing_to_do_takes_no_time() -> None:
    (found,) = estimates(plan(campaign(target="and:2")), [0])
    assert (found.likely, found.most) == (0, 0)


def test_a_likely_time_is_near_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a trial that takes on its runs more than once, and a clock that counts iterations."""
    clock = 0.0

    def advance(course: Course, iterations: int) -> Runs | None:
        nonlocal clock
        clock += iterations * 1e-6
        return advance_course(course, iterations)

    monkeypatch.setattr(estimate, "_RUNS", 10)
    monkeypatch.setattr(estimate, "advance_course", advance)
    monkeypatch.setattr(estimate.time, "perf_counter", lambda: clock)
    (cell,) = plan(campaign(target="and:6"))
    (found,) = estimates([cell], [1000])
    monkeypatch.undo()
    taken = 1e-6 * float(run_many(cell.settings, seed=5, runs=range(1000)).evaluations.sum())
    assert found.likely is not None
    assert taken / 4 < found.likely < taken * 4  # a slice may end with what it was asked for half done


def test_cells_share_the_threads_and_one_thread_stores() -> None:
    few = [Estimate(likely=6.0, most=60.0), Estimate(likely=2.0, most=20.0)]
    assert together(few, [10, 10], threads=2) == Estimate(likely=4.0, most=40.0)
    many = together(few, [10_000_000, 0], threads=2)
    assert many.likely == many.most == 10_000_000 * SECONDS_TO_STORE


def test_one_unknown_cell_leaves_only_a_bound_unless_it_has_nothing_to_do() -> None:
    found = [Estimate(likely=6.0, most=60.0), Estimate(likely=None, most=20.0)]
    assert together(found, [10, 10], threads=1) == Estimate(likely=None, most=80.0)
    done = [found[0], Estimate(likely=None, most=0.0)]
    assert together(done, [10, 0], threads=1) == Estimate(likely=6.0, most=60.0)


def test_of_many_cells_some_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "_MOST_TRIALS", 3)
    monkeypatch.setattr(estimate, "_estimate", lambda cell, runs, trial: Estimate(likely=2.0, most=5.0))
    cells = plan(campaign(target="and", n="2..8"))
    found = estimates(cells, [10] * 7)
    assert [one is not None for one in found] == [True, False, False, True, False, False, True]
    assert together(found, [10] * 7, threads=1) == Estimate(likely=14.0, most=35.0)
