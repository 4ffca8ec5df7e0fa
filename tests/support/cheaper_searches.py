"""What every search for a cheaper circuit must do: the same function, by seed alone, to known sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.plan import Found, Method, Plan
from gatewalk.synthesis.price import price, units_of

KNOWN_SIZES = [("maj:3", "any", 4), ("onescount:3", "nand", 9), ("mux:2", "nand", 4)]
COSTS = ["gates", "depth", "and=1,xor=2.5,nimply=1.5"]
Search = Callable[..., Found]


def searched(
    search: Search, method: Method, name: str, gates: str, cost: str = "gates", **options: Any
) -> Found:
    """What a search finds from the circuit of the target's own rule."""
    wanted, allowed = target(name), basis(gates)
    start = mapped(target_circuit(wanted), allowed)
    plan = Plan(gates=allowed, price=price(cost), method=method, seed=2, **options)
    return search(start, plan, wanted=wanted)


def check_size(found: Found, name: str, gates: str, size: int) -> None:
    """A circuit of this size that computes the target with these gates."""
    assert (len(found.circuit), found.units) == (size, size)
    assert matches(found.circuit, target(name))
    assert {node.gate for node in found.circuit.nodes} <= set(basis(gates).gates)


def check_cost(search: Search, method: Method, cost: str) -> None:
    """What is found costs no more than the start, and computes the same."""
    gates = "and,xor,nimply"
    found = searched(search, method, "mul:2", gates, cost, evaluations=3_000, runs=1)
    start = mapped(target_circuit(target("mul:2")), basis(gates))
    assert found.units == units_of(price(cost), found.circuit) <= units_of(price(cost), start)
    assert matches(found.circuit, target("mul:2"))


def check_threads(search: Search, method: Method) -> int:
    """One thread and two find the same; the evaluations that both used."""
    one, two = (
        searched(search, method, "mcomp:2", "any", evaluations=5_000, runs=2, jobs=jobs) for jobs in (1, 2)
    )
    assert (one.circuit, one.units, one.evaluations) == (two.circuit, two.units, two.evaluations)
    return one.evaluations
