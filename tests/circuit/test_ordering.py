"""Layers are ordered so that wires cross less, and crossings are counted right."""

import random
from itertools import combinations, pairwise

import pytest

from gatewalk.circuit.ordering import crossings, ordered


def drawn(seed):
    generator = random.Random(seed)
    layers = [[(i, j) for j in range(generator.randint(2, 7))] for i in range(5)]
    ends = []
    for one, other in pairwise(layers):
        ends += [(generator.choice(one), generator.choice(other)) for _ in range(9)]
    return layers, ends


def counted(layers, ends):
    rank = {place: i for layer in layers for i, place in enumerate(layer)}
    return sum(
        (rank[a] - rank[c]) * (rank[b] - rank[d]) < 0
        for (a, b), (c, d) in combinations(ends, 2)
        if a[0] == c[0]
    )


def right_of(layers, ends):
    right = {place: [] for layer in layers for place in layer}
    for start, end in ends:
        right[start].append(end)
    return right


@pytest.mark.parametrize("seed", range(30))
def test_no_more_crossings_than_before(seed):
    layers, ends = drawn(seed)
    found = ordered(layers, ends)
    assert [sorted(layer) for layer in found] == [sorted(layer) for layer in layers]
    assert (found[0], found[-1]) == (layers[0], layers[-1])
    assert crossings(layers, right_of(layers, ends)) == counted(layers, ends)
    assert counted(found, ends) <= counted(layers, ends)


def test_crossings_are_removed_where_they_can_be():
    layers = [["a", "b", "c"], ["p", "q", "r"], ["x", "y", "z"]]
    ends = [("a", "r"), ("b", "q"), ("c", "p"), ("r", "x"), ("q", "y"), ("p", "z")]
    assert ordered(layers, ends)[1] == ["r", "q", "p"]
