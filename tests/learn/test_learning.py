from __future__ import annotations

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.learn import CircuitClassifier
from gatewalk.learn.coding import coding_of, encode
from gatewalk.learn.learning import answers, feature_names, held_out_examples, learn, predicted, truth

SEVERAL = np.array([[0, 1], [1, 1], [0, 0]])


@pytest.mark.parametrize(
    "y", [np.array([0, 1, 1]), np.array(["a", "c", "b"]), SEVERAL], ids=["two", "more", "labels"]
)
def test_outputs_that_are_right_predict_the_truth(y: np.ndarray) -> None:
    coding = coding_of(y)
    wanted = encode(coding, y)
    reliable = np.tile([0.1, 0.9], (len(wanted), 1))
    assert np.array_equal(predicted(coding, reliable, wanted), truth(coding, wanted))
    classes = coding.classes[truth(coding, wanted)]
    assert np.array_equal(classes, y)


def test_of_every_class_the_same_share_is_held_out() -> None:
    labels = np.repeat(["a", "b", "c"], [40, 20, 1])
    held_out = held_out_examples(labels, 0.25, 7)
    assert [int(held_out[labels == one].sum()) for one in "abc"] == [10, 5, 0]
    assert np.array_equal(held_out, held_out_examples(labels, 0.25, 7))
    assert not np.array_equal(held_out, held_out_examples(labels, 0.25, 8))
    assert held_out_examples(np.zeros((20, 3)), 0.25, 7).sum() == 5
    assert not held_out_examples(labels, None, 7).any()
    with pytest.raises(InputError, match="of 61 examples is none"):
        held_out_examples(labels, 0.001, 7)


def test_what_is_learnt_belongs_together() -> None:
    table = np.random.default_rng(2).integers(0, 2, (40, 3))
    model = CircuitClassifier(budget=2000, runs=1, random_state=5)
    learnt = learn(model, table, table[:, 0] | table[:, 2])
    assert [question.yes for question in learnt.questions] == feature_names(model) == ["x0", "x1", "x2"]
    assert learnt.choice in learnt.front
    assert learnt.least == learnt.choice.mismatches == 0
    model._learnt = learnt
    assert np.array_equal(answers(model, table), table.T == 1)


def test_an_error_leaves_the_estimator_as_it_was() -> None:
    model = CircuitClassifier()
    before = dict(vars(model))
    with pytest.raises(InputError, match="column 'x1' holds 7"):
        learn(model, np.array([[0, 7], [1, 1]]), [0, 1])
    assert vars(model) == before
