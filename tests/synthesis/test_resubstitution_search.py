"""The search for a cheaper circuit by resubstitution: the same function, from seeds alone, to known sizes."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.plan import Found, Plan
from gatewalk.synthesis.price import price, units_of
from gatewalk.synthesis.resubstitution_search import search_by_resubstitution


def searched(name: str, gates: str, cost: str = "gates", **options: Any) -> Found:
    wanted, allowed = target(name), basis(gates)
    start = mapped(target_circuit(wanted), allowed)
    plan = Plan(gates=allowed, price=price(cost), method="resubstitution", seed=2, **options)
    return search_by_resubstitution(start, plan, wanted=wanted)


@pytest.mark.parametrize(
    ("name", "gates", "size"), [("maj:3", "any", 4), ("onescount:3", "nand", 9), ("mux:2", "nand", 4)]
)
def test_known_sizes(name: str, gates: str, size: int) -> None:
    found = searched(name, gates, evaluations=50_000, goal=size)
    assert (len(found.circuit), found.units) == (size, size)
    assert matches(found.circuit, target(name))
    assert {node.gate for node in found.circuit.nodes} <= set(basis(gates).gates)


@pytest.mark.parametrize("cost", ["gates", "depth", "and=1,xor=2.5,nimply=1.5"])
def test_what_is_found_costs_no_more_than_the_start(cost: str) -> None:
    gates = "and,xor,nimply"
    found = searched("mul:2", gates, cost, evaluations=3_000, runs=1)
    start = mapped(target_circuit(target("mul:2")), basis(gates))
    assert found.units == units_of(price(cost), found.circuit) <= units_of(price(cost), start)
    assert matches(found.circuit, target("mul:2"))


def test_threads_change_nothing_and_evaluations_are_kept_to() -> None:
    one, two = (searched("mcomp:2", "any", evaluations=5_000, runs=2, jobs=jobs) for jobs in (1, 2))
    assert (one.circuit, one.units, one.evaluations) == (two.circuit, two.units, two.evaluations)
    assert one.evaluations == 2 * 5_000
