"""Covers to gates and back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.covers import Cover, add_cover, cover_of, holds, named_gate, table_of


@pytest.mark.parametrize("name", GATES)
def test_a_gates_cover_is_the_gate(name):
    cover = cover_of(GATES[name])
    assert table_of(cover) == GATES[name].table
    for cube in cover.cubes:
        rest = replace(cover, cubes=tuple(other for other in cover.cubes if other != cube))
        assert table_of(rest) != GATES[name].table
    named = named_gate(cover)
    assert named is not None
    assert named[0] == GATES[name]
    assert named[1] == tuple(range(cover.inputs))


@pytest.mark.parametrize(
    ("name", "cubes"),
    [
        ("nand", ("-0", "0-")),
        ("maj", ("-11", "1-1", "11-")),
        ("mux", ("01-", "1-1")),
        ("const0", ()),
        ("const1", ("",)),
    ],
)
def test_covers_are_short(name, cubes):
    assert cover_of(GATES[name]).cubes == cubes


@st.composite
def covers(draw):
    inputs = draw(st.integers(0, 6))
    cube = st.text("01-", min_size=inputs, max_size=inputs)
    return Cover(inputs, tuple(draw(st.lists(cube, max_size=6))), draw(st.integers(0, 1)))


@given(covers())
def test_a_cover_in_a_circuit_is_the_cover(cover):
    n = max(1, cover.inputs)
    nodes = []

    def add(gate, sources):
        nodes.append(Node(gate, sources))
        return n + len(nodes) - 1

    result = add_cover(cover, range(cover.inputs), add, {})
    circuit = Circuit(tuple(f"x{i}" for i in range(n)), tuple(nodes), (result,), ("y",))
    outputs = unpack(evaluate(circuit, projections(n)), 1 << n)[0]
    for row in range(1 << n):
        listed = any(holds(cube, row) for cube in cover.cubes)
        assert outputs[row] == (listed == bool(cover.value))


def test_inputs_in_another_order_are_still_the_gate():
    # select is the last signal here: y = c ? b : a
    named = named_gate(Cover(3, ("1-0", "-11")))
    assert named == (GATES["mux"], (2, 0, 1))


def test_negations_are_shared():
    nodes = []

    def add(gate, sources):
        nodes.append(gate.name)
        return 4 + len(nodes) - 1

    add_cover(Cover(4, ("0110", "0001")), range(4), add, {})
    assert nodes.count("not") == 4
