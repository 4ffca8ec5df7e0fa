"""Means over one offspring whose rounding error is proven, so that a bound made of them is a theorem.

The means of `chain` pass through an eigenbasis, where numbers of both signs cancel. Here nothing cancels. Let
G be the average over SAM's changes of inactive connections. A connection with k values keeps its value with
probability exp(-kappa t), and otherwise has a uniform one, kappa = k/(k-1), so

    G h (x) = sum over R of p(R) times the mean of h over all programs that agree with x in R

over the sets R of connections that are kept. Along the axis of each inactive node the tensor of h is
*extended*: the states, where both connections are kept, are followed by a place for each source u, where one
connection is u and the other is averaged, and by one place where both are averaged. Every place is multiplied
by its p(R), and then the axis is *collapsed*: a state gets the sum over what may be kept of it.

**Theorem.** A mean from here is between (1 - ERROR) and (1 + ERROR) times the true one.

*Proof.* It is computed from non-negative numbers by products and sums only. Each of them multiplies its
result by a factor between 1 - u and 1 + u, u = 2^-53, and nothing underflows: no number is between 0 and
10^-200. So the result is wrong by at most the factor (1 +- u)^K, if K is the number of roundings between a
term and the result. A sum over M moves has a rounded probability, a product and at most M - 1 additions, and
a choice of ties that is exact; extending an axis of s states has a rounded entry and a product of vectors of
length s, in any order and with or without fused operations; p(R) is a rounded fraction and a product; and
collapsing an axis of l places has a product of vectors of length l with exact entries. `_roundings` adds
these up, and K <= 4096 is checked. Then (1 + u)^K - 1 <= 2^-40 = ERROR, and 1 - (1 - u)^K too. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf, nextafter

import numpy as np

from gatewalk.theory.chain.sam.chain import SamChain, Segment
from gatewalk.theory.chain.sam.mixing import ONE_THREAD
from gatewalk.theory.chain.sam.moves import SOLVED, TIE
from gatewalk.theory.chain.sam.node_states import Axis, Floats

ERROR = 2.0**-40
MOST_ROUNDINGS = 4096
_OUTWARD = 2.0**-39  # ERROR, and what is lost when a mean is multiplied by 1 - _OUTWARD or 1 + _OUTWARD


def at_least(means: Floats) -> Floats:
    """Numbers that are not above the true means."""
    return means * (1 - _OUTWARD)


def at_most(means: Floats) -> Floats:
    """Numbers that are not below the true means."""
    return means * (1 + _OUTWARD)


def rounded_up(value: Fraction) -> float:
    """The least float that is not below a fraction."""
    near = float(value)
    return near if Fraction(near) >= value else nextafter(near, inf)


def rounded_down(value: Fraction) -> float:
    """The greatest float that is not above a fraction."""
    return -rounded_up(-value)


def mean_over_offspring(
    chain: SamChain, level: int, values: Floats, *, solved: float = 0.0, tie: float = 1.0
) -> Floats:
    """The mean of `values` at accepted offspring, for every class of a level; those refused count 0.

    values: not negative, one for each class. solved: the value of an optimum. tie: the chance that an equally
    good offspring is accepted, 0, 1/2 or 1.
    """
    return np.concatenate(
        [
            _mixed(chain, segment, _over_moves(segment, values, solved, tie))
            for segment in chain.at_level(level)
        ]
    )


def _over_moves(segment: Segment, values: Floats, solved: float, tie: float) -> Floats:
    total = np.zeros(segment.moves.shape[0])
    for chance, move in zip(segment.probabilities.tolist(), segment.moves.T, strict=True):
        to = move.astype(np.int64)
        here = np.where(to == SOLVED, solved, 0.0)
        better, tied = to >= 0, to <= TIE
        here[better] = values[to[better]]
        here[tied] = tie * values[TIE - to[tied]]
        total += chance * here
    return total


def _mixed(chain: SamChain, segment: Segment, values: Floats) -> Floats:
    axes = [chain.axes[node] for node in segment.axes]
    if not axes:
        return values
    if _roundings(segment, axes) > MOST_ROUNDINGS:
        raise AssertionError("more roundings than the error bound was proven for")
    if chain.class_of_place.size:
        values = values[chain.class_of_place[segment.places] - segment.classes.start]
    blocks = segment.keys.size
    tensor = values
    for axis in axes:  # the first axis is extended and comes last; in the end, the blocks come first
        tensor = _product(tensor.reshape(len(axis), -1).T, _extension(axis).T).reshape(-1)
    kept = _chances_of_places(axes, segment.ending)
    tensor = (tensor.reshape(blocks, -1) * kept).reshape(-1)
    for axis in reversed(axes):  # and back
        tensor = _product(tensor.reshape(-1, _places(axis)), _collapse(axis).T).T.reshape(-1)
    return tensor[segment.example]


def _product(rows: Floats, matrix: Floats) -> Floats:
    """rows @ matrix, in pieces that OpenBLAS multiplies on one thread."""
    result = np.empty((len(rows), matrix.shape[1]))
    step = max(1, ONE_THREAD // matrix.size)
    for first in range(0, len(rows), step):
        np.matmul(rows[first : first + step], matrix, out=result[first : first + step])
    return result


def _roundings(segment: Segment, axes: Sequence[Axis]) -> int:
    extending = sum(len(axis) + 1 for axis in axes)
    collapsing = sum(_places(axis) for axis in axes)
    return segment.probabilities.size + 1 + extending + 2 + collapsing


def _places(axis: Axis) -> int:
    """The states, a place for each source of which one connection is kept, and one where none is."""
    return len(axis) + axis.counts[1] + 1


def _extension(axis: Axis) -> Floats:
    """[place, state]: how the value of a place is averaged over states."""
    sources = np.unique(axis.first)
    table = np.zeros((_places(axis), len(axis)))
    for place, u in enumerate(sources, start=len(axis)):
        for v in sources:
            table[place, axis.lookup[0, u, v]] += 1
    table[-1] = table[len(axis) : -1].sum(axis=0) / sources.size**2
    table[len(axis) : -1] /= sources.size
    table[: len(axis)] = np.eye(len(axis))
    return table


def _collapse(axis: Axis) -> Floats:
    """[state, place]: which places a state is the sum of, and how often."""
    sources, states = np.unique(axis.first), np.arange(len(axis))
    table = np.zeros((len(axis), _places(axis)))
    table[states, states] = table[:, -1] = 1
    for kept in (axis.first, axis.second):
        np.add.at(table, (states, len(axis) + np.searchsorted(sources, kept)), 1)
    return table


def _chances_of_places(axes: Sequence[Axis], ending: int) -> Floats:
    """p(R) of every place of the extended tensor."""
    counts = tuple(axis.counts[1] for axis in axes)
    chances = np.array([float(chance) for chance in kept_chances(counts, ending)])
    chances = chances.reshape([3] * len(axes))
    for position, axis in enumerate(axes):
        lost = np.repeat([0, 1, 2], [len(axis), axis.counts[1], 1])
        chances = np.take(chances, lost, axis=position)
    return chances.reshape(-1)


@lru_cache(maxsize=1024)
def kept_chances(counts: tuple[int, ...], ending: int) -> tuple[Fraction, ...]:
    """p(R) for nodes with two connections of so many values each, exactly.

    It is the chance that a pure death process stops at R: every kept connection is lost at rate kappa, and
    all stops at rate `ending`. The entry at (d1, d2, ...) in base three is that of any one set R that lacks
    d1 connections of the first node, d2 of the second, and so on.
    """
    size, kappas = len(counts), [Fraction(count, count - 1) for count in counts]
    visits = [Fraction(0)] * 3**size
    visits[0] = Fraction(1)
    result = []
    for pattern in range(3**size):  # ascending, because a loss only raises a digit
        lost = [pattern // 3 ** (size - 1 - node) % 3 for node in range(size)]
        rates = [(2 - gone) * kappa for gone, kappa in zip(lost, kappas, strict=True)]
        total = ending + sum(rates)
        result.append(visits[pattern] * ending / total / 2 ** lost.count(1))
        for node, rate in enumerate(rates):
            if rate:
                visits[pattern + 3 ** (size - 1 - node)] += visits[pattern] * rate / total
    return tuple(result)
