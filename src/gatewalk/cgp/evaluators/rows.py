"""Values of sources on packed rows, in one part or two, and the set of active nodes.

Active nodes always have the values of the parent. An inactive node has no value until an offspring reads it:
then it, and the inactive nodes under it, are computed in rising order. A node is active if something active
reads it; the readers of each are counted, so that replacing the parent costs no more than the nodes that
become active or inactive. A large table has two parts: a head, which is evaluated first, and a tail.

Rows are whole blocks of words, aligned to cache lines (`padded`), in an order in which bad offspring show
their errors early (`telling_first`). Fitness does not depend on that order. Where an output is rarely 1 (or
rarely 0), circuits that are nearly right are mostly wrong near the rare rows. So rows are sorted by their
distance, the number of inputs to change, to the nearest rare row: an offspring that became worse is then
wrong in the first words of the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import Words, pack, unpack
from gatewalk.boolean.training import TrainingSet, counted
from gatewalk.cgp.genotype import Layout, gate_forms
from gatewalk.cgp.large import Genes
from gatewalk.native.bits import flip, highest, lowest, put
from gatewalk.native.blocks import Lanes, gate_columns, zeros
from gatewalk.native.jit import inlined

FARTHEST = 5  # larger distances count as this one
WIDE = 8  # words computed together: 512 bits
HEAD = 64  # words of the head; only tables with more than twice as many words have two parts
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_SIX = np.uint64(6)


def distance_to_rare(outputs: NDArray[np.bool_], inputs: int) -> NDArray[np.uint8]:
    """For every row, how many inputs must change at least to reach a row with the rarer output value."""
    rare = outputs if 2 * int(outputs.sum()) <= outputs.size else ~outputs
    distance = np.where(rare, 0, FARTHEST).astype(np.uint8)
    rows = np.arange(outputs.size)
    for step in range(1, FARTHEST):
        nearest = distance.copy()
        for i in range(inputs):
            np.minimum(nearest, distance[rows ^ (1 << i)] + 1, out=nearest)
        if step > 1 and (nearest == distance).all():
            break
        distance = nearest
    return distance


def telling_first(training: TrainingSet) -> TrainingSet:
    """The training set with the rows near the rare output first, if it is complete and has one output.

    Any other training set is returned as it is.
    """
    inputs = training.inputs.shape[0]
    if training.kind != "complete" or training.outputs.shape[0] != 1 or training.rows < 2:
        return training
    outputs = unpack(training.outputs[0], training.rows)
    order = np.argsort(distance_to_rare(outputs, inputs), kind="stable")
    columns = [pack(unpack(column, training.rows)[order]) for column in training.inputs]
    return replace(training, inputs=np.stack(columns), outputs=pack(outputs[order])[np.newaxis])


def padded(training: TrainingSet, *, sources: int, first: int, words: int) -> tuple[Words, Words, Words]:
    """The words from `first` to `first + words` of every column of a training set, padded with zeros.

    Returns three flat arrays with `words` words per column: the values of `sources` sources, of which only
    the inputs are filled in; the wanted outputs; and for each output the bits that count.
    """

    def filled(columns: Words, count: int) -> Words:
        aligned = zeros(count * words).reshape(count, words)
        some = columns[:, first : first + words]
        aligned[: some.shape[0], : some.shape[1]] = some
        return aligned.ravel()

    outputs = len(training.outputs)
    return (
        filled(training.inputs, sources),
        filled(training.outputs, outputs),
        filled(counted(training), outputs),
    )


class Rows(NamedTuple):
    """Values of all sources on a training set, and which nodes are active.

    lanes: its length is the number of words computed together, 1 if a column is a single word; being a tuple,
        its length is a constant to the compiler.
    output_gene: the index of the first output gene.
    words, head: the words of a column, and those of its part 0; multiples of len(lanes).
    parts: the set of all parts, as bits.
    values[s * words + w]: word w of source s.
    wanted, counted: for each output, the wanted values and the bits that count, in the same layout.
    used: the bits that count for any output.
    gates: see `gate_forms`.
    readers[s]: how many active nodes and outputs read source s; not 0 for active sources (see `large`).
    active, needed, hit: sets of nodes as bits: active in the parent; inactive, but needed by the offspring;
        with changed genes in the offspring.
    stack: scratch.
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
    """The two sources that a node reads; the first one twice if its gate has one input."""
    first = (source - rows.inputs) * _THREE
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    reads_second = rows.gates[(np.uint64(genes[first]) << _THREE) + np.uint64(4)] != _ZERO
    return a, b if reads_second else a


