"""Cells of inputs: tokens against the orbits of all permutations, one node after the other."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from gatewalk.theory.chain.input_cells import cells_of, token_of

Pair = tuple[int, int]


def images(pairs: tuple[Pair, ...], n: int) -> set[tuple[Pair, ...]]:
    """All that exchanges of inputs make of a sequence of unordered pairs."""
    result = set()
    for order in permutations(range(n)):
        moved = [tuple(sorted(order[s] if s < n else s for s in pair)) for pair in pairs]
        result.add(tuple((low, high) for low, high in moved))
    return result


@pytest.mark.parametrize(("n", "nodes"), [(2, 3), (3, 2), (4, 2)])
@pytest.mark.parametrize("stars", [0, 1])
def test_every_orbit_is_one_sequence_of_tokens(n: int, nodes: int, stars: int) -> None:
    cells = cells_of(n, nodes)

    def sequences(node: int, division: int) -> list[tuple[Pair, ...]]:
        if node == nodes:
            return [()]
        found = []
        for token in cells.tokens[stars, node, division, : cells.choices[stars, node, division]]:
            pair = int(cells.low[token]), int(cells.high[token])
            found += [(pair, *rest) for rest in sequences(node + 1, int(cells.split[division, token]))]
        return found

    every = [
        [*range(n + node), *([n + nodes] if stars else [])]  # what a node may read
        for node in range(nodes)
    ]
    pairs = [[(u, v) for u in one for v in one if u <= v] for one in every]
    orbits = {min(images(program, n)) for program in product(*pairs)}
    named = [min(images(sequence, n)) for sequence in sequences(0, 0)]
    assert len(named) == len(orbits)
    assert set(named) == orbits


def test_divisions() -> None:
    cells = cells_of(5, 1)
    division = 0b0101  # {0} {1, 2} {3, 4}
    assert cells.start[division].tolist() == [0, 1, 1, 3, 3]
    assert cells.size[division].tolist() == [1, 2, 2, 2, 2]
    start = cells.start[division].tolist()
    both = token_of(start, 5, 2, 1)
    assert (cells.low[both], cells.high[both]) == (1, 2)
    assert cells.split[division, both] == division  # both inputs of a cell leave nothing behind
    other = token_of(start, 5, 4, 2)
    assert (cells.low[other], cells.high[other]) == (1, 3)
    assert cells.split[division, other] == 0b1111
    assert cells.split[division, token_of(start, 5, 3, 3)] == 0b1101
    assert np.count_nonzero(cells.split[division] >= 0) < cells.split.shape[1]
