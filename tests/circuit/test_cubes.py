"""Lists of cubes to gates and back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.circuit.cubes import Cubes, add_cubes, cubes_of, holds, named_gate, table_of
from gatewalk.circuit.draft import Draft


@pytest.mark.parametrize("name", GATES)
def test_a_gates_cubes_are_the_gate(name):
    listed = cubes_of(GATES[name])
    assert table_of(listed) == GATES[name].table
    for cube in listed.cubes:
        rest = replace(listed, cubes=tuple(other for other in listed.cubes if other != cube))
        assert table_of(rest) != GATES[name].table
    named = named_gate(listed)
    assert named is not None
    assert named[0] == GATES[name]
    assert named[1] == tuple(range(listed.inputs))


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
def test_lists_are_short(name, cubes):
    assert cubes_of(GATES[name]).cubes == cubes


@st.composite
def lists_of_cubes(draw):
    inputs = draw(st.integers(0, 6))
    cube = st.text("01-", min_size=inputs, max_size=inputs)
    return Cubes(inputs, tuple(draw(st.lists(cube, max_size=6))), draw(st.integers(0, 1)))


@given(lists_of_cubes())
def test_cubes_in_a_circuit_are_the_function(listed):
    n = max(1, listed.inputs)
    draft = Draft(n)
    result = add_cubes(draft, listed, range(listed.inputs))
    circuit = Circuit(tuple(f"x{i}" for i in range(n)), tuple(draft.nodes), (result,), ("y",))
    outputs = unpack(evaluate(circuit, projections(n)), 1 << n)[0]
    for row in range(1 << n):
        inside = any(holds(cube, row) for cube in listed.cubes)
        assert outputs[row] == (inside == bool(listed.value))


def test_inputs_in_another_order_are_still_the_gate():
    # select is the last signal here: y = c ? b : a
    named = named_gate(Cubes(3, ("1-0", "-11")))
    assert named == (GATES["mux"], (2, 0, 1))


def test_negations_are_shared():
    draft = Draft(4)
    add_cubes(draft, Cubes(4, ("0110", "0001")), range(4))
    assert [node.gate.name for node in draft.nodes].count("not") == 4
