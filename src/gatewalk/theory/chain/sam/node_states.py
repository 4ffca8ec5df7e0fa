"""The state of one node as one axis of the chain, and the walk of an inactive node along it.

A node's state is its genes (function, first, second connection). When swapping the connections
turns every gate into a gate of the set (commutative gates: into itself), the swap of any single
node is a symmetry of the search: it changes neither the circuit nor the probability of any
mutation, because both connection genes have the same range and are picked equally often. An axis
therefore holds the orbits of the swap, unordered pairs for {AND}, with the number of genotypes in
each as its weight; see `symmetries` for why this is exact.

SAM walks a gene g of k values by W_g = (J - I) / (k - 1). With κ = k / (k - 1) and Π_g the mean
over the gene's values, I - W_g = κ (I - Π_g): eigenvalue 0 on the mean, κ on deviations from it.
Picked at rate one each, a node's genes walk with the generator N = Σ_g κ_g (I - Π_g). On the
orbits N is symmetric with respect to the weights, so N = V diag(rates) V^-1 with V orthonormal in
them: a basis of eigenfunctions in which `mixing` averages over SAM's inactive changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import Gate, GateSet
from gatewalk.cgp.genotype import Shape, valid_values

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Axis:
    """The states of a node.

    function, first, second: the genes of a representative of each state. weight: how many combinations of
    genes each state has. reads: the nodes that its gate reads, as a bit set. lookup[f, i, j]: the state with
    these genes; -1 if they are not valid. counts: the number of valid values of each gene. rates, to_eigen,
    from_eigen: the eigenvalues of N and the matrices V^-1 and V.
    """

    function: Ints
    first: Ints
    second: Ints
    weight: Ints
    reads: Ints
    lookup: Ints
    counts: tuple[int, ...]
    rates: Floats
    to_eigen: Floats
    from_eigen: Floats

    def __len__(self) -> int:
        return self.function.size


def axes_of(shape: Shape, *, swaps: bool = True) -> list[Axis]:
    """The axis of every node. With `swaps`, states that differ by swapped connections are one state."""
    partners = swapped_gates(shape.gates) if swaps else None
    return [_axis(shape, node, partners) for node in range(shape.nodes)]


def swapped_gates(gates: GateSet) -> list[int] | None:
    """For each gate, the index of the gate with its inputs swapped; None unless the set has all of these."""
    tables = {(gate.arity, gate.table): index for index, gate in enumerate(gates.gates)}
    partners = []
    for gate in gates.gates:
        partner = tables.get((2, _swapped_table(gate))) if gate.arity == 2 else None
        if partner is None:
            return None
        partners.append(partner)
    return partners


def _swapped_table(gate: Gate) -> int:
    return gate.table & 0b1001 | (gate.table & 0b0010) << 1 | (gate.table & 0b0100) >> 1


def _axis(shape: Shape, node: int, partners: list[int] | None) -> Axis:
    gene = node * shape.block
    sources = valid_values(shape, gene + 1)
    seconds = sources if shape.arity == 2 else [0]
    total = shape.inputs + shape.nodes
    lookup = np.full((len(shape.gates), total, total), -1, dtype=np.int64)
    states: list[tuple[int, int, int]] = []
    weight: list[int] = []
    for function in range(len(shape.gates)):
        for first in sources:
            for second in seconds:
                if lookup[function, first, second] >= 0:
                    weight[lookup[function, first, second]] += 1
                    continue
                lookup[function, first, second] = len(states)
                if partners is not None:
                    lookup[partners[function], second, first] = len(states)
                states.append((function, first, second))
                weight.append(1)
    counts = tuple(int(count) for count in shape.ranges.count[gene : gene + shape.block])
    genes = np.array(states, dtype=np.int64)
    weights = np.array(weight, dtype=np.int64)
    generator = np.array(walk_generator(states, lookup, sources, counts), dtype=np.float64)
    rates, to_eigen, from_eigen = _eigenbasis(generator, weights)
    return Axis(
        genes[:, 0],
        genes[:, 1],
        genes[:, 2],
        weights,
        np.array([_reads(shape, state) for state in states], dtype=np.int64),
        lookup,
        counts,
        rates,
        to_eigen,
        from_eigen,
    )


def _reads(shape: Shape, state: tuple[int, int, int]) -> int:
    used = state[1 : 1 + shape.gates.gates[state[0]].arity]
    return sum({1 << source - shape.inputs for source in used if source >= shape.inputs})


def walk_generator(
    states: list[tuple[int, int, int]], lookup: Ints, sources: list[int], counts: tuple[int, ...]
) -> list[list[Fraction]]:
    """N of the module's docstring on the states of a node, exactly."""
    options = [list(range(counts[0])), sources, sources][: len(counts)]
    matrix = [[Fraction(0)] * len(states) for _ in states]
    for row, state in enumerate(states):
        for gene, values in enumerate(options):
            if len(values) < 2:
                continue
            kappa = Fraction(len(values), len(values) - 1)
            matrix[row][row] += kappa
            for value in values:
                genes = list(state)
                genes[gene] = value
                matrix[row][lookup[tuple(genes)]] -= kappa / len(values)
    return matrix


def output_axis(shape: Shape) -> Axis:
    """An output gene as an axis of its own: its state is its source."""
    sources = list(range(shape.inputs + shape.nodes))
    states = [(0, source, 0) for source in sources]
    lookup = np.full((1, len(sources), len(sources)), -1, dtype=np.int64)
    lookup[0, :, 0] = sources
    counts = (1, len(sources))
    generator = np.array(walk_generator(states, lookup, sources, counts), dtype=np.float64)
    ones = np.ones(len(sources), dtype=np.int64)
    none = np.zeros(len(sources), dtype=np.int64)
    first = np.array(sources, dtype=np.int64)
    return Axis(none, first, none, ones, none, lookup, counts, *_eigenbasis(generator, ones))


def _eigenbasis(generator: Floats, weight: Ints) -> tuple[Floats, Floats, Floats]:
    root = np.sqrt(weight.astype(np.float64))
    symmetric = generator * root[:, None] / root[None, :]
    rates, vectors = np.linalg.eigh((symmetric + symmetric.T) / 2)
    return rates, np.ascontiguousarray(vectors.T * root[None, :]), vectors / root[:, None]
