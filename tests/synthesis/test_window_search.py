"""The search in windows, for circuits of any number of inputs: always the same function."""

from __future__ import annotations

import signal
from random import Random
from threading import Thread

import numpy as np
import pytest
from processes import LIMIT

from gatewalk.boolean.gates import gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.cost import price
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.own_targets import target
from gatewalk.circuit.simplification import simplify
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.errors import InputError
from gatewalk.synthesis import turns, window_search
from gatewalk.synthesis.exact_synthesis import smallest
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.options import Options, basis
from gatewalk.synthesis.turns import Searcher, SearchResult
from gatewalk.synthesis.window_search import deferred_interrupt, resynthesise, search_windows


def nands(name):
    return mapped(target_circuit(target(name)), basis("nand"))


def options(**given):
    return Options(**{"gates": basis("any"), "price": price("gates"), "runs": 1, "seed": 1, **given})


@pytest.mark.parametrize("method", ["resubstitution", "cgp"])
@pytest.mark.parametrize("name", ["add:2", "add:9"])  # 5 and 19 inputs: with don't-cares and without
def test_a_wide_adder_of_nands_becomes_smaller(name, method):
    start = nands(name)
    found = search_windows(start, options(method=method, evaluations=200_000))
    assert len(found.circuit) < 0.8 * len(start)
    assert found.units == len(found.circuit)
    assert equivalent(found.circuit, start)


def test_prices_decide_and_nothing_becomes_dearer():
    start = nands("add:3")
    dear = price("nand=1,not=1,xor=9")
    found = search_windows(
        start, options(gates=basis("nand,not,xor"), price=dear, evaluations=60_000, method="resubstitution")
    )
    assert found.circuit.counts.get("xor", 0) == 0  # four nands are cheaper
    assert len(found.circuit) <= len(start)
    assert equivalent(found.circuit, start)


def test_depth_is_no_property_of_a_window():
    with pytest.raises(InputError, match="depth cannot count"):
        search_windows(nands("add:2"), options(price=price("depth"), evaluations=1))


def test_smaller_circuits_are_told_of_within_a_turn(monkeypatch):
    start = nands("add:9")  # 11 gates for each bit, where 9 do
    seen = []

    def one_turn(circuit, turn, its_options, *, watch):
        run = Searcher(0, circuit, len(circuit))

        def is_over():
            seen.append(turns._progress([run], 0.0).gates)
            return len(seen) == 20

        turn(run, is_over)
        return SearchResult(run.best, run.units, run.evaluations, 0.0, run.number, False)

    monkeypatch.setattr(window_search, "take_turns", one_turn)
    found = window_search.search_windows(start, options(gates=basis("nand"), evaluations=10**9, jobs=1))
    assert len(seen) == 20
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) > 1
    assert len(found.circuit) <= seen[-1] < len(start)


SMALL = {"most_inputs": 4, "most_gates": 5}


def shrink(target, part):
    return smallest(target, at_most=len(part) - 1, seconds=10).circuit


@pytest.mark.parametrize("dont_cares", [False, True])
def test_smaller_and_the_same_function(dont_cares, make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, outputs=2, near=12)
    found = resynthesise(
        circuit,
        shrink=shrink,
        random=Random(1),
        most_windows=60,
        dont_cares=dont_cares,
        neutral=True,
        **SMALL,
    )
    assert np.array_equal(found.circuit.table(), circuit.table())
    assert len(found.circuit) < len(simplify(circuit))
    assert found.windows == 60
    assert found.improved > 0
    assert not found.interrupted


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

        found = resynthesise(
            circuit, shrink=change, random=random, most_windows=150, dont_cares=True, neutral=True, **SMALL
        )
        replaced += found.improved
        assert np.array_equal(found.circuit.table(), circuit.table())
    assert replaced > 10


def test_the_same_seed_the_same_circuit(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    one, other = (
        resynthesise(circuit, shrink=shrink, random=Random(1), most_windows=20, **SMALL) for _ in range(2)
    )
    assert one.circuit == other.circuit


def test_ctrl_c_leaves_what_was_reached(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60, near=12)
    told = []

    def watch(gates, windows, seconds):
        told.append(gates)
        if windows == 30:
            signal.raise_signal(signal.SIGINT)

    found = resynthesise(circuit, shrink=shrink, random=Random(1), most_windows=100, watch=watch, **SMALL)
    assert found.interrupted
    assert found.windows == 30
    assert len(found.circuit) == told[-1] < told[0]
    assert np.array_equal(found.circuit.table(), circuit.table())


def test_a_wrong_replacement_is_found_out():
    nodes = (Node(gate("and"), (0, 1)), Node(gate("xor"), (2, 0)))
    circuit = Circuit(("a", "b"), nodes, (3,), ("y",))
    wrong = Circuit(("x1", "x2"), (), (0,), ("y1",))
    with pytest.raises(ValueError, match="does not compute its window"):
        resynthesise(circuit, shrink=lambda wanted, part: wrong, random=Random(1), most_windows=5)


def test_a_circuit_of_wires_is_done_at_once():
    wires = Circuit(("a", "b"), (), (1, 0), ("y", "z"))
    assert resynthesise(wires, shrink=shrink, random=Random(1), seconds=10).circuit == wires


def test_no_time_is_the_simplified_circuit(make_circuit):
    circuit = make_circuit(4, inputs=6, gates=60)
    found = resynthesise(circuit, shrink=shrink, random=Random(1), seconds=0)
    assert (found.windows, len(found.circuit)) == (0, len(simplify(circuit)))
    assert np.array_equal(found.circuit.table(), circuit.table())


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


def test_ctrl_c_comes_after_the_block():
    done = []

    def steps():
        with deferred_interrupt():
            done.append(1)
            signal.raise_signal(signal.SIGINT)
            done.append(2)
        done.append(3)

    with pytest.raises(KeyboardInterrupt):
        steps()
    assert done == [1, 2]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_ctrl_c_nothing_happens():
    with deferred_interrupt():
        pass
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_what_is_ignored_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with deferred_interrupt():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_thread_is_left_alone():
    done = []

    def steps():
        with deferred_interrupt():
            done.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=steps)
    thread.start()
    thread.join(LIMIT)
    assert done == [signal.default_int_handler]
