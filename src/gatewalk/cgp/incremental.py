"""Tables of any size, computed only where the mutation matters.

An offspring differs from its parent in one active gene and some inactive ones. Its fitness needs
the new value of the one node that was hit, and on which rows the outputs see that node
(`observability`); no other active node is computed, and an inactive one only if the node now reads
it (`rows`). Blocks of rows are looked at one by one, the one that gave the last verdict first, and
no further than to the verdict: new mismatches can be made up for by at most as many as the parent
has. For gates of at most two inputs; after a parent is replaced, only what was under or above the
changed node is computed again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.bits import lowest
from gatewalk.cgp.core import OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.mutation import SAM_PICKED
from gatewalk.cgp.observability import Observability, observability_of, observe
from gatewalk.cgp.offspring import Log, accepts, keep_child, log_of, may_go_on, sam, settle, undo, write_back
from gatewalk.cgp.registers import load
from gatewalk.cgp.rows import Rows, ensure, gate_word, reads_second, rows_of, spread_staleness
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.slots import Slots, gene_of, owner_of, slots_of
from gatewalk.jit import Int, inlined, outlined
from gatewalk.popcount import popcount

Words = NDArray[np.uint64]
MOST_OUTPUTS = 64
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


class Incremental(NamedTuple):
    """active: a byte for each source and one for the outputs. stale: see `spread_staleness`.

    blocks: in the order in which they are looked at.
    """

    slots: Slots
    log: Log
    rows: Rows
    observability: Observability
    active: NDArray[np.uint8]
    stale: Words
    blocks: Words


def room_of(layout: Layout, training: TrainingSet, *, mutable_only: bool = False) -> Incremental:
    """Room to walk in."""
    rows = rows_of(layout, training)
    sources = layout.inputs + layout.nodes
    return Incremental(
        slots_of(layout, mutable_only=mutable_only),
        log_of(layout.owner.size),
        rows,
        observability_of(layout, int(rows.words)),
        np.zeros(sources + 1, dtype=np.uint8),
        np.zeros(sources, dtype=np.uint64),
        np.arange(int(rows.blocks), dtype=np.uint64)[::-1].copy(),
    )


@outlined
def find_active(layout: Layout, room: Incremental, genes: NDArray[np.int64]) -> None:
    """Mark the active sources, list the active nodes, and forget what was observed."""
    inputs, nodes = np.uint64(layout.inputs), np.uint64(layout.nodes)
    active, seen = room.active, room.observability
    for source in range(inputs + nodes):
        active[source] = 0
    active[inputs + nodes] = 1
    for output in range(np.uint64(layout.outputs)):
        active[np.uint64(genes[nodes * _THREE + output])] = 1
    node = nodes
    while node != _ZERO:
        node -= _ONE
        seen.known[node] = _ZERO
        seen.sees[node] = _ZERO
        if active[inputs + node] != 0:
            active[np.uint64(genes[node * _THREE + _ONE])] = 1
            if reads_second(room.rows.gates, np.uint64(genes[node * _THREE])):
                active[np.uint64(genes[node * _THREE + _TWO])] = 1
    size = _ZERO
    for source in range(inputs, inputs + nodes):
        seen.order[size] = source
        size += np.uint64(active[source])
    seen.size[0] = size


@inlined
def balance(
    rows: Rows, changed: np.uint64, at: np.uint64, output: np.uint64, top: np.uint64
) -> tuple[np.int64, np.int64]:
    """New mismatches and mended ones of an output, where bits of a word of it change."""
    wrong = rows.values[top * rows.words + at] ^ rows.wanted[output * rows.words + at]
    return popcount(changed & ~wrong), popcount(changed & wrong)


@inlined
def block_of_node(
    layout: Layout, room: Incremental, genes: NDArray[np.int64], source: np.uint64, block: np.uint64
) -> tuple[bool, np.int64, np.int64]:
    """For a node with changed genes: does its block change; new mismatches and mended ones."""
    rows, seen = room.rows, room.observability
    inputs, outputs = np.uint64(layout.inputs), np.uint64(layout.outputs)
    first = (source - inputs) * _THREE
    gate = np.uint64(genes[first])
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    at = block * rows.block
    difference = _ZERO
    for start in range(_ZERO, rows.block, np.uint64(len(rows.lanes))):
        for lane in range(len(rows.lanes)):
            w = at + start + np.uint64(lane)
            value = gate_word(
                rows.gates, gate, rows.values[a * rows.words + w], rows.values[b * rows.words + w]
            )
            difference |= value ^ rows.values[source * rows.words + w]
    if difference == _ZERO:
        return False, np.int64(0), np.int64(0)
    if (seen.known[source - inputs] >> block) & _ONE == _ZERO:
        observe(seen, rows, genes, layout, source, block)
    worse, better = np.int64(0), np.int64(0)
    waiting = seen.sees[source - inputs]
    while waiting != _ZERO:
        output = lowest(waiting)
        waiting &= waiting - _ONE
        top = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
        row = ((source - inputs) * outputs + output) * rows.words
        for start in range(_ZERO, rows.block, np.uint64(len(rows.lanes))):
            for lane in range(len(rows.lanes)):
                w = at + start + np.uint64(lane)
                value = gate_word(
                    rows.gates, gate, rows.values[a * rows.words + w], rows.values[b * rows.words + w]
                )
                changed = (value ^ rows.values[source * rows.words + w]) & seen.seen[row + w]
                more, fewer = balance(rows, changed, w, output, top)
                worse += more
                better += fewer
    return True, worse, better


@inlined
def block_of_output(
    room: Incremental, output: np.uint64, old: np.uint64, new: np.uint64, block: np.uint64
) -> tuple[np.int64, np.int64]:
    """For an output gene that changed: new mismatches and mended ones of a block."""
    rows = room.rows
    at = block * rows.block
    worse, better = np.int64(0), np.int64(0)
    for word in range(at, at + rows.block):
        w = np.uint64(word)
        changed = (rows.values[new * rows.words + w] ^ rows.values[old * rows.words + w]) & rows.mask[w]
        more, fewer = balance(rows, changed, w, output, old)
        worse += more
        better += fewer
    return worse, better


@inlined
def prefer(blocks: Words, position: np.uint64) -> None:
    """Look at the block of the verdict first next time."""
    block = blocks[position]
    while position != _ZERO:
        blocks[position] = blocks[position - _ONE]
        position -= _ONE
    blocks[0] = block


@inlined
def ensure_parent(
    rows: Rows,
    genes: NDArray[np.int64],
    inputs: np.uint64,
    source: np.uint64,
    change: np.uint64,
    block: np.uint64,
) -> None:
    """`ensure` for the node that was hit, with the parent's gene."""
    gene = change & _LOW
    value = genes[gene]
    genes[gene] = np.int64(change >> _HALF)
    ensure(rows, genes, inputs, source, block)
    genes[gene] = value


