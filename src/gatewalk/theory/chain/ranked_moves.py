"""Where each change of an active gene leads, on classes that are ranked: found level by level, and not kept.

Nothing leads back to a worse level, so a level's moves to better classes are used once, as soon as they are
found: what is known from those classes is added up on the spot. Only moves to classes of the same level are
kept, five bytes each, until the level is solved.

A move to an input or to an active node has the fitness that its block alone gives it: it is looked up once a
block. Inputs that are alike for the whole program lead to the same class: one of them is followed, for all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.theory.chain.gmres import Kept
from gatewalk.theory.chain.input_cells import Cells
from gatewalk.theory.chain.node_states import Floats, Ints
from gatewalk.theory.chain.ranked_programs import Bytes, Classes, Ranks, block_of, inactive_rank

UNKNOWN, WORSE = -2, -3  # levels of moves beside those of `Classes`, where solved is -1
OF_SOLVED = -1


class Ties(NamedTuple):
    """Moves of some classes of a level to classes of the same level.

    Each row has so many entries in turn: to[e], counted from the level's first class, with the weight number
    kind[e].
    """

    entries: Bytes
    to: NDArray[np.int32]
    kind: Bytes


class Known(NamedTuple):
    """Mean and mean square from every class of the levels that are solved."""

    mean: Floats
    square: Floats


@kernel
def scan(
    cells: Cells,
    ranks: Ranks,
    classes: Classes,
    known: Known,
    weights: Floats,
    level: int,
    active: int,
    level_first: int,
    ties: bool,
    idle: int,
    blocks: NDArray[np.int64],
    tokens: Bytes,
    after: Bytes,
    first: int,
    last: int,
    better_chance: Floats,
    better_mean: Floats,
    better_square: Floats,
) -> Ties:
    """Classes `first` to `last` of a segment, counted block by block.

    blocks: the pairs of the active nodes, and the output in the row after them. tokens, after: of the
    inactive parts. weights: by gene and how many changes are alike. idle: the kind of an offspring without a
    change of an active gene, 0 if there is none. Filled for each class: the chance of a better offspring, and
    that chance times the mean and the mean square known from there.
    """
    n, nodes = cells.inputs, cells.nodes
    most = weights.shape[1]
    parts = after.size
    capacity = 8 * (last - first) + 64 if ties else 0
    entries = np.zeros(last - first, dtype=np.uint8)
    to = np.empty(capacity, dtype=np.int32)
    kind = np.empty(capacity, dtype=np.uint8)
    used = 0
    label = np.zeros(max(n, 1), dtype=np.int64)
    holder = np.zeros(max(n, 1), dtype=np.int64)
    found = np.zeros(2, dtype=np.int64)
    pairs = np.zeros((nodes, 2), dtype=np.int64)
    leads = np.zeros((nodes + 1, 2, n + nodes), dtype=np.int64)
    inactive_count = 0
    inactive = np.zeros(nodes, dtype=np.int64)
    for node in range(nodes):
        if not active >> node & 1:
            inactive[inactive_count] = node
            inactive_count += 1
    now = -1
    out = np.int64(0)
    for row in range(first, last):
        block, part = row // parts, row % parts
        if block != now:
            now = block
            out = blocks[block, nodes, 0]
            for node in range(nodes):
                pairs[node, 0] = blocks[block, node, 0]
                pairs[node, 1] = blocks[block, node, 1]
            _block_levels(cells, ranks, classes, pairs, out, active, level, ties, leads, label, holder, found)
        for i in range(inactive_count):
            token = tokens[part, i]
            pairs[inactive[i], 0] = cells.low[token]
            pairs[inactive[i], 1] = cells.high[token]
        division = after[part]
        better = mean = square = 0.0
        used_before = used
        if used + 2 * (nodes + 1) * (n + nodes) > to.size and ties:
            to, kind = _longer(to), _longer_bytes(kind)
        if idle and ties:
            to[used] = (
                classes.base[block_of(cells, ranks, pairs, out, label, holder, found)] + part - level_first
            )
            kind[used] = idle
            used += 1
        for place in range(nodes + 1):
            is_node = place < nodes
            if is_node and not active >> place & 1:
                continue
            same = is_node and pairs[place, 0] == pairs[place, 1]
            for gene in range(2 if is_node and not same else 1):
                current = pairs[place, gene] if is_node else out
                value = 0
                reach = n + place
                while value < reach:
                    target = value
                    alike = 1
                    if value < n:
                        alike = cells.size[division, value]
                        value += alike
                        if current < n and cells.start[division, current] == target:
                            alike -= 1
                            target += target == current
                    else:
                        value += 1
                        alike -= target == current
                    if alike == 0 or leads[place, gene, target] == WORSE:
                        continue
                    if is_node:
                        pairs[place, gene] = target
                    else:
                        out = np.int64(target)
                    it = block_of(cells, ranks, pairs, out, label, holder, found)
                    fitness = classes.level[it]
                    if fitness < level or (fitness == level and ties):
                        weight = weights[place, alike * (2 if same else 1)]
                        if fitness == OF_SOLVED:
                            better += weight
                        else:
                            where = classes.base[it] + inactive_rank(
                                cells, ranks, pairs, found[0], found[1], label, holder
                            )
                            if fitness < level:
                                better += weight
                                mean += weight * known.mean[where]
                                square += weight * known.square[where]
                            else:
                                to[used] = where - level_first
                                kind[used] = place * most + alike * (2 if same else 1)
                                used += 1
                    if is_node:
                        pairs[place, gene] = current
                    else:
                        out = current
        entries[row - first] = used - used_before
        better_chance[row] = better
        better_mean[row] = mean
        better_square[row] = square
    return Ties(entries, to[:used].copy(), kind[:used].copy())


@inlined
def _block_levels(
    cells: Cells,
    ranks: Ranks,
    classes: Classes,
    pairs: Ints,
    out: Int,
    active: int,
    level: int,
    ties: bool,
    leads: Ints,
    label: Ints,
    holder: Ints,
    found: Ints,
) -> None:
    """leads[place, gene, source]: WORSE if that change is never accepted whatever the inactive nodes are."""
    n, nodes = cells.inputs, cells.nodes
    for place in range(nodes + 1):
        is_node = place < nodes
        if is_node and not active >> place & 1:
            continue
        for gene in range(2 if is_node else 1):
            current = pairs[place, gene] if is_node else out
            for source in range(n + place):
                leads[place, gene, source] = UNKNOWN
                if source >= n and not active >> (source - n) & 1:
                    continue
                changed = out
                if is_node:
                    pairs[place, gene] = source
                else:
                    changed = np.int64(source)
                fitness = classes.level[block_of(cells, ranks, pairs, changed, label, holder, found)]
                if fitness > level or (fitness == level and not ties):
                    leads[place, gene, source] = WORSE
            if is_node:
                pairs[place, gene] = current


@kernel
def _longer(array: NDArray[np.int32]) -> NDArray[np.int32]:
    result = np.empty(array.size + array.size // 2 + 4096, dtype=np.int32)
    for i in range(array.size):
        result[i] = array[i]
    return result


@kernel
def _longer_bytes(array: Bytes) -> Bytes:
    result = np.empty(array.size + array.size // 2 + 4096, dtype=np.uint8)
    for i in range(array.size):
        result[i] = array[i]
    return result


@kernel
def gather(ties: Ties, weights: Floats, values: Kept, result: Floats) -> None:
    """Σ weight * value over the kept moves of each row."""
    entry = 0
    for row in range(ties.entries.size):
        total = 0.0
        for _ in range(ties.entries[row]):
            total += weights[ties.kind[entry]] * values[ties.to[entry]]
            entry += 1
        result[row] = total


@kernel
def tie_weight(ties: Ties, weights: Floats, accepted: float, result: Floats) -> None:
    """Add Σ weight over the kept moves of each row, times the chance that one is accepted."""
    entry = 0
    for row in range(ties.entries.size):
        total = 0.0
        for _ in range(ties.entries[row]):
            total += weights[ties.kind[entry]]
            entry += 1
        result[row] += accepted * total


@kernel
def class_of_genes(cells: Cells, ranks: Ranks, classes: Classes, genes: Ints) -> Int:
    """The class of a program, -1 if it is solved."""
    pairs = np.zeros((cells.nodes, 2), dtype=np.int64)
    for node in range(cells.nodes):
        pairs[node, 0] = genes[3 * node + 1]
        pairs[node, 1] = genes[3 * node + 2]
    label = np.zeros(cells.inputs, dtype=np.int64)
    holder = np.zeros(cells.inputs, dtype=np.int64)
    found = np.zeros(2, dtype=np.int64)
    block = block_of(cells, ranks, pairs, genes[-1], label, holder, found)
    if classes.level[block] == OF_SOLVED:
        return np.int64(-1)
    rank = inactive_rank(cells, ranks, pairs, found[0], found[1], label, holder)
    return np.int64(classes.base[block] + rank)
