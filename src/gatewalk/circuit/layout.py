"""Where the parts of a picture go: layers from inputs to outputs, wires that cross little and run straight.

After Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
structures", 1981: a gate stands in the layer of its level, and a wire that passes a layer holds a
place in it. Wires of one source share their places and branch where they must. The order of a layer
is that of the barycentres of its neighbours (`ordering.py`). Heights are those for which the weighted
sum of all wires' climbs is least, a linear programme, after Gansner, Koutsofios, North and Vo, "A
technique for drawing directed graphs", 1993; its solution leaves most wires straight, and since all
distances are multiples of `GRID` so are all heights.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gatewalk.boolean.gates import is_symmetric
from gatewalk.circuit.circuit import Circuit, depth, levels

GRID = 4.0
GATE_HEIGHT = 32.0
LABEL_HEIGHT = 22.0
_GATE_ROOM, _LABEL_ROOM, _WIRE_ROOM = 44.0, 36.0, 12.0  # with the distance to the next; odd multiples of GRID
_PIN, _WIDE_PIN = 8.0, 16.0  # between the inputs of a gate; of one with two of them
_STRAIGHT = 8.0  # how much more a climb costs within a long wire than between gates
_PASSING = 2.0  # and where a long wire begins or ends


_MOST_PLACES = 20_000  # beyond, the programme would take minutes

_Demand = tuple[dict[int, float], float]  # factors of variables, whose sum must not exceed a bound


class Place(NamedTuple):
    """A part or a passing wire in a layer: source number or output number, and what it is."""

    kind: str  # "source", "output" or "wire" (of the source that far)
    number: int
    layer: int


class Wire(NamedTuple):
    """From a place to one in the next layer, where it arrives that much below the middle."""

    start: Place
    end: Place
    offset: float


@dataclass(frozen=True)
class Layout:
    """Layers of places from left to right and top to bottom, the middle of each place, and the wires.

    room: the height that each place takes, with the distance to the next.
    """

    layers: tuple[tuple[Place, ...], ...]
    y: dict[Place, float]
    wires: tuple[Wire, ...]
    room: dict[Place, float]


def arrange(circuit: Circuit) -> Layout:
    """The layout of a circuit; inputs and outputs keep their order from top to bottom."""
    from gatewalk.circuit.ordering import ordered

    placed, ends = _layers(circuit)
    layers = ordered(placed, ends)
    room = {place: _room(circuit, place) for layer in layers for place in layer}
    wires = _wires(circuit, layers, ends)
    y = _heights(layers, room, wires) if len(room) <= _MOST_PLACES else _stacked(layers, room)
    return Layout(tuple(map(tuple, layers)), y, tuple(wires), room)


def pin_offsets(count: int) -> list[float]:
    """Where so many inputs meet a gate, from its middle."""
    pitch = _WIDE_PIN if count == 2 else _PIN
    offsets = [(position - (count - 1) // 2) * pitch for position in range(count)]
    return [offset - pitch / 2 for offset in offsets] if count % 2 == 0 else offsets


def gate_height(arity: int) -> float:
    """Of the shape that a gate with so many inputs has."""
    return max(GATE_HEIGHT, _PIN * (arity + 1))


def _room(circuit: Circuit, place: Place) -> float:
    if place.kind == "wire":
        return _WIRE_ROOM
    n = len(circuit.input_labels)
    if place.kind == "output" or place.number < n:
        return _LABEL_ROOM
    more = gate_height(circuit.nodes[place.number - n].gate.arity) - GATE_HEIGHT
    return _GATE_ROOM + more


def _layers(circuit: Circuit) -> tuple[list[list[Place]], list[tuple[Place, Place]]]:
    """The places in each layer, and which leads to which; wires to a gate in the order of its inputs."""
    level = levels(circuit)
    last = max([depth(circuit), *level]) + 1
    layers: list[list[Place]] = [[] for _ in range(last + 1)]
    head: dict[int, list[Place]] = {}  # a source and the places its wire has reached so far

    def reach(source: int, layer: int) -> Place:
        """The place in that layer from which the source's value goes on to the next one."""
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
    """The wires with their pins: in the gate's order, or from top to bottom if that does not matter."""
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


def _heights(layers: list[list[Place]], room: dict[Place, float], wires: list[Wire]) -> dict[Place, float]:
    """The middle of every place, the uppermost just below 0.

    The variables of the programme are the places' heights and the wires' climbs, in units of `GRID`.
    """
    from scipy.optimize import linprog

    number = {place: i for i, place in enumerate(room)}
    demands: list[_Demand] = []
    for layer in layers:
        for above, below in pairwise(layer):
            apart = (room[above] + room[below]) / 2 / GRID
            demands.append(({number[above]: 1.0, number[below]: -1.0}, -apart))
    for climb, (start, end, offset) in enumerate(wires, start=len(number)):
        a, b = number[start], number[end]
        demands.append(({a: 1.0, b: -1.0, climb: -1.0}, offset / GRID))
        demands.append(({a: -1.0, b: 1.0, climb: -1.0}, -offset / GRID))
    costs = [0.0] * len(number) + [_weight(wire) for wire in wires]
    matrix, bounds = _matrix(demands, len(costs))
    # The simplex method ends in a corner, and the corners of this programme are whole numbers.
    solved = linprog(costs, matrix, bounds, method="highs-ds")
    if solved.x is None:
        raise RuntimeError(f"the heights of a drawing: {solved.message}")
    y = {place: GRID * round(solved.x[i]) for place, i in number.items()}
    top = min((y[place] - room[place] / 2 for place in y), default=0.0)
    return {place: at - top for place, at in y.items()}


def _stacked(layers: list[list[Place]], room: dict[Place, float]) -> dict[Place, float]:
    """The places of each layer one under the other from 0 on: for pictures too large to be read anyway."""
    y: dict[Place, float] = {}
    for layer in layers:
        at = 0.0
        for place in layer:
            y[place] = at + room[place] / 2
            at += room[place]
    return y


def _matrix(demands: list[_Demand], columns: int) -> tuple[Any, list[float]]:
    """The demands as a sparse matrix and a bound for each of its rows."""
    from scipy.sparse import coo_array

    entries = [
        (row, column, factor) for row, (terms, _) in enumerate(demands) for column, factor in terms.items()
    ]
    rows, numbers, factors = np.array(entries).reshape(-1, 3).T
    shape = (len(demands), columns)
    matrix = coo_array((factors, (rows.astype(int), numbers.astype(int))), shape=shape)
    return matrix.tocsr(), [bound for _, bound in demands]


def _weight(wire: Wire) -> float:
    passing = (wire.start.kind == "wire") + (wire.end.kind == "wire")
    return (1.0, _PASSING, _STRAIGHT)[passing]
