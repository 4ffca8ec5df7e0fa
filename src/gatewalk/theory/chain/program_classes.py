"""Classes of the chain: a block together with the states of its inactive nodes, up to symmetry.

A segment is the blocks of one fitness and one set of active nodes. Its programs form a tensor
with an axis for every inactive node, in order, and the blocks as the last axis. The symmetries
that keep a block permute its slice of the tensor; their orbits are the classes. `of_place` leads
from a place in the tensor to its class and is only needed if there are symmetries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.theory.chain.active_parts import unpack_block
from gatewalk.theory.chain.kernel_tables import Tables
from gatewalk.theory.chain.node_states import Ints

Ids = NDArray[np.int32]


class Places(NamedTuple):
    """How to find the place of a program, given by its block and the states of its inactive nodes.

    start[A] : start[A + 1] are the blocks with active nodes A in `key`, `base` and `stride`. The place is
    base + stride * (inactive states in mixed radix). of_place: the class of each place; empty without
    symmetries, when every place is a class.
    """

    start: Ints
    key: Ints
    base: Ints
    stride: Ints
    of_place: Ids


@inlined
def smallest_image(tables: Tables, state: Ints, out: Ints, active: int, scratch: Ints) -> Int:
    """A symmetry that turns the active part into the smallest member of its orbit, which is the block."""
    group = tables.moved_source.shape[0]
    if group == 1:
        return 0
    count = -1
    for place in range(tables.nodes + tables.outputs):
        is_node = place < tables.nodes
        if is_node and not active >> place & 1:
            continue
        value = state[place] if is_node else out[place - tables.nodes]
        if count < 0:
            row = min(place, tables.nodes)
            count = 0
            for top in range(tables.top_start[row, value], tables.top_start[row, value + 1]):
                scratch[count] = tables.tops[top]
                count += 1
        else:
            least = np.int64(1) << 62
            kept = 0
            for position in range(count):
                g = scratch[position]
                image = tables.moved[place, g, value] if is_node else tables.moved_source[g, value]
                if image < least:
                    least = image
                    kept = 0
                if image == least:
                    scratch[kept] = g
                    kept += 1
            count = kept
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
    return np.int64(places.of_place[place]) if places.of_place.size else place


@kernel
def unpack_inactive(tables: Tables, active: int, packed: int, state: Ints) -> None:
    """Write the states of inactive nodes, given as one number in mixed radix, to `state`."""
    for node in range(tables.nodes - 1, -1, -1):
        if not active >> node & 1:
            state[node] = packed % tables.states[node]
            packed //= tables.states[node]


@kernel
def label_segment(tables: Tables, active: int, keys: Ints, of_place: Ids, first: int) -> int:
    """Number the classes of a segment from `first` on, in `of_place`, which holds its places and is all -1.

    Returns the number after the last one.
    """
    group = tables.moved_source.shape[0]
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    keeping = np.zeros(group, dtype=np.int64)
    blocks = keys.size
    label = first
    for block in range(blocks):
        unpack_block(tables, active, keys[block], state, out)
        kept = 0
        for g in range(group):
            keeps = True
            for node in range(tables.nodes):
                if active >> node & 1 and tables.moved[node, g, state[node]] != state[node]:
                    keeps = False
                    break
            for o in range(tables.outputs):
                keeps = keeps and tables.moved_source[g, out[o]] == out[o]
            if keeps:
                keeping[kept] = g
                kept += 1
        for inactive in range(of_place.size // blocks):
            if of_place[inactive * blocks + block] >= 0:
                continue
            unpack_inactive(tables, active, inactive, state)
            for position in range(kept):
                image = 0
                for node in range(tables.nodes):
                    if not active >> node & 1:
                        moved = tables.moved[node, keeping[position], state[node]]
                        image = image * tables.states[node] + moved
                of_place[image * blocks + block] = label
            label += 1
    return label


@kernel
def measure_segment(
    tables: Tables,
    active: int,
    keys: Ints,
    orbits: Ints,
    weight: Ints,
    of_place: Ids,
    first: int,
    example: Ints,
    size: Ints,
) -> None:
    """For each class of a segment, find one of its places and its number of genotypes.

    weight[b, c]: the number of genotypes of node b in state c. Class first + i is row i of the results
    `example` and `size`. If `of_place` is empty, every place is a class.
    """
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    blocks = keys.size
    places = of_place.size if of_place.size else example.size
    for place in range(places - 1, -1, -1):
        row = of_place[place] - first if of_place.size else place
        unpack_block(tables, active, keys[place % blocks], state, out)
        unpack_inactive(tables, active, place // blocks, state)
        genotypes = orbits[place % blocks]
        for node in range(tables.nodes):
            genotypes *= weight[node, state[node]]
        example[row] = place
        size[row] += genotypes
