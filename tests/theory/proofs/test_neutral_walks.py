"""Theorems A and B, line by line: docs/theory/neutral-walks.md.

The counting arguments, which are those of docs/theory/enclosure.md, are tried on random programs, with the
inactive nodes as they are, since the proofs speak of any state of these. That its chances hold at all
programs of a size is a test of `test_enclosure`.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from conjunction_programs import (
    bridges,
    changed,
    changes,
    connections,
    inactive,
    prepared,
    random_tree,
    reads,
    shape_of,
)

from gatewalk.search.options import search_for
from gatewalk.theory import conjunction_times as times
from gatewalk.theory import enclosure
from gatewalk.theory.chain_bounds import certified_levels

SOLVED = [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4)]
SIZES = [(n, nodes) for n in (2, 3, 4, 5, 8, 13, 30, 77) for nodes in (n - 1, n, n + 3, 2 * n, n * n)]
ROUNDING = 1e-9  # of ratios of chances in the chain


def ratio(n, nodes, level):
    """rho."""
    falling, rising = (of(n, nodes, level) for of in (enclosure.fall_by_surplus, enclosure.rise_by_surplus))
    return (falling / rising).max()


@pytest.mark.parametrize(("n", "nodes"), SOLVED)
def test_falling_is_at_most_rho_times_rising_at_every_program(n, nodes):
    """Lemma 3, against the greatest ratio over all programs of the level."""
    for constants in certified_levels(search_for(f"and:{n}", nodes=nodes)).levels:
        assert constants.fall <= ratio(n, nodes, constants.level) + ROUNDING


@pytest.mark.parametrize(("n", "nodes", "level"), [(3, 4, 2), (5, 4, 4), (6, 9, 3), (9, 12, 8), (12, 30, 5)])
def test_bridges(n, nodes, level):
    """Lemma 1: over an inactive node there is one bridge more than active nodes above it, each a way up."""
    rng = random.Random(n)
    for _ in range(200):
        program = random_tree(n, nodes, level, rng)
        assert shape_of(n, program) == (level, level - 1, 0)
        for node in inactive(n, program):
            above = sum(
                node < reader < n + nodes for gene, reader, _ in connections(n, program) if gene % 3 == 1
            )
            over = bridges(n, program, node)
            assert len(over) == above + 1
            for gene, _, source in over:
                ready = changed(program, 3 * (node - n) + 1 + rng.randrange(2), source)
                after, gates, surplus = shape_of(n, changed(ready, gene, node))
                assert gates >= level
                assert after > level or (after == level and surplus >= 1)


def surplus_program(n, nodes, rng):
    """A random program of i+, by a few random changes of a tree that keep the level."""
    level = rng.randrange(2, n)
    program = random_tree(n, nodes, level, rng)
    for _ in range(60):
        gene, _, source = rng.choice(connections(n, program))
        value = rng.randrange(n + nodes if gene == 3 * nodes else n + gene // 3)
        other = changed(program, gene, value)
        if value != source and shape_of(n, other)[0] == level:
            program = other
        if shape_of(n, program)[2] > 0 and rng.random() < 0.3:
            return program
    return program


@pytest.mark.parametrize(("n", "nodes"), [(4, 4), (5, 8), (8, 12)])
def test_an_inactive_node_undoes_a_surplus_at_two_connections_at_most(n, nodes):
    """The enclosure's Lemma 4: pairs of a connection and a value that lead to i-, and the sets K."""
    rng = random.Random(7 * n)
    seen = 0
    for _ in range(300):
        program = surplus_program(n, nodes, rng)
        level, gates, surplus = shape_of(n, program)
        if not surplus:
            continue
        seen += 1
        falling = [
            (gene, value) for gene, value, y in changes(n, program) if shape_of(n, y) == (level, level - 1, 0)
        ]
        idle = set(inactive(n, program))
        to_active = [pair for pair in falling if pair[1] not in idle]
        assert len(to_active) <= min(gates, 2 * surplus) * (n - level + surplus + 1)
        cut_off = {gene: dominated(n, program, gene) for gene, _ in falling}
        for gene in cut_off:
            assert program[gene] >= n  # it reads a gate,
            assert [source for _, _, source in connections(n, program)].count(program[gene]) == 1  # alone
        limit = 1 if level == n - 1 else min(2, max(1, gates // (surplus + 1)))
        for value in idle:
            genes = [gene for gene, other in falling if other == value]
            assert len(genes) <= limit
            for index, gene in enumerate(genes):
                assert all(cut_off[gene].isdisjoint(cut_off[other]) for other in genes[:index])
                assert len(cut_off[gene]) == len(cut_off[genes[0]]) > surplus
    assert seen > 60


def test_two_connections_are_attained():
    """Node 4 reads two unused inputs; it can replace either half of a program in which x1 is read twice."""
    n, program = 7, [0, 0, 1, 0, 7, 2, 0, 0, 3, 0, 9, 4, 0, 5, 6, 0, 8, 10, 12]
    assert shape_of(n, program) == (5, 5, 1)
    assert inactive(n, program) == [11]
    falling = [gene for gene, value, y in changes(n, program) if value == 11 and shape_of(n, y) == (5, 4, 0)]
    assert sorted(falling) == [16, 17]  # both connections of the root


def dominated(n, program, gene):
    """K: the active gates that are cut off without this connection."""
    whole = {reader for _, reader, _ in connections(n, program)}
    left = {reader for _, reader, _ in connections(n, changed(program, gene, 0))}
    return whole - left


@pytest.mark.parametrize(("n", "nodes"), [(3, 3), (4, 3), (6, 8), (9, 14)])
def test_changes_from_tree_to_tree(n, nodes):
    """The enclosure's Lemma 5 (l): swaps and inactive nodes, and how few of them lead from A1 to A0."""
    rng = random.Random(13 * n)
    seen = 0
    for _ in range(150):
        level = rng.randrange(1, n)
        program = random_tree(n, nodes, level, rng)
        spare = nodes - level + 1
        idle = set(inactive(n, program))
        assert len(idle) == spare
        moves = [
            (gene, value, y)
            for gene, value, y in changes(n, program)
            if shape_of(n, y) == (level, level - 1, 0)
        ]
        swaps = [move for move in moves if move[1] < n]
        others = [move for move in moves if move[1] >= n]
        assert all(program[gene] < n for gene, _, _ in swaps)
        assert all(program[gene] >= n and value in idle for gene, value, _ in others)
        assert len(swaps) == level * (n - level)
        assert len(others) <= spare * (level - 1)
        lost = [move for move in moves if not prepared(n, move[2])] if prepared(n, program) else []
        for node in idle:
            for gene, _, source in bridges(n, program, node):
                if source not in reads(n, program, node):
                    continue
                seen += 1
                assert all(move[0] == gene for move in lost if move[1] < n)
                assert sum(move[1] < n for move in lost) <= n - level
                assert sum(move[1] >= n for move in lost) <= spare
    assert seen > 50


@pytest.mark.parametrize(("n", "nodes"), SIZES)
def test_every_estimate_of_a_level(n, nodes):
    """The inequalities between the enclosure's constants and the closed forms, at every level."""
    sources = n + nodes
    for level in range(1, n):
        spare, unused = nodes - level + 1, n - level
        rho, rising = ratio(n, nodes, level), enclosure.rise_by_surplus(n, nodes, level)
        leave, meeting = enclosure.leave(n, nodes, level), enclosure.meeting(n, nodes, level)
        preparing, unpreparing = (of(n, nodes, level) for of in (enclosure.preparing, enclosure.unpreparing))
        surplus = np.arange(1, spare + 1)
        least = (surplus + 1) * unused / ((2 * (level + surplus) - 1) * (sources - 2))
        assert 1 / leave <= 4 * level**2 * sources**2 / spare
        assert (rising >= least * (1 - 1e-12)).all()
        assert 1 / rising.min() <= (level + 1) * sources / unused
        assert rho <= (sources - 2) / n * (1 + spare / unused) + 1e-9
        assert 1 + rho <= 3 * sources * spare / (n * unused)
        assert 1 / preparing <= 3 * (2 * level - 1) * (sources - 1) ** 2 / (unused * spare)
        assert 1 / preparing <= 6 * level * sources**2 / (unused * spare)
        assert unpreparing / meeting <= 5.5 * sources * spare / (n - 1)
        assert 1 / meeting <= level * sources**3 / (2 * (n - 1) * unused)
        way = 1 / meeting + (1 + unpreparing / meeting) / preparing
        assert way <= 36.5 * level * sources**3 / ((n - 1) * unused)
        assert (1 + rho) * way <= 110 * level * spare * sources**4 / (n * (n - 1) * unused**2)
        time = (1 + rho) * min(1 / leave, way) + 1 / rising.min()
        assert enclosure.time_at_level(n, nodes, level) <= time * (1 + 2 * enclosure.OUTWARD)
        assert time <= 12 * level**2 * sources**3 / (n * unused) + (level + 1) * sources / unused


@pytest.mark.parametrize(("n", "nodes"), SIZES)
def test_the_sum_is_far_below_the_closed_forms(n, nodes):
    levels = enclosure.by_levels(n, nodes)
    assert levels <= 13 / 21 * times.theorem_a(n, nodes)
    assert levels <= 111 / 194 * times.theorem_b(n, nodes)
    assert 10 * levels <= min(times.theorem_a(n, nodes), times.theorem_b(n, nodes))


def test_hand_values():
    """The formulas at one place each, as the pages state them."""
    # n = D = 4, i = 2: N = 8, u = 3, a = 3
    assert enclosure.meeting(4, 4, 2) == pytest.approx(1 / (4 * 7))
    assert enclosure.unpreparing(4, 4, 2) == pytest.approx((2 * (1 / 3 + 1 / 3) + 3 / 4) / 12 + 5 / 12)
    # n = 7, D = 6, i = 5, c = 1: m = 5, a = 11; an unused input or the inactive node, at two connections
    assert enclosure.rise_by_surplus(7, 6, 5)[0] == pytest.approx(2 / 11 * (1 / 11 + 1 / 11))
    assert enclosure.fall_by_surplus(7, 6, 5)[0] == pytest.approx((6 / 7 + 2 / 8) / 11)
    assert times.theorem_a(3, 2) == pytest.approx(21 * 3 * 125 * 1.5)
    assert times.theorem_b(3, 2) == pytest.approx(194 * 625 / 2 * 1.5)
