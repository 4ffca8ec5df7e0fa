"""The constants of a shape as kernels read them: gates as coefficients, genes as ranges."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.cgp.layout import gate_forms, layout_of
from gatewalk.errors import InputError

ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


def test_coefficients_evaluate_to_the_gate() -> None:
    names = [name for name, one in GATES.items() if one.arity <= 3]
    layout = layout_of(Shape(3, 1, 2, gate_set(names)))
    for index, name in enumerate(names):
        one = GATES[name]
        assert layout.arities[index] == one.arity
        for row in range(1 << one.arity):
            terms = [layout.anf[index, m] for m in range(8) if m & ~row == 0]
            assert np.bitwise_xor.reduce(terms) == (ALL if one.table >> row & 1 else 0), (name, row)


def test_forms_of_gates_of_two_inputs() -> None:
    layout = layout_of(Shape(2, 1, 2, gate_set("and,not,nor")))
    assert (gate_forms(layout) == ALL).astype(int).tolist() == [
        [0, 0, 0, 1, 1, 0, 0, 0],  # x y, reads its second input
        [1, 1, 0, 0, 0, 0, 0, 0],  # 1 ^ x
        [1, 1, 1, 1, 1, 0, 0, 0],  # 1 ^ x ^ y ^ x y
    ]


def test_ranges_are_those_of_the_shape() -> None:
    shape = Shape(3, 2, 6, gate_set("and,or"), levels_back=2)
    layout = layout_of(shape)
    assert (layout.inputs, layout.nodes, layout.outputs, layout.block) == (3, 6, 2, 3)
    assert layout.choices.tolist() == [len(valid_values(shape, gene)) for gene in range(shape.length)]
    assert layout.owner.tolist() == [gene // 3 for gene in range(18)] + [6, 6]
    assert layout_of(Shape(3, 2, 6, gate_set("and,or"), levels_back=2)) is layout


def test_gates_wider_than_kernels_compute_are_refused() -> None:
    with pytest.raises(InputError, match="more than 3 inputs"):
        layout_of(Shape(4, 1, 2, gate_set("wide=0x8000")))
