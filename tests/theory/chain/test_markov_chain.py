"""The chain against a transition matrix written down literally from Algorithms 1-3.

For every genotype as a parent, SAM's loop is itself a small chain on offspring; its absorption
probabilities are solved for directly, with no symmetry, no eigenbasis and no shared code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from all_programs import mismatches, programs_of
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Shape, active_genes, valid_values
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import Settings, settings
from gatewalk.theory.chain.sam_search import solved

Matrix = NDArray[np.float64]


def sam_matrix(shape: Shape, programs: list[tuple[int, ...]], picked_ends: bool) -> Matrix:
    """P(offspring y | parent x), by solving the loop for each parent."""
    number = {genes: index for index, genes in enumerate(programs)}
    count = len(programs)
    changes = np.zeros((shape.length, count, count))
    for gene in range(shape.length):
        values = valid_values(shape, gene)
        for row, genes in enumerate(programs):
            others = [value for value in values if value != genes[gene]] or values
            for value in others:
                to = number[(*genes[:gene], value, *genes[gene + 1 :])]
                changes[gene, row, to] += 1 / len(others)
    result = np.zeros((count, count))
    for row, genes in enumerate(programs):
        active = active_genes(shape, np.array(genes))
        going, ending = np.zeros((count, count)), np.zeros((count, count))
        for gene in range(shape.length):
            part = changes[gene] / shape.length
            differs = np.array([other[gene] != genes[gene] for other in programs])
            ends = np.full(count, bool(active[gene])) & (differs | picked_ends)
            ending += part * ends[None, :]
            going += part * ~ends[None, :]
        result[row] = np.linalg.solve((np.eye(count) - going).T, np.eye(count)[row]) @ ending
    return result


def expected(search: Settings, shape: Shape, matrix: Matrix, programs: list[tuple[int, ...]]) -> Matrix:
    """Expected T from every program by one dense system."""
    rank = np.array([mismatches(shape, search.target, genes) for genes in programs])
    accept = (rank[None, :] < rank[:, None]).astype(float)
    if not search.strict:
        accept += (rank[None, :] == rank[:, None]) * (0.5 if search.law.ties == "coin" else 1.0)
    moves = matrix * accept
    moves += np.diag(1 - moves.sum(axis=1))
    open_ = rank > 0
    times = np.zeros(len(programs))
    inner = np.eye(int(open_.sum())) - moves[np.ix_(open_, open_)]
    times[open_] = np.linalg.solve(inner, np.ones(int(open_.sum())))
    return times


@pytest.mark.parametrize(
    ("name", "nodes", "options"),
    [
        ("and:2", 2, {}),
        ("and:2", 2, {"selection": "strict"}),
        ("and:2", 2, {"options": {"sam_ends": "picked", "ties": "coin"}}),
        ("xor:2", 2, {"options": {"levels_back": 2, "levels_over": "sources"}}),
        ("and:2", 1, {"gates": "and,nimply,not"}),
    ],
)
def test_every_start_by_the_letter(name: str, nodes: int, options: dict[str, Any]) -> None:
    search = settings(name, nodes=nodes, **options)
    shape = shape_of(search)
    programs = programs_of(shape)
    matrix = sam_matrix(shape, programs, search.law.sam_ends == "picked")
    assert np.abs(matrix.sum(axis=1) - 1).max() < 1e-12
    known = expected(search, shape, matrix, programs)
    found = solved(search)
    measured = np.array([found.expected_from(genes) for genes in programs])
    assert np.abs(measured - known).max() < 1e-9 * known.max()
    assert found.expected_iterations == pytest.approx(known.mean(), rel=1e-10)
    assert len(programs) == found.states
