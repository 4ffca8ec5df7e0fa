"""Wires of one look become one outline, and everything else stays where it is."""

from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.named import circuit_named
from gatewalk.circuit.picture import Disc, Part, Picture, Shape, polyline, with_whole_wires


def test_wires_are_painted_once():
    picture = schematic(circuit_named("add:3"))
    whole = with_whole_wires(picture)
    before, after = ([one for one in p.marks() if one.role == "wire"] for p in (picture, whole))
    assert len(before) > 20
    assert len(after) == 1
    assert sorted(step for one in before for step in one.steps) == sorted(after[0].steps)
    assert [one for one in picture.marks() if one.role != "wire"] == [
        one for one in whole.marks() if one.role != "wire"
    ]


def test_faded_wires_are_below_the_others():
    lines = [Shape("wire", polyline([(0, y), (9, y)]), faded) for y, faded in ((1, False), (2, True))]
    dot = Disc("junction", 3, 2, 2, True)
    gate = Part("g", (Disc("gate", 5, 5, 2),))
    picture = Picture(9, 9, (Part(None, (lines[0],)), Part(None, (lines[1], dot)), gate))
    assert with_whole_wires(picture).parts == (Part(None, (lines[1], dot, lines[0])), gate)
