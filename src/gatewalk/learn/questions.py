"""Columns of any kind become yes-or-no questions, whose answers are the inputs of a circuit.

A column of 0 and 1 is a question as it is. Other columns are refused unless the caller says how to binarise
them. "onehot" asks for each category whether the value is this one. "quantiles:K" asks whether a number
exceeds each of the K - 1 values that cut the training examples into K equal parts (a thermometer code).
"onehot,quantiles:K" chooses by the kind of the column: text and other objects are categories, numbers are
cut. The questions are learnt from the training examples and then asked of all other examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.circuit.labels import Used, unused
from gatewalk.errors import InputError, shown

MOST_CATEGORIES = 64
MOST_QUANTILES = 64
MOST_BITS = 10_000
Kind = Literal["is 1", "equals", "exceeds"]


@dataclass(frozen=True)
class Question:
    """A yes-or-no question about one column.

    value: the value that is compared with.
    yes, no: the two answers as texts. `yes` is also the label of the circuit's input.
    """

    column: int
    kind: Kind
    value: float | str
    yes: str
    no: str


@dataclass(frozen=True)
class Binarising:
    """How columns that are not 0 and 1 are binarised. quantiles: 0 if numbers are not cut."""

    onehot: bool = False
    quantiles: int = 0


def parse_binarising(written: object) -> Binarising:
    """Read None, "onehot", "quantiles:K" or "onehot,quantiles:K".

    >>> parse_binarising("onehot,quantiles:4")
    Binarising(onehot=True, quantiles=4)
    """
    if written is None:
        return Binarising()
    onehot, quantiles = False, 0
    for word in written.split(",") if isinstance(written, str) else [""]:
        name, _, count = word.strip().partition(":")
        if name == "onehot" and not count and not onehot:
            onehot = True
        elif name == "quantiles" and not quantiles and _is_count(count):
            quantiles = int(count)
        else:
            raise InputError(
                f"binarise is {shown(written)}; use None, 'onehot', 'quantiles:K' with K from 2 to "
                f"{MOST_QUANTILES}, or 'onehot,quantiles:K'"
            )
    return Binarising(onehot, quantiles)


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4 and 2 <= int(text) <= MOST_QUANTILES


def questions_of(table: NDArray[Any], names: Sequence[str], how: Binarising) -> tuple[Question, ...]:
    """The questions for examples, which are the rows of a table.

    A column that has to be binarised and has the same value in all examples gets no question.

    >>> table = np.array([["red", 3.5], ["blue", 1.0], ["green", 2.0]], dtype=object)
    >>> [question.yes for question in questions_of(table, ["colour", "size"], Binarising(True, 3))]
    ['colour=blue', 'colour=green', 'colour=red', 'size>1', 'size>2']
    """
    used: Used = {}
    questions: list[Question] = []
    for column, name in enumerate(names):
        questions += _of_column(table[:, column], column, name, how, used)
        if len(questions) > MOST_BITS:
            raise InputError(f"the columns become more than {MOST_BITS:,} bits; use fewer of them")
    if not questions:
        raise InputError("no column of X tells two examples apart; a circuit needs an input")
    return tuple(questions)


def _of_column(values: NDArray[Any], column: int, name: str, how: Binarising, used: Used) -> list[Question]:
    numbers = _numbers(values)
    if numbers is not None and _are_bits(numbers):
        return _of_bits(numbers, column, name, how, used)
    if numbers is not None and how.quantiles:
        cuts = np.quantile(numbers, np.arange(1, how.quantiles) / how.quantiles, method="lower")
        inner = np.unique(cuts)
        return [
            _question(column, "exceeds", cut, f"{name}>{cut:.6g}", f"{name}<={cut:.6g}", used)
            for cut in inner[inner < numbers.max()].tolist()
        ]
    if not how.onehot:
        raise _not_bits(values, name, how)
    kinds = np.unique(_texts(values, name) if numbers is None else numbers).tolist()
    if len(kinds) > MOST_CATEGORIES:
        raise InputError(
            f"column {shown(name)} has {len(kinds)} categories, at most {MOST_CATEGORIES} are possible: "
            "if they are numbers, use binarise='quantiles:4'"
        )
    asked = kinds[1:] if len(kinds) <= 2 else kinds  # one question distinguishes two categories
    texts = [kind if isinstance(kind, str) else f"{kind:.6g}" for kind in asked]
    return [
        _question(column, "equals", kind, f"{name}={text}", f"{name} is not {text}", used)
        for kind, text in zip(asked, texts, strict=True)
    ]


def _of_bits(
    numbers: NDArray[np.float64], column: int, name: str, how: Binarising, used: Used
) -> list[Question]:
    """The question for a column of 0 and 1.

    If binarising is allowed, later examples may have other values, so the question is a comparison.
    """
    kind: Kind = "exceeds" if how.quantiles else "equals" if how.onehot else "is 1"
    if kind != "is 1" and (numbers == numbers[0]).all():
        return []
    label = unused(name, used)
    return [Question(column, kind, 0.0 if kind == "exceeds" else 1.0, label, f"not {label}")]


def _question(column: int, kind: Kind, value: float | str, yes: str, no: str, used: Used) -> Question:
    return Question(column, kind, value, unused(yes, used), no)


def ask(questions: Sequence[Question], table: NDArray[Any], names: Sequence[str]) -> NDArray[np.bool_]:
    """The answers, with a row for every question and a column for every example.

    A category that did not occur when the questions were learnt equals none of those that did.
    """
    answers = np.empty((len(questions), len(table)), dtype=np.bool_)
    columns: dict[int, NDArray[Any]] = {}  # each column once, as text or as numbers, for all its questions
    for answer, question in zip(answers, questions, strict=True):
        column, name = question.column, names[question.column]
        if column not in columns:
            is_text = isinstance(question.value, str)
            values = table[:, column]
            columns[column] = _texts(values, name) if is_text else _checked(values, name, question)
        above = question.kind == "exceeds"
        answer[:] = columns[column] > question.value if above else columns[column] == question.value
    return answers


def impossible_rows(questions: Sequence[Question], every: Sequence[Question]) -> int:
    """The rows of the truth table over `questions` that no example can have, as the bits of a number.

    A value equals at most one category. It equals at least one if `questions` asks for all categories of
    `every`; new categories are not considered. A value that exceeds a number also exceeds all smaller ones.
    """
    rows = np.arange(1 << len(questions), dtype=np.int64)
    wrong = np.zeros(rows.size, dtype=np.bool_)
    for i, question in enumerate(questions):
        for j, other in enumerate(questions[:i]):
            if question.column != other.column:
                continue
            a, b = rows >> i & 1 == 1, rows >> j & 1 == 1
            if question.kind == "equals":
                wrong |= a & b
            elif question.kind == "exceeds":
                wrong |= (a & ~b) if float(question.value) > float(other.value) else (b & ~a)
    for column in {question.column for question in questions if question.kind == "equals"}:
        bits = [i for i, question in enumerate(questions) if question.column == column]
        if len(bits) == sum(question.column == column for question in every) > 1:
            wrong |= (rows & sum(1 << i for i in bits)) == 0
    return int.from_bytes(np.packbits(wrong, bitorder="little").tobytes(), "little")


def _numbers(values: NDArray[Any]) -> NDArray[np.float64] | None:
    """The values as numbers; None if they are not numbers."""
    if values.dtype.kind in "biuf" or (
        values.dtype.kind == "O" and all(isinstance(value, Real | np.bool_) for value in values)
    ):
        return values.astype(np.float64)
    return None


def _texts(values: NDArray[Any], name: str) -> NDArray[Any]:
    if values.dtype.kind == "O" and any(value is None for value in values):
        raise InputError(f"column {shown(name)} has missing values; fill them in or drop those rows first")
    return np.array([str(value) for value in values], dtype=object).astype(np.str_)


def _are_bits(numbers: NDArray[np.float64]) -> bool:
    return bool(((numbers == 0) | (numbers == 1)).all())


def _checked(values: NDArray[Any], name: str, question: Question) -> NDArray[np.float64]:
    """The values of a column as numbers, for a question about numbers; `InputError` if they do not fit it."""
    numbers = _numbers(values)
    if question.kind == "is 1" and (numbers is None or not _are_bits(numbers)):
        raise InputError(f"column {shown(name)} contains {_odd(values)}, but only 0 and 1 when it was fitted")
    if numbers is None:
        if question.kind == "exceeds":
            raise InputError(
                f"column {shown(name)} contains {_odd(values)}, but only numbers when it was fitted"
            )
        # A text never equals a category that is a number.
        return np.array([value if isinstance(value, Real) else np.nan for value in values], dtype=np.float64)
    return numbers


def _odd(values: NDArray[Any]) -> str:
    """The first value that is not a bit, as a message shows it."""
    return shown(next((value for value in values.tolist() if value not in (0, 1)), None))


def _not_bits(values: NDArray[Any], name: str, how: Binarising) -> InputError:
    where = f"column {shown(name)} holds {_odd(values)}"
    if how.quantiles:
        return InputError(f"{where}, which is not a number; use binarise='onehot,quantiles:{how.quantiles}'")
    return InputError(
        f"{where}, not 0 or 1: use binarise='onehot' for categories or binarise='quantiles:4' for numbers"
    )
