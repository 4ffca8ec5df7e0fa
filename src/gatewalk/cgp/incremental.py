"""Tables of any size, computed only where the mutation matters.

An offspring differs from its parent in one active gene and some inactive ones. The new value of the node
that was hit is passed upwards, as far as it makes a difference. For a node that is hit again in the same
parent, its fitness needs no more than on which rows the outputs see that node (`observability`). An
inactive node is computed only if the one that was hit now reads it (`rows`). Of a large table, the rows
that tell most are looked at first, and no others if they give the verdict: new mismatches can be made up
for by at most as many as the parent has. For gates of one input or two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.bits import lowest
from gatewalk.cgp.blocks import Words, seen_balance, wrong_block
from gatewalk.cgp.core import EAGER, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.observability import (
    Observability,
    adopt,
    come_down,
    hit_before,
    observability_of,
    observe,
    pass_upwards,
)
from gatewalk.cgp.offspring import Draws, count_undrawn, draws_of, next_offspring, pay_for_accepted, undo
from gatewalk.cgp.registers import load
from gatewalk.cgp.row_order import telling_first
from gatewalk.cgp.rows import (
    Genes,
    Rows,
    acquire,
    bounds_of,
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
from gatewalk.cgp.slots import gene_of, owner_of
from gatewalk.cgp.verdict import accepts, keep_child, may_go_on, note, write_back
from gatewalk.jit import Int, inlined, internal, outlined
from gatewalk.popcount import popcount

MOST_OUTPUTS = 64
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Incremental(NamedTuple):
    """See the modules that these come from."""

    draws: Draws
    rows: Rows
    observability: Observability


def room_of(layout: Layout, training: TrainingSet, lean: Lean) -> Incremental:
    """Room to walk in."""
    rows = rows_of(layout, telling_first(training))
    return Incremental(
        draws_of(layout, lean, rows.readers, rows.active),
        rows,
        observability_of(layout, int(rows.words)),
    )


@inlined
def wrong_rows(rows: Rows, output: np.uint64, top: np.uint64, part: np.uint64) -> np.int64:
    """Mismatches of an output that reads source `top`, on a part."""
    wrong = np.int64(0)
    start, end = bounds_of(rows, part)
    for w in range(start, end, np.uint64(len(rows.lanes))):
        at, goal = top * rows.words + w, output * rows.words + w
        wrong += wrong_block(rows.lanes, rows.values, at, rows.wanted, goal, rows.mask, np.uint64(w))
    return wrong


@inlined
def balance_of_top(
    rows: Rows, turned: Words, source: np.uint64, seen: Words, at: np.uint64, top: np.uint64,
    output: np.uint64, parts: np.uint64,
) -> tuple[np.int64, np.int64]:  # fmt: skip
    """Mismatches made and mended at an output that reads `top` by turned parts of a source.

    seen[at ..]: where it sees the source.
    """
    made, mended = np.int64(0), np.int64(0)
    while parts != _ZERO:
        start, end = bounds_of(rows, lowest(parts))
        parts &= parts - _ONE
        for w in range(start, end, np.uint64(len(rows.lanes))):
            more, fewer = seen_balance(
                rows.lanes, turned, rows.values, source * rows.words + w, seen, at + w,
                top * rows.words + w, rows.wanted, output * rows.words + w,
            )  # fmt: skip
            made += more
            mended += fewer
    return made, mended


@inlined
def balance_seen(
    rows: Rows, seen: Observability, genes: Genes, source: np.uint64, parts: np.uint64
) -> tuple[np.int64, np.int64]:
    """Mismatches made and mended by turned parts of a node, where outputs see it."""
    node = source - rows.inputs
    made, mended = np.int64(0), np.int64(0)
    watching = seen.sees[node]
    while watching != _ZERO:
        output = lowest(watching)
        watching &= watching - _ONE
        top = np.uint64(genes[rows.output_gene + output])
        at = (node * rows.outputs + output) * rows.words
        more, fewer = balance_of_top(rows, seen.turned, source, seen.seen, at, top, output, parts)
        made += more
        mended += fewer
    return made, mended


@inlined
def balance_passed(
    rows: Rows, seen: Observability, genes: Genes, source: np.uint64, parts: np.uint64
) -> tuple[np.int64, np.int64]:
    """Pass the turned parts of a node upwards; returns mismatches made and mended at the outputs."""
    seen.differs[source] = parts
    pass_upwards(seen, rows, genes, source)
    made, mended = np.int64(0), np.int64(0)
    for output in range(rows.outputs):
        top = np.uint64(genes[rows.output_gene + output])
        if seen.differs[top] != _ZERO:
            more, fewer = balance_of_top(
                rows, seen.turned, top, rows.mask, _ZERO, top, np.uint64(output), seen.differs[top]
            )
            made += more
            mended += fewer
    return made, mended


@inlined
def turn_parts(
    rows: Rows, turned: Words, genes: Genes, source: np.uint64, parts: np.uint64, needed: bool, top: np.uint64
) -> np.uint64:
    """Compute parts of the node that was hit, and of the inactive nodes up to `top` that it needs.

    Returns the parts that changed.
    """
    changed = _ZERO
    while parts != _ZERO:
        part = lowest(parts)
        parts &= parts - _ONE
        if needed:
            compute_needed(rows, genes, top, part)
        different = compute_into(rows, turned, genes, source, part)
        changed |= np.uint64(different != _ZERO) << part
    return np.uint64(changed)


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
    rows: Rows, seen: Observability, genes: Genes, source: np.uint64, parent: np.int64
) -> tuple[np.int64, np.uint64]:
    """The rank of an offspring whose active change is at a node, and the parts of it that changed.

    These are passed upwards. Of a rank above the parent's it is only told that it is above, and no
    parts are. The head is looked at first: new mismatches that cannot be made up for in the tail end it
    there. Observability tells only the rank, so that what is not worse is looked at once more. Where a
    value is a single word, passing it upwards is as cheap as observability.
    """
    a, b = sources_of(rows, genes, source)
    top = max(a, b)
    needed = list_inactive(rows, genes, a, b)
    again = len(rows.lanes) > 1 and hit_before(seen, source - rows.inputs)
    parts = _ONE
    while True:
        if again:  # before the node is turned: it uses the same room
            observe(seen, rows, genes, source, parts)
        changed = turn_parts(rows, seen.turned, genes, source, parts, needed, top)
        is_passed = changed != _ZERO and not again
        made, mended = np.int64(0), np.int64(0)
        if is_passed:
            made, mended = balance_passed(rows, seen, genes, source, changed)
        elif changed != _ZERO:
            made, mended = balance_seen(rows, seen, genes, source, changed)
        is_all = parts == rows.parts
        is_worse = made > (mended if is_all else parent)
        is_done = is_worse or (is_all and (is_passed or changed == _ZERO))
        if is_passed and (is_worse or not is_done):
            come_down(seen)
        if is_done:
            break
        again, parts = again and not is_all, rows.parts
    if needed:
        forget_needed(rows, top)
    if is_worse:
        return parent + np.int64(1), _ZERO
    return parent + made - mended, changed


@internal
def judge_output(rows: Rows, genes: Genes, output: np.uint64, old: np.uint64, parent: np.int64) -> np.int64:
    """The rank of an offspring whose active change is at an output; see `judge_node`."""
    new = np.uint64(genes[rows.output_gene + output])
    needed = list_inactive(rows, genes, new, new)
    before, after = np.int64(0), np.int64(0)
    for part in range(np.uint64(popcount(rows.parts))):
        if needed:
            compute_needed(rows, genes, new, np.uint64(part))
        after += wrong_rows(rows, output, new, np.uint64(part))
        before += wrong_rows(rows, output, old, np.uint64(part))
        if after > parent:
            break
    if needed:
        forget_needed(rows, new)
    return after if after > parent else parent + after - before


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


@internal
def replace_parent(
    rows: Rows,
    seen: Observability,
    genes: Genes,
    owner: np.uint64,
    gene: np.uint64,
    old: np.uint64,
    parts: np.uint64,
) -> None:
    """Take an offspring as the parent, whose active change is that gene; parts: those of `owner` that
    changed with it.
    """
    old_a = old_b = old
    a = b = np.uint64(genes[gene])
    if gene < rows.output_gene:
        a, b = sources_of(rows, genes, owner)
        old_a, old_b = old_sources(rows, genes, owner, gene, old)
    acquire(rows, genes, a, b)
    release(rows, genes, old_a, old_b)
    seen.number[0] += _ONE
    if parts != _ZERO:
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
    for output in range(rows.outputs):
        top = np.uint64(genes[rows.output_gene + output])
        acquire(rows, genes, top, top)
    for source in range(rows.inputs, end):
        if rows.readers[source] > 0:
            for part in range(np.uint64(popcount(rows.parts))):
                compute_into(rows, rows.values, genes, np.uint64(source), np.uint64(part))
    wrong = np.int64(0)
    for output in range(rows.outputs):
        top = np.uint64(genes[rows.output_gene + output])
        for part in range(np.uint64(popcount(rows.parts))):
            wrong += wrong_rows(rows, np.uint64(output), top, np.uint64(part))
    return wrong


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: Incremental, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    offspring, steps, kept = core.counters[OFFSPRING], core.counters[STEPS], np.int64(0)
    parent, pending = core.counters[RANK], np.int64(0)
    genes = core.child
    rows, seen, output_gene = room.rows, room.observability, room.rows.output_gene
    registers = load(core.stream)
    going = may_go_on(core)
    eager = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(genes, room.draws, registers, eager)
        steps += np.int64(made.steps)
        offspring += 1
        child, parts = parent, _ZERO
        owner, gene = owner_of(made.record), gene_of(made.record)
        if made.changed:
            if gene >= output_gene:
                child = judge_output(rows, genes, gene - output_gene, made.old, parent)
            else:
                child, parts = judge_node(rows, seen, genes, owner, parent)
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            if parts != _ZERO:
                come_down(seen)
            undo(genes, room.draws.log, made.logged)
            pending += np.int64(not made.drifted)
            eager = False
            continue
        more, registers = pay_for_accepted(core, genes, room.draws, registers, made, pending)
        steps += more
        pending = np.int64(0)
        if made.changed:
            replace_parent(rows, seen, genes, owner, gene, made.old, parts)
        eager = True
        kept += 1
        if child < parent:
            parent = child
            going = note(core, offspring, child)
    count_undrawn(core, room.draws, pending)
    keep_child(core)
    write_back(core, registers, offspring, steps, kept, eager)
