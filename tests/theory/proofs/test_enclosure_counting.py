"""The counting in the proofs of the enclosure's lemmas, on random programs: docs/theory/enclosure.md.

Values are tried with the inactive nodes as they are, since the proofs speak of any state of these. That the
constants hold at all programs of a size is a test of `test_enclosure`.
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
from literal_cgp import values


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


@pytest.mark.parametrize(("n", "nodes"), [(3, 3), (4, 3), (4, 5), (6, 8)])
def test_free_connections_and_pairs_that_lead_back(n, nodes, literal):
    """Lemmas 2 and 4: free connections, and pairs of a connection and a value that lead to i-, by kind."""
    rng = random.Random(n * 100 + nodes)
    seen = 0
    for _ in range(40_000):
        program = literal.random_program(n, nodes, rng)
        active, used = literal.active_nodes(n, program), literal.used_inputs(n, program)
        gates, level = len(active), len(used)
        surplus = gates - level + 1
        if surplus < 1 or level == n:
            continue
        seen += 1
        free = 0
        falls = {"unused": [], "cut off": [], "inactive": []}
        for gene in range(3 * nodes + 1):
            if gene < 3 * nodes and (gene % 3 == 0 or gene // 3 not in active):
                continue
            rises = 0
            for value in range(literal.values(n, nodes, gene)):
                other = [*program[:gene], value, *program[gene + 1 :]]
                after = len(literal.used_inputs(n, other))
                rises += after > level and value < n
                if after == level and len(literal.active_nodes(n, other)) == level - 1:
                    is_active = value in used or value - n in active
                    kind = "cut off" if is_active else "unused" if value < n else "inactive"
                    falls[kind].append((gene, value))
                    others = literal.values(n, nodes, gene) - 1
                    assert others >= n + surplus - (kind != "inactive")
            free += rises == n - level
        assert free >= surplus + 1
        assert len(falls["unused"]) <= 2 * (n - level)
        assert len(falls["cut off"]) <= min(surplus * (surplus + 1), gates + level - 1)
        assert len({value for _, value in falls["cut off"]}) == len(falls["cut off"])
        of_one_node = 1 if level == n - 1 else min(2, max(1, gates // (surplus + 1)))
        for node in {value for _, value in falls["inactive"]}:
            assert sum(value == node for _, value in falls["inactive"]) <= of_one_node
        if seen == 1500:
            break
    assert seen > 500


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
    """Lemma 4: pairs of a connection and a value that lead to i-, and the sets K."""
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
    """Lemma 5 (l): swaps and inactive nodes, and how few of them lead from A1 to A0."""
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
        swapped = sum(1 / (values(n, nodes, gene) - 1) for gene, _, _ in swaps) / (n - level)
        of_nodes = np.arange(n + nodes - level, n + nodes - 1)
        least = (1 / of_nodes).sum() + 1 / of_nodes[0] if level > 1 else 1 / (n + nodes - 1)
        most = (1 / (n - 1 + np.arange(level) // 2)).sum() if level > 1 else least
        assert least - 1e-12 <= swapped <= most + 1e-12
        for node in idle:
            limit = 1 if level == n - 1 else level - 1
            assert sum(value == node for _, value, _ in others) <= limit
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
