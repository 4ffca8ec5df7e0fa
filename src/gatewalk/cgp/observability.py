"""On which rows does an output see a node? Then an offspring needs no propagation.

The observability of node i for output o is the set of rows on which o changes when i does (the
don't-care sets of logic synthesis; the fault simulation of testing). Rows do not depend on each
other, so if a mutation changes the value of i by d, output o changes by d AND the observability:
exactly. It belongs to the parent, so that one computation serves all offspring in which i is hit,
until a parent is replaced. It is found by turning the node's value around and passing that upwards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.layout import Layout
from gatewalk.cgp.rows import Rows, ensure, gate_word, reads_second
from gatewalk.jit import inlined, outlined

Words = NDArray[np.uint64]
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


class Observability(NamedTuple):
    """seen[(b * outputs + o) * words + w]: rows of word w on which output o sees node b.

    known[b]: which blocks of it are known; sees[b]: outputs, as bits, that can see it on these.
    turned: values after turning a node around, laid out as those of sources; is_turned: where that
    made a difference. order: the active nodes, rising; size[0]: how many.
    """

    seen: Words
    known: Words
    sees: Words
    turned: Words
    is_turned: NDArray[np.uint8]
    order: Words
    size: Words


def observability_of(layout: Layout, words: int) -> Observability:
    """Room for all nodes and outputs."""
    sources = layout.inputs + layout.nodes
    return Observability(
        np.zeros(layout.nodes * layout.outputs * words, dtype=np.uint64),
        np.zeros(layout.nodes, dtype=np.uint64),
        np.zeros(layout.nodes, dtype=np.uint64),
        np.zeros(sources * words, dtype=np.uint64),
        np.zeros(sources, dtype=np.uint8),
        np.zeros(layout.nodes, dtype=np.uint64),
        np.zeros(1, dtype=np.uint64),
    )


@inlined
def turn_around(room: Observability, rows: Rows, source: np.uint64, at: np.uint64) -> None:
    """Start with the complement of a node's block."""
    start = source * rows.words + at
    for w in range(rows.block):
        room.turned[start + w] = ~rows.values[start + w]
    room.is_turned[source] = 1


@inlined
def pass_on(
    room: Observability,
    rows: Rows,
    genes: NDArray[np.int64],
    inputs: np.uint64,
    source: np.uint64,
    block: np.uint64,
) -> None:
    """Compute a node's block from turned sources, if it has any; a value that stays ends it there."""
    first = (source - inputs) * _THREE
    gate = np.uint64(genes[first])
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    second = room.is_turned[b] != 0 and reads_second(rows.gates, gate)
    if room.is_turned[a] == 0 and not second:
        return
    ensure(rows, genes, inputs, source, block)
    at = block * rows.block
    result = source * rows.words + at
    difference = _ZERO
    for w in range(rows.block):
        i, j = a * rows.words + at + w, b * rows.words + at + w
        x = room.turned[i] if room.is_turned[a] != 0 else rows.values[i]
        y = room.turned[j] if room.is_turned[b] != 0 else rows.values[j]
        value = gate_word(rows.gates, gate, x, y)
        room.turned[result + w] = value
        difference |= value ^ rows.values[result + w]
    room.is_turned[source] = np.uint8(difference != _ZERO)


@outlined
def observe(
    room: Observability,
    rows: Rows,
    genes: NDArray[np.int64],
    layout: Layout,
    source: np.uint64,
    block: np.uint64,
) -> None:
    """Find a block of the observability of an active node, for all outputs."""
    inputs, outputs = np.uint64(layout.inputs), np.uint64(layout.outputs)
    at = block * rows.block
    turn_around(room, rows, source, at)
    position = room.size[0]
    while position != _ZERO and room.order[position - _ONE] > source:
        position -= _ONE
    for place in range(position, room.size[0]):
        pass_on(room, rows, genes, inputs, room.order[place], block)
    node = source - inputs
    output_gene = np.uint64(layout.nodes) * _THREE
    for output in range(outputs):
        top = np.uint64(genes[output_gene + output])
        seen = (node * outputs + output) * rows.words + at
        start = top * rows.words + at
        if room.is_turned[top] == 0:
            for w in range(rows.block):
                room.seen[seen + w] = _ZERO
            continue
        room.sees[node] |= _ONE << output
        for w in range(rows.block):
            room.seen[seen + w] = (room.turned[start + w] ^ rows.values[start + w]) & rows.mask[at + w]
    room.is_turned[source] = 0
    for place in range(position, room.size[0]):
        room.is_turned[room.order[place]] = 0
    room.known[node] |= _ONE << block
