"""Tables of any size, computed only where a mutation matters.

An offspring differs from its parent in some active genes, often one, and some inactive ones. The new value
of a node that was hit is passed upwards, as far as it makes a difference. For a node that is hit alone, and
again in the same parent, fitness needs no more than on which rows the outputs see that node
(`observability`). An inactive node is computed only if one that was hit now reads it (`rows`). Of a large
table, the rows that tell most are looked at first, and no others if they give the verdict: new mismatches can
be made up for by at most as many as the parent has. For gates of one input or two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.row_order import telling_first
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.judges.observability import (
    Observability,
    adopt,
    come_down,
    hit_before,
    observability_of,
    observe,
    pass_several,
    pass_upwards,
)
from gatewalk.cgp.judges.rows import (
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
from gatewalk.cgp.large import Genes, Large, State
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.program import Changes
from gatewalk.cgp.slots import gene_of, owner_of
from gatewalk.native.bits import lowest, popcount
from gatewalk.native.blocks import Words, seen_balance, wrong_block
from gatewalk.native.jit import inlined, internal

MOST_OUTPUTS = 64
Trial = tuple[np.uint64]  # not 0: the offspring's values wait, as turned parts, to be adopted
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SIX, _PLACE = np.uint64(6), np.uint64(63)


class Incremental(NamedTuple):
    """See the modules that these come from. active: the counts of readers in `rows`."""

    active: NDArray[np.int32]
    rows: Rows
    observability: Observability


def incremental_of(layout: Layout, training: TrainingSet) -> Incremental:
    """Room to judge on a training set."""
    rows = rows_of(layout, telling_first(training))
    return Incremental(rows.readers, rows, observability_of(layout, int(rows.words)))


@inlined
def wrong_rows(rows: Rows, values: Words, output: np.uint64, top: np.uint64, part: np.uint64) -> np.int64:
    """Mismatches of an output that reads source `top`, on a part."""
    wrong = np.int64(0)
    start, end = bounds_of(rows, part)
    for w in range(start, end, np.uint64(len(rows.lanes))):
        at, goal = top * rows.words + w, output * rows.words + w
        wrong += wrong_block(rows.lanes, values, at, rows.wanted, goal, rows.mask, np.uint64(w))
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
    rows: Rows, seen: Observability, genes: Genes, source: np.uint64, parent: np.int64, worst: np.int64
) -> tuple[np.int64, np.uint64]:
    """The rank of an offspring with other genes at one active node, and the parts of it that changed.

    These are passed upwards. Of a rank above `worst` it is only told that it is above, and no
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
        is_worse = (parent + made - mended if is_all else made) > worst
        is_done = is_worse or (is_all and (is_passed or changed == _ZERO))
        if is_passed and (is_worse or not is_done):
            come_down(seen)
        if is_done:
            break
        again, parts = again and not is_all, rows.parts
    if needed:
        forget_needed(rows, top)
    if is_worse:
        return worst + np.int64(1), _ZERO
    return parent + made - mended, changed


