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

from gatewalk.boolean.padding import padded
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.large import Genes
from gatewalk.cgp.layout import Layout, gate_forms
from gatewalk.native.bits import flip, highest, lowest, put
from gatewalk.native.blocks import Lanes, Words, gate_columns, zeros
from gatewalk.native.jit import inlined

WIDE = 8  # words computed together: 512 bits
HEAD = 64  # words of the head, of tables that have more than twice as many
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_SIX = np.uint64(6)


class Rows(NamedTuple):
    """values[s * words + w]: word w of source s. wanted: the target in the same way; counted: the bits of it
    that count. used: the bits of a word that count for any output.

    output_gene: the first one. words: of a source; head: those of part 0; both are multiples of
    len(lanes), which is a constant to the compiler: 1 if there is a single word. parts: the set of all.
    gates: see `gate_forms`.
    readers[s]: how many active nodes and outputs read source s; so it tells what is active (see `large`).
    active, needed, hit: nodes as bits. stack: scratch space.
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
    counted: Words
    used: Words
    gates: Words
    readers: NDArray[np.int32]
    active: Words
    needed: Words
    hit: Words
    stack: Words


def rows_of(layout: Layout, training: TrainingSet) -> Rows:
    """Arrays for the values of all sources on a training set."""
    filled = training.inputs.shape[1]
    lanes = WIDE if filled > 1 else 1
    words = lanes * -(-filled // lanes)
    head = words if words <= 2 * HEAD else HEAD
    sources = layout.inputs + layout.nodes
    active, needed, hit = np.zeros((3, (layout.nodes + 63) // 64), dtype=np.uint64)
    values, wanted, counted = padded(training, sources=sources, first=0, words=words)
    used = zeros(words)
    np.bitwise_or.reduce(counted.reshape(-1, words), out=used)
    return Rows(
        (0,) * lanes,
        np.uint64(layout.inputs),
        np.uint64(layout.outputs),
        np.uint64(layout.nodes * layout.block),
        np.uint64(words),
        np.uint64(head),
        _ONE if head == words else _THREE,
        values,
        wanted,
        counted,
        used,
        gate_forms(layout).ravel(),
        np.zeros(sources + 2, dtype=np.int32),
        active,
        needed,
        hit,
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
def compute(
    rows: Rows, out: Words, xs: Words, ys: Words, genes: Genes, source: np.uint64, part: np.uint64
) -> np.uint64:
    """Compute a part of a node into out, from values of its first source in xs, of its second in ys.

    Returns the bits that differ from its value.
    """
    first, at = (source - rows.inputs) * _THREE, source * rows.words
    a, b = np.uint64(genes[first + _ONE]) * rows.words, np.uint64(genes[first + _TWO]) * rows.words
    start, end = bounds_of(rows, part)
    return gate_columns(
        rows.lanes, out, at, rows.values, xs, a, ys, b, rows.gates, np.uint64(genes[first]), start, end
    )


@inlined
def compute_parts(rows: Rows, genes: Genes, source: np.uint64, parts: np.uint64) -> None:
    """Compute parts of a node as its value."""
    while parts != _ZERO:
        compute(rows, rows.values, rows.values, rows.values, genes, source, lowest(parts))
        parts &= parts - _ONE


@inlined
def need(rows: Rows, source: np.uint64) -> None:
    """Put a source on the list of needed nodes if it is an inactive node."""
    if rows.readers[source] == 0 and source >= rows.inputs:
        put(rows.needed, source - rows.inputs)


@inlined
def collect(rows: Rows, genes: Genes, top: np.uint64) -> np.uint64:
    """Complete the list by all inactive nodes under it; `top` is the highest source on it.

    Returns the lowest, or a number above all if there is none.
    """
    low, word = ~_ZERO, (top - rows.inputs) >> _SIX
    while True:
        left = rows.needed[word]
        while left != _ZERO:
            place = highest(left)
            low = rows.inputs + (word << _SIX) + place
            a, b = sources_of(rows, genes, low)
            need(rows, a)
            need(rows, b)
            left = rows.needed[word] & ((_ONE << place) - _ONE)
        if word == _ZERO:
            return np.uint64(low)
        word -= _ONE


@inlined
def compute_needed(rows: Rows, genes: Genes, top: np.uint64, parts: np.uint64) -> None:
    """Compute parts of the needed nodes, up to source `top`, in rising order."""
    for word in range(((top - rows.inputs) >> _SIX) + _ONE):
        left = rows.needed[word]
        while left != _ZERO:
            source = rows.inputs + (np.uint64(word) << _SIX) + lowest(left)
            left &= left - _ONE
            compute_parts(rows, genes, source, parts)


@inlined
def forget(rows: Rows, top: np.uint64) -> None:
    """Empty the list of needed nodes, and `hit`, up to source `top`."""
    for word in range(((top - rows.inputs) >> _SIX) + _ONE):
        rows.needed[word] = rows.hit[word] = _ZERO


@inlined
def push(stack: Words, height: np.uint64, a: np.uint64, b: np.uint64) -> np.uint64:
    """Put two sources, or one if they are the same, on the stack; returns its height."""
    stack[height], stack[height + _ONE] = a, b
    return height + (_ONE if a == b else _TWO)


@inlined
def count_reader(rows: Rows, genes: Genes, a: np.uint64, b: np.uint64, by: int) -> None:
    """A reader of a and b more (by: 1), or one less (-1).

    A node with its first reader is active from then on, and reads its sources; one without any no more.
    """
    height = push(rows.stack, _ZERO, a, b)
    while height != _ZERO:
        height -= _ONE
        top = rows.stack[height]
        rows.readers[top] += by
        if rows.readers[top] == (1 if by > 0 else 0) and top >= rows.inputs:
            flip(rows.active, top - rows.inputs)
            x, y = sources_of(rows, genes, top)
            height = push(rows.stack, height, x, y)
