"""Blocks of the chain: every active part of a program, one per orbit of the input symmetries.

The active part is the set of active nodes, their states and the outputs. Parts that a symmetry turns into
each other are one block. They are generated directly, each once, without listing genotypes (orderly
generation: Read 1978). First the nodes, in order, and then the outputs are given their values in ascending
order. A prefix is dropped if some symmetry makes it lexicographically smaller, because it then makes every
continuation smaller. So exactly the smallest member of each orbit is reached. Solved parts have no block in
the chain; `solved_blocks` lists them separately.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import kernel
from gatewalk.theory.chain.kernel_tables import Tables, active_set, state_fitness
from gatewalk.theory.chain.node_states import Ints


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks with the same active nodes, ascending by key.

    key: the values of active nodes and outputs in mixed radix. fitness: mismatches. orbit: how many active
    parts the symmetries turn the block into.
    """

    active: int
    key: Ints
    fitness: Ints
    orbit: Ints


def blocks_of(tables: Tables, active: int) -> Blocks:
    """All unsolved blocks with these active nodes."""
    return _blocks(tables, active, solved=False)


def solved_blocks(tables: Tables, active: int) -> Blocks:
    """All solved blocks with these active nodes."""
    return _blocks(tables, active, solved=True)


def _blocks(tables: Tables, active: int, *, solved: bool) -> Blocks:
    empty = np.zeros(0, dtype=np.int64)
    count = _generate(tables, active, solved, empty, empty, empty)
    key, mismatches, orbit = (np.zeros(count, dtype=np.int64) for _ in range(3))
    _generate(tables, active, solved, key, mismatches, orbit)
    return Blocks(active, key, mismatches, orbit)


@kernel
def unpack_block(tables: Tables, active: int, key: int, state: Ints, out: Ints) -> None:
    """Write the values of active nodes and outputs that a key stands for to `state` and `out`."""
    sources = tables.inputs + tables.nodes
    for o in range(tables.outputs - 1, -1, -1):
        out[o] = key % sources
        key //= sources
    for node in range(tables.nodes - 1, -1, -1):
        if active >> node & 1:
            state[node] = key % tables.states[node]
            key //= tables.states[node]


@kernel
def _generate(tables: Tables, active: int, solved: bool, key: Ints, mismatches: Ints, orbit: Ints) -> int:
    """Fill the arrays, unless they are empty, with the solved or unsolved blocks; returns their number."""
    n = tables.inputs
    sources = n + tables.nodes
    group = tables.moved_source.shape[0]
    order = np.array([node for node in range(tables.nodes) if active >> node & 1], dtype=np.int64)
    length = order.size + tables.outputs
    choice = np.full(length, -1, dtype=np.int64)
    keeping = np.zeros((length + 1, group), dtype=np.int64)  # the symmetries that fix the prefix
    kept = np.zeros(length + 1, dtype=np.int64)
    keeping[0] = np.arange(group)
    kept[0] = group
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: NDArray[np.uint64] = np.zeros(sources, dtype=np.uint64)
    found = 0
    place = 0
    while place >= 0:
        choice[place] += 1
        value = choice[place]
        is_node = place < order.size
        if value >= (tables.states[order[place]] if is_node else sources):
            choice[place] = -1
            place -= 1
            continue
        if is_node:
            node = order[place]
            if tables.reads[node, value] & ~active:
                continue
            state[node] = value
        else:
            if value >= n and not active >> (value - n) & 1:
                continue
            out[place - order.size] = value
        kept[place + 1] = 0
        smallest = True
        for position in range(kept[place]):
            g = keeping[place, position]
            image = tables.moved[order[place], g, value] if is_node else tables.moved_source[g, value]
            if image < value:
                smallest = False
                break
            if image == value:
                keeping[place + 1, kept[place + 1]] = g
                kept[place + 1] += 1
        if not smallest:
            continue
        if place + 1 < length:
            place += 1
            continue
        if active_set(tables, state, out) != active:
            continue
        wrong = state_fitness(tables, state, out, active, words)
        if (wrong == 0) != solved:
            continue
        if key.size:
            packed = 0
            for position in range(order.size):
                packed = packed * tables.states[order[position]] + choice[position]
            for o in range(tables.outputs):
                packed = packed * sources + out[o]
            key[found] = packed
            mismatches[found] = wrong
            orbit[found] = group // kept[length]
        found += 1
    return found
