"""Small programs on larger tables: cones tell what must be computed, its first rows tell most verdicts.

For one output, n + D <= 63 and a single gate, of two inputs. A forward pass over the cones (as in
`cone`) gives the active nodes of an offspring and those above the change; no other node is computed.
Rows are in two parts. The head, 512 rows, those that tell most (`row_order`), is computed first; an
offspring that is worse already there is given up. In the tail a change that dies out is followed no
further. Every source has two sides: an offspring's values are written to the side that the parent does
not use, so that keeping it turns some sides over and dropping it costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.bits import lowest
from gatewalk.cgp.blocks import Words, and_block, gate_block, wrong_block, zeros
from gatewalk.cgp.core import EAGER, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout, gate_words, is_and_alone
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.loops import rolled
from gatewalk.cgp.registers import load
from gatewalk.cgp.row_order import telling_first
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.verdict import accepts, may_go_on, note, write_back
from gatewalk.cgp.workspace import (
    CONE,
    OUTPUT,
    Workspace,
    active_of,
    cone_of,
    first_of,
    gate_of,
    load_genes,
    next_offspring,
    node_of,
    nodes_of,
    restore,
    second_of,
    store_genes,
    workspace_of,
)
from gatewalk.jit import Int, inlined, outlined

LANES = (0,) * 8  # words computed together
HEAD = np.uint64(8)  # words of the head
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SIDE = np.uint64(6)  # sources of one side: 64


class Part(NamedTuple):
    """Some rows. values: side, source, word. words: of a source. wanted, mask: the target, used rows."""

    values: Words
    words: np.uint64
    wanted: Words
    mask: Words


class ConeTable(NamedTuple):
    """space: the program. state: active sources; all sources below this one are as their genes say;
    side of each source in the head and in the tail.

    only_and: not empty if AND is the only gate. gates: see `gate_words`.
    """

    space: Workspace
    state: NDArray[np.uint64]
    gates: Words
    only_and: tuple[int, ...]
    head: Part
    tail: Part


def room_of(layout: Layout, training: TrainingSet, lean: Lean) -> ConeTable:
    """Room to walk in."""
    ordered = telling_first(training)
    used = ordered.inputs.shape[1]
    end = -(-used // int(HEAD)) * int(HEAD)
    return ConeTable(
        workspace_of(layout, lean),
        np.zeros(4, dtype=np.uint64),
        gate_words(layout).ravel(),
        (0,) * is_and_alone(layout),
        part_of(ordered, 0, int(HEAD)),
        part_of(ordered, int(HEAD), end),
    )


def part_of(training: TrainingSet, first: int, end: int) -> Part:
    """The rows of some words, as many as there are."""
    words, used = end - first, min(end, training.inputs.shape[1]) - first
    values = zeros(2 * 64 * words)
    wanted, mask = zeros(words), zeros(words)
    values.reshape(128, words)[: training.inputs.shape[0], :used] = training.inputs[:, first : first + used]
    wanted[:used] = training.outputs[0, first : first + used]
    mask[:used] = ~_ZERO
    if used > 0 and first + used == training.inputs.shape[1]:
        mask[used - 1] = last_mask(training.rows)
    return Part(values, np.uint64(words), wanted, mask)


@inlined
def pass_from(room: ConeTable, source: np.uint64, end: np.uint64, owner: np.uint64) -> np.uint64:
    """The cones of all nodes from a source on; returns those that have `owner` under them."""
    space = room.space
    above = _ZERO
    while source < end:
        rolled()
        cone = cone_of(space, source)
        space.words[CONE + source] = cone
        above |= ((cone >> owner) & _ONE) << source
        source += _ONE
    return np.uint64(above)


@inlined
def place_of(part: Part, sides: np.uint64, source: np.uint64) -> np.uint64:
    """Where the values of a source begin."""
    return np.uint64((((sides >> source) & _ONE) << _SIDE | source) * part.words)


@inlined
def compute(room: ConeTable, part: Part, sides: np.uint64, source: np.uint64) -> np.uint64:
    """Compute a node on a part, onto the side that it does not use; returns the bits that differ."""
    space, values = room.space, part.values
    a, b = place_of(part, sides, first_of(space, source)), place_of(part, sides, second_of(space, source))
    old, new = place_of(part, sides, source), place_of(part, ~sides, source)
    gate = gate_of(space, source)
    different = _ZERO
    for w in range(_ZERO, part.words, np.uint64(len(LANES))):
        if len(room.only_and) > 0:
            different |= and_block(LANES, values, new + w, values, old + w, values, a + w, values, b + w)
        else:
            different |= gate_block(
                LANES, values, new + w, values, old + w, values, a + w, values, b + w, room.gates, gate
            )
    return different


@inlined
def wrong_rows(room: ConeTable, part: Part, sides: np.uint64) -> np.int64:
    """Mismatches of the output on a part."""
    at = place_of(part, sides, first_of(room.space, OUTPUT))
    wrong = np.int64(0)
    for w in range(_ZERO, part.words, np.uint64(len(LANES))):
        wrong += wrong_block(LANES, part.values, at + w, part.wanted, np.uint64(w), part.mask, np.uint64(w))
    return wrong


@inlined
def compute_head(room: ConeTable, sides: np.uint64, needed: np.uint64) -> np.uint64:
    """Compute nodes, in rising order; returns the sides after that."""
    while needed != _ZERO:
        rolled()
        source = lowest(needed)
        needed &= needed - _ONE
        compute(room, room.head, sides, source)
        sides ^= _ONE << source
    return sides


@inlined
def compute_tail(
    room: ConeTable, sides: np.uint64, needed: np.uint64, active: np.uint64, owner: np.uint64
) -> np.uint64:
    """As `compute_head`; nodes that were active, and whose sources stay as they are, are left out."""
    fresh = needed & ~active | _ONE << owner  # without a value, or with another gene
    moved = _ZERO
    while needed != _ZERO:
        source = lowest(needed)
        needed &= needed - _ONE
        read = _ONE << first_of(room.space, source) | _ONE << second_of(room.space, source)
        if (fresh >> source) & _ONE == _ZERO and read & moved == _ZERO:
            continue
        different = compute(room, room.tail, sides, source)
        if different != _ZERO or (active >> source) & _ONE == _ZERO:
            moved |= _ONE << source
            sides ^= _ONE << source
    return sides


@outlined
def rank(layout: Layout, room: ConeTable, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    space = room.space
    load_genes(space, genes)
    end = space.inputs + np.uint64(layout.nodes)
    pass_from(room, space.inputs, end, OUTPUT)
    active = active_of(space)
    head = compute_head(room, room.state[2], nodes_of(space, active))
    tail = compute_tail(room, room.state[3], nodes_of(space, active), _ZERO, OUTPUT)
    room.state[0], room.state[1], room.state[2], room.state[3] = active, end, head, tail
    return wrong_rows(room, room.head, head) + wrong_rows(room, room.tail, tail)


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: ConeTable, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    offspring, steps, kept = core.counters[OFFSPRING], core.counters[STEPS], np.int64(0)
    parent = core.counters[RANK]
    active, fresh = room.state[0], room.state[1]
    head, tail = room.state[2], room.state[3]
    space = room.space
    registers = load(core.stream)
    going = may_go_on(core)
    accepted = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(space, registers, active, accepted)
        offspring += 1
        owner = node_of(made.place)
        low, top = min(fresh, lowest(made.touched | _ONE << OUTPUT)), first_of(space, OUTPUT) + _ONE
        above = pass_from(room, low, top, owner)
        child_active = active_of(space)
        needed = nodes_of(space, child_active & (above | ~active))
        child_head, child_tail = compute_head(room, head, needed), tail
        child = wrong_rows(room, room.head, child_head)
        if child <= parent:
            child_tail = compute_tail(room, tail, needed, active, owner)
            child += wrong_rows(room, room.tail, child_tail)
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            restore(space)
        steps += np.int64(made.steps)
        kept += np.int64(accepted)
        fresh = low
        if accepted:
            fresh = max(low, top)
            active, head, tail = child_active, child_head, child_tail
        if child < parent:
            parent = child
            going = note(core, offspring, child)
    room.state[0], room.state[1], room.state[2], room.state[3] = active, fresh, head, tail
    store_genes(space, core)
    write_back(core, registers, offspring, steps, kept, accepted)
