"""Exact times against simulation: at least 10^5 runs of the search's own kernel for every setting.

False alarms: a mean may be 5.6 standard errors off (2e-8 two-sided), an empirical distribution
function 0.0097 (below 2e-8 by the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart); with fixed
seeds there are none.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp import plain
from gatewalk.cgp.core import LOGGED, OFFSPRING, RANK, core_of
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.lean import lean_of
from gatewalk.cgp.mutation import parse_mutation
from gatewalk.cgp.new_value import random_program
from gatewalk.cgp.rule import rule_of
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import Settings, settings
from gatewalk.theory.chain_product import solved_product
from gatewalk.theory.exact import Exact, solved

RUNS = 100_000
FAR = 5.6
APART = 0.0097


@numba.njit(cache=True)  # type: ignore[untyped-decorator]
def _many(
    core: Any, layout: Any, rule: Any, room: Any, starts: int, uncounted: int, limit: int, result: Any
) -> None:
    for run in range(result.size):
        best = np.int64(-1)
        for _ in range(starts):
            random_program(core.stream, layout, core.child)
            rank = plain.rank(layout, room, core.child)
            if best < 0 or rank < best:
                best = rank
                core.genes[:] = core.child
        core.child[:] = core.genes
        core.counters[:] = 0
        core.counters[RANK] = plain.rank(layout, room, core.genes)
        while core.counters[RANK] > 0 and core.counters[OFFSPRING] < limit:
            core.counters[LOGGED] = 0
            plain.advance(core, layout, rule, room, limit)
        result[run] = max(0, core.counters[OFFSPRING] - uncounted) if core.counters[RANK] == 0 else -1


def simulated(made: Settings, *, seed: int, limit: int = 10**9) -> NDArray[np.int64]:
    """Reported iterations of many runs; -1 where the limit came first."""
    law = made.law
    assert isinstance(law, CgpLaw)
    layout = layout_of(shape_of(made))
    stream = np.random.SeedSequence(seed).generate_state(4, np.uint64)
    core = core_of(np.zeros(layout.owner.size, dtype=np.int64), stream, np.zeros(8, dtype=np.int64))
    mutation = parse_mutation(made.mutation or "sam")
    rule = rule_of(law, mutation, offspring=made.offspring, strict=made.strict)
    room = plain.plain_of(layout, complete(target(made.target)), lean_of(law, layout))
    result = np.zeros(RUNS, dtype=np.int64)
    _many(core, layout, rule, room, law.starts, law.uncounted, limit, result)
    return result


def check(found: Exact, times: NDArray[np.int64]) -> None:
    """Mean, share of early ends and the whole distribution."""
    error = found.std_iterations / np.sqrt(times.size)
    assert abs(times.mean() - found.expected_iterations) < FAR * error
    if found.classes > 2000:  # stepping through all its time would take longer than all else here
        assert abs(times.std() / found.std_iterations - 1) < 0.05
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
    made = settings(name, nodes=nodes, **options)
    check(solved(made), simulated(made, seed=8))


def test_several_outputs_agree_with_simulation() -> None:
    made = settings("add:1", nodes=2, gates="and,xor")
    found = solved(made)
    times = simulated(made, seed=9)
    error = found.std_iterations / np.sqrt(times.size)
    assert abs(times.mean() - found.expected_iterations) < FAR * error


def test_programs_that_never_improve() -> None:
    made = settings("and:3", nodes=3, profile="tinyverse", selection="strict")
    found = solved(made)
    # The limit is on T, of which one iteration is not counted.
    times = simulated(made, seed=10, limit=100)
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
    ],
)
def test_other_mutations_agree_with_simulation(name: str, nodes: int, options: dict[str, Any]) -> None:
    made = settings(name, nodes=nodes, **options)
    found = solved_product(made)
    times = simulated(made, seed=11)
    error = found.std_iterations / np.sqrt(times.size)
    assert abs(times.mean() - found.expected_iterations) < FAR * error
    assert abs(times.std() / found.std_iterations - 1) < 0.05
