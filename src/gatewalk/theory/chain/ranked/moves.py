"""Where each change of an active gene leads, on ranked classes; found level by level and mostly not stored.

No accepted move leads to a worse level. So a move to a better class is used only once: its known mean is
added up as soon as the move is found. Only moves within the same level are stored, five bytes each, until the
level is solved.

If a connection moves to an input or an active node, the fitness depends on the block alone and is looked up
once per block. Inputs that the whole program does not distinguish lead to the same class; only one of them is
followed, for all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.theory.chain.gmres import Kept
from gatewalk.theory.chain.ranked.programs import Bytes, Cells, Classes, Ranks, block_of, inactive_rank
from gatewalk.theory.chain.sam.node_states import Floats, Ints

UNKNOWN, WORSE = -2, -3  # further codes for the level of a move; in `Classes` a solved program has level -1
OF_SOLVED = -1


class Ties(NamedTuple):
    """The moves of some classes of a level to classes of the same level.

    entries: how many moves each class has; the moves follow one after the other. to[e]: the class to which
    move e leads, counted from the level's first class. kind[e]: the number of its weight.
    """

    entries: Bytes
    to: NDArray[np.int32]
    kind: Bytes


class Known(NamedTuple):
    """The mean and the mean square of T from every class of the levels that are solved."""

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
    """Follow all moves of classes `first` to `last` of a segment, counted block by block; returns the ties.

    blocks: the pairs of the active nodes, and the output in the row after them. tokens, after: the tokens of
    the inactive parts and the division after each. weights: by gene and by how many changes are equivalent.
    idle: the kind of an offspring in which no active gene changes; 0 if there is none. For each class,
    better_chance is filled with the chance of a better offspring, and better_mean and better_square with that
    chance times the known mean and mean square.
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
    facts = np.zeros(2, dtype=np.int64)
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
            _block_levels(cells, ranks, classes, pairs, out, active, level, ties, leads, label, holder, facts)
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
                classes.base[block_of(cells, ranks, pairs, out, label, holder, facts)] + part - level_first
            )
            kind[used] = idle
            used += 1
        for owner in range(nodes + 1):
            is_node = owner < nodes
            if is_node and not active >> owner & 1:
                continue
            same = is_node and pairs[owner, 0] == pairs[owner, 1]
            for gene in range(2 if is_node and not same else 1):
                current = pairs[owner, gene] if is_node else out
                value = 0
                reach = n + owner
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
                    if alike == 0 or leads[owner, gene, target] == WORSE:
                        continue
                    if is_node:
                        pairs[owner, gene] = target
                    else:
                        out = np.int64(target)
                    it = block_of(cells, ranks, pairs, out, label, holder, facts)
                    fitness = classes.level[it]
                    if fitness < level or (fitness == level and ties):
                        weight = weights[owner, alike * (2 if same else 1)]
                        if fitness == OF_SOLVED:
                            better += weight
                        else:
                            where = classes.base[it] + inactive_rank(
                                cells, ranks, pairs, facts[0], facts[1], label, holder
                            )
                            if fitness < level:
                                better += weight
                                mean += weight * known.mean[where]
                                square += weight * known.square[where]
                            else:
                                to[used] = where - level_first
                                kind[used] = owner * most + alike * (2 if same else 1)
                                used += 1
                    if is_node:
                        pairs[owner, gene] = current
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
    facts: Ints,
) -> None:
    """Fill leads[owner, gene, source] for every change of an active gene.

    WORSE: the change is never accepted, whatever the inactive nodes are. UNKNOWN: it may be accepted.
    """
    n, nodes = cells.inputs, cells.nodes
    for owner in range(nodes + 1):
        is_node = owner < nodes
        if is_node and not active >> owner & 1:
            continue
        for gene in range(2 if is_node else 1):
            current = pairs[owner, gene] if is_node else out
            for source in range(n + owner):
                leads[owner, gene, source] = UNKNOWN
                if source >= n and not active >> (source - n) & 1:
                    continue
                changed = out
                if is_node:
                    pairs[owner, gene] = source
                else:
                    changed = np.int64(source)
                fitness = classes.level[block_of(cells, ranks, pairs, changed, label, holder, facts)]
                if fitness > level or (fitness == level and not ties):
                    leads[owner, gene, source] = WORSE
            if is_node:
                pairs[owner, gene] = current


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
    """Σ weight * value over the stored moves of each row."""
    entry = 0
    for row in range(ties.entries.size):
        total = 0.0
        for _ in range(ties.entries[row]):
            total += weights[ties.kind[entry]] * values[ties.to[entry]]
            entry += 1
        result[row] = total


@kernel
def tie_weight(ties: Ties, weights: Floats, accepted: float, result: Floats) -> None:
    """Add to each row Σ weight over its stored moves, times the chance that a tie is accepted."""
    entry = 0
    for row in range(ties.entries.size):
        total = 0.0
        for _ in range(ties.entries[row]):
            total += weights[ties.kind[entry]]
            entry += 1
        result[row] += accepted * total


@kernel
def class_of_genes(cells: Cells, ranks: Ranks, classes: Classes, genes: Ints) -> Int:
    """The class of a program; -1 if it is solved."""
    pairs = np.zeros((cells.nodes, 2), dtype=np.int64)
    for node in range(cells.nodes):
        pairs[node, 0] = genes[3 * node + 1]
        pairs[node, 1] = genes[3 * node + 2]
    label = np.zeros(cells.inputs, dtype=np.int64)
    holder = np.zeros(cells.inputs, dtype=np.int64)
    facts = np.zeros(2, dtype=np.int64)
    block = block_of(cells, ranks, pairs, genes[-1], label, holder, facts)
    if classes.level[block] == OF_SOLVED:
        return np.int64(-1)
    rank = inactive_rank(cells, ranks, pairs, facts[0], facts[1], label, holder)
    return np.int64(classes.base[block] + rank)
