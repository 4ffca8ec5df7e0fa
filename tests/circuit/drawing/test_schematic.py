"""The schematic holds every part once; its wires are orthogonal, apart from each other and from the gates."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise

import pytest

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.drawing.gate_shapes import GATE_WIDTH, gate_marks, input_depth
from gatewalk.circuit.drawing.picture import Disc, Shape, Words
from gatewalk.circuit.drawing.schematic import schematic
from gatewalk.circuit.drawing.svg import svg

SVG = "{http://www.w3.org/2000/svg}"
LOGIC = ("and", "or", "xor", "nand", "nor", "not")


def titles(picture):
    return [part.title for part in picture.parts if part.title is not None]


def texts(circuit, role):
    return [mark.text for mark in schematic(circuit).marks() if isinstance(mark, Words) and mark.role == role]


def segments(part):
    """The lines of a part's wires, each from its upper or left end."""
    for mark in part.marks:
        if isinstance(mark, Shape) and mark.role == "wire":
            for (_, start), (letter, end) in pairwise(mark.steps):
                if letter == "L" and start != end:
                    yield tuple(sorted((start, end)))


def boxes(picture):
    """The bounding boxes of gates and labels."""
    for part in picture.parts:
        for mark in part.marks:
            if isinstance(mark, Shape) and mark.role in ("gate", "input", "output"):
                numbers = [step[1] for step in mark.steps]
                x = [value for step in numbers for value in step[::2]]
                y = [value for step in numbers for value in step[1::2]]
                yield min(x), min(y), max(x), max(y)


def test_every_part_has_its_title(figure_1):
    assert sorted(titles(schematic(figure_1))) == sorted(
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


@pytest.mark.parametrize("seed", range(25))
def test_wires_are_orthogonal_and_touch_nothing_that_is_not_theirs(seed, make_circuit):
    circuit = make_circuit(seed, inputs=6, gates=3 * seed, names=LOGIC if seed % 2 else tuple(GATES))
    picture = schematic(circuit)
    nets = [list(segments(part)) for part in picture.parts]
    for line in (line for net in nets for line in net):
        (x1, y1), (x2, y2) = line
        assert x1 == x2 or y1 == y2
        assert 0 <= min(x1, x2) <= max(x1, x2) <= picture.width
        assert 0 <= min(y1, y2) <= max(y1, y2) <= picture.height
    for one, other in combinations(nets, 2):
        for (a, b), (c, d) in ((first, second) for first in one for second in other):
            for axis in (0, 1):
                if a[axis] == b[axis] == c[axis] == d[axis]:
                    along = 1 - axis
                    assert min(b[along], d[along]) <= max(a[along], c[along]), "two wires lie on each other"
    shapes = list(boxes(picture))
    for left, top, right, bottom in shapes:
        assert 0 <= left <= right <= picture.width
        assert 0 <= top <= bottom <= picture.height
        for (x1, y1), (x2, y2) in (line for net in nets for line in net):
            # A wire may end in the hollow of an or gate, and nowhere else inside a shape.
            inside = x1 < right and x2 > left + 7 and y1 < bottom and y2 > top
            assert not inside, "a wire runs through a gate"
    for one, other in combinations(shapes, 2):
        assert not (one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3])


@pytest.mark.parametrize("seed", range(25))
def test_wires_connect_what_the_circuit_connects(seed, make_circuit):
    """Followed from their right ends to the left, wires lead to the source that the circuit names."""
    circuit = make_circuit(seed, inputs=4, gates=2 * seed, names=("and", "nand", "nimply", "mux"))
    picture = schematic(circuit)
    found = followed(picture)
    n = len(circuit.input_labels)
    names = [*circuit.input_labels, *(f"g{i + 1}" for i in range(len(circuit)))]
    for i, node in enumerate(circuit.nodes):
        wanted = [names[source] for source in node.sources]
        got = found[names[n + i]]
        assert got == wanted if node.gate.name in ("nimply", "mux") else sorted(got) == sorted(wanted)
    for label, source in zip(circuit.output_labels, circuit.outputs, strict=True):
        assert found[label] == [names[source]]


