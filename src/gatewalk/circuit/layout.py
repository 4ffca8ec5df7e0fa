"""Where the parts of a picture go: layers from inputs to outputs, wires that cross little and run straight.

After Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
structures", 1981: a gate stands in the layer of its level, and a wire that passes a layer holds a
place in it. Wires of one source share their places and branch where they must. The order of a layer
is that of the barycentres of its neighbours (`ordering.py`), and heights are such that most wires are
straight (`heights.py`); all are multiples of half a `GRID`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from gatewalk.boolean.gates import is_symmetric
from gatewalk.circuit.circuit import Circuit, depth, levels
from gatewalk.circuit.heights import Pull, heights
from gatewalk.circuit.ordering import ordered

GRID = 4.0
GATE_HEIGHT = 32.0
LABEL_HEIGHT = 22.0
_GATE_SPACE, _LABEL_SPACE, _WIRE_SPACE = 44.0, 36.0, 12.0  # heights with a margin; odd multiples of GRID
_PIN, _WIDE_PIN = 8.0, 16.0  # the distance between the inputs of a gate; of a gate with two inputs
_STRAIGHT = 8.0  # how much more a climb costs within a long wire than between gates
_PASSING = 2.0  # the same where a long wire begins or ends


class Place(NamedTuple):
    """A part or a passing wire in a layer. number: of the source or of the output."""

    kind: str  # "source", "output", or "wire" for a wire of the source that passes the layer
    number: int
    layer: int


class Wire(NamedTuple):
    """A wire from a place to one in the next layer, where it arrives `offset` below the middle."""

    start: Place
    end: Place
    offset: float


@dataclass(frozen=True)
class Layout:
    """The arrangement of a circuit.

    layers: the places of each layer from top to bottom, layers from left to right.
    y: the middle of each place.
    space: the height that each place takes, with a margin.
    """

    layers: tuple[tuple[Place, ...], ...]
    y: dict[Place, float]
    wires: tuple[Wire, ...]
    space: dict[Place, float]


def arrange(circuit: Circuit) -> Layout:
    """The layout of a circuit; inputs and outputs keep their order from top to bottom."""
    placed, ends = _layers(circuit)
    layers = ordered(placed, ends)
    space = {place: _space(circuit, place) for layer in layers for place in layer}
    wires = _wires(circuit, layers, ends)
    pulls = [Pull(start, end, offset, _weight(start, end)) for start, end, offset in wires]
    y = heights(layers, space, pulls, grid=GRID)
    return Layout(tuple(map(tuple, layers)), y, tuple(wires), space)


def pin_offsets(count: int) -> list[float]:
    """The heights, relative to its middle, at which so many inputs reach a gate."""
    pitch = _WIDE_PIN if count == 2 else _PIN
    offsets = [(position - (count - 1) // 2) * pitch for position in range(count)]
    return [offset - pitch / 2 for offset in offsets] if count % 2 == 0 else offsets


def gate_height(arity: int) -> float:
    """The height of the shape of a gate with so many inputs."""
    return max(GATE_HEIGHT, _PIN * (arity + 1))


def _space(circuit: Circuit, place: Place) -> float:
    if place.kind == "wire":
        return _WIRE_SPACE
    n = len(circuit.input_labels)
    if place.kind == "output" or place.number < n:
        return _LABEL_SPACE
    more = gate_height(circuit.nodes[place.number - n].gate.arity) - GATE_HEIGHT
    return _GATE_SPACE + more


def _layers(circuit: Circuit) -> tuple[list[list[Place]], list[tuple[Place, Place]]]:
    """The places of each layer, and the pairs of places joined by wires, those to a gate in input order."""
    level = levels(circuit)
    last = max([depth(circuit), *level]) + 1
    layers: list[list[Place]] = [[] for _ in range(last + 1)]
    head: dict[int, list[Place]] = {}  # for each source, the places that its wire has reached so far

    def reach(source: int, layer: int) -> Place:
        """The place in that layer from which the wire of the source goes on to the next layer."""
        chain = head[source]
        while chain[-1].layer < layer:
            place = Place("wire", source, chain[-1].layer + 1)
            ends.append((chain[-1], place))
            layers[place.layer].append(place)
            chain.append(place)
        return chain[layer - chain[0].layer]

    ends: list[tuple[Place, Place]] = []
    n = len(circuit.input_labels)
    for source, at in enumerate(level):
        place = Place("source", source, at)
        layers[at].append(place)
        head[source] = [place]
        if source >= n:
            ends += [(reach(read, at - 1), place) for read in circuit.nodes[source - n].sources]
    for number, read in enumerate(circuit.outputs):
        place = Place("output", number, last)
        layers[last].append(place)
        ends.append((reach(read, last - 1), place))
    return layers, ends


def _wires(circuit: Circuit, layers: list[list[Place]], ends: list[tuple[Place, Place]]) -> list[Wire]:
    """The wires with their offsets: in the order of the inputs, or from top to bottom where it is free."""
    rank = {place: i for layer in layers for i, place in enumerate(layer)}
    arriving: dict[Place, list[Place]] = {}
    for start, end in ends:
        arriving.setdefault(end, []).append(start)
    wires: list[Wire] = []
    for end, starts in arriving.items():
        if end.kind == "source" and is_symmetric(circuit.nodes[end.number - len(circuit.input_labels)].gate):
            starts = sorted(starts, key=lambda place: rank[place])
        offsets = pin_offsets(len(starts))
        wires += [Wire(start, end, offset) for start, offset in zip(starts, offsets, strict=True)]
    return wires


def _weight(start: Place, end: Place) -> float:
    """The cost of a climb of this wire."""
    passing = (start.kind == "wire") + (end.kind == "wire")
    return (1.0, _PASSING, _STRAIGHT)[passing]
