from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from gatewalk.boolean.tables import pack, unpack
from gatewalk.boolean.training import fitness
from gatewalk.errors import InputError
from gatewalk.learn import examples

RANDOM = np.random.default_rng(3)
INPUTS = RANDOM.random((3, 70)) < 0.5
WANTED = RANDOM.random((2, 70)) < 0.5


def test_every_example_counts_and_no_program_is_without_mismatch() -> None:
    rows = examples.training_set(INPUTS, WANTED)
    assert (unpack(rows.inputs, 70) == INPUTS).all()
    assert (unpack(rows.outputs, 70) == WANTED).all()
    for _ in range(20):
        table = RANDOM.random((2, 8)) < 0.5  # any function of the inputs
        index = (unpack(rows.inputs, rows.rows).T @ [1, 2, 4]).astype(int)
        outputs = table[:, index]
        wrong = int((outputs[:, :70] != WANTED).sum())
        assert fitness(pack(outputs), rows) == wrong + examples.surplus(WANTED)


def test_what_no_circuit_can_avoid() -> None:
    least = examples.least_mismatches(INPUTS, WANTED)
    index = INPUTS.T @ [1, 2, 4]
    best = sum(
        min(int((np.array(table)[index] != row).sum()) for table in product([False, True], repeat=8))
        for row in WANTED
    )
    assert least == best > 0
    assert examples.least_mismatches(INPUTS, INPUTS[:1] ^ INPUTS[1:2]) == 0


def test_too_many_examples_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "MOST_ROWS", 69)
    with pytest.raises(InputError, match="70 examples are too many"):
        examples.training_set(INPUTS, WANTED)


def test_elsewhere_nothing_is_known() -> None:
    target = examples.target_of(("a", "b"), ("y",))
    assert (target.inputs, target.outputs) == (2, 1)
    with pytest.raises(ValueError, match="known on its examples only"):
        target.evaluate(pack(np.zeros((2, 1), dtype=bool)))
