"""Columns as yes-or-no questions, and labels as the outputs of a circuit."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.learn.coding import coding_of, encode, probabilities, shares_of
from gatewalk.learn.questions import Binarising, ask, impossible_rows, parse_binarising, questions_of

MIXED = np.array([["red", 1, 0], ["blue", 2, 1], ["green", 3, 1], ["red", 9, 0]], dtype=object)
NAMES = ["colour", "size", "flag"]


def asked(table, how, names=NAMES):
    questions = questions_of(table, names, how)
    answers = ask(questions, table, names).astype(int).tolist()
    return dict(zip([question.yes for question in questions], answers, strict=True))


def test_every_kind_of_column():
    assert asked(MIXED, Binarising(onehot=True, quantiles=2)) == {
        "colour=blue": [0, 1, 0, 0],
        "colour=green": [0, 0, 1, 0],
        "colour=red": [1, 0, 0, 1],
        "size>2": [0, 0, 1, 1],
        "flag": [0, 1, 1, 0],
    }


def test_without_quantiles_numbers_are_categories():
    answers = asked(MIXED, Binarising(onehot=True))
    assert list(answers)[3:] == ["size=1", "size=2", "size=3", "size=9", "flag"]
    assert answers["size=9"] == [0, 0, 0, 1]


def test_two_categories_take_one_question_and_one_takes_none():
    table = np.array([["a", 5], ["b", 5]], dtype=object)
    assert asked(table, Binarising(onehot=True), ["x", "y"]) == {"x=b": [0, 1]}
    with pytest.raises(InputError, match="tells two examples apart"):
        questions_of(table[:1], ["x", "y"], Binarising(onehot=True))


@pytest.mark.parametrize("parts", [2, 3, 4, 10])
def test_quantiles_cut_into_equal_parts(parts):
    column = np.random.default_rng(1).permutation(120).astype(float)[:, None]
    questions = questions_of(column, ["x"], Binarising(quantiles=parts))
    above = ask(questions, column, ["x"]).sum(axis=1)
    assert above.tolist() == [120 * (parts - k) // parts for k in range(1, parts)]


def test_repeated_values_are_cut_once_and_never_above_all():
    column = np.array([[2.0]] * 9 + [[3.0]])
    assert [question.yes for question in questions_of(column, ["x"], Binarising(quantiles=4))] == ["x>2"]
    constant = np.hstack([column * 0 + 7, column])
    assert [question.column for question in questions_of(constant, ["a", "b"], Binarising(quantiles=4))] == [
        1
    ]


def test_new_categories_equal_none_of_the_old_ones():
    questions = questions_of(MIXED, NAMES, Binarising(onehot=True))
    new = np.array([["pink", "big", 0], ["blue", 2.0, 1]], dtype=object)
    answers = dict(
        zip([question.yes for question in questions], ask(questions, new, NAMES).tolist(), strict=True)
    )
    assert [label for label, (first, _) in answers.items() if first] == []
    assert [label for label, (_, second) in answers.items() if second] == ["colour=blue", "size=2", "flag"]


def test_labels_are_all_different():
    table = np.array([[1.0000001, 0], [1.0000002, 1], [1.0000003, 1]])
    labels = [question.yes for question in questions_of(table, ["x", "x>1"], Binarising(quantiles=3))]
    assert len(set(labels)) == len(labels) == 3


def test_rows_that_no_example_can_have():
    table = np.array([["r", 1.0], ["g", 2.0], ["b", 3.0]], dtype=object)
    questions = questions_of(table, ["c", "x"], Binarising(onehot=True, quantiles=3))
    chosen = [questions[0], questions[4], questions[3], questions[2]]  # c=b, x>2, x>1, c=r
    possible = set()
    for colour in "rgbz":
        for number in (0.5, 1.5, 2.5):
            row = np.array([[colour, number]], dtype=object)
            bits = ask(chosen, row, ["c", "x"])[:, 0]
            possible.add(sum(int(bit) << j for j, bit in enumerate(bits)))
    free = impossible_rows(chosen, questions)
    assert {row for row in range(16) if not free >> row & 1} == possible
    assert impossible_rows([], questions) == 0


def test_a_known_category_is_one_of_those_asked_for():
    table = np.array([["r", "u"], ["g", "v"], ["b", "u"]], dtype=object)
    questions = questions_of(table, ["c", "d"], Binarising(onehot=True))
    assert [question.yes for question in questions] == ["c=b", "c=g", "c=r", "d=v"]
    free = impossible_rows(questions, questions)
    assert [row for row in range(16) if not free >> row & 1] == [1, 2, 4, 9, 10, 12]
    assert impossible_rows(questions[1:3], questions) == 0b1000


def test_missing_values_are_refused():
    table = np.array([["r"], [None], ["b"]], dtype=object)
    with pytest.raises(InputError, match="column 'c' has missing values"):
        questions_of(table, ["c"], Binarising(onehot=True))
    questions = questions_of(table[::2], ["c"], Binarising(onehot=True))
    with pytest.raises(InputError, match="column 'c' has missing values"):
        ask(questions, table, ["c"])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (Binarising(), "column 'colour' holds 'red', not 0 or 1: use binarise="),
        (
            Binarising(quantiles=4),
            "column 'colour' holds 'red', which is not a number; use .*onehot,quantiles:4",
        ),
    ],
)
def test_columns_that_nobody_said_how_to_ask_are_refused(how, message):
    with pytest.raises(InputError, match=message):
        questions_of(MIXED, NAMES, how)


def test_too_many_categories_are_refused():
    with pytest.raises(InputError, match="has 65 categories"):
        questions_of(np.arange(65.0)[:, None], ["x"], Binarising(onehot=True))


def test_columns_must_stay_what_they_were():
    table = np.array([[0, 1.5], [1, 2.5], [1, 3.5]], dtype=object)
    questions = questions_of(table, ["flag", "size"], Binarising(quantiles=2))
    with pytest.raises(InputError, match="column 'size' contains 'big', but only numbers"):
        ask(questions, np.array([[1, "big"]], dtype=object), ["flag", "size"])


def test_bits_stay_bits_unless_other_values_are_allowed():
    table = np.array([[0, 1], [1, 1]])
    strict, cut, compared = (
        questions_of(table, ["a", "b"], how)
        for how in (Binarising(), Binarising(quantiles=4), Binarising(True))
    )
    assert [question.yes for question in strict] == ["a", "b"]
    assert [question.yes for question in cut] == [question.yes for question in compared] == ["a"]
    later = np.array([[0, 1], [1, 1], [2, 0]])
    with pytest.raises(InputError, match="column 'a' contains 2, but only 0 and 1"):
        ask(strict, later, ["a", "b"])
    assert ask(cut, later, ["a", "b"]).astype(int).tolist() == [[0, 1, 1]]
    assert ask(compared, later, ["a", "b"]).astype(int).tolist() == [[0, 1, 0]]


@pytest.mark.parametrize(
    "text", ["", "onehots", "quantiles", "quantiles:1", "quantiles:x", "onehot:3", 4, "onehot,onehot"]
)
def test_what_says_nothing_is_refused(text):
    with pytest.raises(InputError, match="use None, 'onehot', 'quantiles:K'"):
        parse_binarising(text)


def test_nothing_is_asked_unless_it_is_said():
    assert parse_binarising(None) == Binarising()
    assert parse_binarising("quantiles:4, onehot") == Binarising(onehot=True, quantiles=4)


# Labels as outputs.


def test_two_classes_take_one_output():
    y = np.array(["won", "lost", "won"])
    coding = coding_of(y)
    assert (coding.kind, coding.labels, coding.classes.tolist()) == (
        "two classes",
        ("class_won",),
        ["lost", "won"],
    )
    assert encode(coding, y).astype(int).tolist() == [[1, 0, 1]]
    assert coding.denial == "the class is lost"


def test_more_classes_take_an_output_each():
    y = np.array([3, 1, 2, 3])
    coding = coding_of(y)
    assert coding.labels == ("class_1", "class_2", "class_3")
    assert encode(coding, y).astype(int).tolist() == [[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]


def test_labels_are_outputs_as_they_are():
    y = np.array([[0, 1], [1, 1], [0, 0]])
    assert encode(coding_of(y), y).astype(int).tolist() == y.T.tolist()
    assert coding_of(y).labels == ("y0", "y1")
    assert coding_of(y, ["tall", "tall"]).labels == ("tall", "tall_2")


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.array([1, 1]), "y has only one class, 1; at least two"),
        (np.array([[1, 2], [0, 1]]), "must be 0 or 1 each"),
        (np.arange(65), "65 outputs is too wide"),
        (np.zeros((2, 65), dtype=int), "65 outputs is too wide"),
    ],
)
def test_other_labels_are_refused(y, message):
    with pytest.raises(InputError, match=message):
        coding_of(y)


def test_shares_are_counted_with_one_example_more():
    outputs = np.array([[1, 1, 1, 0]], dtype=bool)
    correct = np.array([[1, 1, 0, 0]], dtype=bool)
    assert shares_of(outputs, correct).tolist() == [[0.5 / 2, 2.5 / 4]]


def test_an_output_that_is_better_than_constants_says_what_is_likely():
    """Whenever it is: over all small counts of right and wrong examples where it is 1 and where it is 0."""
    coding = coding_of(np.array([0, 1]))
    seen = 0
    for right1, wrong1, right0, wrong0 in np.ndindex(5, 5, 5, 5):
        wrong, ones, zeros = wrong1 + wrong0, right1 + wrong0, right0 + wrong1
        if wrong >= min(ones, zeros):
            continue
        outputs = np.repeat([True, True, False, False], [right1, wrong1, right0, wrong0])[None]
        correct = np.repeat([True, False, False, True], [right1, wrong1, right0, wrong0])[None]
        shares = shares_of(outputs, correct)
        likely = probabilities(coding, shares, np.array([[False, True]]))[0]
        assert likely.argmax(axis=1).tolist() == [0, 1]
        assert np.allclose(likely.sum(axis=1), 1)
        assert (likely > 0).all()
        seen += 1
    assert seen == 100


def test_of_several_classes_the_one_that_is_on_is_likeliest():
    coding = coding_of(np.array(["a", "b", "c"]))
    shares = np.array([[0.1, 0.9], [0.2, 0.7], [0.3, 0.8]])
    patterns = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [0, 0, 0]], dtype=bool)
    likely = probabilities(coding, shares, patterns.T)[0]
    assert likely.argmax(axis=1).tolist() == [0, 1, 2, 0, 2, 2]
    assert np.allclose(likely.sum(axis=1), 1)
