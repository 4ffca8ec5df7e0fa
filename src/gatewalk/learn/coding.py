"""Labels as the outputs of a circuit, and outputs as probabilities of labels.

Two classes take one output, which is 1 for the second class. With more classes, each class has its own
output, which says whether an example belongs to it (one-hot). A binary code of the class would need fewer
outputs, but a single output would then mean nothing, and expressions and rules would be unreadable. If
examples have several labels (a table of 0 and 1), each column is an output.

The probability of a class is estimated by counting: among the training examples on which the output of the
class has the same value, it is the share of examples of this class. The share among all examples is added as
if it were one more example. The shares are then scaled to sum to 1, as in scikit-learn's OneVsRestClassifier.
An output that is not constant is right on most training examples on which it is 1 and on most on which it is
0 (`front.repaired` makes sure of it). So if exactly one output is 1, its class is the likeliest; if several
are, it is the one whose output is most reliable; if none is, it is the class that the circuit misses most
often.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.circuit.labels import Used, unused
from gatewalk.errors import InputError, shown

MOST_OUTPUTS = 64
Bits = NDArray[np.bool_]
Shares = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Coding:
    """How labels are coded.

    classes: the classes in order; 0 and 1 if examples have several labels.
    labels: the names of the outputs.
    claims: for each output, the sentence that it states if it is 1.
    denial: the sentence if no output is 1.
    """

    kind: Literal["two classes", "one-hot", "several labels"]
    classes: NDArray[Any]
    labels: tuple[str, ...]
    claims: tuple[str, ...]
    denial: str


def coding_of(y: NDArray[Any], names: Sequence[str] | None = None) -> Coding:
    """The coding of labels, given as a vector of classes or as a table of 0 and 1 whose columns have names.

    >>> coding_of(np.array(["red", "green", "blue", "red"])).labels
    ('class_blue', 'class_green', 'class_red')
    """
    if y.ndim == 2:
        if not np.isin(y, (0, 1)).all():
            raise InputError("several labels per example must be 0 or 1 each; y has other values")
        labels = _distinct(names or [f"y{j}" for j in range(y.shape[1])])
        _check_outputs(len(labels))
        claims = tuple(f"{label} is 1" for label in labels)
        return Coding("several labels", np.array([0, 1]), labels, claims, "0")
    classes = np.unique(y)
    if classes.size < 2:
        raise InputError(f"y has only one class, {shown(classes.tolist()[0])}; at least two are needed")
    class_names = [str(value) for value in classes.tolist()]
    are_two = len(class_names) == 2
    outputs = class_names[1:] if are_two else class_names
    _check_outputs(len(outputs))
    return Coding(
        "two classes" if are_two else "one-hot",
        classes,
        _distinct([f"class_{name}" for name in outputs]),
        tuple(f"the class is {name}" for name in outputs),
        f"the class is {class_names[0]}" if are_two else "the likeliest class",
    )


def _distinct(labels: Sequence[str]) -> tuple[str, ...]:
    used: Used = {}
    return tuple(unused(str(label), used) for label in labels)


def _check_outputs(count: int) -> None:
    if count > MOST_OUTPUTS:
        raise InputError(
            f"a circuit of {count} outputs is too wide: at most {MOST_OUTPUTS} classes or labels are possible"
        )


def encode(coding: Coding, y: NDArray[Any]) -> Bits:
    """The correct outputs, with a row for every output and a column for every example."""
    if coding.kind == "several labels":
        return np.ascontiguousarray(y.T.astype(np.bool_))
    if coding.kind == "two classes":
        return np.asarray(y == coding.classes[1])[np.newaxis]
    return np.asarray(y[np.newaxis] == coding.classes[:, np.newaxis])


def shares_of(outputs: Bits, correct: Bits) -> Shares:
    """For every output and each of its two values, the share of examples that belong to the output's class.

    The share among all examples is counted as if it were one more example.
    """
    overall = correct.mean(axis=1)
    shares = np.empty((len(outputs), 2))
    for value in (0, 1):
        has_value = outputs == bool(value)
        shares[:, value] = ((correct & has_value).sum(axis=1) + overall) / (has_value.sum(axis=1) + 1)
    return shares


def probabilities(coding: Coding, shares: Shares, outputs: Bits) -> list[Shares]:
    """For each label a table of probabilities, with a row for every example and a column for every class."""
    likely = np.where(outputs, shares[:, 1:], shares[:, :1])
    if coding.kind == "one-hot":
        return [np.ascontiguousarray((likely / likely.sum(axis=0)).T)]
    return [np.column_stack([1 - row, row]) for row in likely]
