"""Runs side by side: when they end, which result counts, and that threads change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.parallel_runs import IsOver, Run, take_turns
from gatewalk.synthesis.plan import Plan, Progress
from gatewalk.synthesis.price import price

START = target_circuit(target("mul:2"))
WIRES = Circuit(("a",), (), (0,), ("y",))


def plan(**options: Any) -> Plan:
    return Plan(**{"gates": basis("any"), "price": price("gates"), "evaluations": 100, "jobs": 2, **options})


def improving(run: Run, is_over: IsOver) -> None:
    """A turn of ten evaluations; run r costs r less after its third turn."""
    run.evaluations += 10
    if run.turns == 2:
        run.units -= run.number


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_run_uses_its_evaluations_and_the_cheapest_counts(jobs: int) -> None:
    found = take_turns(START, improving, plan(runs=4, jobs=jobs), watch=None)
    assert found.evaluations == 4 * 100
    assert (found.run, found.units, found.interrupted) == (3, len(START) - 3, False)


def test_of_equal_results_that_of_the_first_run_counts() -> None:
    found = take_turns(START, lambda run, is_over: setattr(run, "is_done", True), plan(runs=3), watch=None)
    assert (found.run, found.circuit, found.evaluations) == (0, START, 0)


def test_a_run_at_its_goal_is_done() -> None:
    taken = []

    def turn(run: Run, is_over: IsOver) -> None:
        taken.append(run.number)
        run.units = 2

    found = take_turns(START, turn, plan(runs=2, goal=2, evaluations=10**9), watch=None)
    assert (found.units, sorted(taken)) == (2, [0, 1])


def test_nothing_is_searched_if_the_start_is_at_the_goal() -> None:
    def turn(run: Run, is_over: IsOver) -> None:
        raise AssertionError

    assert take_turns(WIRES, turn, plan(goal=0), watch=None).circuit == WIRES


def test_progress_is_that_of_the_best_circuit() -> None:
    seen: list[Progress] = []

    def turn(run: Run, is_over: IsOver) -> None:
        run.evaluations += 50
        run.best, run.units = WIRES, 0

    take_turns(START, turn, plan(runs=1), watch=seen.append)
    assert (seen[-1].gates, seen[-1].evaluations) == (0, 50)


def test_ctrl_c_ends_all_runs_and_keeps_the_best() -> None:
    def turn(run: Run, is_over: IsOver) -> None:
        run.best, run.units = WIRES, 1

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    found = take_turns(START, turn, plan(runs=3, evaluations=10**9), watch=interrupt)
    assert found.interrupted
    assert (found.circuit, found.units) == (WIRES, 1)


def test_an_error_in_a_turn_is_passed_on() -> None:
    def turn(run: Run, is_over: IsOver) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        take_turns(START, turn, plan(), watch=None)
