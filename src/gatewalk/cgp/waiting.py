"""Strict selection without waiting: rejected offspring are counted, not made; the law stays as it is.

Under strict selection the parent stays until an offspring is fitter, so the iterations until one *may*
be are geometric. Let e genes end SAM's loop (Algorithm 3) when picked. The one that does is uniform
among them and independent of the picks before it (`lean`), so every change of an active gene to
another of its c values ends the loop with probability 1 / (e (c - 1)). Take the parent with that
change alone. The nodes that are active in it, but not in the parent, have f genes, the fresh ones,
with more than one valid value. Of the e + f genes that end or are fresh, each is picked first with
the same probability.

- With probability e / (e + f) it is one that ends: no gene that the offspring uses was changed but
  the one. Whether it is fitter does not depend on chance: it is looked up once for each parent.
- With probability f / (e + f) it is a fresh one: the offspring is made and evaluated.

The changes of the first kind that are fitter, and those of the second, are the candidates; c is
their total probability. `sam_stream="lean"` draws the iterations until the next candidate, then which
it is, then the rest of SAM's loop given that. An offspring that is skipped is of the first kind and
took a geometric number of picks, each the last with probability (e + f) / m, m the genes drawn from.
How many had which f is multinomial: drawn once the parent is left, or when someone asks
(`undrawn`). c may be 0: such a parent stays for ever.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp import symbolic
from gatewalk.cgp.core import (
    ACCEPTED,
    OFFSPRING,
    RANK,
    SKIPPED,
    WAITING,
    Core,
    change,
    drop_child,
    keep_child,
    mark_active,
    note_improvement,
)
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.mutation import SAM_PICKED
from gatewalk.cgp.new_value import new_value
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.sam import ending_genes, ends_loop, picked_gene
from gatewalk.cgp.table import Table, evaluate, table_of
from gatewalk.jit import Int, by_kind, inlined, internal, outlined
from gatewalk.stream import pick, unit

FOREVER = 1 << 62  # iterations: more than anyone waits
KNOWN, COUNT = range(2)  # places in `found`
Genes = NDArray[np.int64]
Nodes = NDArray[np.uint8]  # which of them are active; the place past the last stands for the outputs


class Candidates(NamedTuple):
    """The offspring of a parent that may be fitter; those with number below found[COUNT] are meant.

    gene, value: the change that ends SAM's loop. fresh: is a fresh gene picked before it? upto: the
    probability of the candidates up to this one. stays[e + f]: the probability of being skipped with
    so many genes that end or are fresh. found[KNOWN]: is all this about the parent that there is now?
    """

    gene: NDArray[np.int32]
    value: NDArray[np.int32]
    fresh: NDArray[np.bool_]
    upto: NDArray[np.float64]
    stays: NDArray[np.float64]
    found: NDArray[np.int64]


class Marks(NamedTuple):
    """Symbolic evaluation of AND or, with `parity`, of XOR; see `Symbolic`."""

    marks: NDArray[np.uint8]
    parity: bool


class Waiting(NamedTuple):
    """active: nodes of the parent and of the child. movable: genes of a node with other valid values."""

    candidates: Candidates
    active: NDArray[np.uint8]
    child_active: NDArray[np.uint8]
    movable: NDArray[np.int64]
    lean: Lean
    evaluation: Table | Marks


def table_room_of(layout: Layout, training: TrainingSet, lean: Lean) -> Waiting:
    """Room to walk on a training set."""
    return _room_of(layout, lean, table_of(layout, training))


def symbolic_room_of(layout: Layout, lean: Lean, *, parity: bool) -> Waiting:
    """Room to walk on the complete set of AND from {AND}, or of XOR from {XOR}."""
    return _room_of(layout, lean, Marks(np.zeros(layout.inputs + layout.nodes + 1, dtype=np.uint8), parity))


def _room_of(layout: Layout, lean: Lean, evaluation: Table | Marks) -> Waiting:
    most = 2 * int((layout.choices - 1).sum())  # memory that is not written to is not taken
    genes = layout.owner.size
    candidates = Candidates(
        np.empty(most, dtype=np.int32),
        np.empty(most, dtype=np.int32),
        np.empty(most, dtype=np.bool_),
        np.empty(most, dtype=np.float64),
        np.zeros(genes + 1, dtype=np.float64),
        np.zeros(2, dtype=np.int64),
    )
    active, child_active = np.zeros((2, layout.nodes + 1), dtype=np.uint8)
    of_nodes = layout.choices[: layout.nodes * layout.block].reshape(layout.nodes, layout.block)
    movable = (of_nodes > 1).sum(axis=1).astype(np.int64)
    return Waiting(candidates, active, child_active, movable, lean, evaluation)


def advance(core: Core, layout: Layout, rule: Rule, room: Waiting, limit: int) -> None:
    """Walk until an offspring is accepted, or until `limit` offspring in all."""
    if to_next_parent(core, layout, rule, room, limit):
        core.undrawn[:] += _skipped_by_picks(core, room)
        core.counters[SKIPPED] = 0


def undrawn(core: Core, layout: Layout, rule: Rule, room: Waiting) -> NDArray[np.int64]:
    """`Core.undrawn` with the skipped offspring of this parent; nothing is changed by asking."""
    if core.counters[SKIPPED] > 0 and not room.candidates.found[KNOWN]:  # a walk that was saved
        to_next_parent(core, layout, rule, room, 0)  # finds the candidates, and goes no further
    return core.undrawn + _skipped_by_picks(core, room)


def _skipped_by_picks(core: Core, room: Waiting) -> NDArray[np.int64]:
    """Of the skipped offspring, how many have so many genes that end or are fresh."""
    counts = np.zeros_like(core.undrawn)
    if core.counters[SKIPPED] > 0:
        stays = room.candidates.stays
        possible = np.flatnonzero(stays)
        # Seeded by where the stream has come to and a 1, as `lean.elementary_steps` is by the former.
        source = np.random.RandomState(np.append(core.stream.view(np.uint32), np.uint32(1)))
        shares = stays[possible] / math.fsum(stays[possible])
        counts[possible] = source.multinomial(core.counters[SKIPPED], shares)
    return counts


@outlined
def rank(layout: Layout, room: Waiting, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    mark_active(layout, genes, room.active)
    room.candidates.found[KNOWN] = 0
    return rank_of(layout, genes, room.active, room.evaluation)


@inlined
def _rank_by_table(layout: Layout, genes: Genes, active: Nodes, evaluation: Table) -> Int:
    return evaluate(layout, genes, active, evaluation)


@inlined
def _rank_by_marks(layout: Layout, genes: Genes, active: Nodes, evaluation: Marks) -> Int:
    symbolic.mark_from_output(layout, evaluation.marks, evaluation.parity, genes)
    return symbolic.rank_of(layout, evaluation.marks, evaluation.parity)


# Evaluate a program with these active nodes.
rank_of: Callable[[Layout, Genes, Nodes, Table | Marks], Int]
rank_of = by_kind({Table: _rank_by_table, Marks: _rank_by_marks})


@outlined
def to_next_parent(core: Core, layout: Layout, rule: Rule, room: Waiting, limit: Int) -> bool:
    """Walk until an offspring is accepted (true), or until `limit` offspring in all."""
    counters, candidates = core.counters, room.candidates
    picked_ends = rule.mutation == SAM_PICKED
    if not candidates.found[KNOWN]:
        find_candidates(core, layout, room, picked_ends)
    while counters[OFFSPRING] < limit:
        if counters[WAITING] == 0:
            counters[WAITING] = iterations_until(total(candidates), unit(core.stream))
        skipped = min(counters[WAITING] - 1, limit - counters[OFFSPRING])
        counters[OFFSPRING] += skipped
        counters[SKIPPED] += skipped
        counters[WAITING] -= skipped
        if counters[OFFSPRING] < limit:
            counters[OFFSPRING] += 1
            counters[WAITING] = 0
            if play(core, layout, room, picked_ends):
                return True
    return False


@outlined
def iterations_until(probability: float, uniform: float) -> Int:
    """A geometric number, 1 or more, by inversion."""
    if probability >= 1.0:
        return 1
    if probability <= 0.0:
        return FOREVER
    failures = math.log1p(-uniform) / math.log1p(-probability)
    return 1 + np.int64(failures) if failures < FOREVER - 1 else FOREVER


@inlined
def total(candidates: Candidates) -> float:
    """The probability that an offspring is a candidate."""
    count = candidates.found[COUNT]
    return float(candidates.upto[count - 1]) if count > 0 else 0.0


@internal
def find_candidates(core: Core, layout: Layout, room: Waiting, picked_ends: bool) -> None:
    """Try every change that may end SAM's loop: by gene, then by value."""
    candidates = room.candidates
    mark_active(layout, core.genes, room.active)
    ending = ending_genes(layout, room.active, len(room.lean.kinds), picked_ends)
    candidates.stays[:] = 0.0
    candidates.found[COUNT] = 0
    for gene in range(layout.owner.size):
        if not ends_loop(layout, room.active, gene, picked_ends):
            continue
        if layout.choices[gene] == 1:  # ends the loop, but cannot change
            candidates.stays[ending] += 1.0 / ending
        skip_from, skip = layout.skip_from[gene], layout.skip[gene]
        for index in range(layout.choices[gene]):
            value = index if index < skip_from else index + skip
            if value != core.genes[gene]:
                core.child[gene] = value
                weigh(core, layout, room, gene, ending)
        core.child[gene] = core.genes[gene]
    candidates.found[KNOWN] = 1


