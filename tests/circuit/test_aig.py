"""And-inverter graphs: every gate in few and gates, equal ones once."""

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.aig import Aig, conjunction, of_circuit, to_circuit
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import equivalent


def test_there_and_back(make_circuit):
    for seed in range(200):
        circuit = make_circuit(seed)
        graph = of_circuit(circuit)
        assert all(b <= a < 2 * (graph.inputs + 1 + k) for k, (a, b) in enumerate(graph.ands))
        assert equivalent(circuit, to_circuit(graph, circuit.input_labels, circuit.output_labels))


@pytest.mark.parametrize(
    ("name", "gates"),
    [
        ("and", 1),
        ("or", 1),
        ("imply", 1),
        ("xor", 3),
        ("mux", 3),
        ("maj", 5),
        ("xor3", 6),
        ("or3", 2),
        ("buf_b", 0),
    ],
)
def test_gates_take_few(name, gates):
    node = Node(GATES[name], (0, 1, 2)[: GATES[name].arity])
    assert len(of_circuit(Circuit(("a", "b", "c"), (node,), (3,), ("y",))).ands) == gates


def test_what_needs_no_gate():
    graph = Aig(2)
    assert [conjunction(graph, 2, other) for other in (0, 1, 2, 3)] == [0, 2, 2, 0]
    assert conjunction(graph, 2, 5) == conjunction(graph, 5, 2) == 6
    assert graph.ands == [(5, 2)]
