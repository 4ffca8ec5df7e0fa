"""Point and rate mutation as operators on the tensor of all programs.

These mutations do not look at which nodes are active. In the notation of `node_states`, K draws of a gene out
of L, each given a new value, are (1 - N / L)^K with N the sum of all genes' generators: diagonal in the
product of the eigenbases. Changing every gene with probability p, independently, is a product of one matrix
for each node and output.

A gene's change is uniform over its other values, so every mutation is as likely as its reverse: with w the
genotypes of each state, w(x) K(x, y) = w(y) K(y, x), and the transpose of K is v -> w K[v / w].
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.cgp.mutations import parse_mutation
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.errors import InputError
from gatewalk.theory.chain.inactive_mixing import filtered, multiplied
from gatewalk.theory.chain.node_states import Axis, Floats

Mutate = Callable[[Floats], Floats]


def operator_of(mutation: str, shape: Shape, axes: list[Axis]) -> Mutate:
    """The operator that takes values of programs to their mean over the offspring of each program."""
    parsed = parse_mutation(mutation)
    if isinstance(parsed, Point):
        return _point(shape, axes, parsed.points)
    if isinstance(parsed, Rate):
        return _rate(shape, axes, float(mutation.partition(":")[2]))
    raise InputError(f"this chain is for point:K and rate:P, not {mutation}")


def _point(shape: Shape, axes: list[Axis], points: int) -> Mutate:
    """Point mutation: so many genes are drawn among all, and each gets a new value."""
    sizes, length = [len(axis) for axis in axes], shape.length
    return lambda values: filtered(
        values.reshape(*sizes, 1), axes, lambda rates: (1.0 - rates / length) ** points
    ).reshape(-1)


def _rate(shape: Shape, axes: list[Axis], probability: float) -> Mutate:
    """Rate mutation: every gene gets a new value with this probability."""
    matrices = [_rate_matrix(shape, node, axis, probability) for node, axis in enumerate(axes)]
    return lambda values: multiplied(values, matrices)


def _rate_matrix(shape: Shape, node: int, axis: Axis, probability: float) -> Floats:
    """The matrix of one axis, of which every gene changes with this probability, independently."""
    connections = valid_values(shape, node * shape.block + 1) if node < shape.nodes else axis.first.tolist()
    options = [list(range(axis.counts[0])), connections, connections][: len(axis.counts)]
    options += [[0]] * (3 - len(options))
    matrix = np.zeros((len(axis), len(axis)))
    for row, state in enumerate(zip(axis.function, axis.first, axis.second, strict=True)):
        chances = [
            _chances(values, int(now), probability) for values, now in zip(options, state, strict=True)
        ]
        for f, a in zip(options[0], chances[0], strict=True):
            for i, b in zip(options[1], chances[1], strict=True):
                for j, c in zip(options[2], chances[2], strict=True):
                    matrix[row, axis.lookup[f, i, j]] += a * b * c
    return matrix


def _chances(values: list[int], now: int, probability: float) -> list[float]:
    others = len(values) - 1
    if others == 0:
        return [1.0]
    return [1.0 - probability if value == now else probability / others for value in values]
