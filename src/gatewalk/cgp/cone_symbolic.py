"""Symbolic evaluation of small programs: sets of sources as bits of one word.

With {AND} on the complete table of AND, fitness is 2^(n-i) - 1 where i inputs have a path to the
output (Lemma 2); with {XOR} on XOR, the output is the parity of the inputs with an odd number of
paths, and any parity but the full one is wrong on half of the rows. So one walk backwards from the
output, from node to sources in falling order, tells the rank. When a gene of node i changed,
nothing above i did: the walk starts at i, with the sources that the nodes above i read, which
were stored when the parent was accepted. Needs n + D <= 63, so that bit 63 can be the output.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.bits import highest
from gatewalk.cgp.core import LOGGED, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.mutation import SAM_PICKED
from gatewalk.cgp.offspring import accepts, keep, sam_by_word, settle, undo, write_counters
from gatewalk.cgp.registers import load, store
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.slots import Slots, owner_of, slots_of
from gatewalk.jit import Int, inlined
from gatewalk.popcount import popcount

LARGEST = 63  # sources
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


class ConeSymbolic(NamedTuple):
    """reached[j], odd[j]: sources read, and read on an odd number of paths, from above source j.

    state: the parent's active sources, and its sources of odd paths. parity: XOR, not AND.
    """

    slots: Slots
    reached: NDArray[np.uint64]
    odd: NDArray[np.uint64]
    state: NDArray[np.uint64]
    parity: bool


def room_of(layout: Layout, *, parity: bool, mutable_only: bool = False) -> ConeSymbolic:
    """Room to walk in."""
    return ConeSymbolic(
        slots_of(layout, mutable_only=mutable_only),
        np.zeros(LARGEST + 1, dtype=np.uint64),
        np.zeros(LARGEST + 1, dtype=np.uint64),
        np.zeros(2, dtype=np.uint64),
        parity,
    )


@inlined
def reads(genes: NDArray[np.int64], inputs: np.uint64, source: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The two sources that a node reads, as bits."""
    first = (source - inputs) * _THREE
    return _ONE << np.uint64(genes[first + _ONE]), _ONE << np.uint64(genes[first + _TWO])


@inlined
def below_change(
    layout: Layout, room: ConeSymbolic, genes: NDArray[np.int64], owner: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Sources reached, and on odd paths, by the nodes above `owner` and by `owner` itself."""
    inputs = np.uint64(layout.inputs)
    if owner == inputs + np.uint64(layout.nodes):
        bit = _ONE << np.uint64(genes[np.uint64(layout.nodes) * _THREE])
        return bit, bit
    reached, odd = room.reached[owner], room.odd[owner]
    a, b = reads(genes, inputs, owner)
    if room.parity and (odd >> owner) & _ONE != _ZERO:
        odd ^= a ^ b
    return reached | a | b, odd


@inlined
def walk_back(
    layout: Layout,
    room: ConeSymbolic,
    genes: NDArray[np.int64],
    owner: np.uint64,
    reached: np.uint64,
    odd: np.uint64,
    keeping: bool,
) -> tuple[np.uint64, np.uint64]:
    """Go from node to node below `owner` down to the inputs; `keeping`: store what each saw above it."""
    inputs = np.uint64(layout.inputs)
    nodes = ((_ONE << owner) - _ONE) & ~((_ONE << inputs) - _ONE)
    waiting = reached & nodes
    while waiting != _ZERO:
        source = highest(waiting)
        if keeping:
            room.reached[source] = reached
            room.odd[source] = odd
        a, b = reads(genes, inputs, source)
        if room.parity and (odd >> source) & _ONE != _ZERO:
            odd ^= a ^ b
        reached |= a | b
        waiting = (waiting | a | b) & nodes & ((_ONE << source) - _ONE)
    return reached, odd


@inlined
def rank_of(layout: Layout, room: ConeSymbolic, reached: np.uint64, odd: np.uint64) -> np.int64:
    """AND: the number of inputs missing. XOR: 0 if every input is there on an odd number of paths, else 1."""
    inputs = (_ONE << np.uint64(layout.inputs)) - _ONE
    if room.parity:
        return np.int64(odd & inputs != inputs)
    return np.int64(layout.inputs) - popcount(reached & inputs)


@inlined
def rank(layout: Layout, room: ConeSymbolic, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    output = np.uint64(layout.inputs + layout.nodes)
    reached, odd = below_change(layout, room, genes, output)
    reached, odd = walk_back(layout, room, genes, output, reached, odd, True)
    room.state[0] = reached | _ONE << output
    room.state[1] = odd
    return rank_of(layout, room, reached, odd)


@inlined
def advance(core: Core, layout: Layout, rule: Rule, room: ConeSymbolic, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    counters = core.counters
    offspring, steps, parent = counters[OFFSPRING], counters[STEPS], counters[RANK]
    active, odd = room.state[0], room.state[1]
    picked_ends = rule.mutation == SAM_PICKED
    output = _ONE << np.uint64(layout.inputs + layout.nodes)
    registers = load(core.stream)
    while parent > 0 and offspring < limit and counters[LOGGED] < core.log.shape[0]:
        record, changed, logged, turns, registers = sam_by_word(
            core, room.slots, registers, active, picked_ends
        )
        steps += turns
        offspring += 1
        child = parent
        owner = owner_of(record)
        if changed:
            reached, child_odd = below_change(layout, room, core.child, owner)
            reached, child_odd = walk_back(layout, room, core.child, owner, reached, child_odd, False)
            child = rank_of(layout, room, reached, child_odd)
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            undo(core, logged)
            continue
        keep(core, logged)
        if changed:
            reached, odd = below_change(layout, room, core.genes, owner)
            reached, odd = walk_back(layout, room, core.genes, owner, reached, odd, True)
            active = reached | output
        settle(core, offspring, child)
        parent = child
    room.state[0], room.state[1] = active, odd
    store(core.stream, registers)
    write_counters(core, offspring, steps)
