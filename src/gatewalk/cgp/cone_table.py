"""Small programs on larger tables: cones tell what must be computed, its first rows tell most verdicts.

For one output, n + D <= 63 and gates of at most two inputs. A forward pass over the cones (as in
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
from gatewalk.cgp.blocks import and_block, gate_block, wrong_block, zeros
from gatewalk.cgp.core import EAGER, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.loops import rolled
from gatewalk.cgp.mutation import SAM_PICKED
from gatewalk.cgp.offspring import accepts, may_go_on, settle, write_back
from gatewalk.cgp.registers import load
from gatewalk.cgp.row_order import telling_first
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.workspace import (
    CONE,
    FIRST,
    GATE,
    OUTPUT,
    SECOND,
    Words,
    count_undrawn,
    load_genes,
    next_offspring,
    pay_for_accepted,
    places_of,
    put_slots,
    store_genes,
    undo,
    words_of,
)
from gatewalk.jit import Int, inlined, outlined

LANES = (0,) * 8  # words computed together
HEAD = np.uint64(8)  # words of the head
_ZERO, _ONE, _PLACE = np.uint64(0), np.uint64(1), np.uint64(63)
_SIDE = np.uint64(6)  # sources of one side: 64
_GATE = np.uint64(3)  # words of a gate: 8


class Part(NamedTuple):
    """Some rows. values: side, source, word. words: of a source. wanted, mask: the target, used rows."""

    values: Words
    words: np.uint64
    wanted: Words
    mask: Words


class ConeTable(NamedTuple):
    """words, places, slots, far, lean: as in `cone`. state: active sources; all sources below this one
    are as their genes say; side of each source in the head and in the tail; mismatches in the tail.

    only_and: not empty if AND is the only gate. gates: algebraic normal form, then all ones if the
    second input is read.
    """

    words: Words
    places: NDArray[np.int64]
    state: NDArray[np.uint64]
    gates: Words
    only_and: tuple[int, ...]
    slots: np.uint64
    far: tuple[int, ...]
    lean: Lean
    head: Part
    tail: Part


def room_of(layout: Layout, training: TrainingSet, lean: Lean) -> ConeTable:
    """Room to walk in."""
    words = words_of(layout)
    slots = put_slots(words, layout, lean)
    gates = np.zeros((len(layout.arities), 8), dtype=np.uint64)
    gates[:, :4] = layout.anf[:, :4]
    gates[layout.arities > 1, 4] = ~_ZERO
    only_and = len(layout.arities) == 1 and (layout.anf[0, :4] & _ONE).tolist() == [0, 0, 0, 1]
    ordered = telling_first(training)
    used = ordered.inputs.shape[1]
    end = -(-used // int(HEAD)) * int(HEAD)
    return ConeTable(
        words,
        places_of(layout),
        np.zeros(5, dtype=np.uint64),
        gates.ravel(),
        (0,) * only_and,
        np.uint64(slots),
        (0,) * bool(layout.skip.any()),
        lean,
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
    words = room.words
    above = _ZERO
    while source < end:
        rolled()
        cone = words[CONE + words[SECOND + source]]
        if len(room.only_and) == 0:
            cone &= room.gates[(words[GATE + source] << _GATE) + np.uint64(4)]
        cone |= words[CONE + words[FIRST + source]] | _ONE << source
        words[CONE + source] = cone
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
    words, values = room.words, part.values
    a, b = place_of(part, sides, words[FIRST + source]), place_of(part, sides, words[SECOND + source])
    old, new = place_of(part, sides, source), place_of(part, ~sides, source)
    gate = words[GATE + source]
    different = _ZERO
    for w in range(_ZERO, part.words, HEAD):
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
    at = place_of(part, sides, room.words[FIRST + OUTPUT])
    wrong = np.int64(0)
    for w in range(_ZERO, part.words, HEAD):
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
        read = _ONE << room.words[FIRST + source] | _ONE << room.words[SECOND + source]
        if (fresh >> source) & _ONE == _ZERO and read & moved == _ZERO:
            continue
        different = compute(room, room.tail, sides, source)
        if different != _ZERO or (active >> source) & _ONE == _ZERO:
            moved |= _ONE << source
            sides ^= _ONE << source
    return sides


@inlined
def active_of(words: Words) -> np.uint64:
    """The active sources and the bit of the output."""
    return np.uint64(words[CONE + words[FIRST + OUTPUT]] | _ONE << OUTPUT)


@outlined
def rank(layout: Layout, room: ConeTable, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    load_genes(room.words, room.places, genes)
    inputs = np.uint64(layout.inputs)
    end = inputs + np.uint64(layout.nodes)
    pass_from(room, inputs, end, OUTPUT)
    active = active_of(room.words)
    nodes = active & ~((_ONE << inputs) - _ONE) & ~(_ONE << OUTPUT)
    head = compute_head(room, room.state[2], nodes)
    tail = compute_tail(room, room.state[3], nodes, _ZERO, OUTPUT)
    wrong = wrong_rows(room, room.tail, tail)
    room.state[0], room.state[1] = active, end
    room.state[2], room.state[3], room.state[4] = head, tail, np.uint64(wrong)
    return wrong + wrong_rows(room, room.head, head)


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: ConeTable, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    offspring, steps = core.counters[OFFSPRING], core.counters[STEPS]
    parent, pending = core.counters[RANK], np.int64(0)
    active, fresh = room.state[0], room.state[1]
    head, tail, parent_tail = room.state[2], room.state[3], np.int64(room.state[4])
    picked_ends = rule.mutation == SAM_PICKED
    words, slots, far = room.words, room.slots, len(room.far) > 0
    inputs = np.uint64(layout.inputs)
    nodes = ~((_ONE << inputs) - _ONE) & ~(_ONE << OUTPUT)
    registers = load(core.stream)
    going = may_go_on(core)
    eager = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(
            words, slots, registers, active, inputs, room.lean, eager, picked_ends, far
        )
        steps += np.int64(made.steps)
        offspring += 1
        child, child_tail, child_active = parent, parent_tail, active
        child_head_sides, child_tail_sides = head, tail
        low = min(fresh, lowest(made.touched | _ONE << OUTPUT))
        if made.changed:
            owner = made.record & _PLACE
            top = words[FIRST + OUTPUT] + _ONE
            above = pass_from(room, low, top, owner)
            fresh = max(low, top)
            child_active = active_of(words)
            needed = child_active & (above | ~active) & nodes
            child_head_sides = compute_head(room, head, needed)
            child = wrong_rows(room, room.head, child_head_sides)
            if child <= parent:
                child_tail_sides = compute_tail(room, tail, needed, active, owner)
                child_tail = wrong_rows(room, room.tail, child_tail_sides)
                child += child_tail
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            undo(words, made.logged)
            fresh = low
            pending += np.int64(not made.drifted)
            eager = False
            continue
        if not made.changed:
            fresh = low
        late, more, registers = pay_for_accepted(
            core, words, slots, registers, active, inputs, room.lean, picked_ends, far, made, pending
        )
        steps += more
        fresh = min(fresh, lowest(late | _ONE << OUTPUT))
        pending = np.int64(0)
        active, head, tail, parent_tail = child_active, child_head_sides, child_tail_sides, child_tail
        eager = True
        going = not settle(core, offspring, child)
        parent = child
    count_undrawn(core, words, slots, active, inputs, room.lean, picked_ends, pending)
    room.state[0], room.state[1] = active, fresh
    room.state[2], room.state[3], room.state[4] = head, tail, np.uint64(parent_tail)
    store_genes(words, room.places, core)
    core.counters[EAGER] = eager
    write_back(core, registers, offspring, steps)
