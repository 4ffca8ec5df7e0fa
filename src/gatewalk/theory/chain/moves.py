"""Moves of the chain: where each single change of an active gene leads.

SAM ends with one active gene changed. All blocks with the same active nodes have the same list of
changes (gene, then value) with the same probabilities, so a segment's moves are one table of
classes against changes. A move is stored as the class it leads to, if that is better, and else as one of
the codes below.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Shape
from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.theory.chain.active_parts import unpack_block
from gatewalk.theory.chain.kernel_tables import Tables, active_set, state_fitness
from gatewalk.theory.chain.node_states import Floats, Ints
from gatewalk.theory.chain.program_classes import Ids, Places, class_of, unpack_inactive

SOLVED, WORSE = -1, -2
TIE = -3  # a class c at the same level is stored as TIE - c, so c is TIE minus what is stored


def count_ending_genes(shape: Shape, active: int, *, picked_ends: bool) -> int:
    """How many genes end SAM's loop: all active ones if `picked_ends`, else those of them that can change."""
    return sum(1 for count in _active_counts(shape, active) if count > 1 or picked_ends)


def move_fractions(shape: Shape, active: int, *, picked_ends: bool) -> list[Fraction]:
    """The probability of every change; with `picked_ends`, the last entry may be that nothing changes."""
    ending = count_ending_genes(shape, active, picked_ends=picked_ends)
    counts = _active_counts(shape, active)
    changes = [Fraction(1, ending * (count - 1)) for count in counts for _ in range(count - 1)]
    fixed = counts.count(1)
    if picked_ends and fixed:
        changes.append(Fraction(fixed, ending))
    return changes


def move_probabilities(shape: Shape, active: int, *, picked_ends: bool) -> Floats:
    """As `move_fractions`, in floating point."""
    return np.array([float(one) for one in move_fractions(shape, active, picked_ends=picked_ends)])


def _active_counts(shape: Shape, active: int) -> list[int]:
    is_active = [owner == shape.nodes or active >> int(owner) & 1 for owner in shape.owner]
    return [int(count) for count, one in zip(shape.ranges.count, is_active, strict=True) if one]


@kernel
def fill_moves(
    tables: Tables,
    places: Places,
    active: int,
    level: int,
    keys: Ints,
    example: Ints,
    first: int,
    strict: bool,
    idles: bool,
    moves: Ids,
) -> None:
    """Fill in the moves of a segment; row i is for class first + i, whose program is at place example[i].

    level: the fitness of the segment. strict: whether ties count as worse. idles: whether the last move
    changes no active gene.
    """
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: NDArray[np.uint64] = np.zeros(tables.inputs + tables.nodes, dtype=np.uint64)
    scratch = np.zeros(tables.moved_source.shape[0], dtype=np.int64)
    blocks = keys.size
    for row in range(moves.shape[0]):
        unpack_block(tables, active, keys[example[row] % blocks], state, out)
        unpack_inactive(tables, active, example[row] // blocks, state)
        move = 0
        for node in range(tables.nodes):
            if not active >> node & 1:
                continue
            c = state[node]
            genes = (tables.function[node, c], tables.first[node, c], tables.second[node, c])
            for gene in range(1 + tables.arity):
                values = tables.anf.shape[0] if gene == 0 else tables.reach[node]
                for index in range(values):
                    value = index if gene == 0 else tables.valid[node, index]
                    if value == genes[gene]:
                        continue
                    state[node] = tables.lookup[
                        node,
                        value if gene == 0 else genes[0],
                        value if gene == 1 else genes[1],
                        value if gene == 2 else genes[2],
                    ]
                    moves[row, move] = _leads_to(tables, places, state, out, level, strict, words, scratch)
                    move += 1
            state[node] = c
        for o in range(tables.outputs):
            current = out[o]
            for source in range(tables.inputs + tables.nodes):
                if source != current:
                    out[o] = source
                    moves[row, move] = _leads_to(tables, places, state, out, level, strict, words, scratch)
                    move += 1
            out[o] = current
        if idles:
            moves[row, move] = WORSE if strict else TIE - first - row


@inlined
def _leads_to(
    tables: Tables,
    places: Places,
    state: Ints,
    out: Ints,
    level: int,
    strict: bool,
    words: NDArray[np.uint64],
    scratch: Ints,
) -> Int:
    active = active_set(tables, state, out)
    wrong = state_fitness(tables, state, out, active, words)
    if wrong == 0:
        return SOLVED
    if wrong > level or (strict and wrong == level):
        return WORSE
    found = class_of(tables, places, state, out, active, scratch)
    return found if wrong < level else TIE - found


@kernel
def free_blocks(tables: Tables, active: int, level: int, keys: Ints, free: NDArray[np.bool_]) -> None:
    """Which blocks are in the sub-level i+ of Theorem 6.

    There a connection of an active node can be redirected to an input so that the fitness improves.
    """
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: NDArray[np.uint64] = np.zeros(tables.inputs + tables.nodes, dtype=np.uint64)
    for block in range(keys.size):
        unpack_block(tables, active, keys[block], state, out)
        for node in range(tables.nodes):
            if not active >> node & 1 or free[block]:
                continue
            c = state[node]
            for index in range(tables.reach[node]):
                value = tables.valid[node, index]
                if value >= tables.inputs:
                    continue
                for gene in range(tables.arity):
                    state[node] = tables.lookup[
                        node,
                        tables.function[node, c],
                        value if gene == 0 else tables.first[node, c],
                        value if gene == 1 else tables.second[node, c],
                    ]
                    now = active_set(tables, state, out)
                    if state_fitness(tables, state, out, now, words) < level:
                        free[block] = True
            state[node] = c
