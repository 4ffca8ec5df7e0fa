"""A circuit as a schematic: the usual shapes of gates, inputs left and outputs right, orthogonal wires.

Gates that no output depends on, as in a program with its inactive nodes, are drawn faded.
"""

from __future__ import annotations

from dataclasses import dataclass

from gatewalk.circuit.circuit import Circuit, needed
from gatewalk.circuit.drawing.gate_shapes import GATE_WIDTH, gate_marks, input_depth
from gatewalk.circuit.drawing.layout import LABEL_HEIGHT, Layout, Place, Wire, arrange
from gatewalk.circuit.drawing.picture import (
    Disc,
    Mark,
    Part,
    Picture,
    Shape,
    Step,
    Words,
    polyline,
    rounded_box,
)
from gatewalk.circuit.drawing.routing import Channel, Net, route
from gatewalk.circuit.labels import source_names

_MARGIN = 12.0
_SIDE, _TRACK = 14.0, 8.0  # distances on both sides of a channel's tracks, and between them
_DOT = 2.4
_LETTER = 7.2  # about the width of a letter
_LONGEST_LABEL = 24


def schematic(circuit: Circuit) -> Picture:
    """The schematic of a circuit, for `write_picture`; up to some 60 gates it is readable.

    >>> from gatewalk.boolean.gates import gate
    >>> from gatewalk.circuit.circuit import Node
    >>> picture = schematic(Circuit(("a", "b"), (Node(gate("and"), (0, 1)),), (2,), ("y",)))
    >>> [part.title for part in picture.parts if part.title]
    ['a', 'b', 'g1 = and(a, b)', 'y']
    """
    layout = arrange(circuit)
    channels = [_channel(layout, i) for i in range(len(layout.layers) - 1)]
    lefts, rights, width = _columns(circuit, channels)
    height = max((at + layout.space[place] / 2 for place, at in layout.y.items()), default=0.0)
    sheet = _Sheet(circuit, layout, channels, lefts, rights, _needed_places(circuit, layout))
    parts = (*_wires(sheet), *_parts(sheet))
    return Picture(width, height + 2 * _MARGIN, parts)


@dataclass(frozen=True)
class _Sheet:
    """The positions of everything in the drawing.

    lefts, rights: the left and right edge of every layer.
    needed: the places that some output depends on.
    """

    circuit: Circuit
    layout: Layout
    channels: list[Channel]
    lefts: list[float]
    rights: list[float]
    needed: set[Place]

    def y(self, place: Place) -> float:
        return self.layout.y[place] + _MARGIN


def _channel(layout: Layout, layer: int) -> Channel:
    """The channel right of a layer; the number of a net is the index of its place in the layer."""
    arrivals: dict[Place, list[float]] = {}
    for wire in layout.wires:
        if wire.start.layer == layer:
            arrivals.setdefault(wire.start, []).append(layout.y[wire.end] + wire.offset)
    return route(
        [
            Net(number, layout.y[place], tuple(sorted(arrivals[place])))
            for number, place in enumerate(layout.layers[layer])
            if place in arrivals
        ]
    )


def _columns(circuit: Circuit, channels: list[Channel]) -> tuple[list[float], list[float], float]:
    """The left and the right edge of every layer, and the width of the drawing."""
    inputs = max((_label_width(label) for label in circuit.input_labels), default=0.0)
    outputs = max((_label_width(label) for label in circuit.output_labels), default=0.0)
    lefts, rights = [_MARGIN], []
    for i, channel in enumerate(channels):
        rights.append(lefts[-1] + (GATE_WIDTH if i else inputs))
        lefts.append(rights[-1] + 2 * _SIDE + _TRACK * max(0, channel.width - 1))
    rights.append(lefts[-1] + outputs)
    return lefts, rights, rights[-1] + _MARGIN


def _needed_places(circuit: Circuit, layout: Layout) -> set[Place]:
    """The places that some output depends on; of a passing wire, only as far right as it is needed."""
    is_needed = needed(circuit)
    places = {
        place
        for place in layout.y
        if place.kind == "output" or (place.kind == "source" and is_needed[place.number])
    }
    for wire in sorted(layout.wires, key=lambda wire: -wire.start.layer):
        if wire.end in places:
            places.add(wire.start)
    return places


