"""Plain evaluation: every gate, constants, gates of three inputs, many outputs, tables of any size."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.boolean.tables import pack
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.judges.plain import plain_of
from gatewalk.cgp.large import large_of


def random_rows(inputs: int, outputs: int, rows: int) -> TrainingSet:
    random = np.random.default_rng(rows)
    bits = random.integers(0, 2, size=(inputs + outputs, rows))
    return TrainingSet("sample", rows, pack(bits[:inputs]), pack(bits[inputs:]))


@pytest.mark.parametrize(
    ("inputs", "outputs", "gates", "rows"),
    [
        (4, 1, list(GATES), 65),
        (5, 70, ["mux", "and", "not", "const1"], 100),
        (3, 2, ["const0", "buf"], 1),
        (6, 1, ["maj"], 2),
        (9, 3, ["and", "or", "nand", "nor"], 20_000),
    ],
)
def test_offspring_are_ranked_by_their_mismatches(check_judge, mismatches, inputs, outputs, gates, rows):
    shape = Shape(inputs, outputs, 20, gate_set(gates))
    training = random_rows(inputs, outputs, rows)
    check_judge(
        shape,
        large_of,
        lambda layout: plain_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        picked=rows == 2,
    )
