"""Circuits become smaller window by window, and stay the same function whatever happens."""

import signal
from random import Random

import numpy as np
import pytest

from gatewalk.boolean.gates import gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.own_target import target
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError
from gatewalk.synthesis.exact_synthesis import TWO_INPUT_GATES
from gatewalk.synthesis.resynthesis import exactly, resynthesise

SMALL = {"most_inputs": 4, "most_gates": 5}
SHRINK = exactly(gates=TWO_INPUT_GATES, seconds=10)


@pytest.mark.parametrize("freedom", ["none", "reachable", "observable"])
def test_smaller_and_the_same_function(freedom, make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, outputs=2, near=12)
    found = resynthesise(
        circuit, shrink=SHRINK, random=Random(1), most_windows=60, freedom=freedom, neutral=True, **SMALL
    )
    assert np.array_equal(found.circuit.table(), circuit.table())
    assert len(found.circuit) < len(simplify(circuit))
    assert found.windows == 60
    assert found.improved > 0
    assert not found.interrupted


@pytest.mark.parametrize("freedom", ["reachable", "observable"])
def test_random_freedom_used_again_and_again(freedom, make_circuit, at_random):
    """Each window is replaced by random tables where rows do not count, which changes values elsewhere."""
    replaced = 0
    for seed in range(12):
        made = make_circuit(seed, inputs=5, gates=40, names=("and", "or", "xor", "nand"), near=10)
        circuit = Circuit(made.input_labels, made.nodes, (44,), ("y",))  # where little can be seen
        random = Random(seed)

        def shrink(wanted, part, random=random):
            made = at_random(wanted, random)
            return made if len(made) <= len(part) else None

        found = resynthesise(
            circuit, shrink=shrink, random=random, most_windows=150, freedom=freedom, neutral=True, **SMALL
        )
        replaced += found.improved
        assert np.array_equal(found.circuit.table(), circuit.table())
    assert replaced > 10


def test_the_same_seed_the_same_circuit(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    one, other = (
        resynthesise(circuit, shrink=SHRINK, random=Random(1), most_windows=20, **SMALL) for _ in range(2)
    )
    assert one.circuit == other.circuit


def test_ctrl_c_leaves_what_was_reached(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    told = []

    def watch(gates, windows, seconds):
        told.append(gates)
        if windows == 30:
            signal.raise_signal(signal.SIGINT)

    found = resynthesise(circuit, shrink=SHRINK, random=Random(1), most_windows=100, watch=watch, **SMALL)
    assert found.interrupted
    assert found.windows == 30
    assert len(found.circuit) == told[-1] < told[0]
    assert np.array_equal(found.circuit.table(), circuit.table())


def test_exact_synthesis_remembers_what_it_found():
    shrink = exactly(gates="xor,nand", seconds=10)
    nodes = tuple(Node(gate("nand"), pair) for pair in ((0, 1), (0, 2), (1, 2), (3, 4)))
    part = Circuit(("x1", "x2"), nodes, (5,), ("y",))
    first = shrink(target("xor:2"), part)
    assert first.counts == {"xor": 1}
    assert shrink(target("xor:2"), part) is first
    assert shrink(target("xor:2"), first) is None
    assert shrink(target("and:9"), part) is None


def test_a_wrong_replacement_is_found_out():
    nodes = (Node(gate("and"), (0, 1)), Node(gate("xor"), (2, 0)))
    circuit = Circuit(("a", "b"), nodes, (3,), ("y",))
    wrong = Circuit(("x1", "x2"), (), (0,), ("y1",))
    with pytest.raises(ValueError, match="does not compute its window"):
        resynthesise(circuit, shrink=lambda wanted, part: wrong, random=Random(1), most_windows=5)


def test_a_circuit_of_wires_is_done_at_once():
    wires = Circuit(("a", "b"), (), (1, 0), ("y", "z"))
    assert resynthesise(wires, shrink=SHRINK, random=Random(1), seconds=10).circuit == wires


def test_no_time_is_the_simplified_circuit(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60)
    found = resynthesise(circuit, shrink=SHRINK, random=Random(1), seconds=0)
    assert (found.windows, len(found.circuit)) == (0, len(simplify(circuit)))
    assert np.array_equal(found.circuit.table(), circuit.table())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "say when to end"),
        ({"most_windows": -1}, "must be at least 0"),
        ({"seconds": -1}, "must be at least 0"),
        ({"seconds": 1, "freedom": "all"}, "must be one of none, reachable, observable"),
    ],
)
def test_refused_in_one_line(options, message, make_circuit):
    with pytest.raises(InputError, match=message):
        resynthesise(make_circuit(1, inputs=3, gates=5), shrink=SHRINK, random=Random(1), **options)
