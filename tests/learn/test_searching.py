from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.training import fitness
from gatewalk.circuit.circuit import evaluate
from gatewalk.errors import InputError
from gatewalk.learn.examples import training_set
from gatewalk.learn.searching import search, search_options

USUAL = {
    "gates": "and,or,nand,nor",
    "nodes": 30,
    "mutation": "sam",
    "offspring": 1,
    "budget": 3000,
    "runs": 3,
    "jobs": 1,
}
INPUTS = np.random.default_rng(4).random((5, 60)) < 0.5
WANTED = (INPUTS[:1] & INPUTS[1:2]) | (INPUTS[2:3] ^ INPUTS[3:4])
ROWS = training_set(INPUTS, WANTED)
LABELS = tuple("abcde"), ("y",)


def found(seed: int = 1, **other):
    return search(ROWS, *LABELS, search_options(**(USUAL | other)), seed=seed)


def test_circuits_grow_and_become_fitter() -> None:
    circuits = found()
    gates = [len(circuit) for circuit in circuits]
    wrong = [fitness(evaluate(circuit, ROWS.inputs), ROWS) for circuit in circuits]
    assert gates == sorted(set(gates))
    assert wrong == sorted(set(wrong), reverse=True)
    assert wrong[-1] == 1  # all examples are fitted
    assert circuits[-1].input_labels == LABELS[0]


def test_the_result_depends_on_the_seed_and_not_on_the_jobs() -> None:
    assert found() == found(jobs=3)
    assert found() != found(seed=2)


def test_runs_are_merged() -> None:
    """No circuit of the first run alone beats the front of three runs."""
    merged = [(len(c), fitness(evaluate(c, ROWS.inputs), ROWS)) for c in found(budget=300)]
    alone = [(len(c), fitness(evaluate(c, ROWS.inputs), ROWS)) for c in found(budget=300, runs=1)]
    assert merged != alone
    assert all(any(g <= gates and w <= wrong for g, w in merged) for gates, wrong in alone)


def test_progress_is_told() -> None:
    told = []
    search(ROWS, *LABELS, search_options(**USUAL), seed=1, tell=lambda *news: told.append(news))
    assert {run for run, _, _ in told} == {0, 1, 2}
    assert max(iterations for _, iterations, _ in told) == USUAL["budget"]


def test_without_a_budget_the_starts_are_found() -> None:
    assert len(found(budget=0)) >= 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"gates": 5}, "gates is 5"),
        ({"gates": "and,fee"}, "fee"),
        ({"nodes": 0}, "nodes is 0; it must be at least 1"),
        ({"nodes": 10**6}, "nodes is 1000000; it must be at most 2,000"),
        ({"mutation": "sams"}, "unknown mutation 'sams'"),
        ({"mutation": None}, "mutation is None"),
        ({"offspring": 0}, "offspring is 0"),
        ({"budget": -1}, "budget is -1"),
        ({"budget": 2.5}, "budget is 2.5; it must be a whole number"),
        ({"runs": 0}, "runs is 0"),
        ({"jobs": "many"}, "jobs is 'many'"),
    ],
)
def test_options_are_checked(wrong: dict, message: str) -> None:
    with pytest.raises(InputError, match=message) as refused:
        search_options(**(USUAL | wrong))
    assert "\n" not in str(refused.value)


def test_a_gate_set_is_as_good_as_its_names() -> None:
    assert search_options(**(USUAL | {"gates": gate_set("and,or")})).gates.names == ("and", "or")