@internal
def weigh(core: Core, layout: Layout, room: Waiting, gene: Int, ending: Int) -> None:
    """Enter the parent with that one gene changed among the candidates, or those that are skipped."""
    mark_active(layout, core.child, room.child_active)
    fresh = fresh_genes(room)
    others = layout.choices[gene] - 1
    unmoved = 1.0 / (others * (ending + fresh))
    if rank_of(layout, core.child, room.child_active, room.evaluation) < core.counters[RANK]:
        enter(room.candidates, gene, core.child[gene], False, unmoved)
    else:
        room.candidates.stays[ending + fresh] += unmoved
    if fresh > 0:
        moved = fresh / (others * (ending + fresh) * ending)
        enter(room.candidates, gene, core.child[gene], True, moved)


@inlined
def enter(candidates: Candidates, gene: Int, value: Int, fresh: bool, probability: float) -> None:
    """One more candidate."""
    number = candidates.found[COUNT]
    candidates.gene[number] = gene
    candidates.value[number] = value
    candidates.fresh[number] = fresh
    candidates.upto[number] = total(candidates) + probability
    candidates.found[COUNT] = number + 1


@internal
def fresh_genes(room: Waiting) -> Int:
    """How many genes of the nodes that are active in the child alone have other valid values."""
    count: Int = 0
    for node in range(room.movable.size):
        if room.child_active[node] > room.active[node]:
            count += room.movable[node]
    return count


