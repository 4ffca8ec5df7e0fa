"""Blocks and classes: every program of the chain up to symmetry, each generated once.

A block is an active part of a program: the set of active nodes, their states and the outputs. Parts that a
symmetry turns into each other are one block. They are generated directly, each once, without listing
genotypes (orderly generation: Read 1978). First the nodes, in order, and then the outputs are given their
values in ascending order. A prefix is dropped if some symmetry makes it lexicographically smaller, because it
then makes every continuation smaller. So exactly the smallest member of each orbit is reached. Solved parts
have no block in the chain; `solved_blocks` lists them separately.

A class is a block together with the states of its inactive nodes, up to symmetry. A segment is the blocks of
one fitness and one set of active nodes. Its programs form a tensor with an axis for every inactive node, in
order, and the blocks as the last axis. The symmetries that keep a block permute its slice of the tensor;
their orbits are the classes. `class_of_place` leads from a place in the tensor to its class and is only
needed if there are symmetries.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.theory.chain.sam.node_states import Ints
from gatewalk.theory.chain.sam.tables import Tables, active_set, state_fitness


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
    fixing = np.zeros((length + 1, group), dtype=np.int64)  # the symmetries that fix the prefix
    fixing_count = np.zeros(length + 1, dtype=np.int64)
    fixing[0] = np.arange(group)
    fixing_count[0] = group
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: NDArray[np.uint64] = np.zeros(sources, dtype=np.uint64)
    count = 0
    depth = 0
    while depth >= 0:
        choice[depth] += 1
        value = choice[depth]
        is_node = depth < order.size
        if value >= (tables.states[order[depth]] if is_node else sources):
            choice[depth] = -1
            depth -= 1
            continue
        if is_node:
            node = order[depth]
            if tables.reads[node, value] & ~active:
                continue
            state[node] = value
        else:
            if value >= n and not active >> (value - n) & 1:
                continue
            out[depth - order.size] = value
        fixing_count[depth + 1] = 0
        smallest = True
        for position in range(fixing_count[depth]):
            g = fixing[depth, position]
            image = tables.moved[order[depth], g, value] if is_node else tables.moved_source[g, value]
            if image < value:
                smallest = False
                break
            if image == value:
                fixing[depth + 1, fixing_count[depth + 1]] = g
                fixing_count[depth + 1] += 1
        if not smallest:
            continue
        if depth + 1 < length:
            depth += 1
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
            key[count] = packed
            mismatches[count] = wrong
            orbit[count] = group // fixing_count[length]
        count += 1
    return count


Ids = NDArray[np.int32]


class Places(NamedTuple):
    """How to find the place of a program, given by its block and the states of its inactive nodes.

    start[A] : start[A + 1] are the blocks with active nodes A in `key`, `base` and `stride`. The place is
    base + stride * (inactive states in mixed radix). class_of_place: the class of each place; empty without
    symmetries, when every place is a class.
    """

    start: Ints
    key: Ints
    base: Ints
    stride: Ints
    class_of_place: Ids


@inlined
def smallest_image(tables: Tables, state: Ints, out: Ints, active: int, scratch: Ints) -> Int:
    """A symmetry that turns the active part into the smallest member of its orbit, which is the block."""
    group = tables.moved_source.shape[0]
    if group == 1:
        return 0
    count = -1
    for owner in range(tables.nodes + tables.outputs):
        is_node = owner < tables.nodes
        if is_node and not active >> owner & 1:
            continue
        value = state[owner] if is_node else out[owner - tables.nodes]
        if count < 0:
            row = min(owner, tables.nodes)
            count = 0
            for top in range(tables.top_start[row, value], tables.top_start[row, value + 1]):
                scratch[count] = tables.tops[top]
                count += 1
        else:
            least = np.int64(1) << 62
            smallest = 0
            for position in range(count):
                g = scratch[position]
                image = tables.moved[owner, g, value] if is_node else tables.moved_source[g, value]
                if image < least:
                    least = image
                    smallest = 0
                if image == least:
                    scratch[smallest] = g
                    smallest += 1
            count = smallest
        if count == 1:
            break
    chosen: Int = scratch[0]
    return chosen


@inlined
def class_of(tables: Tables, places: Places, state: Ints, out: Ints, active: int, scratch: Ints) -> Int:
    """The class of an unsolved program whose active nodes are known."""
    g = smallest_image(tables, state, out, active, scratch)
    key = 0
    inactive = 0
    for node in range(tables.nodes):
        image = tables.moved[node, g, state[node]]
        if active >> node & 1:
            key = key * tables.states[node] + image
        else:
            inactive = inactive * tables.states[node] + image
    sources = tables.inputs + tables.nodes
    for o in range(tables.outputs):
        key = key * sources + tables.moved_source[g, out[o]]
    low, high = places.start[active], places.start[active + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if places.key[middle] <= key:
            low = middle
        else:
            high = middle
    place = places.base[low] + places.stride[low] * inactive
    return np.int64(places.class_of_place[place]) if places.class_of_place.size else place


@kernel
def unpack_inactive(tables: Tables, active: int, packed: int, state: Ints) -> None:
    """Write the states of inactive nodes, given as one number in mixed radix, to `state`."""
    for node in range(tables.nodes - 1, -1, -1):
        if not active >> node & 1:
            state[node] = packed % tables.states[node]
            packed //= tables.states[node]


@kernel
def label_segment(tables: Tables, active: int, keys: Ints, class_of_place: Ids, first: int) -> int:
    """Number the classes of a segment from `first` on; returns the number after the last one.

    class_of_place: the part that holds the places of the segment, all -1 before.
    """
    group = tables.moved_source.shape[0]
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    fixing = np.zeros(group, dtype=np.int64)
    blocks = keys.size
    label = first
    for block in range(blocks):
        unpack_block(tables, active, keys[block], state, out)
        fixing_count = 0
        for g in range(group):
            fixes = True
            for node in range(tables.nodes):
                if active >> node & 1 and tables.moved[node, g, state[node]] != state[node]:
                    fixes = False
                    break
            for o in range(tables.outputs):
                fixes = fixes and tables.moved_source[g, out[o]] == out[o]
            if fixes:
                fixing[fixing_count] = g
                fixing_count += 1
        for inactive in range(class_of_place.size // blocks):
            if class_of_place[inactive * blocks + block] >= 0:
                continue
            unpack_inactive(tables, active, inactive, state)
            for position in range(fixing_count):
                image = 0
                for node in range(tables.nodes):
                    if not active >> node & 1:
                        moved = tables.moved[node, fixing[position], state[node]]
                        image = image * tables.states[node] + moved
                class_of_place[image * blocks + block] = label
            label += 1
    return label


@kernel
def measure_segment(
    tables: Tables,
    active: int,
    keys: Ints,
    orbits: Ints,
    weight: Ints,
    class_of_place: Ids,
    first: int,
    example: Ints,
    size: Ints,
) -> None:
    """For each class of a segment, find one of its places and its number of genotypes.

    weight[b, c]: the number of genotypes of node b in state c. Class first + i is row i of the results
    `example` and `size`. If `class_of_place` is empty, every place is a class.
    """
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    blocks = keys.size
    places = class_of_place.size if class_of_place.size else example.size
    for place in range(places - 1, -1, -1):
        row = class_of_place[place] - first if class_of_place.size else place
        unpack_block(tables, active, keys[place % blocks], state, out)
        unpack_inactive(tables, active, place // blocks, state)
        genotypes = orbits[place % blocks]
        for node in range(tables.nodes):
            genotypes *= weight[node, state[node]]
        example[row] = place
        size[row] += genotypes
