"""Pictures are laid out without overlaps, with every wire in them, as straight as they can be."""

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest

from gatewalk.boolean.gates import Gate, gate
from gatewalk.circuit.circuit import Circuit, Node, levels
from gatewalk.circuit.drawing import layout as module
from gatewalk.circuit.drawing.layout import (
    GRID,
    Pull,
    arrange,
    crossings,
    gate_height,
    heights,
    ordered,
    pin_offsets,
)


@pytest.mark.parametrize("seed", range(40))
def test_nothing_overlaps_and_nothing_is_missing(seed, make_circuit):
    circuit = make_circuit(seed, inputs=5, gates=seed)
    layout = arrange(circuit)
    for layer in layout.layers:
        for above, below in pairwise(layer):
            gap = layout.y[below] - layout.y[above]
            assert gap >= (layout.space[above] + layout.space[below]) / 2
    parts = Counter((place.kind, place.number) for place in layout.y if place.kind != "wire")
    assert set(parts.values()) == {1}
    assert len(parts) == 5 + len(circuit) + len(circuit.outputs)
    assert min(layout.y[place] - layout.space[place] / 2 for place in layout.y) == 0
    assert all((layout.y[wire.end] + wire.offset - layout.y[wire.start]) % GRID == 0 for wire in layout.wires)


@pytest.mark.parametrize("seed", range(40))
def test_wires_lead_from_layer_to_layer_and_to_their_source(seed, make_circuit):
    circuit = make_circuit(seed, inputs=5, gates=seed)
    layout = arrange(circuit)
    level = levels(circuit)
    assert all(end.layer == start.layer + 1 for start, end, _ in layout.wires)
    arriving = Counter()
    for start, end, _ in layout.wires:
        assert start.kind != "output"
        if end.kind == "wire":
            assert start.number == end.number
        elif end.kind == "output":
            assert circuit.outputs[end.number] == start.number
        else:
            arriving[end.number] += 1
            assert end.layer == level[end.number]
            assert start.number in circuit.nodes[end.number - 5].sources
    assert arriving == +Counter({5 + i: len(node.sources) for i, node in enumerate(circuit.nodes)})


def test_inputs_and_outputs_keep_their_order(make_circuit):
    circuit = make_circuit(9, inputs=6, gates=30, outputs=5)
    layout = arrange(circuit)
    assert [place.number for place in layout.layers[0]] == list(range(6))
    outputs = [place.number for place in layout.layers[-1] if place.kind == "output"]
    assert outputs == list(range(len(circuit.outputs)))


def pins(name, sources):
    """The sources that the wires to one gate come from, top to bottom."""
    circuit = Circuit(("x", "y", "z"), (Node(gate(name), sources),), (3,), ("o",))
    wires = [wire for wire in arrange(circuit).wires if wire.end.kind == "source"]
    return [wire.start.number for wire in sorted(wires, key=lambda wire: wire.offset)]


def test_pins_are_in_the_order_of_the_gate_only_where_that_matters():
    assert pins("and", (1, 0)) == [0, 1]
    assert pins("nimply", (1, 0)) == [1, 0]
    assert pins("maj", (2, 0, 1)) == [0, 1, 2]
    assert pins("mux", (2, 0, 1)) == [2, 0, 1]


@pytest.mark.parametrize("count", range(1, 12))
def test_pins_are_apart_and_within_the_gate(count):
    offsets = pin_offsets(count)
    assert all(below - above >= 8 for above, below in pairwise(offsets))
    assert offsets == [-offset for offset in reversed(offsets)]
    assert offsets[-1] <= gate_height(count) / 2 - 8
    assert all(offset % GRID == 0 for offset in offsets)


def test_wires_of_a_chain_are_straight():
    nodes = tuple(Node(gate("not"), (i,)) for i in range(6))
    layout = arrange(Circuit(("x",), nodes, (6,), ("y",)))
    assert len(set(layout.y.values())) == 1


def test_a_wide_gate_takes_more_space():
    wide = Gate("wide", 6, 5, "wide")
    layout = arrange(
        Circuit(tuple("abcdef"), (Node(wide, tuple(range(6))), Node(wide, (0,) * 6)), (6, 7), ("y", "z"))
    )
    first, second = (place for place in layout.layers[1] if place.kind == "source")
    assert layout.y[second] - layout.y[first] >= gate_height(6)


def test_a_wire_alone():
    layout = arrange(Circuit(("x",), (), (0,), ("y",)))
    assert [len(layer) for layer in layout.layers] == [1, 1]


