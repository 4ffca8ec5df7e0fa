"""The classifier and the transformer: scikit-learn's own checks, and what they learn."""

from __future__ import annotations

import json
import os
import pickle
import re
import signal
from pathlib import Path
from threading import Timer

import numpy as np
import pandas as pd
import pytest
from processes import LIMIT
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError
from gatewalk.learn import CircuitClassifier, CircuitTransformer

QUICK = {"budget": 20_000, "runs": 1, "random_state": 1}
RANDOM = np.random.default_rng(5)
X = RANDOM.integers(0, 2, (80, 6))
Y = (X[:, 0] & X[:, 1]) | (X[:, 2] & ~X[:, 3] & 1)


def not_passed(estimator):
    """The checks of scikit-learn that the estimator does not pass, with the reasons."""
    results = check_estimator(estimator, on_fail=None, on_skip=None)
    assert len(results) > 40
    return {check["check_name"]: str(check["exception"]) for check in results if check["status"] != "passed"}


@pytest.mark.filterwarnings("ignore")  # what the checks themselves provoke
@pytest.mark.parametrize("binarise", ["quantiles:8", "onehot"])
def test_what_scikit_learn_asks_of_a_classifier(binarise):
    left = not_passed(CircuitClassifier(budget=2000, runs=1, binarise=binarise))
    # There is no decision_function, and arrays other than NumPy's are not asked for.
    optional = {"check_array_api_input", "check_classifiers_multilabel_output_format_decision_function"}
    assert set(left) <= optional, left


@pytest.mark.filterwarnings("ignore")
def test_all_that_fails_without_binarising_is_that_x_is_refused():
    left = not_passed(CircuitClassifier(budget=2000, runs=1))
    del left["check_array_api_input"]
    refused = ("not 0 or 1: use binarise", "raised InputError unexpectedly")
    assert [name for name, reason in left.items() if not any(words in reason for words in refused)] == []


def test_two_classes():
    names = np.array(["no", "yes"])[Y]
    model = CircuitClassifier(**QUICK).fit(X, names)
    assert model.score(X, names) == 1
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.circuit_.output_labels == ("class_yes",)
    assert (model.circuit_(*X.T) == Y).all()
    likely = model.predict_proba(X)
    assert likely.shape == (80, 2)
    assert np.allclose(likely.sum(axis=1), 1)
    assert (model.classes_[likely.argmax(axis=1)] == model.predict(X)).all()
    assert model.least_mismatches_ == 0


def test_the_front_is_of_simplified_circuits_with_their_true_figures():
    model = CircuitClassifier(**QUICK).fit(X, Y)
    assert len(model.front_) >= 2
    assert model.front_[0].gates == 0
    gates = [member.gates for member in model.front_]
    assert gates == sorted(set(gates))
    for member in model.front_:
        assert member.circuit.simplify() == member.circuit
        assert member.gates == sum(node.gate.arity > 0 for node in member.circuit.nodes)
        wrong = int((member.circuit.table()[X @ (1 << np.arange(6)), 0] != Y).sum())
        assert member.mismatches == wrong
        assert member.accuracy == pytest.approx(1 - wrong / 80)
        assert member.validation_accuracy is None
    assert model.circuit_ is model.front_[-1].circuit


def test_a_smaller_circuit_can_be_chosen():
    small = CircuitClassifier(**QUICK, choose="gates<=1").fit(X, Y)
    large = CircuitClassifier(**QUICK).fit(X, Y)
    assert small.front_ == large.front_
    assert len(small.circuit_) <= 1 < len(large.circuit_)
    assert small.score(X, Y) < large.score(X, Y)


def test_several_classes():
    classes = X[:, 0] + X[:, 1] + X[:, 2]
    model = CircuitClassifier(budget=30_000, runs=2, random_state=1).fit(X, classes)
    assert model.score(X, classes) > 0.9
    assert model.circuit_.output_labels == ("class_0", "class_1", "class_2", "class_3")
    likely = model.predict_proba(X)
    assert likely.shape == (80, 4)
    assert np.allclose(likely.sum(axis=1), 1)
    outputs = np.array(model.circuit_(*X.T))
    alone = outputs.sum(axis=0) == 1
    assert alone.sum() > 40
    assert (model.predict(X)[alone] == outputs.argmax(axis=0)[alone]).all()


