"""States of a node: how many there are, how they walk, and which gates make swaps a symmetry."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape
from gatewalk.theory.chain.node_states import axes_of, output_axis, swapped_gates, walk_generator


def test_rates_are_sums_of_deviations() -> None:
    axis = axes_of(Shape(3, 1, 1, gate_set("and")))[0]
    assert sorted({round(rate, 9) for rate in axis.rates}) == [0.0, 1.5, 3.0]
    assert axis.weight.sum() == 9
    assert len(axis) == 6


def test_output_gene_is_an_axis() -> None:
    axis = output_axis(Shape(2, 1, 2, gate_set("and")))
    assert len(axis) == 4
    assert axis.rates[0] == pytest.approx(0, abs=1e-12)
    assert axis.rates[1:] == pytest.approx(4 / 3)


def test_swapped_gates() -> None:
    assert swapped_gates(gate_set("and,xor")) == [0, 1]
    assert swapped_gates(gate_set("nimply,ncimply")) == [1, 0]
    assert swapped_gates(gate_set("nimply,and")) is None
    assert swapped_gates(gate_set("and,not")) is None


@pytest.mark.parametrize("gates", ["and", "and,not", "nimply,ncimply,or"])
def test_the_eigenbasis_is_that_of_the_generator(gates: str) -> None:
    shape = Shape(2, 1, 2, gate_set(gates))
    for node, axis in enumerate(axes_of(shape)):
        states = list(zip(axis.function.tolist(), axis.first.tolist(), axis.second.tolist(), strict=True))
        sources = list(range(shape.inputs + node))
        generator = walk_generator(states, axis.lookup, sources, axis.counts)
        rows = [sum(row) for row in generator]
        assert rows == [0] * len(axis)  # what leaves a state arrives at the others
        known = np.array([[float(entry) for entry in row] for row in generator])
        assert np.abs(axis.from_eigen @ np.diag(axis.rates) @ axis.to_eigen - known).max() < 1e-12
        assert np.abs(axis.from_eigen @ axis.to_eigen - np.eye(len(axis))).max() < 1e-12
