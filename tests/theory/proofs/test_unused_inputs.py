"""Theorem E, line by line: docs/theory/unused-inputs.md."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import log

import numpy as np
import pytest
from conjunction_programs import all_programs
from literal_cgp import used_inputs

from gatewalk.theory.conjunction_times import unused_inputs
from gatewalk.theory.uniform_programs import active_and_used

GRID = [(n, nodes) for n in (2, 3, 4, 5, 9, 20) for nodes in (n - 1, n, 2 * n, n * n, n**3)]


def missing_chance(n, nodes):
    """Exactly the chance that a uniform program does not use a given input, by the law of N_v."""
    law = np.zeros(nodes + 3)
    law[1] = 1.0
    size = np.arange(nodes + 3)
    for v in range(n, n + nodes):
        p = np.minimum(size / v, 1.0)
        joined = law * p * (2 - p)
        law = law - joined
        law[1:] += joined[:-1]
    return float(law @ (1 - size / (n + nodes)))


def missing_fraction(n, nodes):
    """The same in fractions."""
    law = {1: Fraction(1)}
    for v in range(n, n + nodes):
        after: dict[int, Fraction] = {}
        for size, chance in law.items():
            out = Fraction(v - size, v) ** 2
            after[size] = after.get(size, Fraction(0)) + chance * out
            after[size + 1] = after.get(size + 1, Fraction(0)) + chance * (1 - out)
        law = after
    return sum((chance * Fraction(n + nodes - size, n + nodes) for size, chance in law.items()), Fraction(0))


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (3, 2), (3, 3)])
def test_the_law_by_listing_all_programs(n, nodes):
    count = missing = 0
    for program in all_programs(n, nodes):
        count += 1
        missing += 0 not in used_inputs(n, program)
    assert missing_fraction(n, nodes) == Fraction(missing, count)
    assert missing_chance(n, nodes) == pytest.approx(missing / count, rel=1e-12)


def test_the_martingale():
    """psi_v = (v - N)/(N - 1): (v - 1) psi_v keeps its mean, an identity."""
    for v in range(3, 40):
        for size in range(2, v + 1):
            p = Fraction(size, v)
            stays = (1 - p) ** 2 * Fraction(v + 1 - size, size - 1)
            joins = p * (2 - p) * Fraction(v - size, size)
            assert stays + joins == Fraction(v - size, size - 1) * Fraction(v - 1, v)


def test_when_the_first_node_joins():
    for n in (2, 3, 7):
        left = Fraction(1)
        for s in range(n, 60):
            left *= (1 - Fraction(1, s)) ** 2
            assert left == Fraction(n - 1, s) ** 2


def test_what_the_output_misses():
    for sources in (3, 8, 30):
        last = sources - 1
        for size in range(2, sources + 1):
            psi = Fraction(sources - size, size - 1)
            assert 1 - Fraction(size, sources) == Fraction(last, sources) * psi / (1 + psi)


@pytest.mark.parametrize(("n", "nodes"), GRID)
def test_the_chain_of_inequalities(n, nodes):
    """Each number of the proof is at least the one before it."""
    sources = n + nodes
    last = sources - 1

    def h(s):
        return s * (s - 1) / (last + s * (s - 1))

    s = np.arange(n, sources - 1, dtype=np.float64)
    stays = ((n - 1) / s) ** 2
    by_jensen = last / sources * (h(n) + (stays * (h(s + 1) - h(s))).sum() + (n - 1) ** 2 / last**3)
    paid = h(n) + (stays * (h(s + 1) - h(s))).sum()
    a, w = sources - 1.5, (n - 0.5) ** 2
    assert ((h(s + 1) - h(s)) <= 2 * s * last / (a + s * s) ** 2 + 1e-15).all()
    assert (n - 1) ** 2 / last**2 <= h(n)
    summed = h(n) + (n - 1) ** 2 * (2 * last / (s * (a + s * s) ** 2)).sum()
    integral = h(n) + (n - 1) ** 2 * last / a**2 * (log(1 + a / w) - a / (a + w))
    assert h(n) <= w / (a + w)
    assert (n - 1) ** 2 * last <= w * a
    steps = [missing_chance(n, nodes), by_jensen, paid, summed, integral, w / a * log(1 + a / w)]
    for smaller, larger in pairwise(steps):
        assert smaller <= larger * (1 + 1e-12)
    stated = n * n / sources * log(1 + sources / n**2)
    assert steps[-1] <= stated or (n, nodes) == (2, 1)
    assert steps[0] <= stated


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (3, 5), (6, 20), (10, 60)])
def test_the_bound_on_the_mean(n, nodes):
    law = active_and_used(n, nodes).sum(axis=0)
    mean = float(law @ (n - np.arange(n + 1)))
    assert mean == pytest.approx(n * missing_chance(n, nodes), rel=1e-9)
    assert mean <= unused_inputs(n, nodes)
    for kept in range(n):
        few = float(law[n - kept :].sum())
        assert few >= 1 - n**3 / ((kept + 1) * (n + nodes)) * log(1 + (n + nodes) / n**2) - 1e-12


@pytest.mark.parametrize(("n", "nodes"), [(5, 4), (5, 25), (20, 19), (20, 400), (20, 8000)])
def test_the_exact_chance_is_smaller_by_a_factor_below_1_7(n, nodes):
    ratio = n * n / (n + nodes) * log(1 + (n + nodes) / n**2) / missing_chance(n, nodes)
    assert 1 < ratio < 1.7