@inlined
def bounds_of(rows: Rows, part: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The first word of a part, and the word after its last."""
    if len(rows.lanes) == 1:  # constants let the compiler replace loops over a single word by one step
        return _ZERO, _ONE
    return part * rows.head, rows.head if part == _ZERO else rows.words


@inlined
def span_of(rows: Rows, parts: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The first word of some parts, and the word after their last."""
    start, _ = bounds_of(rows, lowest(parts))
    _, end = bounds_of(rows, highest(parts))
    return start, end


@inlined
def compute(
    rows: Rows, out: Words, xs: Words, ys: Words, genes: Genes, source: np.uint64, part: np.uint64
) -> np.uint64:
    """Compute a part of a node into out, with the values of its first source in xs, of its second in ys.

    Returns the bits that differ from the value of the node.
    """
    first, at = (source - rows.inputs) * _THREE, source * rows.words
    a, b = np.uint64(genes[first + _ONE]) * rows.words, np.uint64(genes[first + _TWO]) * rows.words
    start, end = bounds_of(rows, part)
    return gate_columns(
        rows.lanes, out, at, rows.values, xs, a, ys, b, rows.gates, np.uint64(genes[first]), start, end
    )


@inlined
def compute_parts(rows: Rows, genes: Genes, source: np.uint64, parts: np.uint64) -> None:
    """Compute the value of a node on some parts."""
    while parts != _ZERO:
        compute(rows, rows.values, rows.values, rows.values, genes, source, lowest(parts))
        parts &= parts - _ONE


@inlined
def need(rows: Rows, source: np.uint64) -> None:
    """Add a source to the needed nodes if it is an inactive node."""
    if rows.readers[source] == 0 and source >= rows.inputs:
        put(rows.needed, source - rows.inputs)


@inlined
def collect(rows: Rows, genes: Genes, top: np.uint64) -> np.uint64:
    """Add all inactive nodes under the needed ones to the needed nodes; `top` is the highest source needed.

    Returns the lowest needed node, or a number above all nodes if none is needed.
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
    """Compute the needed nodes up to source `top` on some parts, in rising order."""
    for word in range(((top - rows.inputs) >> _SIX) + _ONE):
        left = rows.needed[word]
        while left != _ZERO:
            source = rows.inputs + (np.uint64(word) << _SIX) + lowest(left)
            left &= left - _ONE
            compute_parts(rows, genes, source, parts)


@inlined
def forget(rows: Rows, top: np.uint64) -> None:
    """Empty the sets `needed` and `hit` up to source `top`."""
    for word in range(((top - rows.inputs) >> _SIX) + _ONE):
        rows.needed[word] = rows.hit[word] = _ZERO


@inlined
def push(stack: Words, height: np.uint64, a: np.uint64, b: np.uint64) -> np.uint64:
    """Push two sources, or one if they are the same, on the stack; returns its new height."""
    stack[height], stack[height + _ONE] = a, b
    return height + (_ONE if a == b else _TWO)


@inlined
def count_reader(rows: Rows, genes: Genes, a: np.uint64, b: np.uint64, by: int) -> None:
    """Count one reader of a and b more (by = 1) or less (by = -1).

    A node that gets its first reader becomes active and reads its own sources; one that loses its last reader
    becomes inactive and no longer does.
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
