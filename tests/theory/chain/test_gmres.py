"""GMRES: dense systems, restarts, and giving up."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.theory.chain.gmres import gmres


@pytest.mark.parametrize("restart", [5, 40])
def test_solves(restart: int) -> None:
    generator = np.random.default_rng(3)
    matrix = np.eye(40) - 0.9 * generator.dirichlet(np.ones(40), 40)
    right = generator.random(40)
    residuals: list[float] = []
    found = gmres(lambda x: matrix @ x, right, tolerance=1e-13, restart=restart, told=residuals.append)
    assert np.abs(matrix @ found - right).max() < 1e-12
    assert residuals[-1] < 1e-12


def test_nothing_on_the_right() -> None:
    assert not gmres(lambda x: x, np.zeros(3), tolerance=1e-13).any()


def test_gives_up_on_a_singular_system() -> None:
    with pytest.raises(ArithmeticError, match="no convergence"):
        gmres(lambda x: x * [1.0, 0.0], np.ones(2), tolerance=1e-13, most=20)
