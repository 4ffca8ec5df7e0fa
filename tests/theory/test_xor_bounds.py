"""Lemmas 7 and 8, Theorem 9 against enumeration, sampling and the paper's own numbers."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from gatewalk.errors import InputError
from gatewalk.theory import xor_bounds


def odd(reads: tuple[int, ...], n: int) -> int:
    return sum(count % 2 for source, count in Counter(reads).items() if source < n)


def odd_inputs_at_start(n: int, nodes: int) -> NDArray[np.float64]:
    """The distribution of V: each connection of block b toggles a uniform input with probability n/(n+b)."""
    chance = np.zeros(n + 1)
    chance[0] = 1.0
    odd = np.arange(n + 1)
    for block in range(nodes):
        toggles = n / (n + block)
        for _ in range(2):
            moved = np.zeros(n + 1)
            moved[1:] += chance[:-1] * (n - odd[:-1]) / n
            moved[:-1] += chance[1:] * odd[1:] / n
            chance = (1 - toggles) * chance + toggles * moved
    return chance


@pytest.mark.parametrize(("n", "nodes"), [(2, 2), (3, 2), (2, 3)])
def test_start_distribution_by_enumeration(n: int, nodes: int) -> None:
    ranges = [range(n + b) for b in range(nodes) for _ in range(2)]
    counts = np.zeros(n + 1)
    for reads in product(*ranges):
        counts[odd(reads, n)] += 1
    assert odd_inputs_at_start(n, nodes) == pytest.approx(counts / counts.sum())
    for most in range(n):
        chance = Fraction(int(counts[: most + 1].sum()), int(counts.sum()))
        assert xor_bounds.few_odd_inputs(n, nodes, most) == chance


def test_lemma7_probability_by_sampling() -> None:
    n, nodes, programs = 12, 12, 20_000
    rng = random.Random(3)
    hits = 0
    for _ in range(programs):
        reads = tuple(rng.randrange(n + b) for b in range(nodes) for _ in range(2))
        hits += odd(reads, n) <= 3 * n / 4
    p = xor_bounds.lemma7_probability(n, nodes)
    assert abs(hits / programs - p) < 5.5 * (p * (1 - p) / programs) ** 0.5 + 1e-9


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 21, 50])
def test_few_odd_inputs_as_the_walk_has_them(n: int) -> None:
    for nodes in (n - 1, n, n + 1, 2 * n, 3 * n + 1):
        walk = odd_inputs_at_start(n, nodes).cumsum()
        found = [float(xor_bounds.few_odd_inputs(n, nodes, most)) for most in range(n)]
        assert found == pytest.approx(walk[:-1], abs=1e-13)


@pytest.mark.parametrize("n", [2, 5, 20, 60, 150])
@pytest.mark.parametrize("scale", [1, 2, 1000])
def test_the_bound_on_many_odd_inputs(n: int, scale: int) -> None:
    nodes = scale * n - (scale == 1)
    bound = xor_bounds.many_odd_inputs_bound(n, nodes)
    assert 1 - xor_bounds.few_odd_inputs(n, nodes, 3 * n // 4) <= bound
    if n >= 20:
        assert bound < np.exp(-n / 10)


def test_where_the_bound_takes_over_nothing_is_left_to_round() -> None:
    switch = next(n for n in range(2, 1000) if xor_bounds.many_odd_inputs_bound(n, n - 1) < 2.0**-54)
    assert 300 < switch < 400
    for n in (switch - 1, switch):
        assert 1 - xor_bounds.few_odd_inputs(n, n - 1, 3 * n // 4) < Fraction(1, 2**54)
        assert xor_bounds.lemma7_probability(n, n - 1) == 1.0
    assert xor_bounds.lemma7_probability(1_000_000, 2_000_000) == 1.0


def test_odd_inputs_are_asked_for_in_range() -> None:
    for most in (-1, 4):
        with pytest.raises(InputError, match="from 0 to 3"):
            xor_bounds.few_odd_inputs(4, 4, most)


def test_lemma7_tends_to_one() -> None:
    chances = [1 - xor_bounds.lemma7_probability(n, n) for n in (8, 32, 128)]
    assert chances[0] > chances[1] > chances[2]
    assert chances[2] < 1e-6


def test_lemma8_numbers_of_the_paper() -> None:
    d = Fraction(1, 100)
    assert xor_bounds.lemma8_floor(d) > Fraction(3, 10)
    printed = 1 / (1 + d) * (Fraction(12) / (25 * (1 + d)) - 3 * (1 + d) / 42 - 9 * (1 + d) * d)
    assert xor_bounds.lemma8_floor(d) == printed
    assert xor_bounds.lemma8_drift(1000, 1010, d) == xor_bounds.lemma8_floor(d)
    assert xor_bounds.lemma8_drift(1000, 1000, Fraction(0)) == Fraction(12, 25) - Fraction(3, 42)


def test_what_is_left_of_lemma7_s_probability() -> None:
    for n, nodes in ((2, 1), (8, 8), (20, 20), (50, 100)):
        exactly = 1 - xor_bounds.few_odd_inputs(n, nodes, 3 * n // 4)
        assert xor_bounds.lemma7_rest(n, nodes) == float(exactly)
    for n in (400, 1_000_000):  # an upper bound, and none is 0
        assert 0 < xor_bounds.lemma7_rest(n, n) <= max(xor_bounds.many_odd_inputs_bound(n, n), 1e-300)


def test_excess_needs_enough_nodes() -> None:
    assert xor_bounds.excess(1000, 1010) == Fraction(1, 100)
    assert xor_bounds.excess(1000, 999) == 0
    with pytest.raises(InputError, match="cannot join"):
        xor_bounds.excess(10, 8)
