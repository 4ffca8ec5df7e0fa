"""The walk by resubstitution: as its twin walks, never to a wrong circuit, to the goal, and resumable."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
import resubstitution_twin as twin

from gatewalk.boolean.gates import GATES as ALL_GATES
from gatewalk.boolean.table_targets import table_target
from gatewalk.boolean.tables import table_numbers
from gatewalk.boolean.training import complete, counted
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.construction import target_circuit
from gatewalk.circuit.cost import Cost, price
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.own_targets import target
from gatewalk.errors import InputError
from gatewalk.reference.stream import Stream
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.options import Options, basis
from gatewalk.synthesis.resubstitution import begin_resubstitution
from gatewalk.synthesis.resubstitution_kernel import BEST, COST, GATES, GOAL, OLD_ONE_IN, SLACK, STEPS

# Two outputs of which rows do not count, some for one and some for both.
PARTLY = table_target([0x9A5C, 0x3B61], 4, cares=[0x7FF7, 0xEF3F])
CASES = [  # targets, gates, the price of a level, and the slack
    ("mul:2", "any", 0, 2),
    ("onescount:3", "nand", 0, 3),
    ("maj:5", "aig", 0, 1),
    ("mcomp:2", "and,or,not", 0, 2),
    ("onescount:4", "and,xor,nimply", 3, 6),
    (PARTLY, "and,or,xor,not", 1, 4),
]


def begun(what, gates, level_price=0, slack=5, *, goal=0, seed):
    """A walk before its first step, with gates of different prices."""
    function, allowed = target(what), basis(gates)
    weights = {gate.name: 2 + number % 3 for number, gate in enumerate(allowed.gates)}
    priced = Cost(text="a test", weights=weights, gate_unit=1, level_unit=level_price, scale=1)
    options = Options(
        gates=allowed, price=priced, slack=slack // priced.unit, goal=goal, evaluations=1, seed=seed
    )
    start = mapped(target_circuit(function), allowed)
    return begin_resubstitution(options, function, start, run=0, number=0)


def counting_gates(gates, **given):
    return Options(gates=basis(gates), price=price("gates"), evaluations=1, **given)


def twin_of(walk):
    training = complete(walk.target)
    task = twin.Task(
        gates=walk.gates.gates,
        prices=walk.gate_arrays.prices.tolist(),
        level_price=int(walk.gate_arrays.level_price),
        inputs=table_numbers(training.inputs, training.rows),
        cares=table_numbers(counted(training), training.rows),
        rows=training.rows,
        capacity=walk.state.now.functions.size,
        slack=int(walk.state.counts[SLACK]),
    )
    return task, wires(walk.state.now), Stream(walk.state.stream.tolist())


def wires(wiring):
    pairs = tuple((int(a), int(b)) for a, b in wiring.sources)
    return twin.Wires(tuple(wiring.functions.tolist()), pairs, tuple(wiring.outputs.tolist()))


@pytest.mark.parametrize(("what", "gates", "level_price", "slack"), CASES)
def test_the_walk_is_that_of_its_twin(what, gates, level_price, slack):
    walk = begun(what, gates, level_price, slack, seed=4)
    task, start, stream = twin_of(walk)
    changes = 0
    for step, state in enumerate(islice(twin.walk(task, start, stream), 400)):
        assert walk.steps == step
        used = twin.order(task, state.now)
        assert used == walk.state.scratch.order[: walk.state.counts[GATES]].tolist()
        now = wires(walk.state.now)
        assert [now.functions[g] for g in used] == [state.now.functions[g] for g in used]
        assert [now.sources[g] for g in used] == [state.now.sources[g] for g in used]
        assert now.outputs == state.now.outputs
        assert (int(walk.state.counts[COST]), walk.best) == (state.cost, state.least)
        assert walk.state.stream.tolist() == stream.words
        changes += state.now != start
        walk.advance(1)
    assert changes > 100


def test_the_twin_draws_old_sources_as_often():
    assert twin.OLD_ONE_IN == OLD_ONE_IN


@pytest.mark.parametrize(("what", "gates", "level_price", "slack"), CASES)
def test_every_circuit_on_the_way_is_right_and_cheap_enough(what, gates, level_price, slack):
    walk = begun(what, gates, level_price, slack, seed=1)
    prices = dict(zip(walk.gates.gates, walk.gate_arrays.prices.tolist(), strict=True))
    seen = set()
    for _ in range(60):
        walk.advance(50)
        circuit = walk.circuit
        assert equivalent(circuit, walk.target)
        assert {node.gate for node in circuit.nodes} <= set(walk.gates.gates)
        cost = sum(prices[node.gate] for node in circuit.nodes) + level_price * circuit.depth
        assert cost <= walk.best + slack
        seen.add(circuit)
    assert equivalent(walk.best_circuit, walk.target)
    assert len(seen) > 10


def test_a_goal_ends_the_walk():
    function = target("xor:4")
    start = mapped(mapped(target_circuit(function), basis("nand")), basis("any"))
    walk = begin_resubstitution(
        counting_gates("any", slack=2, goal=3, seed=1), function, start, run=0, number=0
    )
    walk.advance(1_000_000)
    assert walk.is_done
    assert walk.best == 3
    assert walk.steps < 1_000_000


def test_a_circuit_of_wires_is_done():
    wire = Circuit(("a", "b"), (), (1,), ("y",))
    walk = begin_resubstitution(counting_gates("and"), target(wire), wire, run=0, number=0)
    walk.advance(10)
    assert (walk.steps, walk.best, walk.best_circuit) == (0, 0, wire)


@pytest.mark.parametrize(
    ("gates", "outputs", "words"),
    [
        ("and,xor,nimply", (0, 1, 2, 3), "does not compute"),
        ("nor", None, "not among"),
        ("mux", None, "inputs"),
    ],
)
def test_a_start_that_is_refused(gates, outputs, words):
    start = target_circuit(target("mul:2"))
    if outputs is not None:
        start = Circuit(start.input_labels, (), outputs, start.output_labels)
    with pytest.raises(InputError, match=words):
        begin_resubstitution(counting_gates(gates), target("mul:2"), start, run=0, number=0)


def test_it_continues_where_it_was():
    whole, in_parts = (begun("mul:2", "any", slack=2, seed=9) for _ in range(2))
    whole.advance(1000)
    for _ in range(10):
        in_parts.advance(100)
    assert np.array_equal(whole.state.now.sources, in_parts.state.now.sources)
    assert whole.best == in_parts.best


@pytest.mark.parametrize("gates", ["any", "nand", "aig", "nimply,not", "and,buf,xor"])
def test_gates_that_fit_are_those_whose_tables_do(gates):
    """For all values that a gate may have to take on the four rows of its sources."""
    arrays = begun("and:2" if gates != "nimply,not" else "table:2:0x1", gates, seed=1).gate_arrays
    for ones in range(16):
        for zeros in range(16):
            number = ones | zeros << 4
            listed = arrays.fitting[arrays.first[number] : arrays.first[number + 1]].tolist()
            fitting = set()
            for entry in listed:
                gate, is_swapped = divmod(entry, 2)
                table = [int(arrays.tables[gate]) >> row & 1 for row in range(4)]
                if is_swapped:
                    table[1], table[2] = table[2], table[1]
                assert all(table[row] for row in range(4) if ones >> row & 1)
                assert not any(table[row] for row in range(4) if zeros >> row & 1)
                fitting.add(gate)
            for gate, table in enumerate(arrays.tables.tolist()):
                fits = ones & ~table == 0 and zeros & table == 0
                assert not fits or gate in fitting


def test_a_walk_begins_with_the_start():
    walk = begun("mul:2", "and,xor,nimply", slack=5, goal=2, seed=1)
    start = mapped(target_circuit(walk.target), walk.gates)
    for wiring in (walk.state.now, walk.state.best):
        gates = [walk.gates.gates[number] for number in wiring.functions[: len(start)]]
        assert gates == [node.gate for node in start.nodes]
        sources = [tuple(pair) for pair in wiring.sources[: len(start)].tolist()]
        assert sources == [node.sources for node in start.nodes]
        assert tuple(wiring.outputs.tolist()) == start.outputs
    counts = walk.state.counts
    prices = {gate: 2 + number % 3 for number, gate in enumerate(walk.gates.gates)}
    assert counts[GATES] == len(start)
    assert counts[COST] == counts[BEST] == sum(prices[node.gate] for node in start.nodes)
    assert (counts[SLACK], counts[GOAL], counts[STEPS]) == (5, 2, 0)


# The twin itself, by hand.
A, B = 0b1010, 0b1100  # the columns of two inputs
TASK = twin.Task(
    gates=[ALL_GATES["and"], ALL_GATES["not"]],
    prices=[3, 1],
    level_price=10,
    inputs=[A, B],
    cares=[0b1111],
    rows=4,
    capacity=5,
    slack=4,
)
NAND = twin.Wires(functions=(0, 1, 0, 0, 0), sources=((0, 1), (2, 2), (0, 0), (0, 0), (0, 0)), outputs=(3,))


def test_order_levels_and_cost_of_the_twin():
    assert twin.order(TASK, NAND) == [0, 1]
    assert [twin.levels(TASK, NAND)[source] for source in range(4)] == [0, 0, 1, 2]
    assert twin.cost(TASK, NAND) == 3 + 1 + 2 * 10


def test_columns_and_what_outputs_see_in_the_twin():
    assert twin.columns(TASK, NAND)[2] == A & B
    assert twin.columns(TASK, NAND)[3] == 0b0111
    assert twin.columns(TASK, NAND, negated=0)[3] == 0b1000
    assert twin.dependents(TASK, NAND, 0) >= {2, 3}
    assert twin.seen(TASK, NAND, 0) == 0b1111
    some = twin.Task(**{**vars(TASK), "cares": [0b0011]})
    assert twin.seen(some, NAND, 0) == 0b0011


def test_gates_that_fit_in_the_twin():
    assert (0, False) in twin.fitting(TASK, 0b1000, 0b0111, A, B)  # and(a, b)
    assert (1, False) in twin.fitting(TASK, 0b0101, 0b1010, A, B)  # not(a)
    assert (1, True) in twin.fitting(TASK, 0b0011, 0b1100, A, B)  # not(b): the sources exchanged
    assert twin.fitting(TASK, 0b0110, 0b1001, A, B) == []


def test_every_circuit_of_the_twin_is_right_and_cheap_enough():
    states = list(islice(twin.walk(TASK, NAND, Stream([3, 1, 4, 1])), 60))
    for state in states:
        assert twin.columns(TASK, state.now)[state.now.outputs[0]] == 0b0111
        assert twin.cost(TASK, state.now) == state.cost <= state.least + TASK.slack
        assert twin.cost(TASK, state.best) == state.least
    assert len({state.now for state in states}) > 3
