"""AIGER in binary form: the differences of literals that are written, short and long."""

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.formats import aiger_binary

SYMBOLS = b"i0 x1\ni1 x2\ni2 x3\no0 o1\nc\nwritten by Gatewalk\n"


def test_written(figure_1):
    # The differences 8-4 4-2, 10-9 9-7, 12-11 11-9, 14-13 13-4, a byte each.
    assert aiger_binary.write(figure_1) == b"aig 7 3 0 1 4\n14\n\x04\x02\x01\x02\x01\x02\x01\x09" + SYMBOLS


def test_large_differences_take_several_bytes():
    inputs = 20_000
    labels = tuple(f"x{i}" for i in range(inputs))
    wide = Circuit(labels, (Node(GATES["and"], (0, inputs - 1)),), (inputs,), ("y",))
    again = aiger_binary.read(aiger_binary.write(wide))
    assert sorted(again.nodes[0].sources) == [0, inputs - 1]
    assert again.input_labels == wide.input_labels
