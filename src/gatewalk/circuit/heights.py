"""Heights of places in layers whose order is known, such that most wires are straight.

They minimise the weighted sum of the climbs of all wires, a linear programme, after Gansner, Koutsofios,
North and Vo, "A technique for drawing directed graphs", 1993. Its corners are multiples of the grid if all
distances are. With more than `MOST_PLACES` places the programme would take many seconds; then one layer after
the other is moved as near as possible to the mean of its neighbours instead, by isotonic regression.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

MOST_PLACES = 5000
SWEEPS = 24

P = TypeVar("P", bound=Hashable)
_Demand = tuple[dict[int, float], float]  # a linear inequality: factors of variables, and an upper bound


class Pull(NamedTuple, Generic[P]):
    """A wire; it is straight if its start is at the height of its end plus the offset."""

    start: P
    end: P
    offset: float
    weight: float


def heights(
    layers: Sequence[Sequence[P]], space: dict[P, float], pulls: Sequence[Pull[P]], *, grid: float
) -> dict[P, float]:
    """The y of the middle of every place; the uppermost place begins at 0.

    space: the height that each place takes. The middles of two neighbours in a layer are at least half the
    sum of their spaces apart. These half sums and all offsets must be multiples of the grid.
    """
    find = _by_programme if pulls and len(space) <= MOST_PLACES else _by_sweeps
    y = find(layers, space, pulls, grid)
    top = min((y[place] - space[place] / 2 for place in y), default=0.0)
    return {place: at - top for place, at in y.items()}


def _by_programme(
    layers: Sequence[Sequence[P]], space: dict[P, float], pulls: Sequence[Pull[P]], grid: float
) -> dict[P, float]:
    """Solve the linear programme; its variables are heights of places and climbs of wires, in grid units."""
    from scipy.optimize import linprog

    number = {place: i for i, place in enumerate(space)}
    demands: list[_Demand] = []
    for layer in layers:
        for above, below in pairwise(layer):
            apart = (space[above] + space[below]) / 2 / grid
            demands.append(({number[above]: 1.0, number[below]: -1.0}, -apart))
    for climb, (start, end, offset, _) in enumerate(pulls, start=len(number)):
        a, b = number[start], number[end]
        demands.append(({a: 1.0, b: -1.0, climb: -1.0}, offset / grid))
        demands.append(({a: -1.0, b: 1.0, climb: -1.0}, -offset / grid))
    costs = [0.0] * len(number) + [pull.weight for pull in pulls]
    matrix, bounds = _matrix(demands, len(costs))
    solved = linprog(costs, matrix, bounds, method="highs-ds")  # the simplex method, which ends in a corner
    if solved.x is None:
        raise RuntimeError(f"the heights of a drawing: {solved.message}")
    return {place: grid * round(solved.x[i]) for place, i in number.items()}


def _matrix(demands: list[_Demand], columns: int) -> tuple[Any, list[float]]:
    """The demands as a sparse matrix and a bound for each of its rows."""
    from scipy.sparse import coo_array

    entries = [
        (row, column, factor) for row, (terms, _) in enumerate(demands) for column, factor in terms.items()
    ]
    rows, numbers, factors = np.array(entries).reshape(-1, 3).T
    shape = (len(demands), columns)
    matrix = coo_array((factors, (rows.astype(int), numbers.astype(int))), shape=shape)
    return matrix.tocsr(), [bound for _, bound in demands]


def _by_sweeps(
    layers: Sequence[Sequence[P]], space: dict[P, float], pulls: Sequence[Pull[P]], grid: float
) -> dict[P, float]:
    near: dict[P, list[tuple[P, float, float]]] = {place: [] for place in space}
    for start, end, offset, weight in pulls:
        near[start].append((end, offset, weight))
        near[end].append((start, -offset, weight))
    feet = [_stacked([space[place] for place in layer]) for layer in layers]
    y = {
        place: at
        for layer, foot in zip(layers, feet, strict=True)
        for place, at in zip(layer, foot, strict=True)
    }
    for sweep in range(SWEEPS):
        numbers = range(len(layers))
        for i in numbers if sweep % 2 == 0 else reversed(numbers):
            wanted = [_drawn_to(y[place], near[place], y) for place in layers[i]]
            # Distances are multiples of the grid, and stay so if layers are shifted by multiples of it.
            shifts = _isotonic([want - foot for want, foot in zip(wanted, feet[i], strict=True)])
            for place, foot, shift in zip(layers[i], feet[i], shifts, strict=True):
                y[place] = foot + grid * round(shift / grid)
    return y


def _drawn_to(own: float, near: list[tuple[P, float, float]], y: dict[P, float]) -> float:
    """The weighted mean of the heights at which the wires of a place would be straight."""
    total = sum(weight for _, _, weight in near)
    return sum(weight * (y[other] + offset) for other, offset, weight in near) / total if near else own


def _stacked(spaces: list[float]) -> list[float]:
    """The middles of places stacked without gaps, the first at 0."""
    middles = [0.0] if spaces else []
    for above, below in pairwise(spaces):
        middles.append(middles[-1] + (above + below) / 2)
    return middles


def _isotonic(wanted: list[float]) -> list[float]:
    """The nearest non-decreasing values in least squares, by pooling adjacent violators."""
    pools: list[tuple[float, int]] = []
    for value in wanted:
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            before, size = pools.pop()
            mean, count = (before * size + mean * count) / (size + count), size + count
        pools.append((mean, count))
    return [mean for mean, count in pools for _ in range(count)]