@internal
def nth_fresh_gene(layout: Layout, active: Nodes, child_active: Nodes, number: Int) -> Int:
    """The one of these genes with so many before it."""
    gene = 0
    while True:
        node = layout.owner[gene]
        if child_active[node] > active[node] and layout.choices[gene] > 1:
            if number == 0:
                return gene
            number -= 1
        gene += 1


@internal
def choose(candidates: Candidates, uniform: float) -> Int:
    """A candidate by its probability: the first with upto above uniform times the total."""
    wanted = uniform * total(candidates)
    low, high = 0, candidates.found[COUNT] - 1
    while low < high:
        middle = (low + high) // 2
        if candidates.upto[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@internal
def play(core: Core, layout: Layout, room: Waiting, picked_ends: bool) -> bool:
    """Make a candidate, with what SAM's loop changes besides; is it accepted?"""
    candidates = room.candidates
    chosen = choose(candidates, unit(core.stream))
    kinds, active, child_active = len(room.lean.kinds), room.active, room.child_active
    last, value = np.int64(candidates.gene[chosen]), np.int64(candidates.value[chosen])
    touched = change(core, np.int64(0), last, value)
    mark_active(layout, core.child, child_active)
    touched = drift_aside(core, layout, active, child_active, kinds, picked_ends, touched)
    if candidates.fresh[chosen]:
        choice, spare = pick(core.stream, np.uint64(fresh_genes(room)))
        gene = nth_fresh_gene(layout, active, child_active, np.int64(choice))
        touched = change(core, touched, gene, new_value(core.stream, layout, core.child, gene, spare))
        touched = drift_aside(core, layout, active, active, kinds, picked_ends, touched)
        mark_active(layout, core.child, child_active)
    child = rank_of(layout, core.child, room.child_active, room.evaluation)
    if child >= core.counters[RANK]:
        drop_child(core, touched)
        return False
    keep_child(core, touched)
    candidates.found[KNOWN] = 0
    core.counters[ACCEPTED] += 1
    core.counters[RANK] = child
    note_improvement(core)
    return True


@internal
def drift_aside(
    core: Core,
    layout: Layout,
    active: Nodes,
    child_active: Nodes,
    kinds: Int,
    picked_ends: bool,
    touched: Int,
) -> Int:
    """SAM's loop up to the first pick of a gene that ends it or is fresh, which is left as it is."""
    while True:
        gene, spare = picked_gene(core, layout, kinds)
        node = layout.owner[gene]
        fresh = child_active[node] > active[node] and layout.choices[gene] > 1
        if fresh or ends_loop(layout, active, gene, picked_ends):
            return touched
        value = new_value(core.stream, layout, core.child, gene, spare)
        if value != core.child[gene]:
            touched = change(core, touched, gene, value)
