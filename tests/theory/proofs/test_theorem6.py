"""What docs/theory/theorem6.md says of the proof of Theorem 6: each counterexample, with s computed exactly.

s is the chance of one iteration from a program of i+ to i- of the same level; a program is a list of genes,
sources numbered from 0: with n = 4, the inputs are 0 to 3 and node 0 is source 4.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from conjunction_programs import changes, inactive, shape_of
from literal_cgp import values

from gatewalk.search.options import search_for
from gatewalk.theory.chain.sam.chain import build_chain


@cache
def chain_of(n, nodes):
    return build_chain(search_for(f"and:{n}", nodes=nodes))


def falling_chance(n, nodes, program):
    """s, from the exact chain: mixing of the inactive nodes, and then one change."""
    chain = chain_of(n, nodes)
    state = chain.state_of(program)
    level = int(np.searchsorted(chain.level_start, state, side="right")) - 1
    first, last = chain.level_start[level], chain.level_start[level + 1]
    minus = ~chain.has_free_connection(level)
    return float(chain.mean(level, minus.astype(float), first, last)[state - first])


def falling_genes(n, program):
    """The connections of which some value leads to i-, inactive nodes as they are."""
    level, _, _ = shape_of(n, program)
    return {gene for gene, _, y in changes(n, program) if shape_of(n, y) == (level, level - 1, 0)}


def falling_per_step(n, program):
    """The sum over these connections of the share of their other values that leads to i-."""
    level, _, _ = shape_of(n, program)
    total = Fraction(0)
    for gene, _, y in changes(n, program):
        if shape_of(n, y) == (level, level - 1, 0):
            total += Fraction(1, values(n, len(program) // 3, gene) - 1)
    return total


THREE = [0, 0, 1, 0, 0, 2, 0, 4, 5, 0, 4, 2, 6]  # n = D = 4


def test_three_genes_instead_of_two():
    assert shape_of(4, THREE) == (3, 3, 1)
    assert falling_genes(4, THREE) == {7, 8, 12}  # both connections of node 2, and the output
    assert falling_chance(4, 4, THREE) == pytest.approx(0.13065, abs=1e-5)
    assert falling_chance(4, 4, THREE) < 2 / 13  # the estimate itself holds for this program


@pytest.mark.parametrize(("n", "nodes"), [(4, 3), (4, 4), (3, 4)])
def test_the_estimate_fails_for_a_single_gate(n, nodes):
    """Node 0 reads x1 twice and the output reads it: s = n / (3 (n+D-1))."""
    program = [0, 0, 0, *[0, 0, 0] * (nodes - 1), n]
    chance = falling_chance(n, nodes, program)
    assert chance == pytest.approx(n / (3 * (n + nodes - 1)), abs=1e-12)
    assert (chance > 2 / (3 * nodes + 1)) == (n >= 4 or nodes >= 4)
    if (n, nodes) == (4, 3):
        assert chance == pytest.approx(2 / 9)


def test_it_fails_for_every_n_from_4_on():
    for n in range(3, 60):
        for nodes in (n - 1, n, 2 * n, n * n, 10**6):
            is_larger = Fraction(n, 3 * (n + nodes - 1)) > Fraction(2, 3 * nodes + 1)
            assert is_larger == (n >= 4 or nodes >= 4)


@pytest.mark.parametrize(("n", "nodes"), [(3, 3), (4, 3), (4, 4)])
def test_a_chance_that_does_not_fall_with_the_nodes(n, nodes):
    """Node 0 = (x1, x1), node 1 = (node 0, x2), the output at node 1: s >= (n-1)/(5n)."""
    program = [0, 0, 0, 0, n, 1, *[0, 0, 0] * (nodes - 2), n + 1]
    assert shape_of(n, program) == (2, 2, 1)
    assert falling_chance(n, nodes, program) >= (n - 1) / (5 * n)


@pytest.mark.parametrize(("n", "genes"), [(5, 4), (7, 6), (11, 10), (21, 20)])
def test_the_number_of_genes_is_not_bounded(n, genes):
    """a1 = (x1, x2), a2 = (a1, x1), a_j = (a_(j-1), x_j), and an inactive twin b of it, interleaved."""
    program, a, b = [], {}, {}

    def node(first, second):
        program.extend([0, first, second])
        return n + len(program) // 3 - 1

    a[1] = node(0, 1)
    b[2] = node(0, 1)
    a[2] = node(a[1], 0)
    for j in range(3, n):
        b[j] = node(b[j - 1], j - 1)
        a[j] = node(a[j - 1], j - 1)
    program.append(a[n - 1])
    assert shape_of(n, program) == (n - 1, n - 1, 1)
    assert len(inactive(n, program)) == n - 2
    assert len(falling_genes(n, program)) == genes == n - 1


def test_the_estimate_fails_per_elementary_step_too():
    """n = 10, D = 93: the shares of the three genes add up to 2.12, more than two."""
    n, program = 10, [0, 0, 0, 0, 10, 1]
    program += [0, 0, 1] * 30  # nodes 2 to 31, twins of node 1 without the surplus
    program += [0, 11, 2]  # node 32, which the output reads
    program += [0, 12, 2] * 60  # twins of node 32
    program.append(n + 32)
    assert len(program) == 3 * 93 + 1
    assert shape_of(n, program) == (3, 3, 1)
    total = falling_per_step(n, program)
    assert total == Fraction(8, 10) + Fraction(30, 41) + Fraction(60, 102)
    assert float(total) == pytest.approx(2.12, abs=0.001)


def test_the_ratio_that_the_theorem_needs_held_where_it_was_solved():
    """n = D = 4: the greatest s/r is 1.57, and the proof's s'/r' is 16 at level 3."""
    from gatewalk.theory.chain_bounds import certified_levels
    from gatewalk.theory.conjunctions import theorem6_r, theorem6_s

    for level in certified_levels(search_for("and:4", nodes=4)).levels:
        assert level.fall <= theorem6_s(4, 4) / theorem6_r(4, 4, level.level)
    assert max(level.fall for level in certified_levels(search_for("and:4", nodes=4)).levels) < 1.58
