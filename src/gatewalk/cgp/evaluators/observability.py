"""Observability: on which rows an output sees a node, so that a new value need not be passed upwards.

The observability of node i for output o is the set of rows on which o changes when i does (the complement of
the don't-care set in logic synthesis; fault simulation in testing finds the same). Rows do not depend on each
other, so if a mutation changes the value of i by d, output o changes by exactly d AND the observability. It
is a property of the parent: computed once, it serves all offspring in which i is hit, until the parent is
replaced.

It is found by inverting the value of the node and passing that upwards. Values of an offspring that differ
from the parent's are called *turned*: they are kept next to the parent's values and passed upwards in the
same way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gatewalk.cgp.evaluators.rows import Rows, bounds_of, compute, span_of
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Genes
from gatewalk.native.bits import lowest
from gatewalk.native.blocks import Words, copy, seen_block, xor_block, zeros
from gatewalk.native.jit import inlined, internal

_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_SIX, _PLACE = np.uint64(6), np.uint64(63)


class Observability(NamedTuple):
    """The observability of the nodes of a parent, and the turned values of an offspring.

    seen[(b * outputs + o) * words + w]: the rows of word w on which output o counts and sees node b.
    known[b]: the parts of the rows for which that is known, provided that parent[b] is the number of the
        present parent, number[0].
    sees[b]: the outputs, as bits, that see node b on some of these rows.
    turned: the turned values of sources, in the layout of `Rows.values`; valid on the parts differs[s].
    passed: the nodes with turned values, passed[0] to passed[number[1] - 1].
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
    """Arrays for all nodes and outputs, with nothing known yet."""
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
def hit_before(seen: Observability, node: np.uint64) -> bool:
    """Whether a node was hit before in an offspring of this parent; from now on it was."""
    if seen.parent[node] == seen.number[0]:
        return True
    seen.parent[node] = seen.number[0]
    seen.known[node] = seen.sees[node] = _ZERO
    return False


@inlined
def compute_turned(
    seen: Observability, rows: Rows, out: Words, genes: Genes, source: np.uint64, part: np.uint64
) -> np.uint64:
    """Compute a part of a node into out, from turned values of its sources where there are any.

    Returns the bits that differ from the value of the node.
    """
    first = (source - rows.inputs) * _THREE
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    xs = seen.turned if (seen.differs[a] >> part) & _ONE != _ZERO else rows.values
    ys = seen.turned if (seen.differs[b] >> part) & _ONE != _ZERO else rows.values
    return compute(rows, out, xs, ys, genes, source, part)


@inlined
def differ(seen: Observability, source: np.uint64, parts: np.uint64) -> None:
    """Note that a source has turned values on these parts."""
    seen.differs[source] = parts
    seen.passed[seen.number[1]] = source
    seen.number[1] += _ONE


@inlined
def turn(
    seen: Observability, rows: Rows, genes: Genes, source: np.uint64, parts: np.uint64, alone: bool
) -> np.uint64:
    """Compute the turned values of a node on some parts; returns the parts on which its value changes.

    alone: no source has turned values yet, so none is checked; that saves a tenth of the time on parities.
    """
    changed, values = _ZERO, rows.values
    while parts != _ZERO:
        part = lowest(parts)
        parts &= parts - _ONE
        if alone:
            different = compute(rows, seen.turned, values, values, genes, source, part)
        else:
            different = compute_turned(seen, rows, seen.turned, genes, source, part)
        changed |= np.uint64(different != _ZERO) << part
    if changed != _ZERO:
        differ(seen, source, changed)
    return np.uint64(changed)


@inlined
def pass_on(seen: Observability, rows: Rows, genes: Genes, source: np.uint64) -> None:
    """Compute the turned values of a node on the parts on which its sources have turned values.

    A source that the gate does not read may be among them. Then nothing changes; checking the gate first
    would take longer.
    """
    first = (source - rows.inputs) * _THREE
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    left = seen.differs[a] | seen.differs[b]
    if left != _ZERO:
        turn(seen, rows, genes, source, left, False)


