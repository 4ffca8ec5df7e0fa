"""The searchers of a minimisation: runs side by side, whole circuits and windows, the shrinker by CGP."""

from __future__ import annotations

import signal

import numpy as np
import pytest

from gatewalk.cgp.genotype import Shape, active_nodes
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.construction import circuit_of_tables, target_circuit
from gatewalk.circuit.cost import cost_units, price
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.own_targets import circuit_target, target
from gatewalk.errors import InputError
from gatewalk.synthesis.cgp_shrinker import scattered
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.options import METHODS, Options, basis
from gatewalk.synthesis.searchers import Searcher, begin, search_cheaper, take_turns, window_turns


def searched(method, name, gates, cost="gates", **given):
    """What a search finds from the circuit of the target's own rule, and the cost of that circuit."""
    goal, allowed, priced = target(name), basis(gates), price(cost)
    start = mapped(target_circuit(goal), allowed)
    options = Options(gates=allowed, price=priced, method=method, seed=2, **given)
    result = search_cheaper(start, options, target=goal)
    assert equivalent(result.circuit, goal)
    assert {node.gate for node in result.circuit.nodes} <= set(allowed.gates)
    assert result.units == cost_units(priced, result.circuit)
    return result, cost_units(priced, start)


@pytest.mark.parametrize(("method", "evaluations"), [("resubstitution", 50_000), ("cgp", 200_000)])
@pytest.mark.parametrize(
    ("name", "gates", "size"), [("maj:3", "any", 4), ("onescount:3", "nand", 9), ("mux:2", "nand", 4)]
)
def test_known_sizes_are_reached(method, evaluations, name, gates, size):
    result, _ = searched(method, name, gates, evaluations=evaluations, goal=size)
    assert len(result.circuit) == size


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("cost", ["gates", "depth", "and=1,xor=2.5,nimply=1.5"])
def test_the_result_costs_no_more_than_the_start(method, cost):
    result, before = searched(method, "mul:2", "and,xor,nimply", cost, evaluations=3_000, runs=1)
    assert result.units <= before


@pytest.mark.parametrize("method", METHODS)
def test_threads_change_nothing_and_evaluations_are_kept_to(method):
    first, second = (
        searched(method, "mcomp:2", "any", evaluations=5_000, runs=2, jobs=jobs)[0] for jobs in (1, 2)
    )
    assert (first.circuit, first.units, first.evaluations) == (
        second.circuit,
        second.units,
        second.evaluations,
    )
    assert first.evaluations == 2 * 5_000 if method == "resubstitution" else first.evaluations <= 2 * 5_000


START = target_circuit(target("mul:2"))
WIRES = Circuit(("a",), (), (0,), ("y",))


def options(**given):
    return Options(**{"gates": basis("any"), "price": price("gates"), "evaluations": 100, "jobs": 2, **given})


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_run_uses_its_evaluations_and_the_cheapest_counts(jobs):
    def turn(searcher, is_over):
        """A turn of ten evaluations; run r costs r less after its third turn."""
        searcher.evaluations += 10
        if searcher.turns == 2:
            searcher.units -= searcher.number

    result = take_turns(START, turn, options(runs=4, jobs=jobs))
    assert result.evaluations == 4 * 100
    assert (result.run, result.units, result.interrupted) == (3, len(START) - 3, False)


def test_runs_share_a_thread_turn_by_turn():
    numbers = []

    def turn(searcher, is_over):
        searcher.evaluations += 50
        numbers.append(searcher.number)

    take_turns(START, turn, options(runs=3, jobs=1))
    assert numbers == [0, 1, 2, 0, 1, 2]


def test_of_equal_results_that_of_the_first_run_counts():
    def turn(searcher, is_over):
        searcher.is_done = True

    result = take_turns(START, turn, options(runs=3))
    assert (result.run, result.circuit, result.evaluations) == (0, START, 0)


def test_a_run_at_its_goal_is_done():
    numbers = []

    def turn(searcher, is_over):
        numbers.append(searcher.number)
        searcher.units = 2

    result = take_turns(START, turn, options(runs=2, goal=2, evaluations=10**9))
    assert (result.units, sorted(numbers)) == (2, [0, 1])


@pytest.mark.parametrize("jobs", [1, 2])
def test_if_the_clock_counts_a_run_at_the_goal_ends_all(jobs):
    def turn(searcher, is_over):
        searcher.evaluations += 1
        if searcher.number == 0 and searcher.turns == 5:
            searcher.units = 2

    given = options(runs=2, jobs=jobs, goal=2, evaluations=None, seconds=10**6)
    result = take_turns(START, turn, given)
    assert (result.units, result.run, result.interrupted) == (2, 0, False)


