"""Pictures are laid out without overlaps, with every wire in them, as straight as they can be."""

from collections import Counter
from itertools import pairwise

import pytest

from gatewalk.boolean.gates import Gate, gate
from gatewalk.circuit.circuit import Circuit, Node, levels
from gatewalk.circuit.layout import GRID, arrange, gate_height, pin_offsets


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
