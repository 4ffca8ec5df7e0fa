"""Point and rate mutation: the chain on all programs, whose mutation is one operator on a tensor.

These mutations do not look at which nodes are active, so programs are lumped by swaps only, and are the
product of the states of nodes and outputs. In the notation of `node_states`, K draws of a gene out of L, each
given a new value, are (1 - N / L)^K with N the sum of all genes' generators: diagonal in the product of the
eigenbases. Changing every gene with probability p, independently, is a product of one matrix for each node
and output.

A gene's change is uniform over its other values, so every mutation is as likely as its reverse: with w the
genotypes of each state, w(x) K(x, y) = w(y) K(y, x), and the transpose of K is v -> w K[v / w].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gatewalk.boolean.training import Complete, complete
from gatewalk.cgp.cgp_search import CgpSearch, Mutation
from gatewalk.cgp.genotype import Genes, Shape, check, valid_values
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.errors import InputError
from gatewalk.theory.assumptions import check_taught
from gatewalk.theory.chain.sam.mixing import filtered, multiplied
from gatewalk.theory.chain.sam.node_states import Axis, Floats, Ints, axes_of, output_axis
from gatewalk.theory.chain.sam.size import MEMORY, TooLarge, check_size, estimated_classes, genotype_count
from gatewalk.theory.chain.sam.symmetries import identity_only
from gatewalk.theory.chain.sam.tables import fill_cells, tables_of
from gatewalk.theory.chain.solving import Flags, Offspring

MOST_STATES = 20_000_000

Mutate = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class PointRateChain(Offspring):
    """The chain of a search with point or rate mutation; a `Chain` for the solver.

    axes: the states of nodes and outputs, whose product are the cells of a tensor.
    rank, weight: the mismatches of each cell, and its number of genotypes.
    order: the cells by rank; the first are solved, the others are the states.
    mutate: the operator K.
    """

    mutation: Mutation
    shape: Shape
    axes: list[Axis]
    rank: Ints
    weight: Ints
    order: Ints
    mutate: Mutate

    @property
    def solved_states(self) -> int:
        return int(np.count_nonzero(self.rank == 0))

    @cached_property
    def cells(self) -> Ints:
        """The cell of each state."""
        return self.order[self.solved_states :]

    @cached_property
    def levels(self) -> list[int]:
        return [int(rank) for rank in np.unique(self.rank[self.cells])]

    @cached_property
    def level_start(self) -> list[int]:
        starts = np.searchsorted(self.rank[self.cells], self.levels)
        return [*(int(start) for start in starts), self.cells.size]

    @cached_property
    def size(self) -> Ints:
        return self.weight[self.cells]

    @cached_property
    def genotypes(self) -> int:
        return genotype_count(self.shape)

    def mean(self, level: int, values: Floats, first: int, last: int) -> Floats:
        full = np.zeros(self.rank.size)
        full[self.cells[first:last]] = values
        return self.mutate(full)[self._at(level)]

    def flow(self, level: int, chances: Floats, first: int, last: int) -> Floats:
        full = np.zeros(self.rank.size)
        full[self._at(level)] = chances / self.weight[self._at(level)]
        cells = self.cells[first:last]
        return self.weight[cells] * self.mutate(full)[cells]

    def solved(self, level: int) -> Floats:
        return self._solved[self._at(level)]

    @cached_property
    def _solved(self) -> Floats:
        return np.maximum(self.mutate((self.rank == 0).astype(np.float64)), 0.0)

    def _at(self, level: int) -> Ints:
        return self.cells[self.level_start[level] : self.level_start[level + 1]]

    def program_of(self, state: int) -> Genes:
        states = np.unravel_index(int(self.cells[state]), [len(axis) for axis in self.axes])
        genes: list[int] = []
        for axis, number in zip(self.axes[: self.shape.nodes], states, strict=False):
            genes += [int(axis.function[number]), int(axis.first[number]), int(axis.second[number])][
                : self.shape.block
            ]
        return np.array([*genes, *(int(source) for source in states[self.shape.nodes :])], dtype=np.int64)

    def state_of(self, genes: Sequence[int] | Genes) -> int | None:
        shape, program = self.shape, check(self.shape, genes)
        inner = program[: shape.nodes * shape.block].reshape(shape.nodes, shape.block)
        states = [
            int(axis.lookup[function, first, rest[0] if rest else 0])
            for axis, (function, first, *rest) in zip(self.axes, inner.tolist(), strict=False)
        ]
        states += program[shape.nodes * shape.block :].tolist()
        cell = int(np.ravel_multi_index(states, [len(axis) for axis in self.axes]))
        if self.rank[cell] == 0:
            return None
        level = self.levels.index(int(self.rank[cell]))
        # Within a level, states are in the order of their cells.
        return self.level_start[level] + int(np.searchsorted(self._at(level), cell))

    def has_free_connection(self, level: int) -> Flags:
        raise InputError(f"levels are known for sam, not {self.mutation}")


def point_rate_chain(search: CgpSearch, *, memory: int = MEMORY) -> PointRateChain:
    """The chain of a (1+λ) CGP with point or rate mutation."""
    check_taught(search)
    shape = search.shape
    states = estimated_classes(shape, 1)
    if states > MOST_STATES:
        raise TooLarge(
            f"{search.target.name} with {search.nodes} nodes has {states:,} states with {search.mutation}, "
            f"more than the {MOST_STATES:,} that are possible"
        )
    if not isinstance(search.training, Complete) or search.start is not None:
        raise InputError("exact times are for complete training sets and random starts")
    check_size(search, memory=memory)
    axes = axes_of(shape)
    tables = tables_of(shape, axes, identity_only(shape), complete(search.target))
    axes = [*axes, *(output_axis(shape) for _ in range(shape.outputs))]
    rank = np.empty(states, dtype=np.int64)
    fill_cells(tables, rank, np.empty(0, dtype=np.int64))
    weight: Ints = np.ones(1, dtype=np.int64)
    for axis in axes:
        weight = (weight[:, None] * axis.weight[None, :]).reshape(-1)
    mutate = operator_of(search.mutation, shape, axes)
    return PointRateChain(search.mutation, shape, axes, rank, weight, np.argsort(rank, kind="stable"), mutate)


def operator_of(mutation: Mutation, shape: Shape, axes: list[Axis]) -> Mutate:
    """The operator that takes values of programs to their mean over the offspring of each program."""
    if isinstance(mutation, Point):
        return _point(shape, axes, mutation.genes)
    if isinstance(mutation, Rate):
        return _rate(shape, axes, mutation.strength)
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
