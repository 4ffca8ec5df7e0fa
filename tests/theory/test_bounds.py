"""Lemmas 1 and 2, Theorems 3 and 6 against direct sums, hand values and simulated times for n <= 4."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product
from types import ModuleType

import pytest

from gatewalk.errors import InputError
from gatewalk.theory import bounds, three_state
from gatewalk.theory.chain.sam_search import exact

CASES = [(2, 1), (3, 2), (3, 7), (8, 16), (20, 400)]


def test_lemma1_by_hand() -> None:
    # n = 3, D = 5, three gates of two inputs: 16 genes of log2(1 + 8) bits
    assert bounds.lemma1_bits(3, 5, gates=3) == pytest.approx(16 * math.log2(9))
    assert bounds.lemma1_bits(2, 1, gates=20) == pytest.approx(4 * math.log2(21))


@pytest.mark.parametrize("n", [2, 3, 5])
def test_lemma2_counts_rows(n: int) -> None:
    for level in range(1, n + 1):
        wrong = sum(all(row[:level]) != all(row) for row in product([0, 1], repeat=n))
        assert bounds.lemma2_mismatches(n, level) == wrong
    assert bounds.lemma2_mismatches(3000, 1) == 2**2999 - 1


@pytest.mark.parametrize(("n", "nodes"), CASES)
def test_theorem3_sums_the_levels(n: int, nodes: int) -> None:
    direct = sum(1 / bounds.leave_level(n, nodes, i) for i in range(1, n))
    assert bounds.theorem3(n, nodes) == pytest.approx(float(direct), rel=1e-12)
    alpha = nodes / (n - 1)
    closed = (3 * nodes + 1) ** 3 * 4 * nodes**3 / alpha * math.pi**2 / 6
    assert bounds.theorem3_closed(n, nodes) == pytest.approx(closed, rel=1e-12)
    assert bounds.theorem3(n, nodes) <= bounds.theorem3_closed(n, nodes)


@pytest.mark.parametrize(("n", "nodes"), CASES)
def test_theorem6_sums_lemma5_over_the_levels(n: int, nodes: int) -> None:
    direct = sum(
        three_state.upper_bound_from_estimates(
            bounds.free_connection(n, nodes, i), bounds.raise_free(n, nodes, i), bounds.lose_free(n, nodes)
        )
        for i in range(1, n)
    )
    assert bounds.theorem6_levels(n, nodes) == pytest.approx(float(direct), rel=1e-12)
    genes, alpha = 3 * nodes + 1, nodes / (n - 1)
    h = sum(1 / i for i in range(1, n))
    printed = (genes * 2 * nodes + genes**2 * (2 * nodes) ** 2 / (2 * alpha)) * h
    printed += 2 * genes**2 * (2 * nodes) ** 3 / (2 * alpha) * math.pi**2 / 6
    assert bounds.theorem6(n, nodes) == pytest.approx(printed, rel=1e-12)
    assert bounds.theorem6_levels(n, nodes) <= bounds.theorem6(n, nodes)


def test_hand_values() -> None:
    # n = 2, D = 1: one level, s_1 = 1/(4^3 * 4); r' = 1/8, q' = 2/64, s' = 1/2
    assert bounds.leave_level(2, 1, 1) == Fraction(1, 256)
    assert bounds.theorem3(2, 1) == 256
    assert bounds.theorem6_levels(2, 1) == 8 + 32 + 128


def test_tail_of_theorem3() -> None:
    assert bounds.theorem3_tail(5, 10, 1) == pytest.approx(2 * 20 * math.pi**2 * 4 * 10**5)
    assert bounds.theorem3_closed(5, 10) <= bounds.theorem3_tail(5, 10, 1) / 2
    with pytest.raises(InputError, match="D >= 10"):
        bounds.theorem3_tail(5, 9, 1)
    with pytest.raises(InputError, match="delta >= 1"):
        bounds.theorem3_tail(5, 10, 0.5)


@pytest.mark.parametrize("bound", [bounds.theorem3, bounds.theorem3_closed, bounds.theorem6])
def test_assumptions_are_checked(bound: object) -> None:
    assert callable(bound)
    with pytest.raises(InputError, match="n >= 2"):
        bound(1, 5)
    with pytest.raises(InputError, match="cannot join"):
        bound(5, 3)


def test_levels_are_checked() -> None:
    for level in (0, 4):
        with pytest.raises(InputError, match="level"):
            bounds.leave_level(4, 8, level)
    with pytest.raises(InputError, match="level"):
        bounds.lemma2_mismatches(4, 5)


def test_thousands_of_inputs_do_not_overflow() -> None:
    n = 5000
    for value in (
        bounds.theorem3(n, n * n),
        bounds.theorem3_closed(n, n * n),
        bounds.theorem3_tail(n, n * n, 7),
        bounds.theorem6(n, n * n),
        bounds.lemma1_bits(n, n * n),
    ):
        assert math.isfinite(value)


@pytest.mark.parametrize("nodes_of", [lambda n: n - 1, lambda n: 2 * n, lambda n: 4 * n])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_bounds_hold_on_simulated_means(n: int, nodes_of: object, literal: ModuleType) -> None:
    assert callable(nodes_of)
    nodes = nodes_of(n)
    rng = random.Random(1000 * n + nodes)
    for strict in (False, True):
        times = [literal.conjunction_time(n, nodes, strict=strict, rng=rng) for _ in range(60)]
        mean = sum(times) / len(times)
        assert mean < bounds.theorem3(n, nodes)
        if not strict:
            assert mean < bounds.theorem6_levels(n, nodes)


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3)])
def test_bounds_hold_on_exact_expectations_from_the_worst_start(n: int, nodes: int) -> None:
    strict = exact(f"and:{n}", nodes=nodes, selection="strict").worst_start_expected
    nonstrict = exact(f"and:{n}", nodes=nodes).worst_start_expected
    assert max(strict, nonstrict) < bounds.theorem3(n, nodes) <= bounds.theorem3_closed(n, nodes)
    assert nonstrict < bounds.theorem6_levels(n, nodes) <= bounds.theorem6(n, nodes)
