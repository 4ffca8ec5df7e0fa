"""The picture is well-formed XML and holds every part once."""

import xml.etree.ElementTree as ElementTree

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.drawing import svg

SVG = "{http://www.w3.org/2000/svg}"


def titles(text):
    return [title.text for title in ElementTree.fromstring(text).iter(f"{SVG}title")]


def test_every_part_has_its_title(figure_1):
    assert sorted(titles(svg(figure_1))) == sorted(
        [
            "x1",
            "x2",
            "x3",
            "o1",
            "g1 = and(x1, x2)",
            "g2 = nor(g1, x3)",
            "g3 = or(g2, g1)",
            "g4 = and(g3, x2)",
        ]
    )


@pytest.mark.parametrize("name", GATES)
def test_every_gate_can_be_drawn(name):
    gate = GATES[name]
    nodes = (Node(gate, (0, 1, 2)[: gate.arity]),)
    picture = ElementTree.fromstring(svg(Circuit(("a", "b", "c"), nodes, (3,), ("y",))))
    wires = [path for path in picture.iter(f"{SVG}path") if path.get("class") == "w"]
    assert len(wires) == gate.arity + 1


def texts(circuit, kind):
    picture = ElementTree.fromstring(svg(circuit))
    return [element.text for element in picture.iter(f"{SVG}text") if element.get("class") == kind]


def test_gates_have_the_names_of_the_listing(figure_1):
    assert sorted(texts(figure_1, "m")) == ["g1", "g2", "g3", "g4"]


@pytest.mark.parametrize(("name", "letters"), [("and", []), ("nimply", ["a", "b"]), ("mux", ["a", "b", "c"])])
def test_inputs_have_letters_where_their_order_matters(name, letters):
    gate = GATES[name]
    nodes = (Node(gate, (0, 1, 2)[: gate.arity]),)
    assert texts(Circuit(("x", "y", "z"), nodes, (3,), ("o",)), "p") == letters


def width_of(inputs):
    """Of the picture of a gate that reads the first and the last of so many inputs."""
    labels = tuple(f"x{i:02}" for i in range(inputs))
    circuit = Circuit(labels, (Node(GATES["and"], (0, inputs - 1)),), (inputs,), ("y",))
    return float(ElementTree.fromstring(svg(circuit)).get("width"))


def test_a_gap_with_high_wires_is_wider():
    assert width_of(2) == width_of(4) < width_of(20) < width_of(40)


@pytest.mark.parametrize("seed", range(10))
def test_everything_is_inside_the_picture(seed, make_circuit):
    picture = ElementTree.fromstring(svg(make_circuit(seed)))
    width, height = float(picture.get("width")), float(picture.get("height"))
    for box in picture.iter(f"{SVG}rect"):
        if box.get("class") in ("i", "o"):
            assert 0 <= float(box.get("x")) <= width - float(box.get("width"))
            assert 0 <= float(box.get("y")) <= height - float(box.get("height"))


def test_labels_are_escaped_and_cut():
    text = svg(Circuit(("<x> & 'y'", "a" * 100), (), (0, 1), ("<o>", "p")))
    assert "<x> & 'y'" in titles(text)
    assert "a" * 100 in titles(text)
    shown = [element.text for element in ElementTree.fromstring(text).iter(f"{SVG}text")]
    assert max(map(len, shown)) <= 24
