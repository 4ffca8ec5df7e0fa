"""On which rows does an output see a node? Then an offspring needs no propagation.

The observability of node i for output o is the set of rows on which o changes when i does (the
don't-care sets of logic synthesis; the fault simulation of testing). Rows do not depend on each
other, so if a mutation changes the value of i by d, output o changes by d AND the observability:
exactly. It belongs to the parent, so that one computation serves all offspring in which i is hit,
until a parent is replaced. It is found by turning the node's value around and passing that upwards;
a new value is passed upwards in the same way, to judge it or when an offspring is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gatewalk.cgp.judges.rows import Rows, bounds_of, compute, span_of
from gatewalk.cgp.large import Genes
from gatewalk.cgp.layout import Layout
from gatewalk.native.bits import lowest
from gatewalk.native.blocks import Words, copy, seen_block, xor_block, zeros
from gatewalk.native.jit import inlined, internal

_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_SIX, _PLACE = np.uint64(6), np.uint64(63)


class Observability(NamedTuple):
    """seen[(b * outputs + o) * words + w]: rows of word w on which output o counts and sees node b.

    known[b]: which parts of it are known, if parent[b] is the number of the present parent, which
    is number[0]. sees[b]: outputs, as bits, that can see it on these.
    turned: other values of sources, laid out as their values, on the parts of differs[s]. passed:
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
        np.array([1, 0], dtype=np.uint64),
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
def compute_turned(
    room: Observability, rows: Rows, out: Words, genes: Genes, source: np.uint64, part: np.uint64
) -> np.uint64:
    """Compute a part of a node into out, from turned values; returns the bits that differ."""
    first = (source - rows.inputs) * _THREE
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    xs = room.turned if (room.differs[a] >> part) & _ONE != _ZERO else rows.values
    ys = room.turned if (room.differs[b] >> part) & _ONE != _ZERO else rows.values
    return compute(rows, out, xs, ys, genes, source, part)


@inlined
def differ(room: Observability, source: np.uint64, parts: np.uint64) -> None:
    """These parts of a source are turned."""
    room.differs[source] = parts
    room.passed[room.number[1]] = source
    room.number[1] += _ONE


@inlined
def turn(
    room: Observability, rows: Rows, genes: Genes, source: np.uint64, parts: np.uint64, alone: bool
) -> np.uint64:
    """Compute parts of a node from turned values of its sources; returns those where its own changes.

    alone: nothing is turned yet.
    """
    changed, values = _ZERO, rows.values
    while parts != _ZERO:
        part = lowest(parts)
        parts &= parts - _ONE
        if alone:
            different = compute(rows, room.turned, values, values, genes, source, part)
        else:
            different = compute_turned(room, rows, room.turned, genes, source, part)
        changed |= np.uint64(different != _ZERO) << part
    if changed != _ZERO:
        differ(room, source, changed)
    return np.uint64(changed)


@inlined
def pass_on(room: Observability, rows: Rows, genes: Genes, source: np.uint64) -> None:
    """Compute a node where its sources have other values.

    A second source that its gate does not read makes no difference, but asking would.
    """
    first = (source - rows.inputs) * _THREE
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    waiting = room.differs[a] | room.differs[b]
    if waiting != _ZERO:
        turn(room, rows, genes, source, waiting, False)


@inlined
def _nodes(rows: Rows, word: np.uint64, alone: bool) -> np.uint64:
    return np.uint64(rows.active[word] if alone else rows.active[word] | rows.needed[word])


@inlined
def pass_upwards(
    room: Observability, rows: Rows, genes: Genes, low: np.uint64, parts: np.uint64, alone: bool
) -> None:
    """To all active nodes above what changed, in rising order.

    alone: that is one node, `low`, turned already. Else it is the nodes in `rows.hit`, with other genes:
    these are turned on their way, and inactive nodes that are needed are computed, since they may read what
    was turned; they have no value to differ from, and only nodes that are computed anyway read them. Of all
    these `low` is the lowest.
    """
    node = low - rows.inputs
    word = node >> _SIX
    waiting = _nodes(rows, word, alone) & ~(((_TWO if alone else _ONE) << (node & _PLACE)) - _ONE)
    while True:
        while waiting != _ZERO:
            place = lowest(waiting)
            waiting &= waiting - _ONE
            source = rows.inputs + (word << _SIX) + place
            if not alone and (rows.needed[word] >> place) & _ONE != _ZERO:
                for part in range(np.uint64(2)):
                    if (parts >> np.uint64(part)) & _ONE != _ZERO:
                        compute_turned(room, rows, rows.values, genes, source, np.uint64(part))
            elif not alone and (rows.hit[word] >> place) & _ONE != _ZERO:
                turn(room, rows, genes, source, parts, False)
            else:
                pass_on(room, rows, genes, source)
        word += _ONE
        if word == np.uint64(rows.active.size):
            return
        waiting = _nodes(rows, word, alone)


@inlined
def come_down(room: Observability) -> None:
    """Forget all turned parts."""
    for place in range(room.number[1]):
        room.differs[room.passed[place]] = _ZERO
    room.number[1] = _ZERO


@internal
def observe(room: Observability, rows: Rows, genes: Genes, source: np.uint64, parts: np.uint64) -> None:
    """Find these parts of the observability of an active node, for all outputs, if they are not known."""
    outputs = rows.outputs
    node = source - rows.inputs
    parts &= ~room.known[node]
    if parts == _ZERO:
        return
    lanes = np.uint64(len(rows.lanes))
    start, end = span_of(rows, parts)
    for w in range(start, end, lanes):
        value = source * rows.words + w
        xor_block(rows.lanes, room.turned, value, rows.values, value, rows.used, np.uint64(w))
    differ(room, source, parts)
    pass_upwards(room, rows, genes, source, parts, True)
    for output in range(outputs):
        top = np.uint64(genes[rows.output_gene + output])
        room.sees[node] |= np.uint64(room.differs[top] != _ZERO) << np.uint64(output)
        waiting = parts
        while waiting != _ZERO:
            part = lowest(waiting)
            waiting &= waiting - _ONE
            others = room.turned if (room.differs[top] >> part) & _ONE != _ZERO else rows.values
            start, end = bounds_of(rows, part)
            for w in range(start, end, lanes):
                value, at = top * rows.words + w, (node * outputs + output) * rows.words + w
                goal = np.uint64(output) * rows.words + w
                seen_block(rows.lanes, room.seen, at, others, value, rows.values, value, rows.counted, goal)
    come_down(room)
    room.known[node] |= parts


@inlined
def adopt(room: Observability, rows: Rows) -> None:
    """The turned parts become the values."""
    for place in range(room.number[1]):
        source = room.passed[place]
        start, end = span_of(rows, room.differs[source])
        room.differs[source] = _ZERO
        first = source * rows.words + start
        copy(rows.values, first, room.turned, first, end - start)
    room.number[1] = _ZERO