def test_several_labels():
    labels = pd.DataFrame({"both": X[:, 0] & X[:, 1], "any": X[:, 2] | X[:, 3], "never": 0})
    model = CircuitClassifier(**QUICK).fit(X, labels)
    assert model.score(X, labels.to_numpy()) == 1
    assert model.circuit_.output_labels == ("both", "any", "never")
    assert [classes.tolist() for classes in model.classes_] == [[0, 1]] * 3
    assert [table.shape for table in model.predict_proba(X)] == [(80, 2)] * 3
    assert model.rules() == [
        "if x0 and x1 then both is 1",
        "if x2 then any is 1",
        "if x3 then any is 1",
        "never never is 1",
        "otherwise a label is 0",
    ]


def test_sparse_labels_are_labels():
    labels = np.column_stack([X[:, 0] & X[:, 1], X[:, 2]])
    dense, sparse = (CircuitClassifier(**QUICK).fit(X, y) for y in (labels, csr_array(labels)))
    assert dense.front_ == sparse.front_


def test_where_equal_examples_differ_the_majority_is_learnt():
    table = np.array([[0], [0], [0], [1], [1], [1], [1]])
    labels = np.array([1, 1, 0, 0, 0, 0, 1])
    model = CircuitClassifier(**QUICK).fit(table, labels)
    assert model.predict([[0], [1]]).tolist() == [1, 0]
    assert model.least_mismatches_ == 2 == model.front_[-1].mismatches
    overall = 3 / 7
    assert model.predict_proba([[0], [1]])[:, 1] == pytest.approx([(2 + overall) / 4, (1 + overall) / 5])


def test_names_of_columns_and_categories():
    frame = pd.DataFrame(
        {"colour": np.array(["red", "green", "blue"])[RANDOM.integers(0, 3, 60)], "size": RANDOM.random(60)}
    )
    labels = (frame["colour"] == "red") & (frame["size"] > frame["size"].median())
    model = CircuitClassifier(**QUICK, binarise="onehot,quantiles:2").fit(frame, labels)
    assert model.feature_names_in_.tolist() == ["colour", "size"]
    assert model.score(frame, labels) == 1
    median = np.quantile(frame["size"], 0.5, method="lower")
    assert model.rules()[0] == f"if colour=red and size>{median:.6g} then the class is True"
    assert model.expression() == f"class_True = colour=red & size>{median:.6g}"
    strange = pd.DataFrame({"colour": ["pink"], "size": [9.0]})
    assert model.predict(strange).tolist() == [False]


def test_held_out_examples_choose():
    noisy = Y.copy()
    noisy[::7] ^= 1
    model = CircuitClassifier(budget=20_000, runs=1, random_state=1, validation_fraction=0.25).fit(X, noisy)
    best = max(member.validation_accuracy for member in model.front_)
    few = next(member for member in model.front_ if member.validation_accuracy == best)
    assert model.circuit_ is few.circuit
    assert {round(member.validation_accuracy * 20, 9) % 1 for member in model.front_} == {0}
    assert max(member.mismatches for member in model.front_) <= 60


def test_the_seed_decides_and_not_the_jobs():
    alone, side_by_side = (
        CircuitClassifier(budget=3000, runs=3, jobs=jobs, random_state=3).fit(X, Y) for jobs in (1, 2)
    )
    assert alone.front_ == side_by_side.front_
    assert alone.front_ != CircuitClassifier(budget=3000, runs=3, random_state=4).fit(X, Y).front_


