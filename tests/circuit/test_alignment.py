"""Inputs and outputs are matched by name where the names are the same, else by position."""

from gatewalk.boolean.gates import gate
from gatewalk.boolean.targets import target
from gatewalk.circuit.alignment import align
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import circuit_side, compare, target_side


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


def test_a_target_is_reordered_too():
    wanted = target("add:1")
    nodes = (Node(gate("xor"), (0, 1)), Node(gate("and"), (0, 1)))
    swapped = Circuit(wanted.input_labels[::-1], nodes, (3, 2), wanted.output_labels[::-1])
    found = align(circuit_side(swapped), target_side(wanted))
    assert found.outputs == "name"
    assert compare(circuit_side(swapped), found.other)


def test_random_orders(make_circuit):
    import random

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
