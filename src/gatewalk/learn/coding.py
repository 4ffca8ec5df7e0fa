"""Labels as the outputs of a circuit, and outputs as probabilities of labels.

Two classes take one output, which is 1 for the second of them. Of more classes each has an output of its own
that says whether an example belongs to it (one-hot): a binary code of the class would take fewer outputs, but
then no output means anything by itself, and an expression or a rule could not be read. With several labels an
example (a table of 0 and 1) each column is an output.

How likely a class is, is counted: among the training examples on which its output has the same value, the
share that is of this class, with the share among all examples added as if it were one example more. These
shares are then made to sum to 1, as in scikit-learn's OneVsRestClassifier. An output that is neither 0 nor 1
throughout is right on most training examples on which it is 1, and on most on which it is 0 (`front.repaired`
sees to it): so the likeliest class is the one whose output is 1 whenever exactly one is; of several it is the
most reliable one, and if none is 1 the one that is most often missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.circuit.names import Used, unused
from gatewalk.errors import InputError, shown

MOST_OUTPUTS = 64
Bits = NDArray[np.bool_]
Shares = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Coding:
    """classes: in order; of several labels an example, 0 and 1. labels: the names of the outputs.

    claims: what an output of 1 says, as a text. denial: what is said if no output is 1.
    """

    kind: Literal["two classes", "one-hot", "several labels"]
    classes: NDArray[Any]
    labels: tuple[str, ...]
    claims: tuple[str, ...]
    denial: str


def coding_of(y: NDArray[Any], names: Sequence[str] | None = None) -> Coding:
    """The coding of labels: a vector of classes, or a table of 0 and 1, whose columns may have names.

    Examples
    --------
    >>> coding_of(np.array(["red", "green", "blue", "red"])).labels
    ('class_blue', 'class_green', 'class_red')
    """
    if y.ndim == 2:
        if not np.isin(y, (0, 1)).all():
            raise InputError("several labels an example are 0 or 1 each: y holds something else")
        labels = _distinct(names or [f"y{j}" for j in range(y.shape[1])])
        _check_outputs(len(labels))
        claims = tuple(f"{label} is 1" for label in labels)
        return Coding("several labels", np.array([0, 1]), labels, claims, "0")
    classes = np.unique(y)
    if classes.size < 2:
        raise InputError(f"y has 1 class, {shown(classes.tolist()[0])}: two classes are needed")
    named = [str(one) for one in classes.tolist()]
    outputs = named[1:] if len(named) == 2 else named
    _check_outputs(len(outputs))
    return Coding(
        "two classes" if len(named) == 2 else "one-hot",
        classes,
        _distinct([f"class_{one}" for one in outputs]),
        tuple(f"the class is {one}" for one in outputs),
        f"the class is {named[0]}" if len(named) == 2 else "the likeliest class",
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
    """What the outputs should be, a row for every output and a column for every example."""
    if coding.kind == "several labels":
        return np.ascontiguousarray(y.T.astype(np.bool_))
    if coding.kind == "two classes":
        return np.asarray(y == coding.classes[1])[np.newaxis]
    return np.asarray(y[np.newaxis] == coding.classes[:, np.newaxis])


def shares_of(outputs: Bits, wanted: Bits) -> Shares:
    """For every output and each of its values, how often an example is what the output is about.

    Among the examples given, with the share among all of them counted as one example more.
    """
    overall = wanted.mean(axis=1)
    shares = np.empty((len(outputs), 2))
    for value in (0, 1):
        there = outputs == bool(value)
        shares[:, value] = ((wanted & there).sum(axis=1) + overall) / (there.sum(axis=1) + 1)
    return shares


def probabilities(coding: Coding, shares: Shares, outputs: Bits) -> list[Shares]:
    """A table for each label of an example, a row for every example and a column for every class."""
    likely = np.where(outputs, shares[:, 1:], shares[:, :1])
    if coding.kind == "one-hot":
        return [np.ascontiguousarray((likely / likely.sum(axis=0)).T)]
    return [np.column_stack([1 - row, row]) for row in likely]
