"""Rows near the rare output come first, and no row is lost."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.row_order import FARTHEST, distance_to_rare, telling_first
from gatewalk.boolean.tables import unpack
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import TrainingSet, complete, sample


def table(training: TrainingSet) -> np.ndarray:
    """The rows, inputs first."""
    return unpack(np.concatenate([training.inputs, training.outputs]), training.rows).T


def test_distance_is_the_number_of_inputs_to_change() -> None:
    outputs = np.zeros(64, dtype=bool)
    outputs[63] = True
    zeros = np.array([6 - row.bit_count() for row in range(64)])
    assert np.array_equal(distance_to_rare(outputs, 6), np.minimum(zeros, FARTHEST))
    assert np.array_equal(distance_to_rare(~outputs, 6), np.minimum(zeros, FARTHEST))


def test_rows_are_in_the_order_of_their_distance() -> None:
    rows = table(telling_first(complete(target("and:8"))))
    assert rows[0].all()
    assert (np.diff(np.minimum(8 - rows[:, :8].sum(axis=1), FARTHEST)) >= 0).all()


@pytest.mark.parametrize("name", ["and:1", "and:8", "nor:7", "maj:9", "xor:5"])
def test_no_row_is_lost(name: str) -> None:
    before = complete(target(name))
    after = telling_first(before)
    assert after.rows == before.rows
    assert {tuple(row) for row in table(after).tolist()} == {tuple(row) for row in table(before).tolist()}


def test_tables_of_several_outputs_and_samples_stay() -> None:
    random = np.random.default_rng(1)
    drawn = sample(target("and:8"), 100, lambda count: random.integers(0, 2**63, count, dtype=np.uint64))
    for training in (complete(target("sum:2")), drawn):
        assert telling_first(training) is training
