"""The search of a whole circuit by both methods, its runs side by side, and the shrinker by CGP."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.cgp.genotype import Shape, active_nodes
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import cost_units, price
from gatewalk.circuit.equivalence import matches
from gatewalk.circuit.own_targets import circuit_target, target
from gatewalk.circuit.target_circuit import circuit_of_tables, target_circuit
from gatewalk.errors import InputError
from gatewalk.synthesis.cgp_shrinker import scattered
from gatewalk.synthesis.mapping import mapped
from gatewalk.synthesis.options import METHODS, Options, basis
from gatewalk.synthesis.shrinker import begin
from gatewalk.synthesis.turns import take_turns
from gatewalk.synthesis.whole_search import search_whole


def searched(method, name, gates, cost="gates", **given):
    """What a search finds from the circuit of the target's own rule, and the cost of that circuit."""
    wanted, allowed, priced = target(name), basis(gates), price(cost)
    start = mapped(target_circuit(wanted), allowed)
    options = Options(gates=allowed, price=priced, method=method, seed=2, **given)
    result = search_whole(start, options, target=wanted)
    assert matches(result.circuit, wanted)
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
    def turn(run, is_over):
        """A turn of ten evaluations; run r costs r less after its third turn."""
        run.evaluations += 10
        if run.turns == 2:
            run.units -= run.number

    result = take_turns(START, turn, options(runs=4, jobs=jobs), watch=None)
    assert result.evaluations == 4 * 100
    assert (result.run, result.units, result.interrupted) == (3, len(START) - 3, False)


def test_of_equal_results_that_of_the_first_run_counts():
    def turn(run, is_over):
        run.is_done = True

    result = take_turns(START, turn, options(runs=3), watch=None)
    assert (result.run, result.circuit, result.evaluations) == (0, START, 0)


def test_a_run_at_its_goal_is_done():
    taken = []

    def turn(run, is_over):
        taken.append(run.number)
        run.units = 2

    result = take_turns(START, turn, options(runs=2, goal=2, evaluations=10**9), watch=None)
    assert (result.units, sorted(taken)) == (2, [0, 1])


def test_nothing_is_searched_if_the_start_is_at_the_goal():
    def turn(run, is_over):
        raise AssertionError

    assert take_turns(WIRES, turn, options(goal=0), watch=None).circuit == WIRES


def test_progress_is_that_of_the_best_circuit():
    seen = []

    def turn(run, is_over):
        run.evaluations += 50
        run.best, run.units = WIRES, 0

    take_turns(START, turn, options(runs=1), watch=seen.append)
    assert (seen[-1].gates, seen[-1].evaluations) == (0, 50)


def test_ctrl_c_ends_all_runs_and_keeps_the_best():
    def turn(run, is_over):
        run.best, run.units = WIRES, 1

    def interrupt(progress):
        raise KeyboardInterrupt

    result = take_turns(START, turn, options(runs=3, evaluations=10**9), watch=interrupt)
    assert result.interrupted
    assert (result.circuit, result.units) == (WIRES, 1)


def test_an_error_in_a_turn_is_passed_on():
    def turn(run, is_over):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        take_turns(START, turn, options(), watch=None)


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
