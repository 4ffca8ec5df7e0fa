"""Rows near the rare output come first, and no row is lost."""

from __future__ import annotations

import numpy as np

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.row_order import FARTHEST, distance_to_rare, telling_first


def test_distance_is_the_number_of_inputs_to_change() -> None:
    outputs = np.zeros(64, dtype=bool)
    outputs[63] = True
    zeros = np.array([6 - bin(row).count("1") for row in range(64)])
    assert np.array_equal(distance_to_rare(outputs, 6), np.minimum(zeros, FARTHEST))
    assert np.array_equal(distance_to_rare(~outputs, 6), np.minimum(zeros, FARTHEST))


def test_same_rows_in_another_order() -> None:
    before = complete(target("and:8"))
    after = telling_first(before)

    def table(training):
        columns = [unpack(c, training.rows) for c in (*training.inputs, *training.outputs)]
        return np.stack(columns, axis=1)

    rows = table(after)
    assert rows[0].all()
    assert (np.diff(np.minimum(8 - rows[:, :8].sum(axis=1), FARTHEST)) >= 0).all()
    assert {tuple(r) for r in rows.tolist()} == {tuple(r) for r in table(before).tolist()}


def test_tables_of_several_outputs_stay() -> None:
    training = complete(target("add:2"))
    assert telling_first(training) is training
