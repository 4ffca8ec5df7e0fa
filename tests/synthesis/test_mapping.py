"""Circuits written with other gates compute the same, whatever the gates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate, gate, gate_set
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import equivalent
from gatewalk.errors import InputError
from gatewalk.synthesis.mapping import mapped, spellings

COMPLETE = [
    "nand",
    "nor",
    "and,not",
    "or,not",
    "and,xor,const1",
    "mux,const0,const1",
    "imply,const0",
    "maj,not,const0",
]


@st.composite
def circuits(draw):
    inputs = draw(st.integers(1, 4))
    nodes = []
    for number in range(draw(st.integers(0, 8))):
        arity = draw(st.integers(0, 4))
        own = Gate(f"own{arity}", arity, draw(st.integers(0, (1 << (1 << arity)) - 1)), "own")
        reads = tuple(draw(st.integers(0, inputs + number - 1)) for _ in range(arity))
        nodes.append(Node(own, reads))
    outputs = tuple(draw(st.lists(st.integers(0, inputs + len(nodes) - 1), min_size=1, max_size=3)))
    labels = tuple(f"x{i}" for i in range(inputs))
    return Circuit(labels, tuple(nodes), outputs, tuple(f"y{i}" for i in range(len(outputs))))


@settings(max_examples=60)
@given(circuits(), st.sampled_from(COMPLETE))
def test_the_same_function_in_other_gates(circuit, names):
    allowed = gate_set(names)
    made = mapped(circuit, allowed)
    assert {node.gate for node in made.nodes} <= set(allowed.gates)
    assert equivalent(circuit, made)


def test_spellings_are_shortest():
    shortest = spellings(gate_set("nand"))
    sizes = {table: _size(spelling) for table, spelling in shortest.items()}
    # As formulas, in which a part that is used twice counts twice: exclusive or as a circuit takes 4.
    assert [sizes[gate(name).table] for name in ("nand", "not_a", "and", "or", "xor")] == [1, 1, 3, 3, 5]
    assert len(shortest) == 16


def _size(spelling):
    return 0 if isinstance(spelling, int) else 1 + sum(map(_size, spelling[1]))


def test_what_cannot_be_spelled_is_refused():
    half = Circuit(("a", "b"), (Node(GATES["xor"], (0, 1)),), (2,), ("y",))
    with pytest.raises(InputError, match="cannot do what"):
        mapped(half, gate_set("and,or"))


def test_allowed_gates_stay_as_they_are():
    wide = Circuit(("a", "b", "c"), (Node(GATES["maj"], (0, 1, 2)),), (3,), ("y",))
    assert mapped(wide, gate_set("maj,not")) == wide
