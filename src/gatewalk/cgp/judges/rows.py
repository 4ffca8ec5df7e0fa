"""Values of sources on packed rows, in one part or two, with the set of active nodes and its upkeep.

Active nodes always have the values of the parent. An inactive node has no value until an offspring
reads it: then it, and the inactive nodes under it, are computed in the order of their numbers.
Active is what has readers: counts of readers are kept, so that replacing a parent costs only what
it switches on and off. A large table has a head, which is looked at first, and a tail.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.large import Genes
from gatewalk.cgp.layout import Layout, gate_words
from gatewalk.native.bits import highest, lowest
from gatewalk.native.blocks import Lanes, Words, gate_block, zeros
from gatewalk.native.jit import inlined

WIDE = 8  # words computed together: 512 bits
HEAD = 64  # words of the head, of tables that have more than twice as many
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_SIX, _PLACE, _ALL = np.uint64(6), np.uint64(63), ~np.uint64(0)


class Rows(NamedTuple):
    """values[s * words + w]: word w of source s. wanted: the target in the same way. mask: used bits.

    output_gene: the first one. words: of a source; head: those of part 0; both are multiples of
    len(lanes), which is a constant to the compiler: 1 if there is a single word. parts: the set of all.
    gates: see `gate_words`.
    readers[s]: how many active nodes and outputs read source s; so it tells what is active (see `large`).
    active, needed, hit: nodes as bits. stack: room to walk in.
    """

    lanes: Lanes
    inputs: np.uint64
    outputs: np.uint64
    output_gene: np.uint64
    words: np.uint64
    head: np.uint64
    parts: np.uint64
    values: Words
    wanted: Words
    mask: Words
    gates: Words
    readers: NDArray[np.int32]
    active: Words
    needed: Words
    hit: Words
    stack: Words


def rows_of(layout: Layout, training: TrainingSet) -> Rows:
    """Room for the values of all sources on a training set."""
    used = training.inputs.shape[1]
    lanes = WIDE if used > 1 else 1
    words = lanes * -(-used // lanes)
    head = words if words <= 2 * HEAD else HEAD
    sources = layout.inputs + layout.nodes
    values = zeros(sources * words).reshape(sources, words)
    values[: layout.inputs, :used] = training.inputs
    wanted = zeros(layout.outputs * words).reshape(layout.outputs, words)
    wanted[:, :used] = training.outputs
    mask = zeros(words)
    mask[:used] = _ALL
    mask[used - 1] = last_mask(training.rows)
    sets = (layout.nodes + 63) // 64
    return Rows(
        (0,) * lanes,
        np.uint64(layout.inputs),
        np.uint64(layout.outputs),
        np.uint64(layout.nodes * layout.block),
        np.uint64(words),
        np.uint64(head),
        _ONE if head == words else _THREE,
        values.ravel(),
        wanted.ravel(),
        mask,
        gate_words(layout).ravel(),
        np.zeros(sources + 2, dtype=np.int32),
        np.zeros(sets, dtype=np.uint64),
        np.zeros(sets, dtype=np.uint64),
        np.zeros(sets, dtype=np.uint64),
        np.zeros(2 * sources + 2, dtype=np.uint64),
    )


@inlined
def sources_of(rows: Rows, genes: Genes, source: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The sources a node reads; the first one twice if its gate reads only that."""
    first = (source - rows.inputs) * _THREE
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    reads_second = rows.gates[(np.uint64(genes[first]) << _THREE) + np.uint64(4)] != _ZERO
    return a, b if reads_second else a