@inlined
def new_sources(
    room: Incremental, genes: NDArray[np.int64], gene: np.uint64, owner: np.uint64, inputs: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """The sources that the node or output of a changed gene reads."""
    first = (owner - inputs) * _THREE
    if owner == np.uint64(room.active.size - 1):
        a = np.uint64(genes[gene])
        return a, a
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    return a, b if reads_second(room.rows.gates, np.uint64(genes[first])) else a


@inlined
def judge_node(
    layout: Layout,
    room: Incremental,
    genes: NDArray[np.int64],
    source: np.uint64,
    change: np.uint64,
    parent: np.int64,
) -> tuple[np.int64, np.uint64]:
    """The rank of an offspring whose active change is at a node, and which blocks of it changed.

    change: the gene and its old value, as in a log. Of a rank above the parent's it is only told that
    it is above.
    """
    rows = room.rows
    inputs = np.uint64(layout.inputs)
    first = (source - inputs) * _THREE
    a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
    if not reads_second(rows.gates, np.uint64(genes[first])):
        b = a
    worse, better, changed = np.int64(0), np.int64(0), _ZERO
    for position in range(rows.blocks):
        block = room.blocks[position]
        if (rows.fresh[source] >> block) & _ONE == _ZERO:
            ensure_parent(rows, genes, inputs, source, change, block)
        ensure(rows, genes, inputs, a, block)
        ensure(rows, genes, inputs, b, block)
        changes, more, fewer = block_of_node(layout, room, genes, source, block)
        changed |= np.uint64(changes) << block
        worse += more
        better += fewer
        if worse > parent:
            prefer(room.blocks, np.uint64(position))
            return worse, changed
    return parent + worse - better, changed


@inlined
def judge_output(
    layout: Layout,
    room: Incremental,
    genes: NDArray[np.int64],
    output: np.uint64,
    old: np.uint64,
    parent: np.int64,
) -> np.int64:
    """The rank of an offspring whose active change is at an output; see `judge_node`."""
    rows = room.rows
    inputs = np.uint64(layout.inputs)
    new = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
    worse, better = np.int64(0), np.int64(0)
    for position in range(rows.blocks):
        block = room.blocks[position]
        ensure(rows, genes, inputs, new, block)
        ensure(rows, genes, inputs, old, block)
        more, fewer = block_of_output(room, output, old, new, block)
        worse += more
        better += fewer
        if worse > parent:
            prefer(room.blocks, np.uint64(position))
            return worse
    return parent + worse - better


@inlined
def forget(
    layout: Layout,
    room: Incremental,
    genes: NDArray[np.int64],
    logged: np.uint64,
    end: np.uint64,
    node: np.uint64,
    blocks: np.uint64,
) -> None:
    """Values fall above changed nodes, below source `end`: of `node` these blocks, of others all."""
    inputs = np.uint64(layout.inputs)
    low = end
    for position in range(logged):
        source = inputs + np.uint64(layout.owner[room.log.entries[position] & _LOW])
        if source < end:
            room.stale[source] = ~_ZERO
            low = min(low, source)
    if low < end:
        spread_staleness(room.rows, genes, inputs, room.stale, low, end, node, blocks)


@inlined
def rank(layout: Layout, room: Incremental, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    rows = room.rows
    inputs = np.uint64(layout.inputs)
    for source in range(inputs, inputs + np.uint64(layout.nodes)):
        rows.fresh[source] = _ZERO
    find_active(layout, room, genes)
    wrong = np.int64(0)
    for output in range(np.uint64(layout.outputs)):
        top = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
        for block in range(rows.blocks):
            ensure(rows, genes, inputs, top, np.uint64(block))
        for w in range(rows.words):
            wrong += balance(rows, rows.mask[w], np.uint64(w), np.uint64(output), top)[1]
    return wrong


@inlined
def advance(core: Core, layout: Layout, rule: Rule, room: Incremental, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    offspring, steps = core.counters[OFFSPRING], core.counters[STEPS]
    parent = core.counters[RANK]
    picked_ends = rule.mutation == SAM_PICKED
    genes = core.child
    inputs = np.uint64(layout.inputs)
    end = inputs + np.uint64(layout.nodes)
    output_gene = np.uint64(layout.nodes) * _THREE
    registers = load(core.stream)
    going = may_go_on(core)
    while going and offspring < limit:
        made, registers = sam(genes, room.slots, room.log, registers, room.active, picked_ends)
        steps += np.int64(made.steps)
        offspring += 1
        child, blocks = parent, _ZERO
        owner, gene = owner_of(made.record), gene_of(made.record)
        disturbed = _ZERO
        if made.changed:
            change = room.log.entries[made.logged - _ONE]
            a, b = new_sources(room, genes, gene, owner, inputs)
            if made.logged > _ONE and (room.active[a] == 0 or room.active[b] == 0):
                # An inactive source that is read now may have another value than in the parent.
                disturbed = max(a, b) + _ONE
                forget(layout, room, genes, made.logged, disturbed, end, _ZERO)
            if gene >= output_gene:
                child = judge_output(layout, room, genes, gene - output_gene, change >> _HALF, parent)
            else:
                child, blocks = judge_node(layout, room, genes, owner, change, parent)
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            if disturbed != _ZERO:
                forget(layout, room, genes, made.logged, disturbed, end, _ZERO)
            undo(genes, room.log, made.logged)
            continue
        forget(layout, room, genes, made.logged, end, owner, blocks)
        if made.changed:
            find_active(layout, room, genes)
        going = not settle(core, offspring, child)
        parent = child
    keep_child(core)
    write_back(core, registers, offspring, steps)
