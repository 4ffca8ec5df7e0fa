"""Words of a training set in whole blocks: every row is there once, and nothing else counts."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.padding import padded
from gatewalk.boolean.tables import pack
from gatewalk.boolean.training import TrainingSet


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 512, 513, 1000])
@pytest.mark.parametrize("first", [0, 8])
def test_a_part_has_the_words_that_there_are_and_zeros(rows: int, first: int) -> None:
    bits = np.random.default_rng(rows).integers(0, 2, size=(5, rows))
    training = TrainingSet("sample", rows, pack(bits[:3]), pack(bits[3:]))
    values, wanted, mask = padded(training, sources=7, first=first, words=8)
    for found, columns, count in ((values, training.inputs, 7), (wanted, training.outputs, 2)):
        part = np.zeros((count, 8), dtype=np.uint64)
        some = columns[:, first : first + 8]
        part[: some.shape[0], : some.shape[1]] = some
        assert np.array_equal(found.reshape(count, 8), part)
        assert found.ctypes.data % 64 == 0
    assert np.bitwise_count(mask).sum() == 2 * max(0, min(rows - 64 * first, 512))
    assert mask.size == 2 * 8