@inlined
def bounds_of(rows: Rows, part: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The first word of a part, and the one after its last."""
    if len(rows.lanes) == 1:  # a single word: loops over it become one step when they are compiled
        return _ZERO, _ONE
    return part * rows.head, rows.head if part == _ZERO else rows.words


@inlined
def span_of(rows: Rows, parts: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The first word of some parts, and the one after their last."""
    start, _ = bounds_of(rows, lowest(parts))
    _, end = bounds_of(rows, highest(parts))
    return start, end


@inlined
def compute_into(rows: Rows, out: Words, genes: Genes, source: np.uint64, part: np.uint64) -> np.uint64:
    """Compute a part of a node into out; returns the bits that differ from its value."""
    first = (source - rows.inputs) * _THREE
    gate = np.uint64(genes[first])
    a, b = np.uint64(genes[first + _ONE]) * rows.words, np.uint64(genes[first + _TWO]) * rows.words
    result = source * rows.words
    different = _ZERO
    start, end = bounds_of(rows, part)
    for w in range(start, end, np.uint64(len(rows.lanes))):
        different |= gate_block(
            rows.lanes, out, result + w, rows.values, result + w, rows.values, a + w, rows.values, b + w,
            rows.gates, gate,
        )  # fmt: skip
    return different


@inlined
def need(rows: Rows, source: np.uint64) -> None:
    """Put a source on the list of needed nodes if it is an inactive node."""
    if rows.readers[source] == 0 and source >= rows.inputs:
        node = source - rows.inputs
        rows.needed[node >> _SIX] |= _ONE << (node & _PLACE)


@inlined
def collect(rows: Rows, genes: Genes, top: np.uint64) -> None:
    """Complete the list by all inactive nodes under it; `top` is the highest source on it."""
    word = (top - rows.inputs) >> _SIX
    while True:
        waiting = rows.needed[word]
        while waiting != _ZERO:
            place = highest(waiting)
            a, b = sources_of(rows, genes, rows.inputs + (word << _SIX) + place)
            need(rows, a)
            need(rows, b)
            waiting = rows.needed[word] & ((_ONE << place) - _ONE)
        if word == _ZERO:
            return
        word -= _ONE


@inlined
def compute_needed(rows: Rows, genes: Genes, top: np.uint64, part: np.uint64) -> None:
    """Compute a part of the needed nodes, up to source `top`, in rising order."""
    for word in range(((top - rows.inputs) >> _SIX) + _ONE):
        waiting = rows.needed[word]
        while waiting != _ZERO:
            source = rows.inputs + (np.uint64(word) << _SIX) + lowest(waiting)
            waiting &= waiting - _ONE
            compute_into(rows, rows.values, genes, source, part)


@inlined
def forget_needed(rows: Rows, top: np.uint64) -> None:
    """Empty the list."""
    for word in range(((top - rows.inputs) >> _SIX) + _ONE):
        rows.needed[word] = _ZERO


@inlined
def push(stack: Words, height: np.uint64, a: np.uint64, b: np.uint64) -> np.uint64:
    """Put two sources, or one if they are the same, on the stack; returns its height."""
    stack[height], stack[height + _ONE] = a, b
    return height + (_ONE if a == b else _TWO)


@inlined
def acquire(rows: Rows, genes: Genes, a: np.uint64, b: np.uint64) -> None:
    """One reader more: a node without any was inactive until now, and reads its sources from now on."""
    height = push(rows.stack, _ZERO, a, b)
    while height != _ZERO:
        height -= _ONE
        top = rows.stack[height]
        rows.readers[top] += 1
        if rows.readers[top] == 1 and top >= rows.inputs:
            node = top - rows.inputs
            rows.active[node >> _SIX] |= _ONE << (node & _PLACE)
            x, y = sources_of(rows, genes, top)
            height = push(rows.stack, height, x, y)


@inlined
def release(rows: Rows, genes: Genes, a: np.uint64, b: np.uint64) -> None:
    """One reader less: a node without any is inactive from now on, and reads its sources no more."""
    height = push(rows.stack, _ZERO, a, b)
    while height != _ZERO:
        height -= _ONE
        top = rows.stack[height]
        rows.readers[top] -= 1
        if rows.readers[top] == 0 and top >= rows.inputs:
            node = top - rows.inputs
            rows.active[node >> _SIX] &= ~(_ONE << (node & _PLACE))
            x, y = sources_of(rows, genes, top)
            height = push(rows.stack, height, x, y)
