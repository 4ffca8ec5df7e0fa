"""How estimators learn: examples, the search, the front of accuracy and size, and the choice from it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.boolean.tables import pack, unpack
from gatewalk.boolean.training import fitness
from gatewalk.cgp.mutations.point import Point
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.errors import InputError
from gatewalk.learn import CircuitClassifier, fitting
from gatewalk.learn.coding import coding_of, encode
from gatewalk.learn.fitting import (
    answers,
    feature_names,
    fit,
    held_out_examples,
    least_mismatches,
    predicted,
    search_circuits,
    search_of,
    surplus,
    target_of,
    training_set,
    truth,
)
from gatewalk.learn.front import FrontMember, chosen, non_dominated, outputs_on, repaired, size, without_gates

SEVERAL = np.array([[0, 1], [1, 1], [0, 0]])


@pytest.mark.parametrize(
    "y", [np.array([0, 1, 1]), np.array(["a", "c", "b"]), SEVERAL], ids=["two", "more", "labels"]
)
def test_outputs_that_are_right_predict_the_truth(y):
    coding = coding_of(y)
    correct = encode(coding, y)
    reliable = np.tile([0.1, 0.9], (len(correct), 1))
    assert np.array_equal(predicted(coding, reliable, correct), truth(coding, correct))
    classes = coding.classes[truth(coding, correct)]
    assert np.array_equal(classes, y)


def test_of_every_class_the_same_share_is_held_out():
    labels = np.repeat(["a", "b", "c"], [40, 20, 1])
    held_out = held_out_examples(labels, 0.25, 7)
    assert [int(held_out[labels == label].sum()) for label in "abc"] == [10, 5, 0]
    assert np.array_equal(held_out, held_out_examples(labels, 0.25, 7))
    assert not np.array_equal(held_out, held_out_examples(labels, 0.25, 8))
    assert held_out_examples(np.zeros((20, 3)), 0.25, 7).sum() == 5
    assert not held_out_examples(labels, None, 7).any()
    with pytest.raises(InputError, match="of 61 examples is none"):
        held_out_examples(labels, 0.001, 7)


def test_the_parts_of_what_was_fitted_belong_together():
    table = np.random.default_rng(2).integers(0, 2, (40, 3))
    model = CircuitClassifier(budget=2000, runs=1, random_state=5)
    fitted = fit(model, table, table[:, 0] | table[:, 2])
    assert [question.yes for question in fitted.questions] == feature_names(model) == ["x0", "x1", "x2"]
    assert fitted.choice in fitted.front
    assert fitted.least == fitted.choice.mismatches == 0
    model._fitted = fitted
    assert np.array_equal(answers(model, table), table.T == 1)


def test_an_error_leaves_the_estimator_as_it_was():
    model = CircuitClassifier()
    before = dict(vars(model))
    with pytest.raises(InputError, match="column 'x1' holds 7"):
        fit(model, np.array([[0, 7], [1, 1]]), [0, 1])
    assert vars(model) == before


INPUTS = np.random.default_rng(4).random((5, 60)) < 0.5
CORRECT = (INPUTS[:1] & INPUTS[1:2]) | (INPUTS[2:3] ^ INPUTS[3:4])
ROWS = training_set(INPUTS, CORRECT)
TARGET = target_of(tuple("abcde"), ("y",))


def search_with(**parameters):
    return search_of(CircuitClassifier(**({"nodes": 30, "budget": 3000} | parameters)), TARGET, ROWS.rows)


def searched(seed=1, runs=3, jobs=1, **parameters):
    return search_circuits(search_with(**parameters), ROWS, seed=seed, runs=runs, jobs=jobs)


def test_circuits_grow_and_become_fitter():
    circuits = searched()
    gates = [len(circuit) for circuit in circuits]
    wrong = [fitness(evaluate(circuit, ROWS.inputs), ROWS) for circuit in circuits]
    assert gates == sorted(set(gates))
    assert wrong == sorted(set(wrong), reverse=True)
    assert wrong[-1] == 1  # all examples are fitted
    assert circuits[-1].input_labels == TARGET.input_labels


def test_the_result_depends_on_the_seed_and_not_on_the_jobs():
    assert searched() == searched(jobs=3)
    assert searched() != searched(seed=2)


def test_runs_are_merged():
    """No circuit of the first run alone beats the front of three runs."""
    merged = [(len(c), fitness(evaluate(c, ROWS.inputs), ROWS)) for c in searched(budget=300)]
    alone = [(len(c), fitness(evaluate(c, ROWS.inputs), ROWS)) for c in searched(budget=300, runs=1)]
    assert merged != alone
    assert all(any(g <= gates and w <= wrong for g, w in merged) for gates, wrong in alone)


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_and_every_run_that_is_over(jobs):
    told, done = [], []
    search_circuits(
        search_with(budget=50_000),
        ROWS,
        seed=1,
        runs=3,
        jobs=jobs,
        on_done=done.append,
        on_progress=lambda *news: told.append(news),
    )
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert told[-1][1].endswith("50,000 of 50,000 iterations, 0 mismatches")
    ends = [f"run {run} of 3: 50,000 of 50,000 iterations, 0 mismatches" for run in (1, 2, 3)]
    assert sorted(done) == ends


def test_without_a_budget_the_starts_are_found():
    assert len(searched(budget=0)) >= 1


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
        ({"budget": 2.5}, "budget must be a whole number, not 2.5"),
    ],
)
def test_parameters_of_the_search_are_checked(wrong, message):
    with pytest.raises(InputError, match=message) as refused:
        search_with(**wrong)
    assert "\n" not in str(refused.value)


def test_values_are_as_good_as_words():
    search = search_with(gates=gate_set("and,or"), mutation=Point(3))
    assert search == search_with(gates="and,or", mutation="point:3")
    assert (search.gates.names, search.mutation) == (("and", "or"), Point(3))


def test_nodes_are_chosen_by_the_number_of_outputs():
    assert search_with(nodes=None).nodes == 100
    many = target_of(("a",), tuple(f"y{j}" for j in range(64)))
    assert search_of(CircuitClassifier(), many, 5).nodes == 2000


RANDOM = np.random.default_rng(3)
MIXED = RANDOM.random((3, 70)) < 0.5  # inputs, of which equal ones have different labels
LABELLED = RANDOM.random((2, 70)) < 0.5


def test_every_example_counts_and_no_program_is_without_mismatch():
    rows = training_set(MIXED, LABELLED)
    assert (unpack(rows.inputs, 70) == MIXED).all()
    assert (unpack(rows.outputs, 70) == LABELLED).all()
    for _ in range(20):
        table = RANDOM.random((2, 8)) < 0.5  # any function of the inputs
        index = (unpack(rows.inputs, rows.rows).T @ [1, 2, 4]).astype(int)
        outputs = table[:, index]
        wrong = int((outputs[:, :70] != LABELLED).sum())
        assert fitness(pack(outputs), rows) == wrong + surplus(target_of(tuple("abc"), ("y", "z")))


def test_what_no_circuit_can_avoid():
    least = least_mismatches(MIXED, LABELLED)
    index = MIXED.T @ [1, 2, 4]
    best = sum(
        min(int((np.array(table)[index] != row).sum()) for table in product([False, True], repeat=8))
        for row in LABELLED
    )
    assert least == best > 0
    assert least_mismatches(MIXED, MIXED[:1] ^ MIXED[1:2]) == 0


def test_too_many_examples_are_refused(monkeypatch):
    monkeypatch.setattr(fitting, "MOST_ROWS", 69)
    with pytest.raises(InputError, match="70 examples are too many"):
        training_set(MIXED, LABELLED)


def test_elsewhere_nothing_is_known():
    target = target_of(("a", "b"), ("y",))
    assert (target.inputs, target.outputs) == (2, 1)
    with pytest.raises(ValueError, match="known on its examples only"):
        target.evaluate(pack(np.zeros((2, 1), dtype=bool)))


WIRE = Circuit(("a", "b"), (), (0,), ("y",))
BOTH = Circuit(("a", "b"), (Node(GATES["and"], (0, 1)), Node(GATES["or"], (0, 1))), (2, 3), ("y", "z"))
ALL_ROWS = np.array([[0, 1, 0, 1], [0, 0, 1, 1]], dtype=bool)


def member(gates, mismatches, accuracy=None, held_out=None):
    return FrontMember(
        gates, mismatches, 1 - mismatches / 100 if accuracy is None else accuracy, held_out, WIRE
    )


def sizes(members):
    return [(member.gates, member.mismatches) for member in members]


def test_a_front_grows_and_falls():
    given = [member(*pair) for pair in [(5, 3), (2, 9), (2, 7), (3, 7), (9, 0), (7, 3), (6, 2), (9, 4)]]
    assert sizes(non_dominated(given)) == [(2, 7), (5, 3), (6, 2), (9, 0)]
    random = np.random.default_rng(1)
    for _ in range(200):
        pairs = [tuple(pair) for pair in random.integers(0, 8, (10, 2)).tolist()]
        front = sizes(non_dominated(member(*pair) for pair in pairs))
        dominated = {p for p in pairs for q in pairs if q != p and q[0] <= p[0] and q[1] <= p[1]}
        assert front == sorted(set(pairs) - dominated)


def test_the_most_accurate_is_chosen_and_of_equal_ones_the_smallest():
    front = [member(1, 30), member(4, 10), member(9, 0)]
    assert chosen(front, "accuracy").gates == 9
    assert chosen(front, "gates<=8").gates == 4
    assert chosen(front, "gates <= 1").gates == 1
    assert chosen(front, "gates<=0").gates == 1  # none is so small: the smallest there is
    held_out = [member(1, 30, held_out=0.6), member(4, 10, held_out=0.9), member(9, 0, held_out=0.9)]
    assert chosen(held_out, "accuracy").gates == 4


def test_the_knee_is_where_the_front_bends():
    front = [member(0, 50), member(2, 8), member(10, 4), member(20, 0)]
    assert chosen(front, "knee").gates == 2
    straight = [member(0, 40), member(10, 20), member(20, 0)]
    assert chosen(straight, "knee").gates == 20
    outward = [member(0, 40), member(10, 39), member(20, 0)]
    assert chosen(outward, "knee").gates == 20
    assert chosen(front[:1], "knee").gates == 0
    overfitted = [member(0, 50, held_out=0.5), member(2, 8, held_out=0.9), member(20, 0, held_out=0.7)]
    assert chosen(overfitted, "knee").gates == 2


@pytest.mark.parametrize("choose", ["best", "gates<", "gates<=-1", None, 3])
def test_other_choices_are_refused(choose):
    with pytest.raises(InputError, match="use 'accuracy', 'knee' or 'gates<=K'"):
        chosen([member(1, 1)], choose)


def test_an_output_no_better_than_a_constant_is_that_constant():
    correct = np.array([[0, 0, 0, 1], [0, 0, 0, 1]], dtype=bool)  # the second output is or: wrong on two
    mended = repaired(BOTH, ALL_ROWS, correct)
    assert outputs_on(mended, ALL_ROWS).astype(int).tolist() == [[0, 0, 0, 1], [0, 0, 0, 0]]
    assert size(mended) == 1
    ones = repaired(BOTH, ALL_ROWS, ~np.array([[0, 0, 0, 1], [0, 0, 0, 0]], dtype=bool))
    assert outputs_on(ones, ALL_ROWS).all()
    assert size(ones) == 0


def test_outputs_that_are_better_stay_and_are_simplified():
    nodes = (Node(GATES["and"], (0, 1)), Node(GATES["or"], (2, 2)))
    circuit = Circuit(("a", "b"), nodes, (3,), ("y",))
    mended = repaired(circuit, ALL_ROWS, np.array([[0, 0, 1, 1]], dtype=bool))
    assert str(mended) == "y = a & b"


def test_no_examples_have_no_outputs():
    assert outputs_on(BOTH, ALL_ROWS[:, :0]).shape == (2, 0)


def test_of_circuits_without_gates_the_fittest():
    correct = np.array(
        [[0, 0, 1, 1], [0, 0, 0, 1]], dtype=bool
    )  # the second input, and a constant is as good
    circuit = repaired(without_gates(ALL_ROWS, correct, (("a", "b"), ("y", "z"))), ALL_ROWS, correct)
    assert str(circuit) == "y = b\nz = 0"
    assert size(circuit) == 0