def test_a_model_among_scikit_learns_tools(tmp_path):
    model = make_pipeline(FunctionTransformer(), CircuitClassifier(**QUICK))
    assert cross_val_score(model, X, Y, cv=3).mean() > 0.8
    grid = GridSearchCV(CircuitClassifier(**QUICK), {"choose": ["gates<=0", "accuracy"]}, cv=3).fit(X, Y)
    assert grid.best_params_ == {"choose": "accuracy"}
    again = pickle.loads(pickle.dumps(grid.best_estimator_))
    assert (again.predict(X) == grid.predict(X)).all()
    assert clone(again).get_params() == again.get_params()
    again.draw(tmp_path / "circuit.svg")
    assert "class_1" in (tmp_path / "circuit.svg").read_text()


def test_what_is_not_fitted_says_so(tmp_path):
    model = CircuitClassifier()
    for ask in (
        model.rules,
        model.expression,
        lambda: model.predict(X),
        lambda: model.draw(tmp_path / "a.svg"),
    ):
        with pytest.raises(NotFittedError):
            ask()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"choose": "smallest"}, "choose is 'smallest'"),
        ({"binarise": "thermometer"}, "binarise is 'thermometer'"),
        ({"validation_fraction": 1.5}, "validation_fraction is 1.5"),
        ({"validation_fraction": True}, "validation_fraction is True"),
        ({"validation_fraction": 0.001}, "of 80 examples is none"),
        ({"nodes": -1}, "nodes is -1"),
        ({"runs": 0}, "runs is 0"),
        ({"jobs": "many"}, "jobs must be a whole number, not 'many'"),
        ({"budget": "much"}, "budget must be .*, not 'much'"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options, message):
    with pytest.raises(InputError, match=message) as refused:
        CircuitClassifier(**(QUICK | options)).fit(X, Y)
    assert "\n" not in str(refused.value)


def test_a_picture_needs_a_suffix(tmp_path):
    with pytest.raises(InputError, match="is not that of a picture"):
        CircuitClassifier(**QUICK).fit(X, Y).draw(tmp_path / "circuit.bmp")


def test_an_interruption_leaves_the_model_as_it_was():
    model = CircuitClassifier(**QUICK).fit(X, Y)
    before = dict(vars(model))
    model.set_params(budget=10**9)
    timer = Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[:, :3], Y)
    timer.join(LIMIT)
    assert vars(model) == before | {"budget": 10**9}
    assert isinstance(model.circuit_, Circuit)
    assert model.score(X, Y) == 1


def test_progress_is_reported_if_verbose(capsys):
    CircuitClassifier(**(QUICK | {"runs": 2, "verbose": True})).fit(X, Y)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "run 1 of 2: 20,000 of 20,000 iterations, 0 mismatches"
    assert len(lines) == 2


def test_the_room_knows_its_names():
    import gatewalk.learn

    with pytest.raises(AttributeError, match="no attribute 'Circuits'"):
        _ = gatewalk.learn.Circuits
    assert "CircuitClassifier" in dir(gatewalk.learn)


PARITY_X = np.random.default_rng(6).integers(0, 2, (90, 5))
PARITY_Y = PARITY_X[:, 0] ^ PARITY_X[:, 1] ^ (PARITY_X[:, 2] & PARITY_X[:, 3])


@pytest.mark.filterwarnings("ignore")  # what the checks themselves provoke
@pytest.mark.parametrize(("features", "binarise"), [("outputs", "onehot"), ("front", "quantiles:4")])
def test_what_scikit_learn_asks_of_a_transformer(features, binarise):
    left = not_passed(CircuitTransformer(budget=300, runs=1, binarise=binarise, features=features))
    assert set(left) <= {"check_array_api_input"}, left


def test_features_are_the_outputs_of_the_circuit():
    labels = np.column_stack([PARITY_X[:, 0] & PARITY_X[:, 1], PARITY_X[:, 2] | PARITY_X[:, 4]])
    model = CircuitTransformer(**QUICK).fit(PARITY_X, labels)
    outputs = model.transform(PARITY_X)
    assert outputs.dtype == bool
    assert (outputs == labels).all()
    assert model.get_feature_names_out().tolist() == ["y0", "y1"]
    assert [line.split(" = ")[0] for line in model.expression().splitlines()][-2:] == ["y0", "y1"]


