"""Strict selection without waiting: rejected offspring are counted, not made; the law stays as it is.

Under strict selection the parent stays until an offspring is fitter, so the iterations until one *may*
be are geometric. In Algorithm 3 every pick ends SAM's loop with the same probability, whatever was picked
before. So the gene that ends it is uniform among the e genes that do when picked, and independent of the
picks before it: every change of such a gene to another of its c values ends the loop with probability
1 / (e (c - 1)). Take the parent with that change alone. The nodes that are active in it, but not in the
parent, have f genes, the fresh ones, with more than one valid value. Of the e + f genes that end or are
fresh, each is picked first with the same probability.

- With probability e / (e + f) it is one that ends: no gene that the offspring uses was changed but
  the one. Whether it is fitter does not depend on chance: it is looked up once for each parent.
- With probability f / (e + f) it is a fresh one: the offspring is made and evaluated.

The changes of the first kind that are fitter, and those of the second, are the candidates; c is
their total probability. `waiting="drawn"` draws the iterations until the next candidate, then which
it is, then the rest of SAM's loop given that. An offspring that is skipped is of the first kind and
took a geometric number of picks, each the last with probability (e + f) / m, m the genes. How many had
which f is multinomial, and how many picks they took negative binomial: drawn once the parent is left, or
when someone asks. c may be 0: such a parent stays for ever.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.judges.marked import Marked, rank_of
from gatewalk.cgp.judges.table import mark_active
from gatewalk.cgp.judging import is_active, load, take
from gatewalk.cgp.large import Large, touch
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.observing import Nobody
from gatewalk.cgp.program import Changes, change, drop_child, keep_child
from gatewalk.cgp.slots import others_of, owner_of
from gatewalk.native.gaps import trials_until
from gatewalk.native.jit import Int, hot_kernel, inlined, internal
from gatewalk.native.registers import Registers, pick, store, unit
from gatewalk.native.registers import load as load_stream

# Places in `counters`: PICKS are the elementary steps that were drawn.
OFFSPRING, PICKS, RANK, WAITING, SKIPPED = range(5)
KNOWN, COUNT = range(2)  # places in `found`
_ZERO = np.uint64(0)


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


class Waiting(NamedTuple):
    """A search under way. judge: its `active` is of the parent, its `marks` of the offspring looked at.

    movable: genes of a node with other valid values. counters: offspring, picks, rank of the parent,
    iterations until the next candidate, offspring of this parent that were not made. undrawn[k]: offspring of
    earlier parents that were not made, with k genes that ended SAM or were fresh.
    """

    layout: Layout
    program: Large
    judge: Marked
    candidates: Candidates
    movable: NDArray[np.int64]
    stream: NDArray[np.uint64]
    counters: NDArray[np.int64]
    undrawn: NDArray[np.int64]


def waiting_of(layout: Layout, program: Large, judge: Marked) -> Waiting:
    """A search from the parent in `program`."""
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
    of_nodes = layout.choices[: layout.nodes * layout.block].reshape(layout.nodes, layout.block)
    return Waiting(
        layout,
        program,
        judge,
        candidates,
        (of_nodes > 1).sum(axis=1).astype(np.int64),
        np.zeros(4, dtype=np.uint64),
        np.zeros(5, dtype=np.int64),
        np.zeros(genes + 1, dtype=np.int64),
    )


def advance(search: Waiting, limit: int) -> bool:
    """Walk until an offspring is accepted (true), or until `limit` offspring in all."""
    accepted = to_next_parent(search, limit)
    if accepted:
        search.undrawn[:] += _skipped_by_picks(search)
        search.counters[SKIPPED] = 0
    return bool(accepted)


def elementary_steps(search: Waiting) -> int:
    """Elementary steps so far; those of skipped offspring are a draw from their law.

    Nothing is changed by asking: the random source is seeded by the state that the stream has come to.
    """
    if search.counters[SKIPPED] > 0 and not search.candidates.found[KNOWN]:  # a walk that was saved
        to_next_parent(search, 0)  # finds the candidates, and goes no further
    source = np.random.RandomState(search.stream.view(np.uint32))  # its numbers never change between versions
    undrawn = search.undrawn + _skipped_by_picks(search)
    genes = search.layout.owner.size
    picks = int(search.counters[PICKS]) + int(undrawn.sum())
    for ending in np.flatnonzero(undrawn[:genes]):
        picks += int(source.negative_binomial(undrawn[ending], ending / genes))
    return picks


def _skipped_by_picks(search: Waiting) -> NDArray[np.int64]:
    """Of the skipped offspring, how many have so many genes that end or are fresh."""
    counts = np.zeros_like(search.undrawn)
    if search.counters[SKIPPED] > 0:
        stays = search.candidates.stays
        possible = np.flatnonzero(stays)
        # Seeded by where the stream has come to and a 1, as `elementary_steps` is by the former.
        source = np.random.RandomState(np.append(search.stream.view(np.uint32), np.uint32(1)))
        shares = stays[possible] / math.fsum(stays[possible])
        counts[possible] = source.multinomial(search.counters[SKIPPED], shares)
    return counts


@hot_kernel
def first_rank(search: Waiting) -> Int:
    """The rank of the parent that a walk begins with."""
    return np.int64(take(search.judge, search.program))


@hot_kernel
def to_next_parent(search: Waiting, limit: Int) -> bool:
    """Walk until an offspring is accepted (true), or until `limit` offspring in all."""
    counters, candidates = search.counters, search.candidates
    registers = load_stream(search.stream)
    if not candidates.found[KNOWN]:
        find_candidates(search)
    accepted = False
    while counters[OFFSPRING] < limit and not accepted:
        if counters[WAITING] == 0:
            uniform, registers = unit(registers)
            counters[WAITING] = trials_until(total(candidates), uniform)
        skipped = min(counters[WAITING] - 1, limit - counters[OFFSPRING])
        counters[OFFSPRING] += skipped
        counters[SKIPPED] += skipped
        counters[WAITING] -= skipped
        if counters[OFFSPRING] < limit:
            counters[OFFSPRING] += 1
            counters[WAITING] = 0
            accepted, registers = play(search, registers)
    store(search.stream, registers)
    return accepted


@inlined
def total(candidates: Candidates) -> float:
    """The probability that an offspring is a candidate."""
    count = candidates.found[COUNT]
    return float(candidates.upto[count - 1]) if count > 0 else 0.0


@inlined
def ends_loop(search: Waiting, gene: Int) -> bool:
    """Does SAM's loop end when this gene is picked? What that depends on is in the slots."""
    return bool(is_active(search.judge, search.program, load(search.judge), search.program.slots[gene]))


