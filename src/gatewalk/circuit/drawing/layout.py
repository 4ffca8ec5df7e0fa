"""Where the parts of a picture go: layers from inputs to outputs, wires that cross little and run straight.

After Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system structures", 1981: a
gate stands in the layer of its level, and a wire that passes a layer holds a place in it. Wires of one source
share their places and branch where they must.

The order of a layer is that of the barycentres of its neighbours, improved by exchanges of neighbours, and
heights are such that most wires are straight: they minimise the weighted sum of the climbs of all wires, a
linear programme whose corners are multiples of the grid if all distances are. Both after Gansner, Koutsofios,
North and Vo, "A technique for drawing directed graphs", 1993. Beyond `MOST_PLACES` places, of which nobody
can read a picture, the programme would take many seconds; then each layer is stacked without gaps. All
heights are multiples of half a `GRID`.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from gatewalk.boolean.gates import is_symmetric
from gatewalk.circuit.circuit import Circuit, depth, levels

GRID = 4.0
GATE_HEIGHT = 32.0
LABEL_HEIGHT = 22.0
MOST_PLACES = 5000  # with more places, they are stacked
_SWEEPS = 16
_MOST_EXCHANGED = 4000  # with more places, exchanges would take minutes
_GATE_SPACE, _LABEL_SPACE, _WIRE_SPACE = 44.0, 36.0, 12.0  # heights with a margin; odd multiples of GRID
_PIN, _WIDE_PIN = 8.0, 16.0  # the distance between the inputs of a gate; of a gate with two inputs
_STRAIGHT = 8.0  # how much more a climb costs within a long wire than between gates
_PASSING = 2.0  # the same where a long wire begins or ends

P = TypeVar("P", bound=Hashable)
_Demand = tuple[dict[int, float], float]  # a linear inequality: factors of variables, and an upper bound


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


def ordered(layers: Sequence[Sequence[P]], ends: Sequence[tuple[P, P]]) -> list[list[P]]:
    """The layers in an order with few crossings; the first and the last layer keep their order.

    ends: for each wire the place where it begins and the place in the next layer where it ends.
    """
    left: dict[P, list[P]] = {place: [] for layer in layers for place in layer}
    right: dict[P, list[P]] = {place: [] for layer in layers for place in layer}
    for start, end in ends:
        right[start].append(end)
        left[end].append(start)
    current = [list(layer) for layer in layers]
    best, fewest = [list(layer) for layer in current], crossings(current, right)
    exchange = len(left) <= _MOST_EXCHANGED
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        inner = range(1, len(current) - 1)
        for i in inner if forward else reversed(inner):
            near, fixed = (left, current[i - 1]) if forward else (right, current[i + 1])
            current[i] = _by_barycentre(current[i], near, _ranks(fixed))
        if exchange:
            _exchange(current, left, right)
        count = crossings(current, right)
        if count < fewest:
            best, fewest = [list(layer) for layer in current], count
    return best


def crossings(layers: Sequence[Sequence[P]], right: dict[P, list[P]]) -> int:
    """The number of crossings of wires between neighbouring layers."""
    total = 0
    for one, next_one in pairwise(layers):
        rank = _ranks(next_one)
        seen: list[int] = []
        for place in one:
            arrivals = [rank[end] for end in right[place]]
            total += sum(len(seen) - bisect_right(seen, arrival) for arrival in arrivals)
            for arrival in arrivals:
                insort(seen, arrival)
    return total


def _by_barycentre(layer: list[P], near: dict[P, list[P]], rank: dict[P, int]) -> list[P]:
    own = _ranks(layer)

    def barycentre(place: P) -> float:
        ranks = [rank[other] for other in near[place]]
        return sum(ranks) / len(ranks) if ranks else float(own[place])

    return sorted(layer, key=barycentre)


def _exchange(layers: list[list[P]], left: dict[P, list[P]], right: dict[P, list[P]]) -> None:
    """Exchange neighbours within a layer as long as that saves crossings."""
    for i in range(1, len(layers) - 1):
        before, after, layer = _ranks(layers[i - 1]), _ranks(layers[i + 1]), layers[i]
        improved = True
        while improved:
            improved = False
            for j in range(len(layer) - 1):
                upper, lower = layer[j], layer[j + 1]
                saved = _between(left[upper], left[lower], before) + _between(
                    right[upper], right[lower], after
                )
                saved -= _between(left[lower], left[upper], before) + _between(
                    right[lower], right[upper], after
                )
                if saved > 0:
                    layer[j], layer[j + 1] = lower, upper
                    improved = True


def _between(upper: list[P], lower: list[P], rank: dict[P, int]) -> int:
    """The number of crossings between the wires of two neighbours."""
    return sum(rank[a] > rank[b] for a in upper for b in lower)


def _ranks(layer: Sequence[P]) -> dict[P, int]:
    return {place: i for i, place in enumerate(layer)}


class Pull(NamedTuple, Generic[P]):
    """A wire; it is straight if its start is at the height of its end plus the offset."""

    start: P
    end: P
    offset: float
    weight: float


def heights(
    layers: Sequence[Sequence[P]], space: dict[P, float], pulls: Sequence[Pull[P]], *, grid: float
) -> dict[P, float]:
    """The y of the middle of every place; the uppermost place begins at 0.

    space: the height that each place takes. The middles of two neighbours in a layer are at least half the
    sum of their spaces apart. These half sums and all offsets must be multiples of the grid.
    """
    if pulls and len(space) <= MOST_PLACES:
        y = _by_programme(layers, space, pulls, grid)
    else:
        y = _stacked(layers, space)
    top = min((y[place] - space[place] / 2 for place in y), default=0.0)
    return {place: at - top for place, at in y.items()}


def _by_programme(
    layers: Sequence[Sequence[P]], space: dict[P, float], pulls: Sequence[Pull[P]], grid: float
) -> dict[P, float]:
    """Solve the linear programme; its variables are heights of places and climbs of wires, in grid units."""
    from scipy.optimize import linprog

    number = {place: i for i, place in enumerate(space)}
    demands: list[_Demand] = []
    for layer in layers:
        for above, below in pairwise(layer):
            apart = (space[above] + space[below]) / 2 / grid
            demands.append(({number[above]: 1.0, number[below]: -1.0}, -apart))
    for climb, (start, end, offset, _) in enumerate(pulls, start=len(number)):
        a, b = number[start], number[end]
        demands.append(({a: 1.0, b: -1.0, climb: -1.0}, offset / grid))
        demands.append(({a: -1.0, b: 1.0, climb: -1.0}, -offset / grid))
    costs = [0.0] * len(number) + [pull.weight for pull in pulls]
    matrix, bounds = _matrix(demands, len(costs))
    solved = linprog(costs, matrix, bounds, method="highs-ds")  # the simplex method, which ends in a corner
    if solved.x is None:
        raise RuntimeError(f"the heights of a drawing: {solved.message}")
    return {place: grid * round(solved.x[i]) for place, i in number.items()}


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


def _stacked(layers: Sequence[Sequence[P]], space: dict[P, float]) -> dict[P, float]:
    """The places of each layer without gaps, the middle of the first at 0."""
    y: dict[P, float] = {}
    for layer in layers:
        y |= dict.fromkeys(layer[:1], 0.0)
        for above, below in pairwise(layer):
            y[below] = y[above] + (space[above] + space[below]) / 2
    return y
