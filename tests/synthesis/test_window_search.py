"""The search in windows tells how far it is while a turn, which goes through all gates, is under way."""

from __future__ import annotations

import pytest

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.synthesis import turns, window_search
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.plan import Found, Plan
from gatewalk.synthesis.price import price
from gatewalk.synthesis.turns import Run, Turn


def test_smaller_circuits_are_told_of_within_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    start = mapped(target_circuit(target("add:9")), basis("nand"))  # 11 gates for each bit, where 9 do
    seen: list[int] = []

    def one_turn(circuit: Circuit, turn: Turn, plan: Plan, *, watch: object) -> Found:
        run = Run(0, circuit, len(circuit))

        def is_over() -> bool:
            seen.append(turns._progress([run], 0.0).gates)
            return len(seen) == 20

        turn(run, is_over)
        return Found(run.best, run.units, run.evaluations, 0.0, run.number, False)

    monkeypatch.setattr(window_search, "take_turns", one_turn)
    plan = Plan(gates=basis("nand"), price=price("gates"), evaluations=10**9, jobs=1, seed=1)
    found = window_search.search_windows(start, plan)
    assert len(seen) == 20
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) > 1
    assert len(found.circuit) <= seen[-1] < len(start)
