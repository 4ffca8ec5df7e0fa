"""Moves between ranked classes: the class of a program, and sums over stored ties."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from all_programs import exchanged, mismatches, programs_of

from gatewalk.search.settings import settings
from gatewalk.theory.chain.ranked_chain import chain_of
from gatewalk.theory.chain.ranked_moves import Ties, class_of_genes, gather, tie_weight


@pytest.mark.parametrize("name", ["and:3", "xor:3"])
def test_exchanges_do_not_change_the_class_and_fitness_gives_the_level(name: str) -> None:
    chain = chain_of(settings(name, nodes=2))
    for genes in programs_of(chain.shape)[::9]:
        images = {
            exchanged(chain.shape, genes, order, swaps)
            for order in permutations(range(3))
            for swaps in range(4)
        }
        found = {
            int(class_of_genes(chain.cells, chain.ranks, chain.classes, np.array(image))) for image in images
        }
        assert len(found) == 1
        wrong = mismatches(chain.shape, name, genes)
        number = found.pop()
        if wrong == 0:
            assert number == -1
        else:
            (segment,) = (
                one for one in chain.segments if number in range(one.classes.start, one.classes.stop)
            )
            assert chain.levels[segment.level] == wrong


def test_sums_over_ties() -> None:
    """Three classes with two, no and one tie; weights by kind."""
    ties = Ties(
        np.array([2, 0, 1], dtype=np.uint8),
        np.array([0, 2, 1], dtype=np.int32),
        np.array([1, 2, 1], dtype=np.uint8),
    )
    weights, values = np.array([0.0, 0.5, 0.125]), np.array([3.0, 5.0, 8.0])
    result = np.zeros(3)
    gather(ties, weights, values, result)
    assert result.tolist() == [0.5 * 3 + 0.125 * 8, 0.0, 0.5 * 5]
    leaving = np.ones(3)
    tie_weight(ties, weights, 0.5, leaving)
    assert leaving.tolist() == [1 + 0.5 * 0.625, 1.0, 1 + 0.5 * 0.5]
