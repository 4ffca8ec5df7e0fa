"""The order of places within layers: sweeps by barycentres, then exchanges of neighbours, the best kept.

After Sugiyama, Tagawa and Toda, 1981, with the exchanges of Gansner, Koutsofios, North and Vo, 1993.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import TypeVar

SWEEPS = 16
_MOST_PLACES = 4000  # with more places, exchanges would take minutes

P = TypeVar("P", bound=Hashable)


def ordered(layers: Sequence[Sequence[P]], ends: Sequence[tuple[P, P]]) -> list[list[P]]:
    """The layers in an order with few crossings; the first and the last layer keep their order.

    ends: for each wire the place where it begins and the place in the next layer where it ends.
    """
    left: dict[P, list[P]] = {place: [] for layer in layers for place in layer}
    right: dict[P, list[P]] = {place: [] for layer in layers for place in layer}
    for start, end in ends:
        right[start].append(end)
        left[end].append(start)
    current = [list(layer) for layer in layers]
    best, fewest = [list(layer) for layer in current], crossings(current, right)
    exchange = len(left) <= _MOST_PLACES
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        inner = range(1, len(current) - 1)
        for i in inner if forward else reversed(inner):
            near, beside = (left, current[i - 1]) if forward else (right, current[i + 1])
            current[i] = _by_barycentre(current[i], near, _ranks(beside))
        if exchange:
            _exchange(current, left, right)
        count = crossings(current, right)
        if count < fewest:
            best, fewest = [list(layer) for layer in current], count
    return best


def crossings(layers: Sequence[Sequence[P]], right: dict[P, list[P]]) -> int:
    """The number of crossings of wires between neighbouring layers."""
    total = 0
    for one, next_one in pairwise(layers):
        rank = _ranks(next_one)
        seen: list[int] = []
        for place in one:
            arrivals = [rank[end] for end in right[place]]
            total += sum(len(seen) - bisect_right(seen, arrival) for arrival in arrivals)
            for arrival in arrivals:
                insort(seen, arrival)
    return total


def _by_barycentre(layer: list[P], near: dict[P, list[P]], rank: dict[P, int]) -> list[P]:
    own = _ranks(layer)

    def barycentre(place: P) -> float:
        ranks = [rank[other] for other in near[place]]
        return sum(ranks) / len(ranks) if ranks else float(own[place])

    return sorted(layer, key=barycentre)


def _exchange(layers: list[list[P]], left: dict[P, list[P]], right: dict[P, list[P]]) -> None:
    """Exchange neighbours within a layer as long as that saves crossings."""
    for i in range(1, len(layers) - 1):
        before, after, layer = _ranks(layers[i - 1]), _ranks(layers[i + 1]), layers[i]
        improved = True
        while improved:
            improved = False
            for j in range(len(layer) - 1):
                upper, lower = layer[j], layer[j + 1]
                saved = _between(left[upper], left[lower], before) + _between(
                    right[upper], right[lower], after
                )
                saved -= _between(left[lower], left[upper], before) + _between(
                    right[lower], right[upper], after
                )
                if saved > 0:
                    layer[j], layer[j + 1] = lower, upper
                    improved = True


def _between(upper: list[P], lower: list[P], rank: dict[P, int]) -> int:
    """The number of crossings between the wires of two neighbours."""
    return sum(rank[a] > rank[b] for a in upper for b in lower)


def _ranks(layer: Sequence[P]) -> dict[P, int]:
    return {place: i for i, place in enumerate(layer)}