@inlined
def _nodes(rows: Rows, word: np.uint64, alone: bool) -> np.uint64:
    return np.uint64(rows.active[word] if alone else rows.active[word] | rows.needed[word])


@inlined
def pass_upwards(
    seen: Observability, rows: Rows, genes: Genes, low: np.uint64, parts: np.uint64, alone: bool
) -> None:
    """Compute the turned values of all active nodes above those that changed, in rising order.

    alone: only the node `low` changed, and it has its turned values already. Otherwise the nodes in
    `rows.hit` changed, and are turned when their turn comes; the inactive nodes in `rows.needed` are computed
    too, since they may read turned values. They get plain values: they have none of the parent that these
    could differ from, and only nodes that are computed anyway read them. `low` is the lowest of all these
    nodes.
    """
    node = low - rows.inputs
    word = node >> _SIX
    left = _nodes(rows, word, alone) & ~(((_TWO if alone else _ONE) << (node & _PLACE)) - _ONE)
    while True:
        while left != _ZERO:
            place = lowest(left)
            left &= left - _ONE
            source = rows.inputs + (word << _SIX) + place
            if not alone and (rows.needed[word] >> place) & _ONE != _ZERO:
                for part in range(np.uint64(2)):
                    if (parts >> np.uint64(part)) & _ONE != _ZERO:
                        compute_turned(seen, rows, rows.values, genes, source, np.uint64(part))
            elif not alone and (rows.hit[word] >> place) & _ONE != _ZERO:
                turn(seen, rows, genes, source, parts, False)
            else:
                pass_on(seen, rows, genes, source)
        word += _ONE
        if word == np.uint64(rows.active.size):
            return
        left = _nodes(rows, word, alone)


@inlined
def come_down(seen: Observability) -> None:
    """Forget all turned values."""
    for place in range(seen.number[1]):
        seen.differs[seen.passed[place]] = _ZERO
    seen.number[1] = _ZERO


@internal
def observe(seen: Observability, rows: Rows, genes: Genes, source: np.uint64, parts: np.uint64) -> None:
    """Find the observability of an active node on these parts, for all outputs, unless it is known."""
    outputs = rows.outputs
    node = source - rows.inputs
    parts &= ~seen.known[node]
    if parts == _ZERO:
        return
    lanes = np.uint64(len(rows.lanes))
    start, end = span_of(rows, parts)
    for w in range(start, end, lanes):
        value = source * rows.words + w
        xor_block(rows.lanes, seen.turned, value, rows.values, value, rows.used, np.uint64(w))
    differ(seen, source, parts)
    pass_upwards(seen, rows, genes, source, parts, True)
    for output in range(outputs):
        top = np.uint64(genes[rows.output_gene + output])
        seen.sees[node] |= np.uint64(seen.differs[top] != _ZERO) << np.uint64(output)
        left = parts
        while left != _ZERO:
            part = lowest(left)
            left &= left - _ONE
            others = seen.turned if (seen.differs[top] >> part) & _ONE != _ZERO else rows.values
            start, end = bounds_of(rows, part)
            for w in range(start, end, lanes):
                value, at = top * rows.words + w, (node * outputs + output) * rows.words + w
                goal = np.uint64(output) * rows.words + w
                seen_block(rows.lanes, seen.seen, at, others, value, rows.values, value, rows.counted, goal)
    come_down(seen)
    seen.known[node] |= parts


@inlined
def adopt(seen: Observability, rows: Rows) -> None:
    """Make the turned values those of the parent."""
    for place in range(seen.number[1]):
        source = seen.passed[place]
        start, end = span_of(rows, seen.differs[source])
        seen.differs[source] = _ZERO
        first = source * rows.words + start
        copy(rows.values, first, seen.turned, first, end - start)
    seen.number[1] = _ZERO
