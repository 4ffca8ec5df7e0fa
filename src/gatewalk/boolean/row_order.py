"""An order of the rows of a complete table in which bad offspring show their errors early.

Fitness does not depend on the order of the rows. Where an output is rarely 1 (or rarely 0), circuits that are
nearly right are mostly wrong near the rare rows. So rows are sorted by their distance, the number of inputs
to change, to the nearest rare row: an offspring that became worse is then wrong in the first words of the
table.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import pack, unpack
from gatewalk.boolean.training import TrainingSet

FARTHEST = 5  # larger distances count as this one


def distance_to_rare(outputs: NDArray[np.bool_], inputs: int) -> NDArray[np.uint8]:
    """For every row, how many inputs must change at least to reach a row with the rarer output value."""
    rare = outputs if 2 * int(outputs.sum()) <= outputs.size else ~outputs
    distance = np.where(rare, 0, FARTHEST).astype(np.uint8)
    rows = np.arange(outputs.size)
    for step in range(1, FARTHEST):
        nearest = distance.copy()
        for i in range(inputs):
            np.minimum(nearest, distance[rows ^ (1 << i)] + 1, out=nearest)
        if step > 1 and (nearest == distance).all():
            break
        distance = nearest
    return distance


def telling_first(training: TrainingSet) -> TrainingSet:
    """The training set with the rows near the rare output first, if it is complete and has one output.

    Any other training set is returned as it is.
    """
    inputs = training.inputs.shape[0]
    if training.kind != "complete" or training.outputs.shape[0] != 1 or training.rows < 2:
        return training
    outputs = unpack(training.outputs[0], training.rows)
    order = np.argsort(distance_to_rare(outputs, inputs), kind="stable")
    columns = [pack(unpack(column, training.rows)[order]) for column in training.inputs]
    return replace(training, inputs=np.stack(columns), outputs=pack(outputs[order])[np.newaxis])