def test_features_of_all_circuits_of_the_front():
    model = CircuitTransformer(**QUICK, features="front").fit(PARITY_X, PARITY_Y)
    names = model.get_feature_names_out().tolist()
    outputs = model.transform(PARITY_X)
    members = [member for member in model.front_ if member.circuit.table().std() > 0]
    assert names == [f"class_1_of_{member.gates}_gates" for member in members]
    assert outputs.shape == (90, len(names))
    for column, member in zip(outputs.T, members, strict=True):
        assert int((column != PARITY_Y).sum()) == member.mismatches


def test_features_help_a_linear_model():
    """Parity is nothing to a linear model, and everything to a circuit before it."""
    alone = LogisticRegression().fit(PARITY_X, PARITY_Y).score(PARITY_X, PARITY_Y)
    model = make_pipeline(CircuitTransformer(**QUICK, features="front"), LogisticRegression()).fit(
        PARITY_X, PARITY_Y
    )
    assert model.score(PARITY_X, PARITY_Y) > max(0.95, alone + 0.2)
    grid = {"circuittransformer__features": ["outputs", "front"]}
    searched = GridSearchCV(model, grid, cv=3).fit(PARITY_X, PARITY_Y)
    assert (pickle.loads(pickle.dumps(searched)).predict(PARITY_X) == searched.predict(PARITY_X)).all()


def test_frames_come_out_if_asked_for():
    frame = pd.DataFrame(PARITY_X, columns=list("abcde"))
    model = CircuitTransformer(**QUICK).set_output(transform="pandas").fit(frame, PARITY_Y)
    assert list(model.transform(frame).columns) == ["class_1"]
    assert model.rules()[-1] == "otherwise the class is 0"


def test_a_front_of_constants_is_a_feature_too():
    labels = np.r_[np.ones(89, dtype=int), 0]
    table = np.zeros((90, 2), dtype=int)
    model = CircuitTransformer(**QUICK, features="front").fit(table, labels)
    assert model.transform(table).all()


def test_wrong_options_of_a_transformer_are_refused():
    with pytest.raises(InputError, match="features is 'all'; use 'outputs' or 'front'"):
        CircuitTransformer(features="all").fit(PARITY_X, PARITY_Y)
    with pytest.raises(InputError, match="input_features should have length equal"):
        CircuitTransformer(**QUICK).fit(PARITY_X, PARITY_Y).get_feature_names_out(["a"])


@pytest.mark.parametrize("kind", [CircuitClassifier, CircuitTransformer])
def test_a_drawing_has_the_inputs_that_are_read(kind, tmp_path):
    table = np.random.default_rng(3).integers(0, 2, (60, 8))
    model = kind(**QUICK).fit(table, table[:, 2] & table[:, 5])
    model.draw(tmp_path / "circuit.svg")
    text = (tmp_path / "circuit.svg").read_text()
    assert [f"x{j}" for j in range(8) if f">x{j}<" in text] == ["x2", "x5"]
    assert model.expression() == "class_1 = x2 & x5"
    assert model.rules() == ["if x2 and x5 then the class is 1", "otherwise the class is 0"]


ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "how-to" / "learn.md").read_text()
RESULTS = ROOT / "benchmarks" / "results" / "learning.jsonl"


def test_the_table_is_what_was_measured():
    measured = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    rows = re.findall(r"^\| ([a-z0-9-]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", GUIDE, re.MULTILINE)
    assert [row[:2] for row in rows if row[0] != "data"] == [
        (record["data"], record["model"]) for record in measured
    ]
    for (_, _, accuracy, size), record in zip(rows[-len(measured) :], measured, strict=True):
        figures = [100 * record["accuracy"], 100 * record["accuracy_sd"], record["size"], record["size_sd"]]
        assert re.findall(r"[\d.]+", f"{accuracy} {size}") == [f"{figure:.1f}" for figure in figures]
