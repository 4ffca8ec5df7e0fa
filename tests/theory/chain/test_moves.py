"""Changes of active genes: how many genes end SAM's loop, and where every move leads."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from all_programs import mismatches, programs_of

from gatewalk.cgp.genotype import active_genes, valid_values
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import settings
from gatewalk.theory.chain.moves import (
    TIE,
    count_ending_genes,
    free_blocks,
    move_fractions,
    move_probabilities,
)
from gatewalk.theory.chain.program_lookup import class_of_program, programs_of_segment
from gatewalk.theory.chain.sam_search import exact


@pytest.mark.parametrize("gates", ["and", "and,or", "and,not"])
def test_every_active_gene_that_can_change_ends_the_loop(gates: str) -> None:
    shape = shape_of(settings("and:2", nodes=2, gates=gates))
    for genes in programs_of(shape)[::7]:
        marked = active_genes(shape, np.array(genes))
        counts = [len(valid_values(shape, gene)) for gene in range(shape.length) if marked[gene]]
        nodes = sum(
            1 << node
            for node in range(shape.nodes)
            if marked[node * shape.block : (node + 1) * shape.block].any()
        )
        assert count_ending_genes(shape, nodes, picked_ends=True) == len(counts)
        assert count_ending_genes(shape, nodes, picked_ends=False) == sum(count > 1 for count in counts)


@pytest.mark.parametrize("picked_ends", [False, True])
def test_chances_of_moves(picked_ends: bool) -> None:
    shape = shape_of(settings("and:3", nodes=2))
    # The second node active, and one gate: two connections of 3 other values each, the output of 4.
    found = move_fractions(shape, 2, picked_ends=picked_ends)
    assert sum(found) == 1
    genes = 4 if picked_ends else 3  # the function gene can be picked, and cannot change
    assert found[:10] == [Fraction(1, 3 * genes)] * 6 + [Fraction(1, 4 * genes)] * 4
    assert found[10:] == ([Fraction(1, 4)] if picked_ends else [])
    assert move_probabilities(shape, 2, picked_ends=picked_ends) == pytest.approx(
        [float(one) for one in found]
    )


@pytest.mark.parametrize(
    ("name", "options"), [("and:3", {}), ("xor:2", {}), ("and:2", {"gates": "and,nimply,ncimply"})]
)
def test_where_moves_lead(name: str, options: dict[str, Any]) -> None:
    """Every change of an active gene of every class, made on the genes."""
    found = exact(name, nodes=2, **options)
    chain, shape = found.chain, found.chain.shape
    for segment in chain.segments:
        for row, genes in enumerate(programs_of_segment(chain, segment)):
            marked = active_genes(shape, genes)
            moves = iter(segment.moves[row].tolist())
            for gene in range(shape.length):
                if not marked[gene]:
                    continue
                for value in valid_values(shape, gene):
                    if value == genes[gene]:
                        continue
                    changed = genes.copy()
                    changed[gene] = value
                    wrong = mismatches(shape, name, tuple(changed.tolist()))
                    to, move = class_of_program(chain, changed), next(moves)
                    if wrong == 0:
                        assert to is None
                        assert move < 0
                        assert move > TIE
                    elif wrong < chain.levels[segment.level]:
                        assert move == to
                    elif wrong == chain.levels[segment.level]:
                        assert TIE - move == to
                    else:
                        assert TIE < move < 0
            assert next(moves, None) is None


def test_a_block_is_free_if_an_input_can_replace_a_connection() -> None:
    chain = exact("and:3", nodes=3).chain
    for segment in chain.segments:
        free = np.zeros(segment.keys.size, dtype=np.bool_)
        free_blocks(chain.tables, segment.active, chain.levels[segment.level], segment.keys, free)
        for place, genes in zip(segment.example, programs_of_segment(chain, segment), strict=True):
            marked = active_genes(chain.shape, genes)
            connections = [gene for gene in range(10) if marked[gene] and (gene % 3 or gene == 9)]
            known = False
            for gene in connections:
                for source in range(3):
                    changed = [*genes[:gene].tolist(), source, *genes[gene + 1 :].tolist()]
                    known |= mismatches(chain.shape, "and:3", tuple(changed)) < chain.levels[segment.level]
            assert free[place % segment.keys.size] == known