def layers_with_ends(seed):
    generator = random.Random(seed)
    layers = [[(i, j) for j in range(generator.randint(2, 7))] for i in range(5)]
    ends = []
    for one, other in pairwise(layers):
        ends += [(generator.choice(one), generator.choice(other)) for _ in range(9)]
    return layers, ends


def counted(layers, ends):
    rank = {place: i for layer in layers for i, place in enumerate(layer)}
    return sum(
        (rank[a] - rank[c]) * (rank[b] - rank[d]) < 0
        for (a, b), (c, d) in combinations(ends, 2)
        if a[0] == c[0]
    )


def right_of(layers, ends):
    right = {place: [] for layer in layers for place in layer}
    for start, end in ends:
        right[start].append(end)
    return right


@pytest.mark.parametrize("seed", range(30))
def test_no_more_crossings_than_before(seed):
    layers, ends = layers_with_ends(seed)
    found = ordered(layers, ends)
    assert [sorted(layer) for layer in found] == [sorted(layer) for layer in layers]
    assert (found[0], found[-1]) == (layers[0], layers[-1])
    assert crossings(layers, right_of(layers, ends)) == counted(layers, ends)
    assert counted(found, ends) <= counted(layers, ends)


def test_crossings_are_removed_where_they_can_be():
    layers = [["a", "b", "c"], ["p", "q", "r"], ["x", "y", "z"]]
    ends = [("a", "r"), ("b", "q"), ("c", "p"), ("r", "x"), ("q", "y"), ("p", "z")]
    assert ordered(layers, ends)[1] == ["r", "q", "p"]


def layers_with_pulls(seed):
    generator = random.Random(seed)
    layers = [[(i, j) for j in range(generator.randint(1, 6))] for i in range(6)]
    space = {place: generator.choice([12.0, 36.0, 44.0]) for layer in layers for place in layer}
    pulls = [
        Pull(generator.choice(one), generator.choice(other), generator.choice([-8.0, 0.0, 8.0]), 1.0)
        for one, other in pairwise(layers)
        for _ in range(5)
    ]
    return layers, space, pulls


def climbs(y, pulls):
    return sum(abs(y[start] - y[end] - offset) for start, end, offset, _ in pulls)


@pytest.mark.parametrize("most", [5000, 0], ids=["programme", "stacked"])
@pytest.mark.parametrize("seed", range(20))
def test_order_and_distance_are_kept(seed, most, monkeypatch):
    monkeypatch.setattr(module, "MOST_PLACES", most)
    layers, space, pulls = layers_with_pulls(seed)
    y = heights(layers, space, pulls, grid=4.0)
    for layer in layers:
        for above, below in pairwise(layer):
            assert y[below] - y[above] >= (space[above] + space[below]) / 2
    assert min(y[place] - space[place] / 2 for place in y) == 0
    assert len({at % 4.0 for at in y.values()}) == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_programme_climbs_less_than_a_stack(seed, monkeypatch):
    layers, space, pulls = layers_with_pulls(seed)
    best = climbs(heights(layers, space, pulls, grid=4.0), pulls)
    monkeypatch.setattr(module, "MOST_PLACES", 0)
    assert best < climbs(heights(layers, space, pulls, grid=4.0), pulls)


def test_what_can_be_straight_is():
    layers = [["a", "b"], ["c", "d"], ["e", "f"]]
    pulls = [
        Pull("a", "c", 8.0, 1.0),
        Pull("c", "e", 0.0, 1.0),
        Pull("b", "d", -8.0, 1.0),
        Pull("d", "f", 0.0, 1.0),
    ]
    y = heights(layers, dict.fromkeys("abcdef", 44.0), pulls, grid=4.0)
    assert (y["a"], y["c"]) == (y["c"] + 8, y["e"])
    assert (y["b"], y["d"]) == (y["d"] - 8, y["f"])


def test_a_picture_of_too_many_places_is_stacked(make_circuit, monkeypatch):
    circuit = make_circuit(3, inputs=5, gates=30)
    monkeypatch.setattr(module, "MOST_PLACES", 0)
    layout = arrange(circuit)
    for layer in layout.layers:
        for above, below in pairwise(layer):
            gap = layout.y[below] - layout.y[above]
            assert gap == (layout.space[above] + layout.space[below]) / 2


def test_nothing_and_one():
    assert heights([], {}, [], grid=4.0) == {}
    assert heights([["a"], ["b"]], {"a": 12.0, "b": 12.0}, [Pull("a", "b", 0.0, 1.0)], grid=4.0) == {
        "a": 6,
        "b": 6,
    }
