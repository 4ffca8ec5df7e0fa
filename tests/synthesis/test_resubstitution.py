"""The walk by resubstitution: never to a wrong circuit, to the goal, and resumable."""

from __future__ import annotations

import numpy as np
import pytest
from resubstitution_walks import CASES, begun

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.errors import InputError
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.resubstitution import advance, begin


@pytest.mark.parametrize(("name", "gates", "level_price", "slack"), CASES)
def test_every_circuit_on_the_way_is_right_and_cheap_enough(
    name: str | Target, gates: str, level_price: int, slack: int
) -> None:
    walk = begun(name, gates, level_price, slack, seed=1)
    seen = set()
    for _ in range(60):
        advance(walk, 50)
        circuit = walk.circuit
        assert matches(circuit, walk.wanted)
        assert {node.gate for node in circuit.nodes} <= set(walk.gates.gates)
        prices = dict(zip(walk.gates.gates, walk.gate_arrays.prices.tolist(), strict=True))
        cost = sum(prices[node.gate] for node in circuit.nodes) + level_price * circuit.depth
        assert cost <= walk.best + slack
        seen.add(circuit)
    assert matches(walk.best_circuit, walk.wanted)
    assert len(seen) > 10


def test_a_goal_ends_the_walk() -> None:
    wanted = target("xor:4")
    start = mapped(target_circuit(wanted), basis("nand"))
    walk = begin(
        wanted, mapped(start, basis("any")), gates=basis("any"), prices=[1] * 11, slack=2, goal=3, seed=1
    )
    advance(walk, 1_000_000)
    assert walk.is_done
    assert walk.best == 3
    assert walk.steps < 1_000_000


def test_a_circuit_of_wires_is_done() -> None:
    wire = Circuit(("a", "b"), (), (1,), ("y",))
    walk = begin(target(wire), wire, gates=gate_set("and"), prices=[1], slack=1, seed=0)
    advance(walk, 10)
    assert (walk.steps, walk.best, walk.best_circuit) == (0, 0, wire)


def test_a_wrong_start_and_unknown_gates_are_refused() -> None:
    start = target_circuit(target("mul:2"))
    wires = Circuit(start.input_labels, (), (0, 1, 2, 3), start.output_labels)
    with pytest.raises(InputError, match="does not compute"):
        begin(target("mul:2"), wires, gates=gate_set("and"), prices=[1], slack=1, seed=0)
    with pytest.raises(InputError, match="not among"):
        begin(target("mul:2"), start, gates=gate_set("nor"), prices=[1], slack=1, seed=0)
    with pytest.raises(InputError, match="one or two inputs"):
        begin(target("mul:2"), start, gates=gate_set("mux"), prices=[1], slack=1, seed=0)


def test_it_goes_on_where_it_was() -> None:
    one, other = (begun("mul:2", "any", 0, 2, seed=9) for _ in range(2))
    advance(one, 1000)
    for _ in range(10):
        advance(other, 100)
    assert np.array_equal(one.state.now.sources, other.state.now.sources)
    assert one.best == other.best
