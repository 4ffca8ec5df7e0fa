"""The search in windows: circuits of any number of inputs, always the same function."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.errors import InputError
from gatewalk.synthesis import parallel_runs, window_search
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.parallel_runs import Run, Turn
from gatewalk.synthesis.plan import Found, Method, Plan
from gatewalk.synthesis.price import price
from gatewalk.synthesis.window_search import search_windows


def nands(name: str) -> Circuit:
    return mapped(target_circuit(target(name)), basis("nand"))


def plan(**options: Any) -> Plan:
    return Plan(**{"gates": basis("any"), "price": price("gates"), "runs": 1, "seed": 1, **options})


@pytest.mark.parametrize("method", ["resubstitution", "cgp"])
@pytest.mark.parametrize("name", ["add:2", "add:9"])  # 5 and 19 inputs: with don't-cares and without
def test_a_wide_adder_of_nands_becomes_smaller(name: str, method: Method) -> None:
    start = nands(name)
    found = search_windows(start, plan(method=method, evaluations=200_000))
    assert len(found.circuit) < 0.8 * len(start)
    assert found.units == len(found.circuit)
    assert equivalent(found.circuit, start)


def test_prices_decide_and_nothing_becomes_dearer() -> None:
    start = nands("add:3")
    dear = price("nand=1,not=1,xor=9")
    found = search_windows(
        start, plan(gates=basis("nand,not,xor"), price=dear, evaluations=60_000, method="resubstitution")
    )
    assert found.circuit.counts.get("xor", 0) == 0  # four nands are cheaper
    assert len(found.circuit) <= len(start)
    assert equivalent(found.circuit, start)


def test_depth_is_no_property_of_a_window() -> None:
    with pytest.raises(InputError, match="depth cannot count"):
        search_windows(nands("add:2"), plan(price=price("depth"), evaluations=1))


def test_smaller_circuits_are_told_of_within_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    start = nands("add:9")  # 11 gates for each bit, where 9 do
    seen: list[int] = []

    def one_turn(circuit: Circuit, turn: Turn, its_plan: Plan, *, watch: object) -> Found:
        run = Run(0, circuit, len(circuit))

        def is_over() -> bool:
            seen.append(parallel_runs._progress([run], 0.0).gates)
            return len(seen) == 20

        turn(run, is_over)
        return Found(run.best, run.units, run.evaluations, 0.0, run.number, False)

    monkeypatch.setattr(window_search, "take_turns", one_turn)
    found = window_search.search_windows(start, plan(gates=basis("nand"), evaluations=10**9, jobs=1))
    assert len(seen) == 20
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) > 1
    assert len(found.circuit) <= seen[-1] < len(start)
