"""Shapes of gates: distinct where they mean distinct things, and where wires meet them."""

import pytest

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.gate_shapes import GATE_WIDTH, gate_marks, input_depth
from gatewalk.circuit.picture import Disc, Shape, Words

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
