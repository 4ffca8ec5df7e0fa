"""Blocks: every active part once per orbit, against the parts of all programs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from all_programs import exchanged, mismatches, programs_of

from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import active_genes
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import settings
from gatewalk.theory.chain.active_parts import blocks_of, solved_blocks, unpack_block
from gatewalk.theory.chain.markov_chain import frame_of


@pytest.mark.parametrize(
    ("name", "gates", "nodes"), [("and:3", "and", 2), ("xor:2", "xor,and", 2), ("and:2", "and", 3)]
)
def test_blocks_are_the_orbits_of_active_parts(name: str, gates: str, nodes: int) -> None:
    shape = shape_of(settings(name, nodes=nodes, gates=gates))
    frame = frame_of(shape, complete(target(name)))
    orders = list(permutations(range(shape.inputs)))
    solved: dict[int, set[tuple[int, ...]]] = {active: set() for active in range(1 << nodes)}
    unsolved: dict[int, set[tuple[int, ...]]] = {active: set() for active in range(1 << nodes)}
    for genes in programs_of(shape):
        marked = active_genes(shape, np.array(genes))
        active = sum(1 << node for node in range(nodes) if marked[node * shape.block])
        part = tuple(gene if on else -1 for gene, on in zip(genes, marked, strict=True))
        least = min(
            tuple(
                gene if on else -1
                for gene, on in zip(exchanged(shape, part, order, swaps), marked, strict=True)
            )
            for order in orders
            for swaps in range(1 << nodes)
        )
        (unsolved if mismatches(shape, name, genes) else solved)[active].add(least)
    for active in range(1 << nodes):
        assert blocks_of(frame.tables, active).key.size == len(unsolved[active])
        assert solved_blocks(frame.tables, active).key.size == len(solved[active])


def test_keys_ascend_and_fitness_is_that_of_their_programs() -> None:
    shape = shape_of(settings("and:3", nodes=2))
    frame = frame_of(shape, complete(target("and:3")))
    state, out = np.zeros(2, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for blocks in frame.blocks:
        assert (np.diff(blocks.key) > 0).all()
        for key, wrong, orbit in zip(
            blocks.key.tolist(), blocks.fitness.tolist(), blocks.orbit.tolist(), strict=True
        ):
            state[:] = 0
            unpack_block(frame.tables, blocks.active, key, state, out)
            genes: list[int] = []
            for axis, c in zip(frame.axes, state.tolist(), strict=True):
                genes += [int(axis.function[c]), int(axis.first[c]), int(axis.second[c])]
            program = (*genes, int(out[0]))
            assert mismatches(shape, "and:3", program) == wrong
            assert 6 % orbit == 0  # the orbit's size divides the number of symmetries
