"""Pictures are laid out without overlaps, with every wire in them."""

from collections import Counter
from itertools import pairwise

import pytest

from gatewalk.circuit.circuit import Circuit, levels
from gatewalk.circuit.layout import arrange


@pytest.mark.parametrize("seed", range(40))
def test_nothing_overlaps_and_nothing_is_missing(seed, make_circuit):
    circuit = make_circuit(seed, inputs=5, gates=seed)
    layout = arrange(circuit)
    for layer in layout.layers:
        for above, below in pairwise(layer):
            gap = layout.y[below] - layout.y[above]
            assert gap >= (above.height + below.height) / 2 - 1e-6
    parts = Counter((place.kind, place.number) for place in layout.y if place.kind != "wire")
    assert set(parts.values()) == {1}
    assert len(parts) == 5 + len(circuit) + len(circuit.outputs)
    assert min(layout.y[place] - place.height / 2 for place in layout.y) == pytest.approx(0)


@pytest.mark.parametrize("seed", range(40))
def test_wires_lead_from_layer_to_layer_and_to_their_source(seed, make_circuit):
    circuit = make_circuit(seed, inputs=5, gates=seed)
    layout = arrange(circuit)
    level = levels(circuit)
    assert all(end.layer == start.layer + 1 for start, end in layout.wires)
    arriving = Counter()
    for start, end in layout.wires:
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


def test_a_wire_alone():
    layout = arrange(Circuit(("x",), (), (0,), ("y",)))
    assert [len(layer) for layer in layout.layers] == [1, 1]
