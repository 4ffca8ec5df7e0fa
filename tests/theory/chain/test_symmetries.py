"""Symmetries of a search: which permutations of inputs it has, and that blocks are one per orbit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import settings
from gatewalk.theory.chain.markov_chain import frame_of, genotype_count
from gatewalk.theory.chain.sam_search import exact
from gatewalk.theory.chain.symmetries import input_symmetries


@pytest.mark.parametrize(
    ("name", "options", "count"),
    [
        ("and:4", {}, 24),
        ("xor:5", {}, 120),
        ("sum:1", {}, 2),
        ("sum:2", {}, 4),
        ("and:3", {"profile": "tinyverse", "nodes": 3}, 1),
        ("and:3", {"profile": "tinyverse", "nodes": 6}, 1),
        ("and:3", {"profile": "tinyverse", "nodes": 3, "options": {"levels_over": "columns"}}, 6),
    ],
)
def test_how_many(name: str, options: dict[str, Any], count: int) -> None:
    search = settings(name, **options)
    training = complete(target(name))
    found = input_symmetries(shape_of(search), training)
    assert len(found) == count
    assert found[0].tolist() == list(range(found.shape[1]))


@pytest.mark.parametrize("name", ["and:3", "xor:3", "maj:3"])
def test_orbits_of_blocks_add_up(name: str) -> None:
    shape = shape_of(settings(name, nodes=3))
    training = complete(target(name))
    lumped, full = (frame_of(shape, training, lump=lump) for lump in (True, False))
    for few, many in zip(lumped.blocks, full.blocks, strict=True):
        assert few.active == many.active
        assert np.unique(few.key).size == few.key.size
        assert few.key.size <= many.key.size
    assert exact(name, nodes=3).chain.size.sum() == exact(name, nodes=3, lump=False).chain.size.sum()
    assert genotype_count(shape) == (3 * 4 * 5) ** 2 * 6 * len(shape.gates) ** 3


@pytest.mark.parametrize(
    ("wanted", "gates", "nodes"),
    [("table:2:0x3", "not", 2), ("table:2:0x3", "buf,not", 2), ("table:3:0xf", "not,buf", 3)],
)
def test_gates_of_one_input_have_no_second_connection_to_move(wanted: str, gates: str, nodes: int) -> None:
    """20,000 seeded runs: six standard errors are passed by chance once in 10^9 times."""
    search = settings(wanted, nodes=nodes, gates=gates)
    expected = exact(wanted, nodes=nodes, gates=gates)
    iterations = run_many(search, seed=1, runs=range(20_000)).iterations
    error = expected.std_iterations / iterations.size**0.5
    assert abs(iterations.mean() - expected.expected_iterations) < 6 * error