def followed(picture):
    """What arrives at each part, top to bottom, by the lines that touch."""
    lines = [list(segments(part)) for part in picture.parts]
    nets = [{point for line in net for point in line} for net in lines]
    leaving, arriving = {}, {}
    for part in picture.parts:
        if part.title is None:
            continue
        name = part.title.split(" = ")[0]
        marks = [mark for mark in part.marks if isinstance(mark, Shape | Disc)]
        x = [v for m in marks if isinstance(m, Shape) for step in m.steps for v in step[1][::2]]
        y = [v for m in marks if isinstance(m, Shape) for step in m.steps for v in step[1][1::2]]
        right = max([*x, *(m.x + m.radius for m in marks if isinstance(m, Disc))])
        leaving[name] = (right, (min(y) + max(y)) / 2)
        arriving[name] = (min(x), min(y), max(y))
    origin = {}
    for name, point in leaving.items():
        waiting = [i for i, net in enumerate(nets) if any(close(point, other) for other in net)]
        while waiting:
            i = waiting.pop()
            if i not in origin:
                origin[i] = name
                ends = {point for point in nets[i] if point[0] == max(x for x, _ in nets[i])}
                waiting += [
                    j
                    for j, net in enumerate(nets)
                    if j not in origin and any(close(a, b) for a in ends for b in net)
                ]
    found = {}
    for name, (x, top, bottom) in arriving.items():
        ends = [
            (end[1], origin[i])
            for i, net in enumerate(lines)
            for _, end in net
            if i in origin and abs(end[0] - x) < 0.01 and top < end[1] < bottom
        ]
        found[name] = [source for _, source in sorted(ends)]
    return found


def close(one, other):
    return abs(one[0] - other[0]) < 0.01 and abs(one[1] - other[1]) < 0.01


@pytest.mark.parametrize("name", GATES)
def test_every_gate_can_be_drawn(name):
    gate = GATES[name]
    picture = schematic(Circuit(("a", "b", "c"), (Node(gate, (0, 1, 2)[: gate.arity]),), (3,), ("y",)))
    x = {end[0] for part in picture.parts for _, end in segments(part)}
    assert len([part for part in picture.parts if list(segments(part))]) == gate.arity + 1
    assert len(x) >= 1


def test_a_wide_gate_of_ones_own_is_a_box_with_letters():
    wide = Gate("mine", 6, 5, "mine")
    circuit = Circuit(tuple("uvwxyz"), (Node(wide, tuple(range(6))),), (6,), ("o",))
    assert texts(circuit, "kind") == ["mine"]
    assert texts(circuit, "pin") == list("abcdef")


def test_gates_have_the_names_of_the_listing(figure_1):
    assert sorted(texts(figure_1, "name")) == ["g1", "g2", "g3", "g4"]


@pytest.mark.parametrize(("name", "letters"), [("and", []), ("nimply", ["a", "b"]), ("mux", ["a", "b", "c"])])
def test_inputs_have_letters_where_their_order_matters(name, letters):
    gate = GATES[name]
    nodes = (Node(gate, (0, 1, 2)[: gate.arity]),)
    assert texts(Circuit(("x", "y", "z"), nodes, (3,), ("o",)), "pin") == letters


def test_branches_have_dots_and_corners_have_none():
    both = Circuit(("x", "y"), (Node(GATES["and"], (0, 1)), Node(GATES["or"], (0, 1))), (2, 3), ("p", "q"))
    dots = [mark for mark in schematic(both).marks() if isinstance(mark, Disc) and mark.role == "junction"]
    assert len(dots) == 2
    single = Circuit(("x", "y"), (Node(GATES["and"], (0, 1)),), (2,), ("p",))
    assert not [mark for mark in schematic(single).marks() if isinstance(mark, Disc)]


