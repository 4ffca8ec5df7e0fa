"""Symbolic evaluation of small conjunctions: sets of sources as bits of one word.

With {AND} on the complete table of AND, fitness is 2^(n-i) - 1 where i inputs have a path to the
output (Lemma 2): the rank of a program is the number of inputs that its output does not reach.
What an offspring reaches is found without walking through it. Let node i have a changed gene, and
read a and b now. Reached are: all that the parent reaches when i is taken out, and the cones of a
and b. The first is what i does not dominate: a node dominates a source if every path from the
output to the source goes through it, and the dominators of all active sources come from one
backward pass when a parent is accepted. Cones are kept for all sources; they are computed again
only when one is asked for that has a changed node in it. Needs n + D <= 63, one more bit for the
output.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.bits import highest, lowest
from gatewalk.cgp.core import EAGER, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.loops import rolled
from gatewalk.cgp.mutation import SAM_PICKED
from gatewalk.cgp.offspring import accepts, may_go_on, settle, write_back
from gatewalk.cgp.registers import load
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.workspace import (
    CONE,
    DOMINATORS,
    FIRST,
    OUTPUT,
    SECOND,
    WITHOUT,
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
from gatewalk.popcount import popcount

_ZERO, _ONE, _PLACE = np.uint64(0), np.uint64(1), np.uint64(63)


class ConeSymbolic(NamedTuple):
    """words: see `workspace`. slots: their number. far: not empty if some genes skip values
    (a length is a constant to the compiler).

    state: the parent's active sources; nodes whose genes differ from those the cones are of; nodes
    of which it is known what is reached without them.
    """

    words: Words
    places: NDArray[np.int64]
    state: NDArray[np.uint64]
    slots: np.uint64
    far: tuple[int, ...]
    lean: Lean


def room_of(layout: Layout, lean: Lean) -> ConeSymbolic:
    """Room to walk in."""
    words = words_of(layout)
    slots = put_slots(words, layout, lean)
    state = np.zeros(3, dtype=np.uint64)
    far = (0,) * bool(layout.skip.any())
    return ConeSymbolic(words, places_of(layout), state, np.uint64(slots), far, lean)


@inlined
def pass_from(words: Words, source: np.uint64, end: np.uint64) -> None:
    """Compute the cones of all nodes from a source on."""
    while source < end:
        rolled()
        a, b = words[FIRST + source], words[SECOND + source]
        words[CONE + source] = words[CONE + a] | words[CONE + b] | _ONE << source
        source += _ONE


@inlined
def find_dominators(words: Words, inputs: np.uint64) -> np.uint64:
    """Dominators of all active sources, a node being one of itself; returns the active sources.

    Every reader of a source comes before it in falling order, so the intersection over readers is
    complete when the source is reached.
    """
    nodes = ~((_ONE << inputs) - _ONE)
    for source in range(_ZERO, _ONE << np.uint64(6)):
        words[DOMINATORS + source] = ~_ZERO
    top = words[FIRST + OUTPUT]
    words[DOMINATORS + top] = _ZERO
    reached = _ONE << top
    waiting = reached & nodes
    while waiting != _ZERO:
        rolled()
        node = highest(waiting)
        waiting ^= _ONE << node
        a, b = words[FIRST + node], words[SECOND + node]
        through = words[DOMINATORS + node] | _ONE << node
        words[DOMINATORS + a] &= through
        words[DOMINATORS + b] &= through
        read = _ONE << a | _ONE << b
        reached |= read
        waiting |= read & nodes
    return np.uint64(reached)


@inlined
def not_dominated(words: Words, inputs: np.uint64, node: np.uint64) -> np.uint64:
    """The inputs that the parent reaches when a node is taken out, as bits."""
    reached = _ZERO
    for source in range(inputs):
        reached |= (~(words[DOMINATORS + source] >> node) & _ONE) << source
    return np.uint64(reached)


@inlined
def rank_of(inputs: np.uint64, reached: np.uint64) -> np.int64:
    """The number of inputs that are not reached."""
    return np.int64(inputs) - popcount(reached & ((_ONE << inputs) - _ONE))


@outlined
def rank(layout: Layout, room: ConeSymbolic, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    inputs = np.uint64(layout.inputs)
    load_genes(room.words, room.places, genes)
    pass_from(room.words, inputs, inputs + np.uint64(layout.nodes))
    reached = find_dominators(room.words, inputs)
    room.state[0] = reached | _ONE << OUTPUT
    room.state[1] = room.state[2] = _ZERO
    return rank_of(inputs, reached)


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: ConeSymbolic, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    words, slots, far = room.words, room.slots, len(room.far) > 0
    offspring, steps = core.counters[OFFSPRING], core.counters[STEPS]
    parent, pending = core.counters[RANK], np.int64(0)
    active, stale, known = room.state[0], room.state[1], room.state[2]
    picked_ends = rule.mutation == SAM_PICKED
    inputs = np.uint64(layout.inputs)
    end = inputs + np.uint64(layout.nodes)
    registers = load(core.stream)
    going = may_go_on(core)
    eager = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(
            words, slots, registers, active, inputs, room.lean, eager, picked_ends, far
        )
        steps += np.int64(made.steps)
        offspring += 1
        stale_if_dropped = stale
        stale |= made.touched
        child = parent
        if made.changed:
            owner = made.record & _PLACE
            a = b = words[FIRST + owner]
            reached = _ZERO
            if owner != OUTPUT:
                b = words[SECOND + owner]
                if (known >> owner) & _ONE == _ZERO:
                    known |= _ONE << owner
                    words[WITHOUT + owner] = not_dominated(words, inputs, owner)
                reached = words[WITHOUT + owner]
            if (words[CONE + a] | words[CONE + b]) & stale != _ZERO:
                pass_from(words, lowest(stale), end)
                stale = _ZERO
                stale_if_dropped = made.touched
            child = rank_of(inputs, reached | words[CONE + a] | words[CONE + b])
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            undo(words, made.logged)
            stale = stale_if_dropped
            pending += np.int64(not made.drifted)
            eager = False
            continue
        late, more, registers = pay_for_accepted(
            core, words, slots, registers, active, inputs, room.lean, picked_ends, far, made, pending
        )
        steps += more
        stale |= late
        pending = np.int64(0)
        if made.changed:
            active = find_dominators(words, inputs) | _ONE << OUTPUT
            known = _ZERO
        eager = True
        going = not settle(core, offspring, child)
        parent = child
    count_undrawn(core, words, slots, active, inputs, room.lean, picked_ends, pending)
    room.state[0], room.state[1], room.state[2] = active, stale, known
    store_genes(words, room.places, core)
    core.counters[EAGER] = eager
    write_back(core, registers, offspring, steps)
