"""The constant tables that the kernels of the exact chain read: node states, symmetries, gates, the target.

A program is a state per node (`node_states`) and a source per output. Its active nodes are a bit set. Each
column of the training set is one word, so there are at most 64 rows: the complete set of up to six inputs, or
a sampled one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import anf
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.genotype import Shape
from gatewalk.native.bits import popcount
from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.theory.chain.sam.node_states import Axis, Ints
from gatewalk.theory.chain.sam.symmetries import moved_states

MOST_INPUTS = 6  # 2^6 rows fill one word
MOST_ROWS = 64


class Tables(NamedTuple):
    """The tables of a chain. Unless said otherwise, rows are nodes, padded to the longest.

    function, first, second, reads, lookup: those of `Axis`. anf[f]: gate f as masks of its monomials 1, a, b,
    ab. columns, target: the training set. rows: a mask of its rows. moved[b, g, c], moved_source[g, s]: what
    symmetry g turns state c of node b and source s into. tops[top_start[b, c] : top_start[b, c + 1]]: the
    symmetries that make state c of node b smallest; row b = nodes is for sources.
    """

    inputs: int
    nodes: int
    outputs: int
    arity: int
    states: Ints
    function: Ints
    first: Ints
    second: Ints
    reads: Ints
    lookup: Ints
    anf: NDArray[np.uint64]
    columns: NDArray[np.uint64]
    target: NDArray[np.uint64]
    rows: np.uint64
    moved: Ints
    moved_source: Ints
    tops: Ints
    top_start: Ints


def tables_of(shape: Shape, axes: list[Axis], symmetries: Ints, training: TrainingSet) -> Tables:
    """The constants of a chain on a training set of at most 64 rows."""
    longest = max(len(axis) for axis in axes)
    moved = [moved_states(axis, symmetries) for axis in axes]
    tops, top_start = _tops([*moved, symmetries])
    gates = np.zeros((len(shape.gates), 4), dtype=np.uint64)
    for row, gate in zip(gates, shape.gates.gates, strict=True):
        row[: 1 << gate.arity] = np.array(anf(gate), dtype=np.uint64) * np.uint64(0xFFFFFFFFFFFFFFFF)
    return Tables(
        shape.inputs,
        shape.nodes,
        shape.outputs,
        shape.arity,
        np.array([len(axis) for axis in axes], dtype=np.int64),
        _padded([axis.function for axis in axes], longest),
        _padded([axis.first for axis in axes], longest),
        _padded([axis.second for axis in axes], longest),
        _padded([axis.reads for axis in axes], longest),
        np.stack([axis.lookup for axis in axes]),
        gates,
        training.inputs[:, 0].astype(np.uint64),
        training.outputs[:, 0].astype(np.uint64),
        mask_of(training.rows),
        np.stack([np.stack([_row(images, longest) for images in axis]) for axis in moved]),
        symmetries,
        tops,
        top_start,
    )


def mask_of(rows: int) -> np.uint64:
    """A word with one bit for each of so many rows."""
    return np.uint64((1 << rows) - 1)


def _row(values: Ints, length: int) -> Ints:
    return np.pad(values.astype(np.int64), (0, length - values.size))


def _padded(rows: list[Ints], length: int) -> Ints:
    return np.stack([_row(row, length) for row in rows])


def _tops(moved: list[Ints]) -> tuple[Ints, Ints]:
    width = max(images.shape[1] for images in moved)
    start = np.zeros((len(moved), width + 1), dtype=np.int64)
    tops: list[Ints] = []
    size = 0
    for row, images in enumerate(moved):
        for column in range(width):
            start[row, column] = size
            if column < images.shape[1]:
                of_state = images[:, column]
                tops.append(np.flatnonzero(of_state == of_state.min()))
                size += tops[-1].size
        start[row, width] = size
    return np.concatenate(tops).astype(np.int64), start


@inlined
def active_set(tables: Tables, state: Ints, out: Ints) -> int:
    """The nodes from which an output is reached over connections that gates use."""
    active = 0
    for o in range(tables.outputs):
        if out[o] >= tables.inputs:
            active |= 1 << (out[o] - tables.inputs)
    for node in range(tables.nodes - 1, -1, -1):
        if active >> node & 1:
            active |= tables.reads[node, state[node]]
    return active


@inlined
def state_fitness(tables: Tables, state: Ints, out: Ints, active: int, words: NDArray[np.uint64]) -> Int:
    """The mismatches on the training set; `words` is scratch space for one word per source."""
    return mismatches(tables, tables.columns, tables.target, tables.rows, state, out, active, words)


@inlined
def mismatches(
    tables: Tables,
    columns: NDArray[np.uint64],
    target: NDArray[np.uint64],
    rows: np.uint64,
    state: Ints,
    out: Ints,
    active: int,
    words: NDArray[np.uint64],
) -> Int:
    """The mismatches on any set of rows, in the form in which `Tables` has the training set."""
    n = tables.inputs
    for source in range(n):
        words[source] = columns[source]
    for node in range(tables.nodes):
        if active >> node & 1:
            c = state[node]
            gate = tables.anf[tables.function[node, c]]
            a, b = words[tables.first[node, c]], words[tables.second[node, c]]
            words[n + node] = gate[0] ^ (gate[1] & a) ^ (gate[2] & b) ^ (gate[3] & a & b)
    total = np.int64(0)
    for o in range(tables.outputs):
        total += popcount((words[out[o]] ^ target[o]) & rows)
    return total


@kernel
def fill_cells(tables: Tables, rank: Ints, active: Ints) -> None:
    """The fitness of every program, and its active nodes unless `active` is empty.

    Programs are in the order of the tensor of their states: nodes, then outputs, the last counting ones.
    """
    sources = tables.inputs + tables.nodes
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words = np.zeros(sources, dtype=np.uint64)
    for cell in range(rank.size):
        rest = cell
        for o in range(tables.outputs - 1, -1, -1):
            out[o] = rest % sources
            rest //= sources
        for node in range(tables.nodes - 1, -1, -1):
            state[node] = rest % tables.states[node]
            rest //= tables.states[node]
        now = active_set(tables, state, out)
        rank[cell] = state_fitness(tables, state, out, now, words)
        if active.size > 0:
            active[cell] = now
