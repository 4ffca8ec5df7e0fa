"""The walk by resubstitution: step by step the same as its literal twin, and never to a wrong circuit."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.tables import table_numbers
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import complete, counted
from gatewalk.boolean.truth_table import table_target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_target import target
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.errors import InputError
from gatewalk.reference import resubstitution as reference
from gatewalk.reference.stream import Stream
from gatewalk.synthesis.bases import basis
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.resubstitution import Walk, advance, begin
from gatewalk.synthesis.resubstitution_state import COST, Wiring
from gatewalk.synthesis.resubstitution_steps import OLD_ONE_IN

# Two outputs of which rows do not count, some for one and some for both.
PARTLY = table_target([0x9A5C, 0x3B61], 4, cares=[0x7FF7, 0xEF3F])
CASES = [
    ("mul:2", "any", 0, 2),
    ("onescount:3", "nand", 0, 3),
    ("maj:5", "aig", 0, 1),
    ("mcomp:2", "and,or,not", 0, 2),
    ("onescount:4", "and,xor,nimply", 3, 7),
    (PARTLY, "and,or,xor,not", 1, 4),
]


def _begun(name: str | Target, gates: str, level_price: int, slack: int, *, seed: int) -> Walk:
    wanted, allowed = target(name), basis(gates)
    prices = [2 + place % 3 for place in range(len(allowed))]
    start = mapped(target_circuit(wanted), allowed)
    return begin(wanted, start, gates=allowed, prices=prices, level_price=level_price, slack=slack, seed=seed)


def _twin(walk: Walk) -> tuple[reference.Task, reference.Wires, Stream]:
    training = complete(walk.wanted)
    task = reference.Task(
        gates=walk.gates.gates,
        prices=walk.gate_arrays.prices.tolist(),
        level_price=int(walk.gate_arrays.level_price),
        inputs=table_numbers(training.inputs, training.rows),
        cares=table_numbers(counted(training), training.rows),
        rows=training.rows,
        capacity=walk.state.now.functions.size,
        slack=int(walk.state.counts[3]),
    )
    return task, _wires(walk.state.now), Stream(walk.state.stream.tolist())


def _wires(wiring: Wiring) -> reference.Wires:
    pairs = tuple((int(a), int(b)) for a, b in wiring.sources)
    return reference.Wires(tuple(wiring.functions.tolist()), pairs, tuple(wiring.outputs.tolist()))


@pytest.mark.parametrize(("name", "gates", "level_price", "slack"), CASES)
def test_the_walk_is_that_of_its_twin(name: str | Target, gates: str, level_price: int, slack: int) -> None:
    walk = _begun(name, gates, level_price, slack, seed=4)
    task, start, stream = _twin(walk)
    changes = 0
    for step, place in enumerate(islice(reference.walk(task, start, stream), 400)):
        assert walk.steps == step
        assert reference.order(task, place.now) == walk.state.scratch.order[: walk.state.counts[0]].tolist()
        used = reference.order(task, place.now)
        now = _wires(walk.state.now)
        assert [now.functions[g] for g in used] == [place.now.functions[g] for g in used]
        assert [now.sources[g] for g in used] == [place.now.sources[g] for g in used]
        assert now.outputs == place.now.outputs
        assert (int(walk.state.counts[COST]), walk.best) == (place.cost, place.least)
        assert walk.state.stream.tolist() == stream.words
        changes += place.now != start
        advance(walk, 1)
    assert changes > 100


def test_the_twin_draws_old_sources_as_often() -> None:
    assert reference.OLD_ONE_IN == OLD_ONE_IN


@pytest.mark.parametrize(("name", "gates", "level_price", "slack"), CASES)
def test_every_circuit_on_the_way_is_right_and_cheap_enough(
    name: str | Target, gates: str, level_price: int, slack: int
) -> None:
    walk = _begun(name, gates, level_price, slack, seed=1)
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
    one, other = (_begun("mul:2", "any", 0, 2, seed=9) for _ in range(2))
    advance(one, 1000)
    for _ in range(10):
        advance(other, 100)
    assert np.array_equal(one.state.now.sources, other.state.now.sources)
    assert one.best == other.best
