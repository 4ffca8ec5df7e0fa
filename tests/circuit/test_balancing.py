"""Chains as trees: the same function of as many gates, no deeper, and as flat as can be."""

import pytest

from gatewalk.boolean.gates import gate
from gatewalk.circuit.balancing import balance
from gatewalk.circuit.circuit import Circuit, Node, reached
from gatewalk.circuit.equivalence import equivalent


@pytest.mark.parametrize("seed", range(30))
def test_the_same_function(make_circuit, seed):
    circuit = make_circuit(seed, names=("and", "or", "xor", "and", "or", "xor", "not", "nand", "mux"))
    made = balance(circuit)
    assert equivalent(made, circuit)
    assert len(made) == sum(reached(circuit)[len(circuit.input_labels) :])
    assert made.depth <= circuit.depth
    assert (made.input_labels, made.output_labels) == (circuit.input_labels, circuit.output_labels)


def chain(n, outputs):
    nodes = tuple(Node(gate("and"), (i if i == 0 else n + i - 1, i + 1)) for i in range(n - 1))
    return Circuit(tuple(f"x{i}" for i in range(n)), nodes, outputs, tuple(f"y{j}" for j in outputs))


def test_a_long_chain_is_flat():
    assert balance(chain(1000, (1998,))).depth == 10


def test_what_something_else_reads_is_kept():
    made = balance(chain(8, (14, 10)))
    assert len(made) == 7
    assert made.depth == 3


def test_a_gate_that_nothing_needs_reads_nothing():
    """The conjunction of a and b is read once by what is needed; the dead and gate does not count."""
    nodes = (Node(gate("and"), (0, 1)), Node(gate("and"), (2, 0)), Node(gate("not"), (2,)))
    made = balance(Circuit(("a", "b"), nodes, (4,), ("y",)))
    assert [node.gate.name for node in made.nodes] == ["and", "not"]
