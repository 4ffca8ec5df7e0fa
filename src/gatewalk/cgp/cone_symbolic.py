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
from gatewalk.cgp.registers import load
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.verdict import accepts, may_go_on, note, write_back
from gatewalk.cgp.workspace import (
    CONE,
    DOMINATORS,
    OUTPUT,
    WITHOUT,
    Workspace,
    cone_of,
    first_of,
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
from gatewalk.popcount import popcount

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class ConeSymbolic(NamedTuple):
    """space: the program. state: the parent's active sources; nodes whose genes differ from those the
    cones are of; nodes of which it is known what is reached without them.
    """

    space: Workspace
    state: NDArray[np.uint64]


def room_of(layout: Layout, lean: Lean) -> ConeSymbolic:
    """Room to walk in."""
    return ConeSymbolic(workspace_of(layout, lean), np.zeros(3, dtype=np.uint64))


@inlined
def pass_from(space: Workspace, source: np.uint64, end: np.uint64) -> None:
    """Compute the cones of all nodes from a source on, two at a time (see `cone.pass_from`)."""
    while source < end:
        rolled()
        space.words[CONE + source] = cone_of(space, source)
        space.words[CONE + source + _ONE] = cone_of(space, source + _ONE)
        source += np.uint64(2)


@inlined
def find_dominators(space: Workspace) -> np.uint64:
    """Dominators of all active sources, a node being one of itself; returns the active sources.

    Every reader of a source comes before it in falling order, so the intersection over readers is
    complete when the source is reached.
    """
    words = space.words
    for source in range(_ZERO, _ONE << np.uint64(6)):
        words[DOMINATORS + source] = ~_ZERO
    top = first_of(space, OUTPUT)
    words[DOMINATORS + top] = _ZERO
    reached = _ONE << top
    waiting = nodes_of(space, reached)
    while waiting != _ZERO:
        rolled()
        node = highest(waiting)
        waiting ^= _ONE << node
        a, b = first_of(space, node), second_of(space, node)
        through = words[DOMINATORS + node] | _ONE << node
        words[DOMINATORS + a] &= through
        words[DOMINATORS + b] &= through
        read = _ONE << a | _ONE << b
        reached |= read
        waiting |= nodes_of(space, read)
    return np.uint64(reached)


@inlined
def not_dominated(space: Workspace, node: np.uint64) -> np.uint64:
    """The inputs that the parent reaches when a node is taken out, as bits."""
    reached = _ZERO
    for source in range(space.inputs):
        reached |= (~(space.words[DOMINATORS + source] >> node) & _ONE) << source
    return np.uint64(reached)


@inlined
def rank_of(inputs: np.uint64, reached: np.uint64) -> np.int64:
    """The number of inputs that are not reached."""
    return np.int64(inputs) - popcount(reached & ((_ONE << inputs) - _ONE))


@outlined
def rank(layout: Layout, room: ConeSymbolic, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    space = room.space
    load_genes(space, genes)
    pass_from(space, space.inputs, space.inputs + np.uint64(layout.nodes))
    reached = find_dominators(space)
    room.state[0] = reached & space.above | _ONE << OUTPUT
    room.state[1] = room.state[2] = _ZERO
    return rank_of(space.inputs, reached)


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: ConeSymbolic, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    space, words = room.space, room.space.words
    offspring, steps, kept = core.counters[OFFSPRING], core.counters[STEPS], np.int64(0)
    parent = core.counters[RANK]
    active, stale, known = room.state[0], room.state[1], room.state[2]
    last = space.inputs + np.uint64(layout.nodes)
    registers = load(core.stream)
    going = may_go_on(core)
    accepted = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(space, registers, active, accepted)
        offspring += 1
        stale_if_dropped = stale
        stale |= made.touched
        child = parent
        if made.changed:
            owner = node_of(made.place)
            a = b = first_of(space, owner)
            reached = _ZERO
            if owner != OUTPUT:
                b = second_of(space, owner)
                if (known >> owner) & _ONE == _ZERO:
                    known |= _ONE << owner
                    words[WITHOUT + owner] = not_dominated(space, owner)
                reached = words[WITHOUT + owner]
            if (words[CONE + a] | words[CONE + b]) & stale != _ZERO:
                pass_from(space, lowest(stale), last)
                stale = _ZERO
                stale_if_dropped = made.touched
            child = rank_of(space.inputs, reached | words[CONE + a] | words[CONE + b])
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            restore(space)
            stale = stale_if_dropped
        steps += np.int64(made.steps)
        kept += np.int64(accepted)
        if accepted and made.changed:
            active = find_dominators(space) & space.above | _ONE << OUTPUT
            known = _ZERO
        if child < parent:
            parent = child
            going = note(core, offspring, child)
    room.state[0], room.state[1], room.state[2] = active, stale, known
    store_genes(space, core)
    write_back(core, registers, offspring, steps, kept, accepted)