@inlined
def mark_hits(rows: Rows, program: Large, hits: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Put the nodes of several hits into `rows.hit`, and what they need on the list.

    Returns the outputs with other genes, as bits, and the lowest node that must be computed.
    """
    genes, end = program.genes, rows.inputs + program.nodes
    outputs, low, top = _ZERO, end, _ZERO
    for number in range(hits):
        slot = program.hit[number]
        owner = owner_of(slot)
        if owner == end:
            output = gene_of(slot) - rows.output_gene
            outputs |= _ONE << output
            a = b = np.uint64(genes[rows.output_gene + output])
        else:
            node = owner - rows.inputs
            rows.hit[node >> _SIX] |= _ONE << (node & _PLACE)
            low = min(low, owner)
            a, b = sources_of(rows, genes, owner)
        need(rows, a)
        need(rows, b)
        top = max(top, max(a, b))
    if top >= rows.inputs:
        collect(rows, genes, top)
        low = min(low, lowest_needed(rows, end))
    return outputs, low


@inlined
def lowest_needed(rows: Rows, none: np.uint64) -> np.uint64:
    """The lowest node on the list."""
    for word in range(np.uint64(rows.needed.size)):
        if rows.needed[word] != _ZERO:
            return np.uint64(rows.inputs + (np.uint64(word) << _SIX) + lowest(rows.needed[word]))
    return none


@inlined
def forget_hits(rows: Rows) -> None:
    """Empty the list of needed nodes, and `rows.hit`."""
    for word in range(rows.needed.size):
        rows.needed[word] = rows.hit[word] = _ZERO


@inlined
def balance_of_outputs(
    rows: Rows, seen: Observability, program: Large, outputs: np.uint64, parts: np.uint64
) -> tuple[np.int64, np.int64]:
    """Mismatches, on some parts, of the outputs whose gene or source changed; now, and in the parent."""
    after, before = np.int64(0), np.int64(0)
    for output in range(rows.outputs):
        gene = rows.output_gene + output
        new, old = np.uint64(program.genes[gene]), np.uint64(program.parent[gene])
        if (outputs >> output) & _ONE == _ZERO and seen.differs[new] == _ZERO:
            continue
        waiting = parts
        while waiting != _ZERO:
            part = lowest(waiting)
            waiting &= waiting - _ONE
            values = seen.turned if (seen.differs[new] >> part) & _ONE != _ZERO else rows.values
            after += wrong_rows(rows, values, np.uint64(output), new, part)
            before += wrong_rows(rows, rows.values, np.uint64(output), old, part)
    return after, before


@internal
def judge_several(
    rows: Rows, seen: Observability, program: Large, hits: np.uint64, parent: np.int64, worst: np.int64
) -> np.int64:
    """The rank of an offspring with other genes at several places, or at an output; see `judge_node`."""
    outputs, low = mark_hits(rows, program, hits)
    parts = _ONE
    while True:
        seen.number[1] = _ZERO
        if low < rows.inputs + program.nodes:
            pass_several(seen, rows, program.genes, low, parts)
        after, before = balance_of_outputs(rows, seen, program, outputs, parts)
        is_all = parts == rows.parts
        is_worse = (parent + after - before if is_all else after) > worst
        if is_worse or not is_all:
            come_down(seen)
        if is_worse or is_all:
            break
        parts = rows.parts
    forget_hits(rows)
    return worst + np.int64(1) if is_worse else parent + after - before


@inlined
def take(judge: Incremental, program: Large) -> np.int64:
    """See `judging.take`."""
    rows, genes = judge.rows, program.genes
    end = rows.inputs + program.nodes
    for source in range(end):
        rows.readers[source] = 0
    rows.readers[end] = 1
    for word in range(np.uint64(rows.active.size)):
        rows.active[word] = _ZERO
    judge.observability.number[0] += _ONE
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
            wrong += wrong_rows(rows, rows.values, np.uint64(output), top, np.uint64(part))
    return wrong


@inlined
def weigh(
    judge: Incremental, program: Large, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, Trial]:
    """See `judging.weigh`."""
    rows, seen = judge.rows, judge.observability
    rank, waits = parent, _ZERO
    if changes.hits != _ZERO:
        owner = owner_of(program.hit[0])
        if changes.hits == _ONE and owner < rows.inputs + program.nodes:
            rank, waits = judge_node(rows, seen, program.genes, owner, parent, worst)
        else:
            rank = judge_several(rows, seen, program, changes.hits, parent, worst)
            waits = seen.number[1]
    return rank, (waits,)


@inlined
def read_anew(rows: Rows, program: Large, slot: np.uint64) -> None:
    """The node, or the output, of a hit reads other sources from now on: the new ones first."""
    owner, gene = owner_of(slot), gene_of(slot)
    old_a = old_b = np.uint64(program.parent[gene])
    a = b = np.uint64(program.genes[gene])
    if gene < rows.output_gene:
        a, b = sources_of(rows, program.genes, owner)
        old_a, old_b = sources_of(rows, program.parent, owner)
    acquire(rows, program.genes, a, b)
    release(rows, program.genes, old_a, old_b)


@internal
def read_several_anew(rows: Rows, program: Large, hits: np.uint64) -> None:
    """The same for several: all new sources first, then what was read before.

    A node may be hit in several genes, and is gone through once. One that no one reads any more gives up the
    sources that it has now; those that it had are given up by its own hit.
    """
    end = rows.inputs + program.nodes
    for is_release in range(2):
        outputs = _ZERO
        for number in range(hits):
            slot = program.hit[number]
            owner, gene = owner_of(slot), gene_of(slot)
            if owner == end:
                bit = _ONE << (gene - rows.output_gene)
                is_known = outputs & bit != _ZERO
                outputs |= bit
                a = b = np.uint64(program.parent[gene] if is_release else program.genes[gene])
            else:
                node = owner - rows.inputs
                bit = _ONE << (node & _PLACE)
                is_known = rows.hit[node >> _SIX] & bit != _ZERO
                rows.hit[node >> _SIX] |= bit
                a, b = sources_of(rows, program.parent if is_release else program.genes, owner)
            if is_known:
                continue
            if is_release:
                release(rows, program.genes, a, b)
            else:
                acquire(rows, program.genes, a, b)
        forget_hits(rows)


@inlined
def keep(judge: Incremental, program: Large, state: State, changes: Changes, trial: Trial) -> State:
    """See `judging.keep`."""
    rows, seen = judge.rows, judge.observability
    if changes.hits != _ZERO:
        if changes.hits == _ONE:
            read_anew(rows, program, program.hit[0])
        else:
            read_several_anew(rows, program, changes.hits)
        seen.number[0] += _ONE
        if trial[0] != _ZERO:
            adopt(seen, rows)
    return state


@inlined
def drop(judge: Incremental, program: Large, state: State, changes: Changes, trial: Trial) -> State:
    """See `judging.drop`."""
    if trial[0] != _ZERO:
        come_down(judge.observability)
    return state
