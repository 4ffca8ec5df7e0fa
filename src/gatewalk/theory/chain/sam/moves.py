"""Moves of the chain: where each single change of an active gene leads.

SAM ends with one active gene changed. All blocks with the same active nodes have the same list of
changes (gene, then value) with the same probabilities, so a segment's moves are one table of
classes against changes. A move is stored as the class it leads to, if that is better, and else as one of
the codes below.

Kernels go through the changes of a program in one way: a list of every value of every active gene, of which
`make_change` makes those that the gene does not have already.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.theory.chain.sam.classes import Ids, Places, class_of, unpack_block, unpack_inactive
from gatewalk.theory.chain.sam.node_states import Floats, Ints
from gatewalk.theory.chain.sam.tables import Tables, active_set, state_fitness

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
    return np.array([float(chance) for chance in move_fractions(shape, active, picked_ends=picked_ends)])


def _active_counts(shape: Shape, active: int) -> list[int]:
    """How many values each active gene has."""
    return [
        int(count)
        for count, owner in zip(shape.ranges.count, shape.owner, strict=True)
        if owner == shape.nodes or active >> int(owner) & 1
    ]


def changes_of(shape: Shape, active: int) -> Ints:
    """Every value of every active gene, gene by gene, as rows for `make_change`.

    A row is a node and the gene's position in its block, or `nodes` plus an output and 0; then the value.
    """
    changes = []
    for gene in range(shape.length):
        owner, inner = int(shape.owner[gene]), gene % shape.block
        if owner == shape.nodes:
            owner, inner = shape.nodes + gene - shape.nodes * shape.block, 0
        elif not active >> owner & 1:
            continue
        changes += [(owner, inner, value) for value in valid_values(shape, gene)]
    return np.array(changes, dtype=np.int64)


def changes_to_inputs(shape: Shape, active: int) -> Ints:
    """Those of `changes_of` that redirect a connection of an active node to an input."""
    changes = changes_of(shape, active)
    owner, gene, value = changes.T
    return np.ascontiguousarray(changes[(owner < shape.nodes) & (gene > 0) & (value < shape.inputs)])


@inlined
def make_change(tables: Tables, change: Ints, state: Ints, out: Ints) -> Int:
    """Give a gene another value; returns what `undo_change` needs, or -1 if it has this value already."""
    owner, gene, value = change[0], change[1], change[2]
    if owner >= tables.nodes:
        before: Int = out[owner - tables.nodes]
        if before == value:
            return -1
        out[owner - tables.nodes] = value
        return before
    before = state[owner]
    function, first, second = (
        tables.function[owner, before],
        tables.first[owner, before],
        tables.second[owner, before],
    )
    if gene == 0:
        if function == value:
            return -1
        function = value
    elif gene == 1:
        if first == value:
            return -1
        first = value
    else:
        if second == value:
            return -1
        second = value
    state[owner] = tables.lookup[owner, function, first, second]
    return before


@inlined
def undo_change(tables: Tables, change: Ints, before: Int, state: Ints, out: Ints) -> None:
    """Restore the state or the source that `make_change` replaced."""
    if change[0] >= tables.nodes:
        out[change[0] - tables.nodes] = before
    else:
        state[change[0]] = before


@kernel
def fill_moves(
    tables: Tables,
    places: Places,
    active: int,
    changes: Ints,
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
        for number in range(changes.shape[0]):
            before = make_change(tables, changes[number], state, out)
            if before >= 0:
                moves[row, move] = _leads_to(tables, places, state, out, level, strict, words, scratch)
                move += 1
                undo_change(tables, changes[number], before, state, out)
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
    to = class_of(tables, places, state, out, active, scratch)
    return to if wrong < level else TIE - to


@kernel
def free_blocks(
    tables: Tables, active: int, to_inputs: Ints, level: int, keys: Ints, free: NDArray[np.bool_]
) -> None:
    """Which blocks are in the sub-level i+ of Theorem 6.

    There a connection of an active node can be redirected to an input so that the fitness improves.
    """
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: NDArray[np.uint64] = np.zeros(tables.inputs + tables.nodes, dtype=np.uint64)
    for block in range(keys.size):
        unpack_block(tables, active, keys[block], state, out)
        for number in range(to_inputs.shape[0]):
            before = make_change(tables, to_inputs[number], state, out)
            if before >= 0:
                now = active_set(tables, state, out)
                if state_fitness(tables, state, out, now, words) < level:
                    free[block] = True
                undo_change(tables, to_inputs[number], before, state, out)
            if free[block]:
                break
