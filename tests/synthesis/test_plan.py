"""Plans of searches: what they refuse, and the slack of every run."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.circuit.own_target import target
from gatewalk.errors import InputError
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.plan import SLACKS, Method, Plan, shrinking_of, slack_of
from gatewalk.synthesis.price import price


def plan(**options: Any) -> Plan:
    return Plan(**{"gates": basis("nand"), "price": price("gates"), "evaluations": 10, **options})


@pytest.mark.parametrize("method", ["resubstitution", "cgp"])
def test_every_second_run_has_more_slack(method: Method) -> None:
    usual, more = SLACKS[method]
    assert [slack_of(plan(method=method), run=run) for run in range(4)] == [usual, usual + more] * 2
    assert [slack_of(plan(method=method, slack=0), run=run) for run in (0, 1)] == [0, more]


def test_slack_is_in_the_units_of_the_price() -> None:
    depth = price("depth")
    assert slack_of(plan(price=depth, slack=3), run=0) == 3 * depth.level_unit
    halves = price("nand=2.5")
    assert slack_of(plan(price=halves, slack=3), run=0) == 6  # a unit is a half


def test_a_run_by_cgp_has_the_options_of_the_plan() -> None:
    wanted = target("maj:3")
    given = plan(method="cgp", price=price("nand=2.5"), goal=7, mutation="point:2", offspring=3, slack=1)
    found = shrinking_of(given, wanted, run=1)
    assert (found.wanted, found.gates, found.prices) == (wanted, basis("nand"), (5,))
    assert (found.goal, found.mutation, found.offspring) == (7, "point:2", 3)
    assert found.slack == slack_of(given, run=1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"evaluations": None}, "say when to stop"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": float("inf")}, "seconds"),
        ({"evaluations": 0}, "evaluations"),
        ({"slack": -1}, "slack"),
        ({"runs": 0}, "runs"),
        ({"jobs": 0}, "jobs"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        plan(**options)
