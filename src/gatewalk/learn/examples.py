"""Examples as a training set, and the fewest mismatches that any circuit can have on them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import Words, pack
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet
from gatewalk.errors import InputError

Bits = NDArray[np.bool_]
MOST_ROWS = 10_000_000


def training_set(inputs: Bits, wanted: Bits) -> TrainingSet:
    """The training set of the search: a row for every example, repeated ones included, and two extra rows.

    The two extra rows have the same inputs and opposite outputs. So every program has exactly `surplus`
    mismatches on them and never reaches zero: a search that fits all examples still runs to the end of its
    budget and visits other programs that fit them.

    Parameters
    ----------
    inputs, wanted
        A row for every input or output, and a column for every example.
    """
    if inputs.shape[1] > MOST_ROWS:
        raise InputError(f"{inputs.shape[1]:,} examples are too many: use at most {MOST_ROWS:,}")
    pair = np.repeat(inputs[:, :1], 2, axis=1)
    opposite = np.tile([False, True], (len(wanted), 1))
    return TrainingSet(
        "sample",
        inputs.shape[1] + 2,
        pack(np.hstack([inputs, pair])),
        pack(np.hstack([wanted, opposite])),
    )


def surplus(wanted: Bits) -> int:
    """The mismatches that every program has on the two extra rows."""
    return len(wanted)


def least_mismatches(inputs: Bits, wanted: Bits) -> int:
    """The mismatches that no circuit can avoid, because equal examples have different labels.

    On such examples a circuit can at best be right on the majority.

    Examples
    --------
    >>> least_mismatches(np.array([[0, 0, 0, 1]], dtype=bool), np.array([[1, 1, 0, 0]], dtype=bool))
    1
    """
    words = np.ascontiguousarray(np.packbits(inputs, axis=0).T)
    _, group = np.unique(words, axis=0, return_inverse=True)
    group = group.ravel()
    total = np.bincount(group)
    ones = np.array([np.bincount(group, weights=row, minlength=total.size) for row in wanted], dtype=np.int64)
    return int(np.minimum(ones, total - ones).sum())


def target_of(input_labels: tuple[str, ...], output_labels: tuple[str, ...]) -> Target:
    """A target that is known on its examples only and cannot be evaluated."""
    return Target(
        name="examples",
        inputs=len(input_labels),
        outputs=len(output_labels),
        input_labels=input_labels,
        output_labels=output_labels,
        gates=(),
        symmetric=False,
        fewest_nodes=0,
        family="examples",
        evaluate=_unknown,
    )


def _unknown(columns: Words) -> Words:
    raise ValueError("a function that is known on its examples only cannot be evaluated elsewhere")