def _wires(sheet: _Sheet) -> list[Part]:
    """The wires in channels and through layers; faded ones come first, so that they are under the others."""
    faded: list[Part] = []
    plain: list[Part] = []
    for place in sheet.layout.y:
        if place.kind == "wire":
            y = sheet.y(place)
            line = polyline([(sheet.lefts[place.layer], y), (sheet.rights[place.layer], y)])
            is_needed = place in sheet.needed
            (plain if is_needed else faded).append(Part(None, (Shape("wire", line, not is_needed),)))
    wires: dict[Place, list[Wire]] = {}
    for wire in sheet.layout.wires:
        wires.setdefault(wire.start, []).append(wire)
    for start, leaving in wires.items():
        used = [wire for wire in leaving if wire.end in sheet.needed]
        if len(used) < len(leaving):
            faded.append(_net(sheet, start, leaving, faded=True))
        if used:
            plain.append(_net(sheet, start, used, faded=False))
    return faded + plain


def _net(sheet: _Sheet, start: Place, wires: list[Wire], *, faded: bool) -> Part:
    """The lines from a place through the channel to its right, with dots where they branch."""
    channel = sheet.channels[start.layer]
    number = sheet.layout.layers[start.layer].index(start)
    trunks = sorted(
        ((track, net) for net, track in channel.tracks.items() if net.number == number),
        key=lambda pair: pair[0],
    )
    x, y = sheet.rights[start.layer], sheet.y(start)
    arrivals = {sheet.y(wire.end) + wire.offset: _arrival(sheet, wire) for wire in wires}
    if not trunks:
        return Part(
            None, tuple(Shape("wire", polyline([(x, y), (end, y)]), faded) for end in arrivals.values())
        )
    steps: list[Step] = []
    for track, net in trunks[:-1]:  # before a dogleg
        there = sheet.rights[start.layer] + _SIDE + _TRACK * track
        steps += polyline([(x, y), (there, y), (there, net.rights[0] + _MARGIN)])
        x, y = there, net.rights[0] + _MARGIN
    trunk = sheet.rights[start.layer] + _SIDE + _TRACK * trunks[-1][0]
    steps += polyline([(x, y), (trunk, y)])
    top, bottom = min(y, *arrivals), max(y, *arrivals)
    steps += polyline([(trunk, top), (trunk, bottom)])
    for at, end in arrivals.items():
        steps += polyline([(trunk, at), (end, at)])
    marks: list[Mark] = [Shape("wire", tuple(steps), faded)]
    for at in {y, *arrivals}:
        ways = (at == y) + (at in arrivals) + (at > top) + (at < bottom)
        if ways > 2:
            marks.append(Disc("junction", trunk, at, _DOT, faded))
    return Part(None, tuple(marks))


def _arrival(sheet: _Sheet, wire: Wire) -> float:
    """The x at which a wire ends: at the outline of the gate, which may curve inwards there."""
    n = len(sheet.circuit.input_labels)
    edge = sheet.lefts[wire.end.layer]
    if wire.end.kind != "source":
        return edge
    return edge + input_depth(sheet.circuit.nodes[wire.end.number - n].gate, wire.offset)


def _parts(sheet: _Sheet) -> list[Part]:
    circuit, names = sheet.circuit, source_names(sheet.circuit)
    n = len(circuit.input_labels)
    parts = []
    for place in sheet.layout.y:
        y, left = sheet.y(place), sheet.lefts[place.layer]
        if place.kind == "output":
            parts.append(_label(circuit.output_labels[place.number], "output", left, y, faded=False))
        elif place.kind == "source" and place.number < n:
            label = circuit.input_labels[place.number]
            left = sheet.rights[0] - _label_width(label)
            parts.append(_label(label, "input", left, y, faded=place not in sheet.needed))
        elif place.kind == "source":
            node = circuit.nodes[place.number - n]
            read = ", ".join(names[source] for source in node.sources)
            title = f"{names[place.number]} = {node.gate.name}({read})"
            faded = place not in sheet.needed
            parts.append(Part(title, gate_marks(node.gate, names[place.number], left, y, faded=faded)))
    return parts


def _label(label: str, role: str, left: float, middle: float, *, faded: bool) -> Part:
    width = _label_width(label)
    box = rounded_box(left, middle - LABEL_HEIGHT / 2, width, LABEL_HEIGHT, 5)
    short = label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"
    text = Words("label", left + width / 2, middle + 4, short, faded)
    return Part(label, (Shape(role, box, faded), text))


def _label_width(label: str) -> float:
    return _LETTER * min(len(label), _LONGEST_LABEL) + 14
