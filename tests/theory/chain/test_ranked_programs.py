"""Ranks: a number for every class, without gaps, and the genotypes behind each."""

from __future__ import annotations

import numpy as np
import pytest
from all_programs import programs_of

from gatewalk.search.settings import settings
from gatewalk.theory.chain.input_cells import cells_of
from gatewalk.theory.chain.markov_chain import genotype_count
from gatewalk.theory.chain.ranked_chain import chain_of
from gatewalk.theory.chain.ranked_moves import class_of_genes
from gatewalk.theory.chain.ranked_programs import count_sequences, genotypes_of, ranks_of, sequences


@pytest.mark.parametrize(("inputs", "nodes"), [(2, 3), (3, 2), (4, 3)])
def test_sequences_are_as_many_as_counted_and_all_different(inputs: int, nodes: int) -> None:
    cells = cells_of(inputs, nodes)
    places, stars = np.arange(nodes), np.zeros(nodes, dtype=np.int64)
    ways = ranks_of(cells).ways
    counts, _ = count_sequences(cells, places, stars)
    for division in range(1 << inputs - 1):
        count = int(ways[(1 << nodes) - 1, division])
        assert counts[0, division] == count
        tokens, after = np.zeros((count, nodes), dtype=np.uint8), np.zeros(count, dtype=np.uint8)
        sequences(cells, places, stars, division, count, tokens, after)
        rows = [tuple(row) for row in tokens.tolist()]
        assert len(set(rows)) == count
        assert rows == sorted(rows)
        for row, last in zip(rows, after.tolist(), strict=True):
            at = division
            for token in row:
                at = int(cells.split[at, token])
                assert at >= 0
            assert at == last


@pytest.mark.parametrize("name", ["and:3", "xor:2"])
def test_every_class_has_a_program_and_its_number_of_genotypes(name: str) -> None:
    chain = chain_of(settings(name, nodes=2))
    counted = np.zeros(chain.count, dtype=np.int64)
    solved = 0
    for genes in programs_of(chain.shape):
        number = int(class_of_genes(chain.cells, chain.ranks, chain.classes, np.array(genes)))
        if number < 0:
            solved += 1
        else:
            counted[number] += 1
    assert (counted > 0).all()
    assert counted.sum() + solved == genotype_count(chain.shape)
    for segment in chain.segments:
        inactive = np.array([node for node in range(2) if not segment.active >> node & 1], dtype=np.int64)
        tokens = np.zeros((segment.ways, inactive.size), dtype=np.uint8)
        after = np.zeros(segment.ways, dtype=np.uint8)
        sequences(
            chain.cells, inactive, np.zeros_like(inactive), segment.division, segment.ways, tokens, after
        )
        each = genotypes_of(chain.cells, tokens, after)
        known = (each[None, :] * 2 ** segment.doubled[:, None]).reshape(-1)
        assert known.tolist() == counted[segment.classes].tolist()
