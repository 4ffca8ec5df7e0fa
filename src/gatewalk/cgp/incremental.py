"""Tables of any size, computed only where the mutation matters.

An offspring differs from its parent in one active gene and some inactive ones. Its fitness needs
the new value of the one node that was hit, and on which rows the outputs see that node
(`observability`); no other active node is computed, and an inactive one only if the node now reads
it (`rows`). Blocks of rows are looked at in turn, those that gave the last verdicts first, and no
further than to the verdict: new mismatches can be made up for by at most as many as the parent has.
For gates of at most two inputs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.bits import lowest
from gatewalk.cgp.blocks import seen_balance
from gatewalk.cgp.core import EAGER, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.mutation import SAM_PICKED
from gatewalk.cgp.observability import (
    Observability,
    adopt,
    come_down,
    hit_before,
    observability_of,
    observe,
    pass_upwards,
)
from gatewalk.cgp.offspring import (
    Log,
    accepts,
    count_undrawn,
    keep_child,
    log_of,
    may_go_on,
    next_offspring,
    note,
    pay_for_accepted,
    undo,
    write_back,
)
from gatewalk.cgp.registers import load
from gatewalk.cgp.row_order import telling_first
from gatewalk.cgp.rows import (
    Genes,
    Rows,
    acquire,
    collect,
    compute_into,
    compute_needed,
    forget_needed,
    need,
    release,
    rows_of,
    sources_of,
)
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.slots import Slots, gene_of, owner_of, slots_of
from gatewalk.jit import Int, inlined, outlined
from gatewalk.popcount import popcount

MOST_OUTPUTS = 64
FEW_BLOCKS = np.uint64(2)  # up to which all blocks are looked at one by one
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


class Incremental(NamedTuple):
    """See the modules that these come from."""

    slots: Slots
    lean: Lean
    log: Log
    rows: Rows
    observability: Observability


def room_of(layout: Layout, training: TrainingSet, lean: Lean) -> Incremental:
    """Room to walk in."""
    rows = rows_of(layout, telling_first(training))
    return Incremental(
        slots_of(layout, lean),
        lean,
        log_of(layout.owner.size),
        rows,
        observability_of(layout, int(rows.words)),
    )


@inlined
def wrong_bits(rows: Rows, output: np.uint64, top: np.uint64, w: np.uint64) -> np.uint64:
    """Where a word of an output that reads source `top` is not as wanted."""
    return np.uint64(
        (rows.values[top * rows.words + w] ^ rows.wanted[output * rows.words + w]) & rows.mask[w]
    )


@inlined
def balance_seen(
    layout: Layout, room: Incremental, genes: Genes, source: np.uint64, blocks: np.uint64
) -> tuple[np.int64, np.int64]:
    """Mismatches made and mended by turned blocks of a node, where outputs see it."""
    rows, seen = room.rows, room.observability
    outputs = np.uint64(layout.outputs)
    node = source - rows.inputs
    made, mended = np.int64(0), np.int64(0)
    watching = seen.sees[node]
    while watching != _ZERO:
        output = lowest(watching)
        watching &= watching - _ONE
        top = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
        waiting = blocks
        while waiting != _ZERO:
            at = lowest(waiting) * rows.block
            waiting &= waiting - _ONE
            for w in range(at, at + rows.block, np.uint64(len(rows.lanes))):
                more, fewer = seen_balance(
                    rows.lanes,
                    seen.turned,
                    rows.values,
                    source * rows.words + w,
                    seen.seen,
                    (node * outputs + output) * rows.words + w,
                    top * rows.words + w,
                    rows.wanted,
                    output * rows.words + w,
                )
                made += more
                mended += fewer
    return made, mended


@inlined
def balance_passed(
    layout: Layout, room: Incremental, genes: Genes, source: np.uint64, blocks: np.uint64
) -> tuple[np.int64, np.int64]:
    """Pass the turned blocks of a node upwards; returns mismatches made and mended at the outputs."""
    rows, seen = room.rows, room.observability
    seen.differs[source] = blocks
    pass_upwards(seen, rows, genes, source)
    made, mended = np.int64(0), np.int64(0)
    for output in range(np.uint64(layout.outputs)):
        top = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
        waiting = seen.differs[top]
        while waiting != _ZERO:
            at = lowest(waiting) * rows.block
            waiting &= waiting - _ONE
            for w in range(at, at + rows.block, np.uint64(len(rows.lanes))):
                more, fewer = seen_balance(
                    rows.lanes,
                    seen.turned,
                    rows.values,
                    top * rows.words + w,
                    rows.mask,
                    np.uint64(w),
                    top * rows.words + w,
                    rows.wanted,
                    np.uint64(output) * rows.words + w,
                )
                made += more
                mended += fewer
    return made, mended


@inlined
def turn_blocks(
    room: Incremental, genes: Genes, source: np.uint64, blocks: np.uint64, needed: bool, top: np.uint64
) -> np.uint64:
    """Compute blocks of the node that was hit, and of the inactive nodes up to `top` that it needs.

    Returns the blocks that changed.
    """
    rows = room.rows
    changed = _ZERO
    while blocks != _ZERO:
        block = lowest(blocks)
        blocks &= blocks - _ONE
        if needed:
            compute_needed(rows, genes, top, block)
        different = compute_into(rows, room.observability.turned, genes, source, block)
        changed |= np.uint64(different != _ZERO) << block
    return np.uint64(changed)


@inlined
def all_blocks(rows: Rows) -> np.uint64:
    """The set of all blocks."""
    return np.uint64((_TWO << (rows.blocks - _ONE)) - _ONE)


@inlined
def list_inactive(rows: Rows, genes: Genes, a: np.uint64, b: np.uint64) -> bool:
    """List the inactive nodes that a reader of a and b needs; returns whether there are any."""
    need(rows, a)
    need(rows, b)
    top = max(a, b)
    if top < rows.inputs or (rows.readers[a] != 0 and rows.readers[b] != 0):
        return False
    collect(rows, genes, top)
    return True


@inlined
def judge_node(
    layout: Layout, room: Incremental, genes: Genes, source: np.uint64, parent: np.int64
) -> tuple[np.int64, np.uint64]:
    """The rank of an offspring whose active change is at a node, and the blocks of it that changed.

    These are passed upwards. Of a rank above the parent's it is only told that it is above, and no
    blocks are. A first look is at one block, or where outputs see a node that was hit before at a few;
    new mismatches that cannot be made up for in the other blocks end it there.
    """
    rows, seen = room.rows, room.observability
    a, b = sources_of(rows, genes, source)
    top = max(a, b)
    needed = list_inactive(rows, genes, a, b)
    everything = all_blocks(rows)
    again = hit_before(seen, source - rows.inputs)
    blocks = everything
    if rows.blocks > (FEW_BLOCKS if again else _ONE):
        blocks = _ONE
    if again:
        observe(seen, rows, genes, layout, source, blocks)
    is_last = blocks == everything and not again
    while True:
        changed = turn_blocks(room, genes, source, blocks, needed, top)
        made, mended = np.int64(0), np.int64(0)
        if again:
            made, mended = balance_seen(layout, room, genes, source, changed)
        elif changed != _ZERO:
            made, mended = balance_passed(layout, room, genes, source, changed)
        is_worse = made > (mended if blocks == everything else parent)
        if changed != _ZERO and not again and (is_worse or not is_last):
            come_down(seen)
        if is_worse or is_last:
            break
        again, is_last, blocks = False, True, everything
    if needed:
        forget_needed(rows, top)
    if is_worse:
        return parent + np.int64(1), _ZERO
    return parent + made - mended, changed


@inlined
def balance_of_output(
    rows: Rows, output: np.uint64, old: np.uint64, new: np.uint64, block: np.uint64
) -> tuple[np.int64, np.int64]:
    """Mismatches made and mended in a block by an output that reads another source."""
    made, mended = np.int64(0), np.int64(0)
    for word in range(block * rows.block, (block + _ONE) * rows.block):
        w = np.uint64(word)
        before, after = wrong_bits(rows, output, old, w), wrong_bits(rows, output, new, w)
        made += popcount(after & ~before)
        mended += popcount(before & ~after)
    return made, mended


@outlined
def judge_output(
    layout: Layout, room: Incremental, genes: Genes, output: np.uint64, old: np.uint64, parent: np.int64
) -> np.int64:
    """The rank of an offspring whose active change is at an output; see `judge_node`."""
    rows = room.rows
    new = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
    if list_inactive(rows, genes, new, new):
        for block in range(rows.blocks):
            compute_needed(rows, genes, new, np.uint64(block))
        forget_needed(rows, new)
    made, mended = np.int64(0), np.int64(0)
    for block in range(rows.blocks):
        more, fewer = balance_of_output(rows, output, old, new, np.uint64(block))
        made += more
        mended += fewer
        if made > parent:
            return made
    return parent + made - mended


@inlined
def old_sources(
    rows: Rows, genes: Genes, owner: np.uint64, gene: np.uint64, old: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """What a node read before a gene of it changed."""
    value = genes[gene]
    genes[gene] = np.int64(old)
    a, b = sources_of(rows, genes, owner)
    genes[gene] = value
    return a, b


@outlined
def replace_parent(
    layout: Layout,
    room: Incremental,
    genes: Genes,
    owner: np.uint64,
    gene: np.uint64,
    old: np.uint64,
    blocks: np.uint64,
) -> None:
    """Take an offspring as the parent, whose active change is that gene; blocks: those of `owner` that
    changed with it.
    """
    rows, seen = room.rows, room.observability
    old_a = old_b = old
    a = b = np.uint64(genes[gene])
    if gene < np.uint64(layout.nodes) * _THREE:
        a, b = sources_of(rows, genes, owner)
        old_a, old_b = old_sources(rows, genes, owner, gene, old)
    acquire(rows, genes, a, b)
    release(rows, genes, old_a, old_b)
    seen.number[0] += _ONE
    if blocks != _ZERO:
        adopt(seen, rows)


@outlined
def rank(layout: Layout, room: Incremental, genes: Genes) -> Int:
    """Evaluate a program and take it as the parent."""
    rows = room.rows
    end = rows.inputs + np.uint64(layout.nodes)
    for source in range(end):
        rows.readers[source] = 0
    rows.readers[end] = 1
    for word in range(np.uint64(rows.active.size)):
        rows.active[word] = _ZERO
    room.observability.number[0] += _ONE
    for output in range(np.uint64(layout.outputs)):
        top = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
        acquire(rows, genes, top, top)
    for source in range(rows.inputs, end):
        if rows.readers[source] > 0:
            for block in range(rows.blocks):
                compute_into(rows, rows.values, genes, np.uint64(source), np.uint64(block))
    wrong = np.int64(0)
    for output in range(np.uint64(layout.outputs)):
        top = np.uint64(genes[np.uint64(layout.nodes) * _THREE + output])
        for w in range(rows.words):
            wrong += popcount(wrong_bits(rows, np.uint64(output), top, np.uint64(w)))
    return wrong


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: Incremental, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    offspring, steps, kept = core.counters[OFFSPRING], core.counters[STEPS], np.int64(0)
    parent, pending = core.counters[RANK], np.int64(0)
    picked_ends = rule.mutation == SAM_PICKED
    genes = core.child
    output_gene = np.uint64(layout.nodes) * _THREE
    registers = load(core.stream)
    going = may_go_on(core)
    eager = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(
            genes, layout, room.slots, room.log, registers, room.rows.readers, room.rows.active, room.lean,
            eager, picked_ends,
        )  # fmt: skip
        steps += np.int64(made.steps)
        offspring += 1
        child, blocks = parent, _ZERO
        owner, gene = owner_of(made.record), gene_of(made.record)
        if made.changed:
            if gene >= output_gene:
                child = judge_output(layout, room, genes, gene - output_gene, made.old, parent)
            else:
                child, blocks = judge_node(layout, room, genes, owner, parent)
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            if blocks != _ZERO:
                come_down(room.observability)
            undo(genes, room.log, made.logged)
            pending += np.int64(not made.drifted)
            eager = False
            continue
        more, registers = pay_for_accepted(
            core, genes, layout, room.slots, room.log, registers, room.rows.readers, room.rows.active,
            room.lean, picked_ends, made, pending,
        )  # fmt: skip
        steps += more
        pending = np.int64(0)
        if made.changed:
            replace_parent(layout, room, genes, owner, gene, made.old, blocks)
        eager = True
        kept += 1
        if child < parent:
            parent = child
            going = note(core, offspring, child)
    count_undrawn(
        core, room.slots, layout, room.rows.readers, room.rows.active, room.lean, picked_ends, pending
    )
    keep_child(core)
    write_back(core, registers, offspring, steps, kept, eager)
