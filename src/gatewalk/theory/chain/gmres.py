"""Restarted GMRES for operators without a matrix (Saad and Schultz 1986), with a single-threaded core.

The vectors are long and the operator is expensive. So it matters that orthogonalisation reads each basis
vector only once per iteration and never waits for another thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import kernel
from gatewalk.theory.chain.sam.node_states import Floats

Kept = NDArray[np.float64] | NDArray[np.float32]  # a vector of the basis, as it is stored
Operator = Callable[[Any], Floats]


def gmres(
    operator: Operator,
    right: Floats,
    *,
    tolerance: float,
    restart: int = 30,
    most: int = 3000,
    short: bool = False,
    on_residual: Callable[[float], None] = lambda residual: None,
) -> Floats:
    """x with |operator(x) - right| <= tolerance |right|, beginning from x = right.

    short: store the basis in single precision, in half of the memory. The solution is as accurate, because
        the operator is applied to the basis as it is stored, and every restart computes the residual anew.
        The operator must accept such vectors, must not keep or change them, and must return new ones in
        double precision.
    on_residual: told the relative residual after each application of the operator.

    Raises `ArithmeticError` if `most` applications of the operator are not enough.
    """
    x = right.copy()
    scale = norm(right)
    if scale == 0.0:
        return x
    used = 0
    best = np.inf
    while used < most:
        residual = right - operator(x)
        size = norm(residual)
        # Rounding keeps the true residual from falling much below the accuracy of the operator.
        if size <= tolerance * scale or (size < 1e3 * tolerance * scale and size > 0.5 * best):
            return x
        best = min(best, size)
        residual /= size
        first = _kept(residual, short)
        del residual  # frees memory: vectors are long
        used += _cycle(operator, x, first, size, tolerance * scale, restart, scale, short, on_residual)
    raise ArithmeticError(f"no convergence: relative residual {norm(right - operator(x)) / scale:.1e}")


def _cycle(
    operator: Operator,
    x: Floats,
    first: Kept,
    size: float,
    enough: float,
    restart: int,
    scale: float,
    short: bool,
    on_residual: Callable[[float], None],
) -> int:
    """Improve x in place by the best correction from a Krylov space; returns its dimension."""
    restart = min(restart, x.size)
    basis = [first]
    triangle = np.zeros((restart, restart))
    cosines, sines = np.zeros(restart), np.zeros(restart)
    target = np.zeros(restart + 1)
    target[0] = size
    count = 0
    for j in range(restart):
        vector = operator(basis[j])
        column = np.array([_project(unit, vector) for unit in basis])
        length = norm(vector)
        for i in range(j):
            a, b = column[i], column[i + 1]
            column[i] = cosines[i] * a + sines[i] * b
            column[i + 1] = cosines[i] * b - sines[i] * a
        radius = np.hypot(column[j], length)
        if radius == 0.0:
            break
        cosines[j], sines[j] = column[j] / radius, length / radius
        column[j] = radius
        triangle[: j + 1, j] = column
        target[j + 1] = -sines[j] * target[j]
        target[j] *= cosines[j]
        count = j + 1
        on_residual(abs(target[j + 1]) / scale)
        if abs(target[j + 1]) <= enough or length == 0.0:
            break
        vector /= length
        basis.append(_kept(vector, short))
    weights = np.linalg.solve(triangle[:count, :count], target[:count])
    for weight, unit in zip(weights, basis, strict=False):
        _add(x, weight, unit)
    return max(count, 1)


def _kept(vector: Floats, short: bool) -> Kept:
    return vector.astype(np.float32) if short else vector


@kernel
def norm(vector: Floats) -> float:
    """The Euclidean norm."""
    total = 0.0
    for i in range(vector.size):
        total += vector[i] * vector[i]
    return float(np.sqrt(total))


@kernel
def _project(unit: Kept, vector: Floats) -> float:
    """Subtract the component along a unit vector, and return it (modified Gram-Schmidt)."""
    total = 0.0
    for i in range(unit.size):
        total += unit[i] * vector[i]
    for i in range(unit.size):
        vector[i] -= total * unit[i]
    return total


@kernel
def _add(x: Floats, weight: float, unit: Kept) -> None:
    for i in range(x.size):
        x[i] += weight * unit[i]
