"""Averaging over inactive changes: against the series it stands for."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape
from gatewalk.theory.chain.inactive_mixing import mixed, multiplied
from gatewalk.theory.chain.node_states import axes_of


@pytest.mark.parametrize(
    ("gates", "swaps"), [("and", True), ("and", False), ("and,not", True), ("xor,or", True)]
)
def test_mixing_is_the_geometric_series(gates: str, swaps: bool) -> None:
    shape = Shape(2, 1, 2, gate_set(gates))
    axes = axes_of(shape, swaps=swaps)
    ending = 3
    # One pick: an inactive gene walks with probability proportional to one, an ending gene ends.
    generator = sum(
        np.kron(np.kron(np.eye(before), axis.from_eigen @ np.diag(axis.rates) @ axis.to_eigen), np.eye(after))
        for axis, before, after in ((axes[0], 1, len(axes[1])), (axes[1], len(axes[0]), 1))
    )
    assert np.abs(np.asarray(generator).sum(axis=1)).max() < 1e-12
    inactive = sum(count > 1 for axis in axes for count in axis.counts)
    walk = np.eye(len(generator)) - generator / inactive
    assert walk.min() > -1e-12
    stays = inactive / (inactive + ending)
    values = np.random.default_rng(5).random((len(walk), 3))
    series, term = np.zeros_like(values), values
    for _ in range(400):
        series += (1 - stays) * term
        term = stays * (walk @ term)
    tensor = values.reshape(len(axes[0]), len(axes[1]), 3)
    assert np.abs(mixed(tensor, axes, ending).reshape(-1, 3) - series).max() < 1e-12
    other = np.random.default_rng(6).random(tensor.shape)
    moved = mixed(other, axes, ending, transposed=True)
    assert (moved * tensor).sum() == pytest.approx((other * mixed(tensor, axes, ending)).sum(), rel=1e-12)


def test_pieces_join() -> None:
    generator = np.random.default_rng(7)
    tensor = generator.random((300, 7, 41))
    matrices = [generator.random((size, size)) for size in tensor.shape]
    known = np.einsum("abc,ia,jb,kc->ijk", tensor, *matrices, optimize=True)
    assert np.abs(multiplied(tensor, matrices) / known - 1).max() < 1e-12
