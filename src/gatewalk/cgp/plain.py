"""The plain walk: (1+lambda) CGP with any mutation, every offspring evaluated in full (Algorithm 1).

The simplest kernel and the one with every option; faster kernels must walk the same way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.blocks import copy_all
from gatewalk.cgp.core import (
    ACCEPTED,
    EAGER,
    LOGGED,
    OFFSPRING,
    RANK,
    Core,
    drop_child,
    keep_child,
    mark_active,
    note_improvement,
)
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean, by_stream, is_short
from gatewalk.cgp.mutation import SAM_PICKED, mutate
from gatewalk.cgp.rule import Rule, accepts
from gatewalk.cgp.sam import active_change, drawn_and_active, drift, ending_genes, leads_to_inactive, sam
from gatewalk.cgp.table import Table, evaluate, table_of
from gatewalk.jit import Int, inlined, internal, outlined
from gatewalk.stream import below


class Plain(NamedTuple):
    """Active nodes of the parent and of the child, the best of a generation, and the table."""

    active: NDArray[np.uint8]
    child_active: NDArray[np.uint8]
    best: NDArray[np.int64]
    lean: Lean
    table: Table


def plain_of(layout: Layout, training: TrainingSet, lean: Lean) -> Plain:
    """Room to walk on a training set."""
    genes = layout.owner.size
    return Plain(
        np.zeros(layout.nodes + 1, dtype=np.uint8),
        np.zeros(layout.nodes + 1, dtype=np.uint8),
        np.zeros(genes, dtype=np.int64),
        lean,
        table_of(layout, training),
    )


@outlined
def rank(layout: Layout, plain: Plain, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program; its active nodes are marked as the parent's."""
    mark_active(layout, genes, plain.active)
    return evaluate(layout, genes, plain.active, plain.table)


@internal
def _one(core: Core, layout: Layout, rule: Rule, plain: Plain) -> None:
    touched = mutate(core, layout, plain.active, rule.mutation, rule.strength)
    mark_active(layout, core.child, plain.child_active)
    child = evaluate(layout, core.child, plain.child_active, plain.table)
    core.counters[OFFSPRING] += 1
    if accepts(core.stream, rule, core.counters[RANK], child, np.int64(1)):
        keep_child(core, touched)
        copy_all(plain.active, plain.child_active)
        _settle(core, child)
    else:
        drop_child(core, touched)


@inlined
def _one_lean(core: Core, layout: Layout, rule: Rule, plain: Plain, limit: Int) -> None:
    """One offspring by SAM without waste: see `lean`."""
    kinds, picked_ends = len(plain.lean.kinds), rule.mutation == SAM_PICKED
    drawn, ending = drawn_and_active(layout, plain.active, kinds)
    drifted = core.counters[EAGER] != 0 or is_short(plain.lean, drawn, ending)
    if drifted:
        touched = sam(core, layout, plain.active, kinds, picked_ends)
    else:
        gene, touched = active_change(core, layout, plain.active, kinds, picked_ends)
        drifted = touched > 0 and leads_to_inactive(core, layout, plain.active, gene)
        if drifted:
            touched = drift(core, layout, plain.active, kinds, picked_ends, touched)
    mark_active(layout, core.child, plain.child_active)
    child = evaluate(layout, core.child, plain.child_active, plain.table)
    core.counters[OFFSPRING] += 1
    accepted = accepts(core.stream, rule, core.counters[RANK], child, np.int64(1))
    core.counters[EAGER] = accepted
    if accepted:
        if not drifted:
            touched = drift(core, layout, plain.active, kinds, picked_ends, touched)
        keep_child(core, touched)
        copy_all(plain.active, plain.child_active)
        _settle(core, child)
    else:
        if not drifted:
            core.undrawn[ending_genes(layout, plain.active, kinds, picked_ends)] += 1
        drop_child(core, touched)


@internal
def _several(core: Core, layout: Layout, rule: Rule, plain: Plain, limit: Int) -> None:
    """One generation; it ends early when solved or at the limit. Equal offspring: one drawn uniformly."""
    best: Int = np.int64(-1)
    equals = 0
    for _ in range(rule.offspring):
        touched = mutate(core, layout, plain.active, rule.mutation, rule.strength)
        mark_active(layout, core.child, plain.child_active)
        child = evaluate(layout, core.child, plain.child_active, plain.table)
        core.counters[OFFSPRING] += 1
        if best < 0 or child < best:
            best, equals = child, 1
            copy_all(plain.best, core.child)
        elif child == best:
            equals += 1
            if below(core.stream, np.uint64(equals)) == np.uint64(0):
                copy_all(plain.best, core.child)
        drop_child(core, touched)
        if best == 0 or core.counters[OFFSPRING] >= limit:
            break
    if accepts(core.stream, rule, core.counters[RANK], best, equals):
        copy_all(core.genes, plain.best)
        copy_all(core.child, plain.best)
        mark_active(layout, core.genes, plain.active)
        _settle(core, best)


@internal
def _settle(core: Core, rank: Int) -> None:
    """Count an accepted offspring."""
    core.counters[ACCEPTED] += 1
    improved = rank < core.counters[RANK]
    core.counters[RANK] = rank
    if improved:
        note_improvement(core)


@inlined
def _literal_generation(core: Core, layout: Layout, rule: Rule, plain: Plain, limit: Int) -> None:
    if rule.offspring == 1:
        _one(core, layout, rule, plain)
    else:
        _several(core, layout, rule, plain, limit)


_generation = by_stream(_literal_generation, _one_lean)


@outlined
def advance(core: Core, layout: Layout, rule: Rule, plain: Plain, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    counters = core.counters
    while counters[RANK] > 0 and counters[OFFSPRING] < limit and counters[LOGGED] < core.log.shape[0]:
        _generation(core, layout, rule, plain, limit)