def test_nothing_is_searched_if_the_start_is_at_the_goal():
    def turn(searcher, is_over):
        raise AssertionError

    assert take_turns(WIRES, turn, options(goal=0)).circuit == WIRES


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_that_of_the_best_circuit_and_never_more_than_all(jobs):
    told = []

    def turn(searcher, is_over):
        searcher.evaluations += 70  # more than is left in the second turn, as generations may
        searcher.best, searcher.units = WIRES, 1

    take_turns(START, turn, options(runs=2, jobs=jobs), on_progress=lambda *news: told.append(news))
    assert told[-1] == (1.0, "0 gates, 280 circuits tried")
    assert [share for share, _ in told] == sorted(share for share, _ in told)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_all_runs_and_keeps_what_a_turn_has_come_to(jobs):
    asked = []

    def turn(searcher, is_over):
        while not is_over():
            pass
        searcher.best, searcher.units = WIRES, 1

    def interrupt(share, words):
        asked.append(words)
        if len(asked) == 2:  # on a single thread, it is asked once before the first turn
            signal.raise_signal(signal.SIGINT)

    result = take_turns(START, turn, options(runs=3, jobs=jobs, evaluations=10**9), on_progress=interrupt)
    assert result.interrupted
    assert (result.circuit, result.units) == (WIRES, 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_a_turn_is_passed_on(jobs):
    def turn(searcher, is_over):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        take_turns(START, turn, options(jobs=jobs))


def nands(name):
    return mapped(target_circuit(target(name)), basis("nand"))


def in_windows(start, **given):
    """What a single run finds window by window."""
    return search_cheaper(start, options(runs=1, seed=1, **given), target=None)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ["add:2", "add:9"])  # 5 and 19 inputs: with don't-cares and without
def test_a_wide_adder_of_nands_becomes_smaller(name, method):
    start = nands(name)
    result = in_windows(start, method=method, evaluations=200_000)
    assert len(result.circuit) < 0.8 * len(start)
    assert result.units == len(result.circuit)
    assert equivalent(result.circuit, start)


def test_prices_decide_and_nothing_becomes_dearer():
    start = nands("add:3")
    dear = price("nand=1,not=1,xor=9")
    result = in_windows(start, gates=basis("nand,not,xor"), price=dear, evaluations=60_000)
    assert result.circuit.counts.get("xor", 0) == 0  # four nands are cheaper
    assert len(result.circuit) <= len(start)
    assert equivalent(result.circuit, start)


def test_depth_is_no_property_of_a_window():
    with pytest.raises(InputError, match="depth cannot count"):
        in_windows(nands("add:2"), price=price("depth"))


def test_smaller_circuits_are_told_of_within_a_turn():
    start = nands("add:9")  # 11 gates for each bit, where 9 do
    searcher = Searcher(0, start, len(start))
    gates = []

    def is_over():
        gates.append(searcher.gates_now)
        return len(gates) == 20

    turn = window_turns(start, options(gates=basis("nand"), evaluations=10**9))
    turn(searcher, is_over)
    assert len(gates) == 20
    assert gates == sorted(gates, reverse=True)
    assert len(set(gates)) > 1
    assert len(searcher.best) <= gates[-1] < len(start)


# A full adder with more gates than it needs. That shrinkers by CGP do what their twin does is tested in
# tests/cgp/evaluators/test_cheapest.py.
ADDER = mapped(circuit_of_tables((0x96, 0xE8), ("a", "b", "c"), ("s", "o")), basis("any"))


def test_a_goal_ends_the_loop():
    given = options(method="cgp", goal=6, seed=1)
    shrinker = begin(given, circuit_target(ADDER), ADDER, run=2, number=5)
    shrinker.advance(10**6)
    assert shrinker.is_done
    assert shrinker.best <= 6
    before = shrinker.steps
    shrinker.advance(1000)
    assert shrinker.steps == before


def test_a_wrong_start_is_refused():
    swapped = Circuit(ADDER.input_labels, ADDER.nodes, ADDER.outputs[::-1], ADDER.output_labels)
    with pytest.raises(InputError, match="does not compute"):
        begin(options(method="cgp"), circuit_target(ADDER), swapped, run=2, number=5)


def test_active_genes_of_a_scattered_circuit_are_its_gates():
    shape = Shape(3, 2, 40, basis("any"))
    seen = set()
    for seed in range(20):
        genes = scattered(ADDER, shape, np.random.default_rng(seed)).astype(np.int64)
        active = active_nodes(shape, genes)
        assert active.sum() == len(ADDER)
        seen.add(tuple(np.flatnonzero(active).tolist()))
    assert len(seen) == 20