def test_what_no_output_needs_is_faded(figure_1):
    unread = Circuit(
        figure_1.input_labels, (*figure_1.nodes, Node(GATES["xor"], (0, 4))), figure_1.outputs, ("o1",)
    )
    parts = {part.title: part for part in schematic(unread).parts if part.title}
    assert all(mark.faded for mark in parts["g5 = xor(x1, g2)"].marks)
    assert not any(
        mark.faded for title, part in parts.items() if not title.startswith("g5") for mark in part.marks
    )
    assert any(mark.faded for mark in schematic(unread).marks() if mark.role == "wire")
    assert not any(mark.faded for mark in schematic(figure_1).marks())


def test_labels_are_escaped_and_cut():
    text = svg(Circuit(("<x> & 'y'", "a" * 100), (), (0, 1), ("<o>", "p")))
    picture = ElementTree.fromstring(text)
    shown = [title.text for title in picture.iter(f"{SVG}title")]
    assert "<x> & 'y'" in shown
    assert "a" * 100 in shown
    assert max(len(element.text) for element in picture.iter(f"{SVG}text")) <= 24


SHAPED = ("and", "or", "xor", "nand", "nor", "xnor", "not", "buf")


def look(name):
    marks = gate_marks(GATES[name], "g", 0, 0, faded=False)
    return tuple(mark for mark in marks if not isinstance(mark, Words))


def test_the_eight_shapes_are_distinct():
    assert len({look(name) for name in SHAPED}) == 8


@pytest.mark.parametrize(
    ("plain", "negated"), [("and", "nand"), ("or", "nor"), ("xor", "xnor"), ("buf", "not")]
)
def test_a_bubble_negates(plain, negated):
    assert not any(isinstance(mark, Disc) for mark in look(plain))
    (bubble,) = (mark for mark in look(negated) if isinstance(mark, Disc))
    assert bubble.x + bubble.radius == GATE_WIDTH


@pytest.mark.parametrize("name", [name for name in GATES if name.rstrip("3") not in SHAPED])
def test_other_gates_are_boxes_with_their_name(name):
    texts = [
        mark.text for mark in gate_marks(GATES[name], "g7", 0, 0, faded=False) if isinstance(mark, Words)
    ]
    assert name in texts
    assert "g7" in texts


def test_long_names_are_cut():
    marks = gate_marks(Gate("a_name_that_is_long", 2, 2, ""), "g1", 0, 0, faded=False)
    assert max(len(mark.text) for mark in marks if isinstance(mark, Words)) == 8


def test_shapes_are_moved_and_faded_as_a_whole():
    marks = gate_marks(GATES["xnor"], "g", 100, 50, faded=True)
    assert all(mark.faded for mark in marks)
    for mark in marks:
        points = [mark.x] if not isinstance(mark, Shape) else [x for step in mark.steps for x in step[1][::2]]
        assert all(100 <= x <= 100 + GATE_WIDTH for x in points)


def test_wires_end_at_the_hollow_of_an_or_gate():
    """The curve that closes the shape passes where `input_depth` says, at the height of a pin."""
    shape = next(mark for mark in look("or") if isinstance(mark, Shape))
    *_, (_, start), (_, (x1, y1, x2, y2, x3, y3)), _ = shape.steps
    for offset in (-8.0, 0.0, 8.0):
        heights = []
        for step in range(1001):
            t = step / 1000
            s = 1 - t
            y = s**3 * start[1] + 3 * s * s * t * y1 + 3 * s * t * t * y2 + t**3 * y3
            x = s**3 * start[0] + 3 * s * s * t * x1 + 3 * s * t * t * x2 + t**3 * x3
            heights.append((abs(y - offset), x))
        assert input_depth(GATES["or"], offset) == pytest.approx(min(heights)[1], abs=0.05)
    assert input_depth(GATES["and"], 8.0) == 0
