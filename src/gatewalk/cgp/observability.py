"""On which rows does an output see a node? Then an offspring needs no propagation.

The observability of node i for output o is the set of rows on which o changes when i does (the
don't-care sets of logic synthesis; the fault simulation of testing). Rows do not depend on each
other, so if a mutation changes the value of i by d, output o changes by d AND the observability:
exactly. It belongs to the parent, so that one computation serves all offspring in which i is hit,
until a parent is replaced. It is found by turning the node's value around and passing that upwards;
a new value is passed upwards in the same way when an offspring is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gatewalk.cgp.bits import lowest
from gatewalk.cgp.blocks import Words, gate_block, zeros
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.rows import Genes, Rows, sources_of
from gatewalk.jit import inlined, outlined

_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_SIX, _PLACE = np.uint64(6), np.uint64(63)


class Observability(NamedTuple):
    """seen[(b * outputs + o) * words + w]: rows of word w on which output o sees node b.

    known[b]: which blocks of it are known, if parent[b] is the number of the present parent, which
    is number[0]. sees[b]: outputs, as bits, that can see it on these.
    turned: other values of sources, laid out as their values, on the blocks of differs[s]. passed:
    the nodes that have any, passed[0 .. number[1]).
    """

    seen: Words
    known: Words
    sees: Words
    parent: Words
    number: Words
    turned: Words
    differs: Words
    passed: Words


def observability_of(layout: Layout, words: int) -> Observability:
    """Room for all nodes and outputs."""
    sources = layout.inputs + layout.nodes
    return Observability(
        zeros(layout.nodes * layout.outputs * words),
        np.zeros(layout.nodes, dtype=np.uint64),
        np.zeros(layout.nodes, dtype=np.uint64),
        np.zeros(layout.nodes, dtype=np.uint64),
        np.ones(2, dtype=np.uint64),
        zeros(sources * words),
        np.zeros(sources, dtype=np.uint64),
        np.zeros(sources, dtype=np.uint64),
    )


@inlined
def hit_before(room: Observability, node: np.uint64) -> bool:
    """Was a node hit before in this parent? From now on it was."""
    if room.parent[node] == room.number[0]:
        return True
    room.parent[node] = room.number[0]
    room.known[node] = room.sees[node] = _ZERO
    return False


@inlined
def pass_on(room: Observability, rows: Rows, genes: Genes, source: np.uint64) -> None:
    """Compute a node where its sources have other values; where its own stays, it ends there."""
    a, b = sources_of(rows, genes, source)
    waiting = room.differs[a] | room.differs[b]
    if waiting == _ZERO:
        return
    gate = np.uint64(genes[(source - rows.inputs) * _THREE])
    changed = _ZERO
    while waiting != _ZERO:
        block = lowest(waiting)
        waiting &= waiting - _ONE
        at = block * rows.block
        is_a, is_b = (room.differs[a] >> block) & _ONE != _ZERO, (room.differs[b] >> block) & _ONE != _ZERO
        different = _ZERO
        for w in range(_ZERO, rows.block, np.uint64(len(rows.lanes))):
            xs = room.turned if is_a else rows.values
            ys = room.turned if is_b else rows.values
            different |= gate_block(
                rows.lanes,
                room.turned,
                source * rows.words + at + w,
                rows.values,
                source * rows.words + at + w,
                xs,
                a * rows.words + at + w,
                ys,
                b * rows.words + at + w,
                rows.gates,
                gate,
            )
        changed |= np.uint64(different != _ZERO) << block
    if changed != _ZERO:
        room.differs[source] = changed
        room.passed[room.number[1]] = source
        room.number[1] += _ONE


@inlined
def pass_upwards(room: Observability, rows: Rows, genes: Genes, source: np.uint64) -> None:
    """From the turned blocks of a node to all active nodes above it."""
    room.passed[0] = source
    room.number[1] = _ONE
    node = source - rows.inputs
    word = node >> _SIX
    waiting = rows.active[word] & ~((_TWO << (node & _PLACE)) - _ONE)
    while True:
        while waiting != _ZERO:
            above = rows.inputs + (word << _SIX) + lowest(waiting)
            waiting &= waiting - _ONE
            pass_on(room, rows, genes, above)
        word += _ONE
        if word == np.uint64(rows.active.size):
            return
        waiting = rows.active[word]


@inlined
def come_down(room: Observability) -> None:
    """Forget all turned blocks."""
    for place in range(room.number[1]):
        room.differs[room.passed[place]] = _ZERO


@outlined
def observe(
    room: Observability, rows: Rows, genes: Genes, layout: Layout, source: np.uint64, blocks: np.uint64
) -> None:
    """Find these blocks of the observability of an active node, for all outputs, if they are not known."""
    outputs = np.uint64(layout.outputs)
    node = source - rows.inputs
    blocks &= ~room.known[node]
    if blocks == _ZERO:
        return
    waiting = blocks
    while waiting != _ZERO:
        start = source * rows.words + lowest(waiting) * rows.block
        waiting &= waiting - _ONE
        for w in range(rows.block):
            room.turned[start + w] = ~rows.values[start + w]
    room.differs[source] = blocks
    pass_upwards(room, rows, genes, source)
    for output in range(outputs):
        top = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
        room.sees[node] |= np.uint64(room.differs[top] != _ZERO) << np.uint64(output)
        waiting = blocks
        while waiting != _ZERO:
            block = lowest(waiting)
            waiting &= waiting - _ONE
            is_seen = (room.differs[top] >> block) & _ONE != _ZERO
            at = block * rows.block
            seen, value = (node * outputs + output) * rows.words + at, top * rows.words + at
            for w in range(rows.block):
                turned = room.turned[value + w] ^ rows.values[value + w]
                room.seen[seen + w] = turned & rows.mask[at + w] if is_seen else _ZERO
    come_down(room)
    room.known[node] |= blocks


@inlined
def adopt(room: Observability, rows: Rows) -> None:
    """The turned blocks become the values."""
    for place in range(room.number[1]):
        source = room.passed[place]
        waiting = room.differs[source]
        room.differs[source] = _ZERO
        while waiting != _ZERO:
            start = source * rows.words + lowest(waiting) * rows.block
            waiting &= waiting - _ONE
            for w in range(rows.block):
                rows.values[start + w] = room.turned[start + w]
