"""Tables of any size, computed only where a mutation changes something; for gates of one or two inputs.

An offspring differs from its parent in some active genes, often a single one, and in some inactive genes. A
node is *hit* if one of its active genes changed. The new value of a hit node is passed upwards, to the nodes
that read it and so on, as long as values change. If only one node is hit, and it was hit before in an
offspring of the same parent, fitness follows from the rows on which the outputs see that node
(`observability`). An inactive node is computed only if a hit node now reads it (`rows`).

In a large table the most informative rows, the *head*, are evaluated first. The offspring is given up there
if it has more new mismatches than the other rows could make up for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.evaluators.observability import (
    Observability,
    adopt,
    come_down,
    hit_before,
    observability_of,
    observe,
    pass_upwards,
    turn,
)
from gatewalk.cgp.evaluators.rows import (
    Rows,
    bounds_of,
    collect,
    compute_needed,
    compute_parts,
    count_reader,
    forget,
    need,
    rows_of,
    sources_of,
    telling_first,
)
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Genes, Large, State
from gatewalk.cgp.program import Changes
from gatewalk.cgp.slots import gene_of, owner_of
from gatewalk.native.bits import flip, holds, lowest, put
from gatewalk.native.blocks import Words, copy_columns, seen_balance, wrong_columns
from gatewalk.native.jit import inlined, internal

MOST_OUTPUTS = 64
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Incremental(NamedTuple):
    """The arrays of the evaluator.

    active: the array `rows.readers`, which is not 0 for the active sources (see `large`).
    rows: the values of all sources.
    observability: on which rows the outputs see a node.
    """

    active: NDArray[np.int32]
    rows: Rows
    observability: Observability


def incremental_of(layout: Layout, training: TrainingSet) -> Incremental:
    """The arrays to evaluate programs on a training set."""
    rows = rows_of(layout, telling_first(training))
    return Incremental(rows.readers, rows, observability_of(layout, int(rows.words)))


@inlined
def wrong_rows(rows: Rows, values: Words, output: np.uint64, top: np.uint64, part: np.uint64) -> np.int64:
    """The number of mismatches, on one part of the rows, of an output that reads source `top`."""
    start, end = bounds_of(rows, part)
    at, goal = top * rows.words, output * rows.words
    return wrong_columns(rows.lanes, values, at, rows.wanted, goal, rows.counted, start, end)


@inlined
def balance_seen(
    rows: Rows, seen: Observability, genes: Genes, source: np.uint64, parts: np.uint64
) -> tuple[np.int64, np.int64]:
    """How many mismatches appear and disappear when a node takes its turned values on some parts.

    Only rows on which an output sees the node matter.
    """
    node = source - rows.inputs
    broken, mended = np.int64(0), np.int64(0)
    while parts != _ZERO:
        start, end = bounds_of(rows, lowest(parts))
        parts &= parts - _ONE
        watching = seen.sees[node]
        while watching != _ZERO:
            output = lowest(watching)
            watching &= watching - _ONE
            top = np.uint64(genes[rows.output_gene + output])
            at = (node * rows.outputs + output) * rows.words
            for w in range(start, end, np.uint64(len(rows.lanes))):
                more, fewer = seen_balance(
                    rows.lanes, seen.turned, rows.values, source * rows.words + w, seen.seen, at + w,
                    top * rows.words + w, rows.wanted, output * rows.words + w,
                )  # fmt: skip
                broken += more
                mended += fewer
    return broken, mended


@inlined
def balance_of_outputs(
    rows: Rows, seen: Observability, program: Large, outputs: np.uint64, parts: np.uint64
) -> tuple[np.int64, np.int64]:
    """The mismatches in the offspring and in the parent, where they may differ.

    Outputs whose own gene changed (the bits of `outputs`) are counted on `parts`, the others on the parts on
    which the source that they read is turned.
    """
    after, before = np.int64(0), np.int64(0)
    for output in range(rows.outputs):
        gene = rows.output_gene + output
        new = np.uint64(program.genes[gene])
        left = parts if (outputs >> output) & _ONE != _ZERO else seen.differs[new]
        while left != _ZERO:
            part = lowest(left)
            left &= left - _ONE
            # Where `outputs` is a constant 0, the compiler leaves the second test out.
            is_turned = outputs == _ZERO or (seen.differs[new] >> part) & _ONE != _ZERO
            values = seen.turned if is_turned else rows.values
            after += wrong_rows(rows, values, np.uint64(output), new, part)
            before += wrong_rows(rows, rows.values, np.uint64(output), np.uint64(program.parent[gene]), part)
    return after, before


@inlined
def list_inactive(rows: Rows, genes: Genes, a: np.uint64, b: np.uint64) -> bool:
    """List the inactive nodes that must be computed to read a and b; returns whether there are any."""
    need(rows, a)
    need(rows, b)
    top = max(a, b)
    if top < rows.inputs or (rows.readers[a] != 0 and rows.readers[b] != 0):
        return False
    collect(rows, genes, top)
    return True


@inlined
def evaluate_node(
    rows: Rows, seen: Observability, program: Large, source: np.uint64, parent: np.int64, worst: np.int64
) -> np.int64:
    """The rank of an offspring in which one active node is hit; its new value is passed upwards.

    If the rank is above `worst`, the result is only some rank above `worst`, and no values stay turned. The
    head is evaluated first; with too many new mismatches there, the tail is not. A node that was hit before
    is evaluated by observability, which gives the rank but not the new values of the nodes above; so if the
    offspring may be accepted, the values are passed upwards after all. Where a value is a single word,
    observability would not be faster and is not used.
    """
    genes = program.genes
    a, b = sources_of(rows, genes, source)
    top = max(a, b)
    needed = list_inactive(rows, genes, a, b)
    again = len(rows.lanes) > 1 and hit_before(seen, source - rows.inputs)
    parts = _ONE
    while True:
        if again:  # comes first, since finding the observability turns the node too
            observe(seen, rows, genes, source, parts)
        if needed:
            compute_needed(rows, genes, top, parts)
        changed = turn(seen, rows, genes, source, parts, True)
        more, fewer = np.int64(0), np.int64(0)
        if changed != _ZERO and again:
            more, fewer = balance_seen(rows, seen, genes, source, changed)
        elif changed != _ZERO:
            pass_upwards(seen, rows, genes, source, parts, True)
            more, fewer = balance_of_outputs(rows, seen, program, _ZERO, parts)
        is_all = parts == rows.parts
        is_worse = (parent + more - fewer if is_all else more) > worst
        is_done = is_worse or (is_all and (changed == _ZERO or not again))
        if is_worse or not is_done:
            come_down(seen)
        if is_done:
            break
        again, parts = again and not is_all, rows.parts
    if needed:
        forget(rows, top)
    return worst + np.int64(1) if is_worse else parent + more - fewer


@inlined
def mark_hits(rows: Rows, program: Large, hits: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Put the hit nodes into `rows.hit`, and the inactive nodes that they need into `rows.needed`.

    Returns the outputs with changed genes, as bits, and the lowest node that must be computed.
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
            put(rows.hit, owner - rows.inputs)
            low = min(low, owner)
            a, b = sources_of(rows, genes, owner)
        need(rows, a)
        need(rows, b)
        top = max(top, max(a, b))
    if top >= rows.inputs:
        low = min(low, collect(rows, genes, top))
    return outputs, low


@internal
def evaluate_several(
    rows: Rows, seen: Observability, program: Large, hits: np.uint64, parent: np.int64, worst: np.int64
) -> np.int64:
    """The rank of an offspring in which several nodes, or outputs, are hit; see `evaluate_node`."""
    outputs, low = mark_hits(rows, program, hits)
    parts = _ONE
    while True:
        if low < rows.inputs + program.nodes:
            pass_upwards(seen, rows, program.genes, low, parts, False)
        after, before = balance_of_outputs(rows, seen, program, outputs, parts)
        is_all = parts == rows.parts
        is_worse = (parent + after - before if is_all else after) > worst
        if is_worse or not is_all:
            come_down(seen)
        if is_worse or is_all:
            break
        parts = rows.parts
    forget(rows, rows.inputs + program.nodes - _ONE)
    return worst + np.int64(1) if is_worse else parent + after - before


@inlined
def use_rows(evaluator: Incremental, sample: Words) -> None:
    """See `evaluators.use_rows`."""
    rows = evaluator.rows
    copy_columns(rows.values, rows.wanted, rows.words, sample, rows.inputs, _ZERO)


@inlined
def evaluate_anew(evaluator: Incremental, program: Large) -> np.int64:
    """See `evaluators.evaluate_anew`."""
    rows, genes = evaluator.rows, program.genes
    end = rows.inputs + program.nodes
    for source in range(end):
        rows.readers[source] = 0
    rows.readers[end] = 1
    for word in range(np.uint64(rows.active.size)):
        rows.active[word] = _ZERO
    evaluator.observability.number[0] += _ONE
    for output in range(rows.outputs):
        top = np.uint64(genes[rows.output_gene + output])
        count_reader(rows, genes, top, top, 1)
    for source in range(rows.inputs, end):
        if rows.readers[source] > 0:
            compute_parts(rows, genes, np.uint64(source), rows.parts)
    wrong, _ = balance_of_outputs(rows, evaluator.observability, program, ~_ZERO, rows.parts)
    return wrong


@inlined
def evaluate(
    evaluator: Incremental, program: Large, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, State]:
    """See `evaluators.evaluate`; the trial is the number of turned nodes, to be adopted or dropped."""
    rows, seen = evaluator.rows, evaluator.observability
    rank, turned = parent, _ZERO
    if changes.hits != _ZERO:
        owner = owner_of(program.hit[0])
        if changes.hits == _ONE and owner < rows.inputs + program.nodes:
            rank = evaluate_node(rows, seen, program, owner, parent, worst)
        else:
            rank = evaluate_several(rows, seen, program, changes.hits, parent, worst)
        turned = seen.number[1]
    return rank, (turned,)


@inlined
def read_anew(rows: Rows, program: Large, hits: np.uint64) -> None:
    """Update the counts of readers after hits: first count the new sources, then release the old ones.

    A node may be hit in several genes, but must be processed once in each of the two passes: the first pass
    adds it to `rows.hit`, the second removes it. A node that loses its last reader releases the sources of
    its new genes; those of its old genes are released by its own hit.
    """
    end, outputs = rows.inputs + program.nodes, _ZERO
    for is_release in range(2):
        genes, by = (program.parent, -1) if is_release else (program.genes, 1)
        for number in range(hits):
            owner, gene = owner_of(program.hit[number]), gene_of(program.hit[number])
            if owner == end:
                bit = _ONE << (gene - rows.output_gene)
                is_in = outputs & bit != _ZERO
                outputs ^= bit if is_in == is_release else _ZERO
                a = b = np.uint64(genes[gene])
            else:
                is_in = holds(rows.hit, owner - rows.inputs)
                if is_in == is_release:
                    flip(rows.hit, owner - rows.inputs)
                a, b = sources_of(rows, genes, owner)
            if is_in == is_release:
                count_reader(rows, program.genes, a, b, by)


@inlined
def keep(evaluator: Incremental, program: Large, state: State, changes: Changes, trial: State) -> State:
    """See `evaluators.keep`."""
    if changes.hits != _ZERO:
        read_anew(evaluator.rows, program, changes.hits)
        evaluator.observability.number[0] += _ONE
        adopt(evaluator.observability, evaluator.rows)
    return state


@inlined
def drop(evaluator: Incremental, program: Large, state: State, changes: Changes, trial: State) -> State:
    """See `evaluators.drop`."""
    if trial[0] != _ZERO:
        come_down(evaluator.observability)
    return state
