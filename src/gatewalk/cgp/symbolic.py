"""Symbolic evaluation of programs of any size: {AND} on AND, {XOR} on XOR, complete tables.

The laws are those of `cone_symbolic`; here a source has a byte, so that n and D may be thousands.
Going through the nodes in falling order, each hands its mark to the sources that it reads; there
is no branch in it for the processor to guess. For AND, a source is reached from above node i
exactly if the highest active node that reads it is above i: so the pass begins at the changed
node. Paths cannot be told apart in that way, so for XOR it begins at the output.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.core import EAGER, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.offspring import Draws, count_undrawn, draws_of, next_offspring, pay_for_accepted, undo
from gatewalk.cgp.registers import load
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.slots import owner_of
from gatewalk.cgp.verdict import accepts, keep_child, may_go_on, note, write_back
from gatewalk.jit import Int, inlined, outlined

REACHED, ODD = np.uint8(1), np.uint8(2)
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_SIX, _PLACE = np.uint64(6), np.uint64(63)


class Symbolic(NamedTuple):
    """marks[s]: REACHED if source s has a path to the output, ODD if an odd number of paths.

    draws: with the parent's marks and active nodes. reader: the highest active node that reads a source in
    the parent; n + D is the output, -1 none. parity: XOR, not AND.
    """

    draws: Draws
    marks: NDArray[np.uint8]
    reader: NDArray[np.int32]
    parity: bool


def room_of(layout: Layout, lean: Lean, *, parity: bool) -> Symbolic:
    """Room to walk in."""
    places = layout.inputs + layout.nodes + 1
    active = np.zeros(places, dtype=np.uint8)
    bits = np.zeros((layout.nodes + 63) // 64, dtype=np.uint64)
    return Symbolic(
        draws_of(layout, lean, active, bits),
        np.zeros(places, dtype=np.uint8),
        np.full(places, -1, dtype=np.int32),
        parity,
    )


@inlined
def hand_on(genes: NDArray[np.int64], inputs: np.uint64, marks: NDArray[np.uint8], source: np.uint64) -> None:
    """Give a node's mark to the two sources that it reads."""
    first = (source - inputs) * _THREE
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    reached, odd = marks[source] & REACHED, marks[source] & ODD
    marks[a] = (marks[a] | reached) ^ odd
    marks[b] = (marks[b] | reached) ^ odd


@inlined
def mark_below(genes: NDArray[np.int64], layout: Layout, marks: NDArray[np.uint8], top: np.uint64) -> None:
    """Hand marks on from the nodes below source `top`, down to the inputs."""
    inputs = np.uint64(layout.inputs)
    source = top
    while source > inputs:
        source -= _ONE
        hand_on(genes, inputs, marks, source)


@inlined
def mark_from_output(
    layout: Layout, marks: NDArray[np.uint8], parity: bool, genes: NDArray[np.int64]
) -> None:
    """Mark every source from the output gene."""
    for source in range(np.uint64(marks.size)):
        marks[source] = 0
    marks[np.uint64(genes[layout.nodes * layout.block])] = REACHED | ODD if parity else REACHED
    mark_below(genes, layout, marks, np.uint64(layout.inputs + layout.nodes))


@inlined
def mark_from_change(layout: Layout, room: Symbolic, genes: NDArray[np.int64], owner: np.uint64) -> None:
    """Mark the sources below a changed node, given what the parent's nodes above it read (AND only)."""
    marks = room.marks
    for source in range(owner):
        marks[source] = np.uint8(room.reader[source] > np.int32(owner))
    marks[owner] = REACHED
    mark_below(genes, layout, marks, owner + _ONE)


@inlined
def rank_of(layout: Layout, marks: NDArray[np.uint8], parity: bool) -> Int:
    """AND: the number of inputs missing. XOR: 0 if every input has the mark ODD, else 1."""
    missing = np.int64(0)
    wanted = ODD if parity else REACHED
    for source in range(np.uint64(layout.inputs)):
        missing += np.int64(marks[source] & wanted == 0)
    return min(missing, np.int64(1)) if parity else missing


@inlined
def take(layout: Layout, room: Symbolic, genes: NDArray[np.int64]) -> None:
    """Take a program as the parent."""
    output = np.uint64(layout.inputs + layout.nodes)
    mark_from_output(layout, room.marks, room.parity, genes)
    reader = room.reader
    for place in range(output):
        room.draws.active[place] = room.marks[place]
        reader[place] = -1
    room.draws.active[output] = REACHED
    for word in range(np.uint64(room.draws.bits.size)):
        room.draws.bits[word] = _ZERO
    for node in range(np.uint64(layout.nodes)):  # rising, so the highest reader is written last
        source = np.uint64(layout.inputs) + node
        room.draws.bits[node >> _SIX] |= np.uint64(room.draws.active[source] & REACHED) << (
            np.uint64(node) & _PLACE
        )
        if room.draws.active[source]:
            reader[np.uint64(genes[node * _THREE + _ONE])] = np.int32(source)
            reader[np.uint64(genes[node * _THREE + _TWO])] = np.int32(source)
    reader[np.uint64(genes[np.uint64(layout.nodes) * _THREE])] = np.int32(output)


@outlined
def rank(layout: Layout, room: Symbolic, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    take(layout, room, genes)
    return rank_of(layout, room.marks, room.parity)


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: Symbolic, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    offspring, steps, kept = core.counters[OFFSPRING], core.counters[STEPS], np.int64(0)
    parent, pending = core.counters[RANK], np.int64(0)
    output = np.uint64(layout.inputs + layout.nodes)
    registers = load(core.stream)
    going = may_go_on(core)
    eager = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(core.child, room.draws, registers, eager)
        steps += np.int64(made.steps)
        offspring += 1
        child = parent
        if made.changed:
            owner = owner_of(made.record)
            if room.parity or owner == output:
                mark_from_output(layout, room.marks, room.parity, core.child)
            else:
                mark_from_change(layout, room, core.child, owner)
            child = rank_of(layout, room.marks, room.parity)
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            undo(core.child, room.draws.log, made.logged)
            pending += np.int64(not made.drifted)
            eager = False
            continue
        more, registers = pay_for_accepted(core, core.child, room.draws, registers, made, pending)
        steps += more
        pending = np.int64(0)
        if made.changed:
            take(layout, room, core.child)
        eager = True
        kept += 1
        if child < parent:
            parent = child
            going = note(core, offspring, child)
    count_undrawn(core, room.draws, pending)
    keep_child(core)
    write_back(core, registers, offspring, steps, kept, eager)
