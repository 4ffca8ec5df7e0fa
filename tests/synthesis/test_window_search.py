"""Resynthesis: circuits made smaller window by window, always the same function."""

from __future__ import annotations

import signal
from random import Random

import numpy as np
import pytest

from gatewalk.boolean.gates import gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError
from gatewalk.synthesis.exact_synthesis import smallest
from gatewalk.synthesis.window_search import resynthesise

SMALL = {"most_inputs": 4, "most_gates": 5}


def shrink(target, part):
    return smallest(target, at_most=len(part) - 1, seconds=10).circuit


@pytest.mark.parametrize("dont_cares", [False, True])
def test_smaller_and_the_same_function(dont_cares, make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, outputs=2, near=12)
    result = resynthesise(
        circuit,
        shrink=shrink,
        random=Random(1),
        most_windows=60,
        dont_cares=dont_cares,
        neutral=True,
        **SMALL,
    )
    assert np.array_equal(result.circuit.table(), circuit.table())
    assert len(result.circuit) < len(simplify(circuit))
    assert result.windows == 60
    assert result.improved > 0
    assert not result.interrupted


def test_dont_cares_used_again_and_again(make_circuit, at_random):
    """Each window is replaced by random tables where rows do not count, which changes values elsewhere."""
    replaced = 0
    for seed in range(12):
        made = make_circuit(seed, inputs=5, gates=40, names=("and", "or", "xor", "nand"), near=10)
        circuit = Circuit(made.input_labels, made.nodes, (44,), ("y",))  # where little can be seen
        random = Random(seed)

        def change(target, part, random=random):
            made = at_random(target, random)
            return made if len(made) <= len(part) else None

        result = resynthesise(
            circuit, shrink=change, random=random, most_windows=150, dont_cares=True, neutral=True, **SMALL
        )
        replaced += result.improved
        assert np.array_equal(result.circuit.table(), circuit.table())
    assert replaced > 10


def test_the_same_seed_the_same_circuit(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    first, second = (
        resynthesise(circuit, shrink=shrink, random=Random(1), most_windows=20, **SMALL) for _ in range(2)
    )
    assert first.circuit == second.circuit


def test_progress_is_the_larger_share_of_windows_and_time(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    told = []
    result = resynthesise(
        circuit,
        shrink=shrink,
        random=Random(1),
        most_windows=20,
        seconds=10**6,
        on_progress=lambda *news: told.append(news),
        **SMALL,
    )
    assert [round(share, 3) for share, _ in told] == [round(tried / 20, 3) for tried in range(1, 21)]
    assert told[-1][1].endswith(" gates, 20 windows tried")
    assert result.windows == 20


def test_ctrl_c_leaves_what_was_reached(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    told = []

    def interrupt(share, words):
        told.append(int(words.split()[0]))
        if len(told) == 30:
            signal.raise_signal(signal.SIGINT)

    result = resynthesise(
        circuit, shrink=shrink, random=Random(1), most_windows=100, on_progress=interrupt, **SMALL
    )
    assert result.interrupted
    assert result.windows == 30
    assert len(result.circuit) == told[-1] < told[0]
    assert np.array_equal(result.circuit.table(), circuit.table())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_that_a_solver_hears_leaves_what_was_reached(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    parts = []

    def interrupted(target, part):
        parts.append(part)
        if len(parts) == 10:
            raise KeyboardInterrupt
        return shrink(target, part)

    result = resynthesise(circuit, shrink=interrupted, random=Random(1), most_windows=100, **SMALL)
    assert result.interrupted
    assert len(parts) == 10
    assert np.array_equal(result.circuit.table(), circuit.table())


def test_the_second_ctrl_c_is_not_swallowed(make_circuit):
    def interrupted(target, part):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    with pytest.raises(KeyboardInterrupt):
        resynthesise(circuit, shrink=interrupted, random=Random(1), most_windows=100, **SMALL)


def test_a_wrong_replacement_is_found_out():
    nodes = (Node(gate("and"), (0, 1)), Node(gate("xor"), (2, 0)))
    circuit = Circuit(("a", "b"), nodes, (3,), ("y",))
    wrong = Circuit(("x1", "x2"), (), (0,), ("y1",))
    with pytest.raises(ValueError, match="does not compute its window"):
        resynthesise(circuit, shrink=lambda target, part: wrong, random=Random(1), most_windows=5)


def test_a_circuit_of_wires_is_done_at_once():
    wires = Circuit(("a", "b"), (), (1, 0), ("y", "z"))
    assert resynthesise(wires, shrink=shrink, random=Random(1), seconds=10).circuit == wires


def test_no_time_is_the_simplified_circuit(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60)
    result = resynthesise(circuit, shrink=shrink, random=Random(1), seconds=0)
    assert (result.windows, len(result.circuit)) == (0, len(simplify(circuit)))
    assert np.array_equal(result.circuit.table(), circuit.table())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "give a limit: seconds, most_windows or stop"),
        ({"most_windows": -1}, "must be at least 0"),
        ({"seconds": -1}, "must be at least 0"),
        ({"seconds": 1, "most_inputs": 0}, "must be at least 1"),
    ],
)
def test_refused_in_one_line(given, message, make_circuit):
    with pytest.raises(InputError, match=message):
        resynthesise(make_circuit(1, inputs=3, gates=5), shrink=shrink, random=Random(1), **given)
