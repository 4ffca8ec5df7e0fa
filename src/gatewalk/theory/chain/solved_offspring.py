"""The programs that solve a sampled training set: how well they generalise, and how many inputs they use.

The chain treats all solved programs as one state, but on a sampled set they differ. So the kernels here go
through the solved offspring of every class and find their share of right outputs on the complete truth table
(their ability) and their level. The level of a program is the number of inputs to which its output is
connected.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.theory.chain.active_parts import solved_blocks, unpack_block
from gatewalk.theory.chain.kernel_tables import Tables, active_set, mask_of, mismatches, state_fitness
from gatewalk.theory.chain.markov_chain import Chain, Segment
from gatewalk.theory.chain.node_states import Floats, Ints
from gatewalk.theory.chain.program_classes import unpack_inactive

Words = NDArray[np.uint64]


def block_levels(chain: Chain, segment: Segment) -> Ints:
    """The level of every class of a segment."""
    levels = np.zeros(segment.keys.size, dtype=np.int64)
    _levels_of(chain.tables, segment.active, segment.keys, levels)
    return levels[segment.example % segment.keys.size]


def solved_moves(
    chain: Chain, segment: Segment, complete: TrainingSet, levels: Ints
) -> tuple[Floats, Floats]:
    """For each class, E[ability; solved] and P(solved, at a lower level) of one move, without mixing.

    complete: the complete training set. levels: the levels of the segment's classes.
    """
    ability, lower = np.zeros(levels.size), np.zeros(levels.size)
    _weigh_solved(
        chain.tables,
        complete.inputs[:, 0],
        complete.outputs[:, 0],
        mask_of(complete.rows),
        float(complete.rows * chain.shape.outputs),
        segment.active,
        segment.keys,
        segment.example,
        segment.probabilities,
        levels,
        ability,
        lower,
    )
    return ability, lower


def ability_at_start(chain: Chain, complete: TrainingSet) -> float:
    """The mean generalisation ability of uniform programs that fit the training set; nan if none does."""
    total = 0.0
    count = 0
    for active in range(1 << chain.shape.nodes):
        blocks = solved_blocks(chain.tables, active)
        wrong = np.zeros(blocks.key.size, dtype=np.int64)
        _wrong_of(
            chain.tables,
            complete.inputs[:, 0],
            complete.outputs[:, 0],
            mask_of(complete.rows),
            active,
            blocks.key,
            wrong,
        )
        genotypes = _genotypes(chain, active, blocks.key) * blocks.orbit
        count += int(genotypes.sum())
        total += float((genotypes * (1 - wrong / (complete.rows * chain.shape.outputs))).sum())
    return total / count if count else float("nan")


def _genotypes(chain: Chain, active: int, keys: Ints) -> Ints:
    """How many genotypes have this active part: all swaps of active nodes, any states of inactive ones."""
    inactive = 1
    for node, axis in enumerate(chain.axes):
        if not active >> node & 1:
            inactive *= int(axis.weight.sum())
    weight = np.zeros((len(chain.axes), max(len(axis) for axis in chain.axes)), dtype=np.int64)
    for node, axis in enumerate(chain.axes):
        weight[node, : len(axis)] = axis.weight
    result = np.full(keys.size, inactive, dtype=np.int64)
    _times_weight(chain.tables, active, keys, weight, result)
    return result


@inlined
def _level(tables: Tables, state: Ints, out: Ints, active: int) -> Int:
    """The number of inputs to which an output is connected."""
    used = np.int64(0)
    for o in range(tables.outputs):
        if out[o] < tables.inputs:
            used |= np.int64(1) << out[o]
    for node in range(tables.nodes):
        if active >> node & 1:
            c = state[node]
            if tables.first[node, c] < tables.inputs:
                used |= np.int64(1) << tables.first[node, c]
            if tables.arity > 1 and tables.second[node, c] < tables.inputs:
                used |= np.int64(1) << tables.second[node, c]
    count = np.int64(0)
    while used:
        used &= used - 1
        count += 1
    return count


@kernel
def _levels_of(tables: Tables, active: int, keys: Ints, levels: Ints) -> None:
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    for block in range(keys.size):
        unpack_block(tables, active, keys[block], state, out)
        levels[block] = _level(tables, state, out, active)


@kernel
def _wrong_of(
    tables: Tables, columns: Words, wanted: Words, rows: np.uint64, active: int, keys: Ints, wrong: Ints
) -> None:
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: Words = np.zeros(tables.inputs + tables.nodes, dtype=np.uint64)
    for block in range(keys.size):
        unpack_block(tables, active, keys[block], state, out)
        wrong[block] = mismatches(tables, columns, wanted, rows, state, out, active, words)


@kernel
def _times_weight(tables: Tables, active: int, keys: Ints, weight: Ints, result: Ints) -> None:
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    for block in range(keys.size):
        unpack_block(tables, active, keys[block], state, out)
        for node in range(tables.nodes):
            if active >> node & 1:
                result[block] *= weight[node, state[node]]


@kernel
def _weigh_solved(
    tables: Tables,
    columns: Words,
    wanted: Words,
    rows: np.uint64,
    judged: float,
    active: int,
    keys: Ints,
    example: Ints,
    chances: Floats,
    levels: Ints,
    ability: Floats,
    lower: Floats,
) -> None:
    """Go through the moves in the order of `moves.fill_moves`, and add up those to solved programs."""
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: Words = np.zeros(tables.inputs + tables.nodes, dtype=np.uint64)
    blocks = keys.size
    for row in range(example.size):
        unpack_block(tables, active, keys[example[row] % blocks], state, out)
        unpack_inactive(tables, active, example[row] // blocks, state)
        move = 0
        for place in range(tables.nodes + tables.outputs):
            is_node = place < tables.nodes
            if is_node and not active >> place & 1:
                continue
            node = min(place, tables.nodes - 1)
            c = state[node]
            current = out[max(0, place - tables.nodes)]
            genes = (tables.function[node, c], tables.first[node, c], tables.second[node, c])
            for gene in range(1 + tables.arity if is_node else 1):
                values = tables.inputs + tables.nodes
                if is_node:
                    values = tables.anf.shape[0] if gene == 0 else tables.reach[node]
                for index in range(values):
                    value = np.int64(index)
                    if is_node and gene > 0:
                        value = tables.valid[node, index]
                    if value == (genes[gene] if is_node else current):
                        continue
                    if is_node:
                        state[node] = tables.lookup[
                            node,
                            value if gene == 0 else genes[0],
                            value if gene == 1 else genes[1],
                            value if gene == 2 else genes[2],
                        ]
                    else:
                        out[place - tables.nodes] = value
                    now = active_set(tables, state, out)
                    if state_fitness(tables, state, out, now, words) == 0:
                        wrong = mismatches(tables, columns, wanted, rows, state, out, now, words)
                        ability[row] += chances[move] * (1.0 - wrong / judged)
                        if _level(tables, state, out, now) < levels[row]:
                            lower[row] += chances[move]
                    move += 1
            state[node] = c
            if not is_node:
                out[place - tables.nodes] = current
