"""Exact times against simulation: 10^6 runs of the search for every setting.

False alarms: a mean may be 5.6 standard errors off (2e-8 two-sided), an empirical distribution
function 0.00305 (below 2e-8 by the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart); with fixed
seeds there are none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from gatewalk.search.evolve import run_many
from gatewalk.search.settings import Settings, settings
from gatewalk.theory.chain.point_rate_search import PointRateTimes, solved_point_or_rate
from gatewalk.theory.chain.sam_search import Exact, solved

RUNS = 1_000_000
FAR = 5.6
APART = 0.00305


def simulated(search: Settings, *, seed: int, budget: int = 10**9) -> NDArray[np.int64]:
    """Reported iterations of many runs; -1 where the budget came first."""
    runs = run_many(replace(search, budget=budget), seed=seed, runs=range(RUNS), jobs=2)
    return np.where(runs.solved, runs.iterations, -1)


def check(found: Exact | PointRateTimes, times: NDArray[np.int64]) -> None:
    """Mean, share of early ends and the whole distribution."""
    result = found.result
    error = result.std_iterations / np.sqrt(times.size)
    assert abs(times.mean() - result.expected_iterations) < FAR * error
    if result.classes > 2000:  # stepping through all its time would take longer than all else here
        assert abs(times.std() / result.std_iterations - 1) < 0.05
        return
    distribution = found.distribution()
    values = np.arange(int(times.max()) + 1)
    measured = np.searchsorted(np.sort(times), values, side="right") / times.size
    known = np.array([distribution.cumulative(int(t)) for t in values])
    assert np.abs(measured - known).max() < APART


STRICT = {"selection": "strict"}
TINY = {"profile": "tinyverse"}
SETTINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("and:2", 2, {}),
    ("and:2", 4, {}),
    ("and:3", 3, {}),
    ("xor:2", 2, {}),
    ("xor:3", 3, {}),
    ("and:2", 1, STRICT),
    ("and:2", 3, STRICT),
    ("and:3", 4, STRICT),
    ("and:2", 3, TINY),
    ("and:3", 3, TINY),
    ("and:3", 4, TINY),
    ("and:2", 3, TINY | STRICT),
    ("and:3", 4, TINY | STRICT),
    ("and:3", 3, {"options": {"ties": "coin"}}),
    ("and:3", 3, {"options": {"sam_ends": "picked"}}),
    ("and:3", 3, {"options": {"starts": 3, "uncounted": 2}}),
    ("and:3", 3, {"options": {"levels_back": 1}}),
    ("and:3", 4, {"options": {"rows": 2}}),
    ("and:3", 3, {"offspring": 4}),
    ("and:3", 3, TINY | {"offspring": 3}),
    ("xnor:2", 3, {"gates": "xor,not"}),
    ("nor:2", 2, {"gates": "nimply,ncimply,nor"}),
]


@pytest.mark.parametrize(("name", "nodes", "options"), SETTINGS)
def test_agrees_with_simulation(name: str, nodes: int, options: dict[str, Any]) -> None:
    search = settings(name, nodes=nodes, **options)
    check(solved(search), simulated(search, seed=8))


def test_several_outputs_agree_with_simulation() -> None:
    search = settings("sum:1", nodes=2, gates="and,xor")
    found = solved(search)
    times = simulated(search, seed=9)
    error = found.std_iterations / np.sqrt(times.size)
    assert abs(times.mean() - found.expected_iterations) < FAR * error


def test_programs_that_never_improve() -> None:
    search = settings("and:3", nodes=3, profile="tinyverse", selection="strict")
    found = solved(search)
    times = simulated(search, seed=10, budget=99)
    late = found.distribution().exceeds(99)
    error = np.sqrt(late * (1 - late) / times.size)
    assert abs((times < 0).mean() - late) < FAR * error


@pytest.mark.parametrize(
    ("name", "nodes", "options"),
    [
        ("and:2", 2, {"mutation": "point:1"}),
        ("and:3", 3, {"mutation": "point:3", **TINY}),
        ("and:2", 2, {"mutation": "rate:0.2", **STRICT}),
        ("xnor:2", 2, {"mutation": "rate:0.3", "gates": "xor,not"}),
        ("and:3", 2, {"mutation": "point:2", "offspring": 3}),
    ],
)
def test_other_mutations_agree_with_simulation(name: str, nodes: int, options: dict[str, Any]) -> None:
    search = settings(name, nodes=nodes, **options)
    check(solved_point_or_rate(search), simulated(search, seed=11))
