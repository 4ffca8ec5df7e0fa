from __future__ import annotations

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.learn.binarising import Binarising, ask, impossible_rows, parse_binarising, questions_of

MIXED = np.array([["red", 1, 0], ["blue", 2, 1], ["green", 3, 1], ["red", 9, 0]], dtype=object)
NAMES = ["colour", "size", "flag"]


def asked(table: np.ndarray, how: Binarising, names=NAMES) -> dict[str, list[int]]:
    questions = questions_of(table, names, how)
    answers = ask(questions, table, names).astype(int).tolist()
    return dict(zip([question.yes for question in questions], answers, strict=True))


def test_every_kind_of_column() -> None:
    assert asked(MIXED, Binarising(onehot=True, quantiles=2)) == {
        "colour=blue": [0, 1, 0, 0],
        "colour=green": [0, 0, 1, 0],
        "colour=red": [1, 0, 0, 1],
        "size>2": [0, 0, 1, 1],
        "flag": [0, 1, 1, 0],
    }


def test_without_quantiles_numbers_are_categories() -> None:
    found = asked(MIXED, Binarising(onehot=True))
    assert list(found)[3:] == ["size=1", "size=2", "size=3", "size=9", "flag"]
    assert found["size=9"] == [0, 0, 0, 1]


def test_two_categories_take_one_question_and_one_takes_none() -> None:
    table = np.array([["a", 5], ["b", 5]], dtype=object)
    assert asked(table, Binarising(onehot=True), ["x", "y"]) == {"x=b": [0, 1]}
    with pytest.raises(InputError, match="tells two examples apart"):
        questions_of(table[:1], ["x", "y"], Binarising(onehot=True))


@pytest.mark.parametrize("parts", [2, 3, 4, 10])
def test_quantiles_cut_into_equal_parts(parts: int) -> None:
    column = np.random.default_rng(1).permutation(120).astype(float)[:, None]
    questions = questions_of(column, ["x"], Binarising(quantiles=parts))
    above = ask(questions, column, ["x"]).sum(axis=1)
    assert above.tolist() == [120 * (parts - k) // parts for k in range(1, parts)]


def test_repeated_values_are_cut_once_and_never_above_all() -> None:
    column = np.array([[2.0]] * 9 + [[3.0]])
    assert [one.yes for one in questions_of(column, ["x"], Binarising(quantiles=4))] == ["x>2"]
    constant = np.hstack([column * 0 + 7, column])
    assert [one.column for one in questions_of(constant, ["a", "b"], Binarising(quantiles=4))] == [1]


def test_new_categories_equal_none_of_the_old_ones() -> None:
    questions = questions_of(MIXED, NAMES, Binarising(onehot=True))
    new = np.array([["pink", "big", 0], ["blue", 2.0, 1]], dtype=object)
    answers = dict(zip([one.yes for one in questions], ask(questions, new, NAMES).tolist(), strict=True))
    assert [label for label, (first, _) in answers.items() if first] == []
    assert [label for label, (_, second) in answers.items() if second] == ["colour=blue", "size=2", "flag"]


def test_labels_are_all_different() -> None:
    table = np.array([[1.0000001, 0], [1.0000002, 1], [1.0000003, 1]])
    labels = [one.yes for one in questions_of(table, ["x", "x>1"], Binarising(quantiles=3))]
    assert len(set(labels)) == len(labels) == 3


def test_rows_that_no_example_can_have() -> None:
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


def test_a_known_category_is_one_of_those_asked_for() -> None:
    table = np.array([["r", "u"], ["g", "v"], ["b", "u"]], dtype=object)
    questions = questions_of(table, ["c", "d"], Binarising(onehot=True))
    assert [one.yes for one in questions] == ["c=b", "c=g", "c=r", "d=v"]
    free = impossible_rows(questions, questions)
    assert [row for row in range(16) if not free >> row & 1] == [1, 2, 4, 9, 10, 12]
    assert impossible_rows(questions[1:3], questions) == 0b1000


def test_missing_values_are_refused() -> None:
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
            "column 'colour' holds 'red', which is no number: use .*onehot,quantiles:4",
        ),
    ],
)
def test_columns_that_nobody_said_how_to_ask_are_refused(how: Binarising, message: str) -> None:
    with pytest.raises(InputError, match=message):
        questions_of(MIXED, NAMES, how)


def test_too_many_categories_are_refused() -> None:
    with pytest.raises(InputError, match="has 65 categories"):
        questions_of(np.arange(65.0)[:, None], ["x"], Binarising(onehot=True))


def test_columns_must_stay_what_they_were() -> None:
    table = np.array([[0, 1.5], [1, 2.5], [1, 3.5]], dtype=object)
    questions = questions_of(table, ["flag", "size"], Binarising(quantiles=2))
    with pytest.raises(InputError, match="column 'size' holds 'big': it held numbers"):
        ask(questions, np.array([[1, "big"]], dtype=object), ["flag", "size"])


def test_bits_stay_bits_unless_other_values_are_allowed() -> None:
    table = np.array([[0, 1], [1, 1]])
    strict, cut, compared = (
        questions_of(table, ["a", "b"], how)
        for how in (Binarising(), Binarising(quantiles=4), Binarising(True))
    )
    assert [one.yes for one in strict] == ["a", "b"]
    assert [one.yes for one in cut] == [one.yes for one in compared] == ["a"]
    later = np.array([[0, 1], [1, 1], [2, 0]])
    with pytest.raises(InputError, match="column 'a' holds 2: it held 0 and 1"):
        ask(strict, later, ["a", "b"])
    assert ask(cut, later, ["a", "b"]).astype(int).tolist() == [[0, 1, 1]]
    assert ask(compared, later, ["a", "b"]).astype(int).tolist() == [[0, 1, 0]]


@pytest.mark.parametrize(
    "text", ["", "onehots", "quantiles", "quantiles:1", "quantiles:x", "onehot:3", 4, "onehot,onehot"]
)
def test_what_says_nothing_is_refused(text: object) -> None:
    with pytest.raises(InputError, match="use None, 'onehot', 'quantiles:K'"):
        parse_binarising(text)


def test_nothing_is_asked_unless_it_is_said() -> None:
    assert parse_binarising(None) == Binarising()
    assert parse_binarising("quantiles:4, onehot") == Binarising(onehot=True, quantiles=4)
