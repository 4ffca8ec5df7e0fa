"""Exact fractions from integer systems, against Cramer's rule."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from gatewalk.theory.chain.padic_lifting import Integers, functional


def determinant(rows: list[list[int]]) -> int:
    """By Laplace's expansion, for a few rows."""
    if not rows:
        return 1
    found = 0
    for j, entry in enumerate(rows[0]):
        minor = [row[:j] + row[j + 1 :] for row in rows[1:]]
        found += (-1) ** j * entry * determinant(minor)
    return found


def by_cramer(matrix: Integers, right: Integers, weights: Integers) -> Fraction:
    rows, whole = matrix.tolist(), determinant(matrix.tolist())
    found = Fraction(0)
    for j, weight in enumerate(weights.tolist()):
        replaced = [[*row[:j], value, *row[j + 1 :]] for row, value in zip(rows, right.tolist(), strict=True)]
        found += weight * Fraction(determinant(replaced), whole)
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_the_solution_is_that_of_cramers_rule(size: int) -> None:
    generator = np.random.default_rng(size)
    matrix = generator.integers(-(10**6), 10**6, (size, size)).astype(object) ** 3
    right = generator.integers(-99, 99, size).astype(object)
    weights = generator.integers(0, 9, size).astype(object)
    assert functional(matrix, right, weights) == by_cramer(matrix, right, weights)


def test_a_whole_solution_has_no_denominator() -> None:
    matrix, right, ones = (np.array(one, dtype=object) for one in ([[2, 1], [1, 3]], [-1, 7], [1, 1]))
    assert functional(matrix, right, ones) == 1  # x = (-2, 3)


def test_a_singular_system_is_refused() -> None:
    matrix = np.array([[1, 2], [2, 4]], dtype=object)
    ones = np.array([1, 1], dtype=object)
    with pytest.raises(ArithmeticError, match="singular"):
        functional(matrix, ones, ones)
