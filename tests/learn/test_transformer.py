from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from gatewalk.errors import InputError
from gatewalk.learn import CircuitTransformer

QUICK = {"budget": 20_000, "runs": 1, "random_state": 1}
X = np.random.default_rng(6).integers(0, 2, (90, 5))
Y = X[:, 0] ^ X[:, 1] ^ (X[:, 2] & X[:, 3])


@pytest.mark.filterwarnings("ignore")  # what the checks themselves provoke
@pytest.mark.parametrize(("features", "binarise"), [("outputs", "onehot"), ("front", "quantiles:4")])
def test_what_scikit_learn_asks_of_a_transformer(features: str, binarise: str) -> None:
    model = CircuitTransformer(budget=300, runs=1, binarise=binarise, features=features)
    results = check_estimator(model, on_fail=None, on_skip=None)
    left = {one["check_name"]: str(one["exception"]) for one in results if one["status"] != "passed"}
    assert len(results) > 40
    assert set(left) <= {"check_array_api_input"}, left


def test_features_are_the_outputs_of_the_circuit() -> None:
    labels = np.column_stack([X[:, 0] & X[:, 1], X[:, 2] | X[:, 4]])
    model = CircuitTransformer(**QUICK).fit(X, labels)
    found = model.transform(X)
    assert found.dtype == bool
    assert (found == labels).all()
    assert model.get_feature_names_out().tolist() == ["y0", "y1"]
    assert [line.split(" = ")[0] for line in model.expression().splitlines()][-2:] == ["y0", "y1"]


def test_features_of_all_circuits_of_the_front() -> None:
    model = CircuitTransformer(**QUICK, features="front").fit(X, Y)
    names = model.get_feature_names_out().tolist()
    found = model.transform(X)
    members = [member for member in model.front_ if member.circuit.table().std() > 0]
    assert names == [f"class_1_of_{member.gates}_gates" for member in members]
    assert found.shape == (90, len(names))
    for column, member in zip(found.T, members, strict=True):
        assert int((column != Y).sum()) == member.mismatches


def test_features_help_a_linear_model() -> None:
    """Parity is nothing to a linear model, and everything to a circuit before it."""
    alone = LogisticRegression().fit(X, Y).score(X, Y)
    model = make_pipeline(CircuitTransformer(**QUICK, features="front"), LogisticRegression()).fit(X, Y)
    assert model.score(X, Y) > max(0.95, alone + 0.2)
    grid = {"circuittransformer__features": ["outputs", "front"]}
    searched = GridSearchCV(model, grid, cv=3).fit(X, Y)
    assert (pickle.loads(pickle.dumps(searched)).predict(X) == searched.predict(X)).all()


def test_frames_come_out_if_wanted() -> None:
    frame = pd.DataFrame(X, columns=list("abcde"))
    model = CircuitTransformer(**QUICK).set_output(transform="pandas").fit(frame, Y)
    assert list(model.transform(frame).columns) == ["class_1"]
    assert model.rules()[-1] == "otherwise the class is 0"


def test_a_front_of_constants_is_a_feature_too() -> None:
    labels = np.r_[np.ones(89, dtype=int), 0]
    table = np.zeros((90, 2), dtype=int)
    model = CircuitTransformer(**QUICK, features="front").fit(table, labels)
    assert model.transform(table).all()


def test_wrong_options_are_refused() -> None:
    with pytest.raises(InputError, match="features is 'all': use 'outputs' or 'front'"):
        CircuitTransformer(features="all").fit(X, Y)
    with pytest.raises(InputError, match="input_features should have length equal"):
        CircuitTransformer(**QUICK).fit(X, Y).get_feature_names_out(["a"])
