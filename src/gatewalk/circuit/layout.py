"""Where the parts of a circuit's picture go: layers from inputs to outputs, wires that cross little.

After Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical system
structures", 1981: a gate stands in the layer of its level; a wire that passes a layer holds a
place in it; layers are ordered by the barycentres of their neighbours, then pulled straight.
Wires of one source share their places and branch where they must.
"""

from __future__ import annotations

from dataclasses import dataclass

from gatewalk.circuit.circuit import Circuit, depth, levels

SWEEPS = 12
STIFFNESS = 6.0
PART_HEIGHT = 44.0
WIRE_HEIGHT = 14.0


@dataclass(frozen=True)
class Place:
    """A part or a passing wire in a layer: source number or output number, and what it is."""

    kind: str  # "source", "output" or "wire" (of the source that far)
    number: int
    layer: int

    @property
    def height(self) -> float:
        return WIRE_HEIGHT if self.kind == "wire" else PART_HEIGHT


@dataclass(frozen=True)
class Layout:
    """Layers of places from left to right, the height of each place, and the wires between places."""

    layers: tuple[tuple[Place, ...], ...]
    y: dict[Place, float]
    wires: tuple[tuple[Place, Place], ...]


def arrange(circuit: Circuit) -> Layout:
    """The layout of a circuit; inputs and outputs keep their order from top to bottom."""
    layers, wires = _layers(circuit)
    left: dict[Place, list[Place]] = {place: [] for layer in layers for place in layer}
    right: dict[Place, list[Place]] = {place: [] for layer in layers for place in layer}
    for start, end in wires:
        right[start].append(end)
        left[end].append(start)
    for sweep in range(SWEEPS):
        inner = range(1, len(layers) - 1)
        for i in inner if sweep % 2 == 0 else reversed(inner):
            near = left if sweep % 2 == 0 else right
            layers[i] = _by_barycentre(layers[i], near, _ranks(layers[i - 1 if sweep % 2 == 0 else i + 1]))
    y = {place: height for layer in layers for place, height in zip(layer, _stacked(layer), strict=True)}
    for sweep in range(2 * SWEEPS):
        for i in range(len(layers)) if sweep % 2 == 0 else reversed(range(len(layers))):
            wanted = [_drawn_to(p, left[p] + right[p], y) for p in layers[i]]
            y.update(zip(layers[i], _separated(layers[i], wanted), strict=True))
    top = min((y[place] - place.height / 2 for place in y), default=0.0)
    return Layout(tuple(map(tuple, layers)), {place: at - top for place, at in y.items()}, tuple(wires))


def _layers(circuit: Circuit) -> tuple[list[list[Place]], list[tuple[Place, Place]]]:
    level = levels(circuit)
    last = max([depth(circuit), *level]) + 1
    layers: list[list[Place]] = [[] for _ in range(last + 1)]
    head: dict[int, list[Place]] = {}  # a source and the places its wire has reached so far

    def reach(source: int, layer: int) -> Place:
        """The place in that layer from which the source's value goes on to the next one."""
        chain = head[source]
        while chain[-1].layer < layer:
            place = Place("wire", source, chain[-1].layer + 1)
            wires.append((chain[-1], place))
            layers[place.layer].append(place)
            chain.append(place)
        return chain[layer - chain[0].layer]

    wires: list[tuple[Place, Place]] = []
    for source, at in enumerate(level):
        place = Place("source", source, at)
        layers[at].append(place)
        head[source] = [place]
        if source >= len(circuit.input_labels):
            node = circuit.nodes[source - len(circuit.input_labels)]
            wires += [(reach(read, at - 1), place) for read in node.sources]
    for number, read in enumerate(circuit.outputs):
        place = Place("output", number, last)
        layers[last].append(place)
        wires.append((reach(read, last - 1), place))
    return layers, wires


def _by_barycentre(layer: list[Place], near: dict[Place, list[Place]], rank: dict[Place, int]) -> list[Place]:
    own = _ranks(layer)
    return sorted(layer, key=lambda place: _mean([float(rank[p]) for p in near[place]], float(own[place])))


def _ranks(layer: list[Place]) -> dict[Place, int]:
    return {place: i for i, place in enumerate(layer)}


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _drawn_to(place: Place, near: list[Place], y: dict[Place, float]) -> float:
    """The mean height of the neighbours; along a wire its own places count more, to keep it straight."""
    if not near:
        return y[place]
    weights = [STIFFNESS if _one_wire(place, other) else 1.0 for other in near]
    return sum(w * y[p] for w, p in zip(weights, near, strict=True)) / sum(weights)


def _one_wire(one: Place, other: Place) -> bool:
    kinds = {one.kind, other.kind}
    return "wire" in kinds and "output" not in kinds and one.number == other.number


def _stacked(layer: list[Place]) -> list[float]:
    """Centres of the places one under the other, around 0."""
    total = sum(place.height for place in layer)
    centres, at = [], -total / 2
    for place in layer:
        centres.append(at + place.height / 2)
        at += place.height
    return centres


def _separated(layer: list[Place], wanted: list[float]) -> list[float]:
    """The centres nearest to the wanted ones, in least squares, that keep order and distance.

    Isotonic regression by pooling adjacent violators, on centres less the stack below them.
    """
    base = _stacked(layer)
    pools: list[tuple[float, int]] = []
    for want, foot in zip(wanted, base, strict=True):
        mean, count = want - foot, 1
        while pools and pools[-1][0] > mean:
            before, size = pools.pop()
            mean, count = (before * size + mean * count) / (size + count), size + count
        pools.append((mean, count))
    shifts = [mean for mean, count in pools for _ in range(count)]
    return [foot + shift for foot, shift in zip(base, shifts, strict=True)]
