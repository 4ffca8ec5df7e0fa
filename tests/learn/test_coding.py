from __future__ import annotations

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.learn.coding import coding_of, encode, probabilities, shares_of


def test_two_classes_take_one_output() -> None:
    y = np.array(["won", "lost", "won"])
    coding = coding_of(y)
    assert (coding.kind, coding.labels, coding.classes.tolist()) == (
        "two classes",
        ("class_won",),
        ["lost", "won"],
    )
    assert encode(coding, y).astype(int).tolist() == [[1, 0, 1]]
    assert coding.denial == "the class is lost"


def test_more_classes_take_an_output_each() -> None:
    y = np.array([3, 1, 2, 3])
    coding = coding_of(y)
    assert coding.labels == ("class_1", "class_2", "class_3")
    assert encode(coding, y).astype(int).tolist() == [[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]


def test_labels_are_outputs_as_they_are() -> None:
    y = np.array([[0, 1], [1, 1], [0, 0]])
    assert encode(coding_of(y), y).astype(int).tolist() == y.T.tolist()
    assert coding_of(y).labels == ("y0", "y1")
    assert coding_of(y, ["tall", "tall"]).labels == ("tall", "tall_2")


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.array([1, 1]), "y has 1 class, 1: two classes"),
        (np.array([[1, 2], [0, 1]]), "0 or 1 each"),
        (np.arange(65), "65 outputs is too wide"),
        (np.zeros((2, 65), dtype=int), "65 outputs is too wide"),
    ],
)
def test_other_labels_are_refused(y: np.ndarray, message: str) -> None:
    with pytest.raises(InputError, match=message):
        coding_of(y)


def test_shares_are_counted_with_one_example_more() -> None:
    outputs = np.array([[1, 1, 1, 0]], dtype=bool)
    wanted = np.array([[1, 1, 0, 0]], dtype=bool)
    assert shares_of(outputs, wanted).tolist() == [[0.5 / 2, 2.5 / 4]]


def test_an_output_that_is_better_than_constants_says_what_is_likely() -> None:
    """Whenever it is: over all small counts of right and wrong examples where it is 1 and where it is 0."""
    coding = coding_of(np.array([0, 1]))
    seen = 0
    for right1, wrong1, right0, wrong0 in np.ndindex(5, 5, 5, 5):
        wrong, ones, zeros = wrong1 + wrong0, right1 + wrong0, right0 + wrong1
        if wrong >= min(ones, zeros):
            continue
        outputs = np.repeat([True, True, False, False], [right1, wrong1, right0, wrong0])[None]
        wanted = np.repeat([True, False, False, True], [right1, wrong1, right0, wrong0])[None]
        shares = shares_of(outputs, wanted)
        likely = probabilities(coding, shares, np.array([[False, True]]))[0]
        assert likely.argmax(axis=1).tolist() == [0, 1]
        assert np.allclose(likely.sum(axis=1), 1)
        assert (likely > 0).all()
        seen += 1
    assert seen == 100


def test_of_several_classes_the_one_that_is_on_is_likeliest() -> None:
    coding = coding_of(np.array(["a", "b", "c"]))
    shares = np.array([[0.1, 0.9], [0.2, 0.7], [0.3, 0.8]])
    patterns = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [0, 0, 0]], dtype=bool)
    likely = probabilities(coding, shares, patterns.T)[0]
    assert likely.argmax(axis=1).tolist() == [0, 1, 2, 0, 2, 2]
    assert np.allclose(likely.sum(axis=1), 1)
