"""A circuit that is being worked on is the circuit, cleaned as it changes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.synthesis.workpiece import add, circuit_of_work, replace_gates, workpiece_of


def built(labels, nodes, outputs):
    made = tuple(Node(gate(name), tuple(sources)) for name, *sources in nodes)
    return Circuit(tuple(labels), made, tuple(outputs), tuple(f"y{j}" for j in range(len(outputs))))


def test_there_and_back(make_circuit):
    @settings(max_examples=60)
    @given(st.integers(0, 2**32), st.integers(1, 8), st.integers(0, 60))
    def check(seed, inputs, gates):
        circuit = make_circuit(seed, inputs=inputs, gates=gates, names=tuple(GATES))
        found = circuit_of_work(workpiece_of(circuit))
        assert np.array_equal(found.table(), circuit.table())
        assert len(found) == len(circuit)  # of which every gate is needed
        assert (found.input_labels, found.output_labels) == (circuit.input_labels, circuit.output_labels)

    check()


def test_gates_that_nothing_needs_are_left_out():
    circuit = built("ab", [("and", 0, 1), ("or", 0, 1), ("not", 3)], [2])
    assert circuit_of_work(workpiece_of(circuit)).counts == {"and": 1}


@pytest.mark.parametrize(
    ("name", "sources", "source"),
    [
        ("and", (1, 0), 3),  # the order does not matter
        ("nimply", (1, 0), 5),  # here it does
        ("nimply", (0, 1), 4),
        ("and", (2, 2), 2),
        ("buf", (3,), 3),
        ("mux", (0, 1, 1), 1),
        ("maj", (3, 2, 3), 3),
    ],
)
def test_a_gate_that_is_there_already(name, sources, source):
    work = workpiece_of(built("abc", [("and", 0, 1), ("nimply", 0, 1)], [3, 4]))
    assert add(work, gate(name), sources) == source


def test_merging_goes_on_upwards():
    nodes = [("and", 0, 1), ("nor", 0, 1), ("xor", 2, 0), ("xor", 3, 0), ("and", 4, 5), ("or", 4, 5)]
    work = workpiece_of(built("ab", nodes, [6, 7]))
    replace_gates(work, [3], built("ab", [("and", 0, 1)], [2]), (0, 1), (3,))
    found = circuit_of_work(work)
    assert found.counts == {"and": 1, "xor": 1}
    assert found.outputs == (3, 3)


def test_outputs_may_be_exchanged():
    work = workpiece_of(built("ab", [("and", 0, 1), ("or", 0, 1), ("nimply", 2, 3)], [2, 3, 4]))
    before = circuit_of_work(work).table()
    replace_gates(work, [2, 3], built("ab", [("or", 0, 1), ("and", 0, 1)], [2, 3]), (0, 1), (2, 3))
    after = circuit_of_work(work).table()
    assert np.array_equal(after[:, :2], before[:, 1::-1])
    assert np.array_equal(after[:, 2], before[:, 1] & ~before[:, 0])
