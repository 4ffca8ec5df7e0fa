"""Graphviz text: every source, every wire, and letters where the order of inputs matters."""

import re

from gatewalk.boolean.gates import gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.formats.dot import read, write


def test_nodes_and_wires(figure_1):
    text = write(figure_1)
    assert read is None
    assert text.startswith("digraph circuit {")
    assert "rankdir=LR" in text
    assert re.findall(r"^  (s\d+ -> \w+);", text, re.MULTILINE) == [
        "s0 -> s3", "s1 -> s3", "s3 -> s4", "s2 -> s4", "s4 -> s5", "s3 -> s5",
        "s5 -> s6", "s1 -> s6", "s6 -> o0",
    ]  # fmt: skip
    assert re.findall(r'label="(\w+)"', text) == ["x1", "x2", "x3", "o1", "AND", "NOR", "OR", "AND"]
    assert text.count("{") == text.count("}")


def test_letters_where_order_matters():
    text = write(
        Circuit(("a", "b"), (Node(gate("nimply"), (1, 0)), Node(gate("or"), (0, 1))), (2, 3), ("y", "z"))
    )
    assert "s1 -> s2 [headlabel=a];" in text
    assert "s0 -> s2 [headlabel=b];" in text
    assert "s0 -> s3;" in text


def test_labels_are_quoted():
    text = write(Circuit(('say "x" \\',), (), (0,), ("y",)))
    assert r'label="say \"x\" \\"' in text
