"""The arrays of a walk: which gates fit given values, and the circuit that a wiring is."""

from __future__ import annotations

import pytest

from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.resubstitution import Walk, begin
from gatewalk.synthesis.resubstitution_state import BEST, COST, GATES, GOAL, SLACK, STEPS


def begun(name: str, gates: str) -> Walk:
    allowed = basis(gates)
    start = mapped(target_circuit(target(name)), allowed)
    prices = [1 + place for place in range(len(allowed))]
    return begin(target(name), start, gates=allowed, prices=prices, slack=5, goal=2, seed=1)


@pytest.mark.parametrize("gates", ["any", "nand", "aig", "nimply,not", "and,buf,xor"])
def test_gates_that_fit_are_those_whose_tables_do(gates: str) -> None:
    """For all values that a gate may have to take on the four rows of its sources."""
    arrays = begun("and:2" if gates != "nimply,not" else "table:2:0x1", gates).gate_arrays
    for ones in range(16):
        for zeros in range(16):
            number = ones | zeros << 4
            listed = arrays.fitting[arrays.first[number] : arrays.first[number + 1]].tolist()
            found = set()
            for entry in listed:
                place, is_swapped = divmod(entry, 2)
                table = [int(arrays.tables[place]) >> row & 1 for row in range(4)]
                if is_swapped:
                    table[1], table[2] = table[2], table[1]
                assert all(table[row] for row in range(4) if ones >> row & 1)
                assert not any(table[row] for row in range(4) if zeros >> row & 1)
                found.add(place)
            for place, whole in enumerate(arrays.tables.tolist()):
                fits = ones & ~whole == 0 and zeros & whole == 0
                assert not fits or place in found


def test_a_wiring_is_the_start() -> None:
    walk = begun("mul:2", "and,xor,nimply")
    start = mapped(target_circuit(walk.wanted), walk.gates)
    for wiring in (walk.state.now, walk.state.best):
        gates = [walk.gates.gates[place] for place in wiring.functions[: len(start)]]
        assert gates == [node.gate for node in start.nodes]
        assert [tuple(pair) for pair in wiring.sources[: len(start)].tolist()] == [
            node.sources for node in start.nodes
        ]
        assert tuple(wiring.outputs.tolist()) == start.outputs


def test_counts_of_a_walk_that_has_just_begun() -> None:
    walk = begun("mul:2", "and,xor,nimply")
    counts = walk.state.counts
    prices = {gate: 1 + place for place, gate in enumerate(walk.gates.gates)}
    cost = sum(prices[node.gate] for node in walk.circuit.nodes)
    assert counts[GATES] == len(walk.circuit)
    assert counts[COST] == counts[BEST] == cost
    assert (counts[SLACK], counts[GOAL], counts[STEPS]) == (5, 2, 0)
