"""Inputs and outputs are matched by name where the names are the same, else by position."""

import random

import numpy as np

from gatewalk.boolean.gates import gate
from gatewalk.boolean.tables import projections
from gatewalk.circuit.alignment import align
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import Side, circuit_side, compare


def selection(labels, *, sources):
    """`s ? y : x`, and s itself, with the inputs in some order."""
    return Circuit(labels, (Node(gate("mux"), sources),), (3, sources[0]), ("m", "s_out"))


ONE = selection(("s", "x", "y"), sources=(0, 1, 2))


def test_the_same_names_in_another_order():
    other = selection(("y", "s", "x"), sources=(1, 2, 0))
    assert not compare(circuit_side(ONE), circuit_side(other))
    found = align(circuit_side(ONE), circuit_side(other))
    assert (found.inputs, found.outputs) == ("name", "name")
    assert found.other.input_labels == ONE.input_labels
    assert compare(circuit_side(ONE), found.other)
    assert found.other.circuit == ONE


def test_outputs_by_name():
    other = Circuit(ONE.input_labels, ONE.nodes, ONE.outputs[::-1], ONE.output_labels[::-1])
    found = align(circuit_side(ONE), circuit_side(other))
    assert compare(circuit_side(ONE), found.other)
    assert found.other.circuit == ONE


def test_other_names_are_matched_by_position():
    other = selection(("a", "b", "c"), sources=(0, 1, 2))
    found = align(circuit_side(ONE), circuit_side(other))
    assert (found.inputs, found.outputs) == ("position", "name")
    assert compare(circuit_side(ONE), found.other)


def test_values_alone_are_reordered_too():
    def evaluate(x):
        return np.stack((x[0] & ~x[1], x[1]))

    values = Side("values", ("p", "q"), ("less", "second"), evaluate, lambda x: ~evaluate(x), None)
    nodes = (Node(gate("ncimply"), (0, 1)),)
    circuit = circuit_side(Circuit(("q", "p"), nodes, (0, 2), ("second", "less")))
    found = align(circuit, values)
    assert (found.inputs, found.outputs) == ("name", "name")
    assert compare(circuit, found.other)
    rows = projections(2)  # q is the first input now
    assert (found.other.cares(rows) == np.stack((~rows[0], ~(rows[1] & ~rows[0])))).all()


def test_random_orders(make_circuit):
    for seed in range(30):
        circuit = make_circuit(seed, inputs=5, gates=15, outputs=3)
        order = list(range(5))
        random.Random(seed).shuffle(order)
        shuffled = Circuit(
            tuple(circuit.input_labels[i] for i in order),
            tuple(
                Node(node.gate, tuple(order.index(s) if s < 5 else s for s in node.sources))
                for node in circuit.nodes
            ),
            tuple(order.index(s) if s < 5 else s for s in circuit.outputs),
            circuit.output_labels,
        )
        assert align(circuit_side(circuit), circuit_side(shuffled)).other.circuit == circuit
