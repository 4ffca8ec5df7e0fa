"""Examples as a training set, and how well any circuit could do on them."""

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
    """Every example is a row, also if there is another one like it, and a pair of rows more.

    The two are alike but for their outputs, all of which are opposite: so every program is wrong on one of
    them in each output, no program ever is without mismatches, and a search that fits all examples goes on,
    through other programs that do, to the end of its budget. `surplus` mismatches are not the examples'.

    Parameters
    ----------
    inputs, wanted
        A row for every input or output, a column for every example.
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
    """Mismatches that every program has on the pair of rows that is no example."""
    return len(wanted)


def least_mismatches(inputs: Bits, wanted: Bits) -> int:
    """Mismatches that no circuit can avoid: examples that are alike, and labelled differently.

    Of these, a circuit can be right on the majority at best.

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
    """A function that is known on examples only."""
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