@inlined
def is_new(judge: Marked, source: Int) -> bool:
    """Is a source active in the offspring alone?"""
    return bool(judge.marks[source] != 0 and judge.active[source] == 0)


@inlined
def is_fresh(search: Waiting, gene: Int) -> bool:
    """Is it a gene, with other values, of a node that is active in the offspring alone?"""
    slot = search.program.slots[gene]
    return is_new(search.judge, owner_of(slot)) and others_of(slot) != _ZERO


@internal
def find_candidates(search: Waiting) -> None:
    """Try every change that may end SAM's loop: by gene, then by value."""
    layout, candidates, genes = search.layout, search.candidates, search.program.genes
    take(search.judge, search.program)
    ending = np.int64(0)
    for gene in range(layout.owner.size):
        ending += np.int64(ends_loop(search, gene))
    for place in range(candidates.stays.size):
        candidates.stays[place] = 0.0
    candidates.found[COUNT] = 0
    for gene in range(layout.owner.size):
        if not ends_loop(search, gene):
            continue
        if layout.choices[gene] == 1:  # ends the loop, but cannot change
            candidates.stays[ending] += 1.0 / ending
        skip_from, skip, current = layout.skip_from[gene], layout.skip[gene], genes[gene]
        for index in range(layout.choices[gene]):
            value = index if index < skip_from else index + skip
            if value != current:
                genes[gene] = value
                weigh(search, gene, ending)
        genes[gene] = current
    candidates.found[KNOWN] = 1


@internal
def weigh(search: Waiting, gene: Int, ending: Int) -> None:
    """Enter the parent with that one gene changed among the candidates, or those that are skipped."""
    value, others = search.program.genes[gene], search.layout.choices[gene] - 1
    is_fitter = rank_of(search.judge, search.program) < search.counters[RANK]
    fresh = fresh_genes(search)
    unmoved = 1.0 / (others * (ending + fresh))
    if is_fitter:
        enter(search.candidates, gene, value, False, unmoved)
    else:
        search.candidates.stays[ending + fresh] += unmoved
    if fresh > 0:
        enter(search.candidates, gene, value, True, fresh / (others * (ending + fresh) * ending))


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
def fresh_genes(search: Waiting) -> Int:
    """How many genes are fresh."""
    count: Int = 0
    for node in range(search.movable.size):
        if is_new(search.judge, search.layout.inputs + node):
            count += search.movable[node]
    return count


@internal
def nth_fresh_gene(search: Waiting, number: Int) -> Int:
    """The fresh gene with so many before it."""
    gene = 0
    while not is_fresh(search, gene) or number > 0:
        number -= np.int64(is_fresh(search, gene))
        gene += 1
    return gene


@inlined
def choose(candidates: Candidates, uniform: float) -> Int:
    """A candidate by its probability: the first with upto above uniform times the total."""
    last = candidates.found[COUNT] - 1
    return np.int64(np.searchsorted(candidates.upto[:last], uniform * total(candidates), side="right"))


@internal
def play(search: Waiting, registers: Registers) -> tuple[bool, Registers]:
    """Make a candidate, with what SAM's loop changes besides; is it accepted?"""
    candidates, program, judge = search.candidates, search.program, search.judge
    uniform, registers = unit(registers)
    chosen = choose(candidates, uniform)
    last = candidates.gene[chosen]
    program.genes[last] = candidates.value[chosen]
    touched = touch(program, _ZERO, program.slots[last])
    mark_active(search.layout, program.genes, judge.marks)
    touched, registers = drift_aside(search, touched, True, registers)
    if candidates.fresh[chosen]:
        choice, spare, registers = pick(registers, np.uint64(fresh_genes(search)))
        slot = program.slots[nth_fresh_gene(search, np.int64(choice))]
        touched, registers = change(program, touched, slot, spare, registers, Nobody(True))
        touched, registers = drift_aside(search, touched, False, registers)
    rank = rank_of(judge, program)
    changes = Changes(touched, _ZERO, _ZERO)
    if rank >= search.counters[RANK]:
        drop_child(program, changes)
        return False, registers
    keep_child(program, changes)
    candidates.found[KNOWN] = 0
    search.counters[RANK] = rank
    return True, registers


@internal
def drift_aside(
    search: Waiting, touched: np.uint64, before_fresh: bool, registers: Registers
) -> tuple[np.uint64, Registers]:
    """SAM's loop up to the first pick of a gene that ends it, which is left as it is.

    before_fresh: a fresh gene ends it too.
    """
    program = search.program
    while True:
        choice, spare, registers = pick(registers, np.uint64(program.slots.size))
        search.counters[PICKS] += 1
        gene = np.int64(choice)
        if ends_loop(search, gene) or (before_fresh and is_fresh(search, gene)):
            return touched, registers
        touched, registers = change(program, touched, program.slots[gene], spare, registers, Nobody(True))
