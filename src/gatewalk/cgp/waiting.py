"""Waiting times drawn (`waiting="drawn"`): strict selection that skips offspring that cannot be accepted.

Under strict selection the parent stays until an offspring is fitter. Most offspring cannot be; instead of
making them, the number of iterations until one *may* be is drawn from its geometric distribution. The law of
a run stays the same.

In Algorithm 3 every pick ends SAM's loop with the same probability, whatever was picked before. So the gene
that ends the loop is uniform among the e genes that end it when picked, and independent of the picks before
it: every change of such a gene to another of its c values ends the loop with probability 1 / (e (c - 1)).
Consider the parent with that change alone. The nodes that are active in it, but not in the parent, have f
genes with more than one valid value: the *fresh* genes. Of the e + f genes that end the loop or are fresh,
each is equally likely to be picked first.

- With probability e / (e + f) it is one that ends the loop. Then the offspring uses no other changed gene,
  and whether it is fitter does not depend on chance: that is computed once for each parent.
- With probability f / (e + f) it is a fresh one. Then the offspring must be made and evaluated.

The changes of the first kind that are fitter, and all of the second, are the *candidates*. A search draws the
iterations until the next candidate, then which candidate it is, then the rest of SAM's loop given that
choice. If there is no candidate, the parent stays for ever.

A skipped offspring is of the first kind and took a geometric number of picks, each of which was the last with
probability (e + f) / m, where m is the number of genes. How many skipped offspring had which f is a
multinomial draw, and the number of their picks is negative binomial. Both are drawn when the parent is
replaced, or when the elementary steps are asked for.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp import walk as walks
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.engines import Engine, is_symbolic, named, no_evaluation
from gatewalk.cgp.evaluators import evaluate_anew, is_active, load
from gatewalk.cgp.evaluators.marked import Marked, rank_of
from gatewalk.cgp.genotype import Layout, layout_of
from gatewalk.cgp.large import Large, large_of, mark_active, touch
from gatewalk.cgp.observers import Nobody
from gatewalk.cgp.program import Changes, change, drop_child, keep_child
from gatewalk.cgp.slots import others_of, owner_of
from gatewalk.errors import InputError
from gatewalk.native.draws import FOREVER, trials_until
from gatewalk.native.jit import Int, hot_kernel, inlined, internal
from gatewalk.native.stream import Registers, pick, store, unit
from gatewalk.native.stream import load as load_stream

OFFSPRING, PICKS, RANK, UNTIL_CANDIDATE, SKIPPED = range(5)  # indices into `WaitingState.counters`
KNOWN, COUNT = range(2)  # indices into `Candidates.info`
MOST_STEPS = (1 << 63) - 1  # elementary steps that are reported; it stands for any larger number too
_MOST_DRAWN = (
    0.99 * MOST_STEPS
)  # the largest mean of a draw: numpy draws nothing above 2^63, and says nothing
_ZERO = np.uint64(0)


class Candidates(NamedTuple):
    """The offspring of a parent that may be fitter; the arrays have info[COUNT] valid entries.

    gene, value: the change that ends SAM's loop.
    fresh: whether a fresh gene is picked before it.
    upto: the total probability of the candidates up to and including this one.
    stays[k]: the probability of an offspring that is skipped and has e + f = k.
    info[KNOWN]: whether the candidates are those of the present parent.
    """

    gene: NDArray[np.int32]
    value: NDArray[np.int32]
    fresh: NDArray[np.bool_]
    upto: NDArray[np.float64]
    stays: NDArray[np.float64]
    info: NDArray[np.int64]


class WaitingState(NamedTuple):
    """The arrays of a run whose waiting times are drawn.

    evaluator: its array `active` belongs to the parent, its `marks` to the offspring evaluated last.
    movable: for each node, the number of its genes with more than one valid value.
    counters: OFFSPRING so far, skipped ones included; PICKS, the elementary steps of offspring that were
        made; RANK of the parent; UNTIL_CANDIDATE, iterations to the next candidate, 0 if not drawn yet,
        `FOREVER` if there is no candidate; SKIPPED, the skipped offspring of this parent.
    undrawn[k]: the skipped offspring of earlier parents with e + f = k, whose picks are not drawn yet.
    """

    layout: Layout
    program: Large
    evaluator: Marked
    candidates: Candidates
    movable: NDArray[np.int64]
    stream: NDArray[np.uint64]
    counters: NDArray[np.int64]
    undrawn: NDArray[np.int64]


def waiting_of(layout: Layout, program: Large, evaluator: Marked) -> WaitingState:
    """The arrays of a run that begins at the parent in `program`."""
    most = 2 * int((layout.choices - 1).sum())  # the system provides memory only when it is written to
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
    return WaitingState(
        layout,
        program,
        evaluator,
        candidates,
        (of_nodes > 1).sum(axis=1).astype(np.int64),
        np.zeros(4, dtype=np.uint64),
        np.zeros(5, dtype=np.int64),
        np.zeros(genes + 1, dtype=np.int64),
    )


def next_parent(state: WaitingState, limit: int) -> bool:
    """Search until an offspring is accepted (True), or until there were `limit` offspring (False)."""
    accepted = to_next_parent(state, limit)
    if accepted:
        state.undrawn[:] += _skipped_by_picks(state)
        state.counters[SKIPPED] = 0
    return bool(accepted)


def elementary_steps(state: WaitingState) -> int:
    """The elementary steps so far, at most `MOST_STEPS`; those of skipped offspring are drawn from their law.

    The call does not change the search: the draws come from a generator seeded by the present state of the
    stream, so repeated calls give the same number.
    """
    if state.counters[SKIPPED] > 0 and not state.candidates.info[KNOWN]:  # after a restore
        to_next_parent(state, 0)  # finds the candidates; with a limit of 0 it does nothing else
    source = np.random.RandomState(state.stream.view(np.uint32))  # numpy keeps its stream the same for ever
    undrawn = state.undrawn + _skipped_by_picks(state)
    genes = state.layout.owner.size
    picks = int(state.counters[PICKS]) + int(undrawn.sum())
    for ending in np.flatnonzero(undrawn[:genes]):
        picks += _more_picks(source, int(undrawn[ending]), ending / genes)
    return min(picks, MOST_STEPS)


def _more_picks(source: np.random.RandomState, count: int, share: float) -> int:
    """The picks of so many offspring besides their last ones; `share` of the genes end SAM's loop.

    A mean near 2^63 is that of 2^33 offspring or more, so a draw differs from it by less than 1 %.
    """
    if count * (1 / share - 1) > _MOST_DRAWN:
        return MOST_STEPS
    return int(source.negative_binomial(count, share))


def _skipped_by_picks(state: WaitingState) -> NDArray[np.int64]:
    """How many of the skipped offspring of this parent have e + f = k, for every k: a multinomial draw."""
    counts = np.zeros_like(state.undrawn)
    if state.counters[SKIPPED] > 0:
        stays = state.candidates.stays
        possible = np.flatnonzero(stays)
        # The 1 makes this generator another one than that of `elementary_steps`.
        source = np.random.RandomState(np.append(state.stream.view(np.uint32), np.uint32(1)))
        shares = stays[possible] / math.fsum(stays[possible])
        counts[possible] = source.multinomial(state.counters[SKIPPED], shares)
    return counts


@hot_kernel
def first_rank(state: WaitingState) -> Int:
    """Evaluate the parent that the search begins with; returns its rank."""
    return np.int64(evaluate_anew(state.evaluator, state.program))


@hot_kernel
def to_next_parent(state: WaitingState, limit: Int) -> bool:
    """Search until an offspring is accepted (True), or until there were `limit` offspring (False)."""
    counters, candidates = state.counters, state.candidates
    registers = load_stream(state.stream)
    if not candidates.info[KNOWN]:
        find_candidates(state)
    accepted = False
    while counters[OFFSPRING] < limit and not accepted:
        if counters[UNTIL_CANDIDATE] == 0:
            uniform, registers = unit(registers)
            counters[UNTIL_CANDIDATE] = trials_until(total(candidates), uniform)
        if candidates.info[COUNT] == 0:  # the parent stays, however many offspring there are
            counters[SKIPPED] += limit - counters[OFFSPRING]
            counters[OFFSPRING] = limit
            break
        skipped = min(counters[UNTIL_CANDIDATE] - 1, limit - counters[OFFSPRING])
        counters[OFFSPRING] += skipped
        counters[SKIPPED] += skipped
        counters[UNTIL_CANDIDATE] -= skipped
        if counters[OFFSPRING] < limit:
            counters[OFFSPRING] += 1
            counters[UNTIL_CANDIDATE] = 0
            accepted, registers = play(state, registers)
    store(state.stream, registers)
    return accepted


@inlined
def total(candidates: Candidates) -> float:
    """The probability that an offspring is a candidate."""
    count = candidates.info[COUNT]
    return float(candidates.upto[count - 1]) if count > 0 else 0.0


@inlined
def ends_loop(state: WaitingState, gene: Int) -> bool:
    """Whether SAM's loop ends when this gene is picked; the slots encode it."""
    program, evaluator = state.program, state.evaluator
    return bool(is_active(evaluator, program, load(evaluator), program.slots[gene]))


@inlined
def is_new(evaluator: Marked, source: Int) -> bool:
    """Whether a source is active in the offspring but not in the parent."""
    return bool(evaluator.marks[source] != 0 and evaluator.active[source] == 0)


@inlined
def is_fresh(state: WaitingState, gene: Int) -> bool:
    """Whether a gene is fresh: of a node that is active in the offspring only, with other valid values."""
    slot = state.program.slots[gene]
    return is_new(state.evaluator, owner_of(slot)) and others_of(slot) != _ZERO


@internal
def find_candidates(state: WaitingState) -> None:
    """Find the candidates of the present parent: try every change that may end SAM's loop."""
    layout, candidates, genes = state.layout, state.candidates, state.program.genes
    evaluate_anew(state.evaluator, state.program)
    ending = np.int64(0)
    for gene in range(layout.owner.size):
        ending += np.int64(ends_loop(state, gene))
    for place in range(candidates.stays.size):
        candidates.stays[place] = 0.0
    candidates.info[COUNT] = 0
    for gene in range(layout.owner.size):
        if not ends_loop(state, gene):
            continue
        if layout.choices[gene] == 1:  # picking it ends the loop, but its value cannot change
            candidates.stays[ending] += 1.0 / ending
        skip_from, skip, current = layout.skip_from[gene], layout.skip[gene], genes[gene]
        for index in range(layout.choices[gene]):
            value = index if index < skip_from else index + skip
            if value != current:
                genes[gene] = value
                try_change(state, gene, ending)
        genes[gene] = current
    candidates.info[KNOWN] = 1


@internal
def try_change(state: WaitingState, gene: Int, ending: Int) -> None:
    """Evaluate the parent with this one gene changed, and add it to the candidates or to those skipped."""
    value, others = state.program.genes[gene], state.layout.choices[gene] - 1
    is_fitter = rank_of(state.evaluator, state.program) < state.counters[RANK]
    fresh = fresh_genes(state)
    unmoved = 1.0 / (others * (ending + fresh))
    if is_fitter:
        enter(state.candidates, gene, value, False, unmoved)
    else:
        state.candidates.stays[ending + fresh] += unmoved
    if fresh > 0:
        enter(state.candidates, gene, value, True, fresh / (others * (ending + fresh) * ending))


@inlined
def enter(candidates: Candidates, gene: Int, value: Int, fresh: bool, probability: float) -> None:
    """Add a candidate."""
    number = candidates.info[COUNT]
    candidates.gene[number] = gene
    candidates.value[number] = value
    candidates.fresh[number] = fresh
    candidates.upto[number] = total(candidates) + probability
    candidates.info[COUNT] = number + 1


@internal
def fresh_genes(state: WaitingState) -> Int:
    """The number of fresh genes."""
    count: Int = 0
    for node in range(state.movable.size):
        if is_new(state.evaluator, state.layout.inputs + node):
            count += state.movable[node]
    return count


@internal
def nth_fresh_gene(state: WaitingState, number: Int) -> Int:
    """The fresh gene that has `number` fresh genes before it."""
    gene = 0
    while not is_fresh(state, gene) or number > 0:
        number -= np.int64(is_fresh(state, gene))
        gene += 1
    return gene


@inlined
def choose(candidates: Candidates, uniform: float) -> Int:
    """A candidate drawn by its probability: the first whose `upto` exceeds `uniform` times the total.

    There must be one: without candidates nothing was written to the arrays.
    """
    last = candidates.info[COUNT] - 1
    return np.int64(np.searchsorted(candidates.upto[:last], uniform * total(candidates), side="right"))


@internal
def play(state: WaitingState, registers: Registers) -> tuple[bool, Registers]:
    """Draw a candidate and make it, with all else that SAM's loop changes; returns whether it is accepted."""
    candidates, program, evaluator = state.candidates, state.program, state.evaluator
    uniform, registers = unit(registers)
    chosen = choose(candidates, uniform)
    last = candidates.gene[chosen]
    program.genes[last] = candidates.value[chosen]
    touched = touch(program, _ZERO, program.slots[last])
    mark_active(state.layout, program.genes, evaluator.marks)
    touched, registers = drift_aside(state, touched, True, registers)
    if candidates.fresh[chosen]:
        choice, spare, registers = pick(registers, np.uint64(fresh_genes(state)))
        slot = program.slots[nth_fresh_gene(state, np.int64(choice))]
        touched, registers = change(program, touched, slot, spare, registers, Nobody(True))
        touched, registers = drift_aside(state, touched, False, registers)
    rank = rank_of(evaluator, program)
    changes = Changes(touched, _ZERO, _ZERO)
    if rank >= state.counters[RANK]:
        drop_child(program, changes)
        return False, registers
    keep_child(program, changes)
    candidates.info[KNOWN] = 0
    state.counters[RANK] = rank
    return True, registers


@internal
def drift_aside(
    state: WaitingState, touched: np.uint64, before_fresh: bool, registers: Registers
) -> tuple[np.uint64, Registers]:
    """Run SAM's loop up to the first pick of a gene that ends it; that gene is left as it is.

    before_fresh: the pick of a fresh gene ends the loop too.
    """
    program = state.program
    while True:
        choice, spare, registers = pick(registers, np.uint64(program.slots.size))
        state.counters[PICKS] += 1
        gene = np.int64(choice)
        if ends_loop(state, gene) or (before_fresh and is_fresh(state, gene)):
            return touched, registers
        touched, registers = change(program, touched, program.slots[gene], spare, registers, Nobody(True))


_SAVED = [OFFSPRING, PICKS, UNTIL_CANDIDATE, SKIPPED]


@dataclass(eq=False)
class WaitingWalk:
    """A run under way. improvements: (offspring, fitness) at the start and at each, since it was begun."""

    search: CgpSearch
    engine: Engine
    state: WaitingState
    improvements: list[tuple[int, int]] = field(default_factory=list)

    @property
    def evaluation(self) -> str:
        return self.engine.evaluation

    @property
    def offspring(self) -> int:
        return int(self.state.counters[OFFSPRING])

    @property
    def steps(self) -> int:
        return elementary_steps(self.state)

    @property
    def solved(self) -> bool:
        return bool(self.state.counters[RANK] == 0)

    @property
    def fitness(self) -> int:
        return self.engine.fitness(self.search, int(self.state.counters[RANK]))

    @property
    def program(self) -> walks.Program:
        return self.state.program.parent[: self.search.shape.length]

    def advance(self, limit: int) -> None:
        """Search until solved or until there were `limit` offspring."""
        while not self.solved and self.offspring < limit:
            if next_parent(self.state, limit):
                self.improvements.append((self.offspring, self.fitness))

    def saved(self) -> walks.Arrays:
        """The arrays from which `restored` continues."""
        state = self.state
        return {
            "program": self.program.copy(),
            "stream": state.stream.copy(),
            "counters": state.counters[_SAVED],
            "undrawn": state.undrawn.copy(),
        }


def start(
    search: CgpSearch, training: TrainingSet | None, *, entropy: NDArray[np.uint32], run: int
) -> WaitingWalk:
    """Begin a run, with the same first parent as under `waiting="walked"`."""
    begun = walks.start(search, training, entropy=entropy, runs=[run])
    walks.advance(begun, 0)
    walk = _walk(search, training, begun.program)
    walk.state.stream[:] = begun.course.stream
    walk.state.counters[RANK] = first_rank(walk.state)
    walk.improvements.append((0, walk.fitness))
    return walk


def restored(search: CgpSearch, training: TrainingSet | None, arrays: walks.Arrays) -> WaitingWalk:
    """The run that `saved` gave these arrays of; raises `InputError` if no run can have such counters."""
    walk = _walk(search, training, arrays["program"])
    state = walk.state
    state.stream[:] = arrays["stream"]
    state.counters[_SAVED] = arrays["counters"]
    state.undrawn[:] = arrays["undrawn"]
    state.counters[RANK] = first_rank(state)
    to_next_parent(state, 0)  # finds the candidates; with a limit of 0 it does nothing else
    offspring, picks, _, skipped = state.counters[_SAVED].tolist()
    undrawn = sum(state.undrawn.tolist())
    made = offspring - skipped - undrawn
    if (
        not 0 <= made <= picks
        or (made == 0 and (picks or undrawn))  # an offspring that was made ended the time of another parent
        or state.undrawn[0]
        or (skipped and not state.candidates.stays.any())
    ):
        raise InputError("these bytes are not a saved search: offspring were counted that cannot be")
    if not state.candidates.info[COUNT] and state.counters[UNTIL_CANDIDATE]:
        state.counters[UNTIL_CANDIDATE] = FOREVER  # there is no candidate, whatever was saved
    return walk


def _walk(search: CgpSearch, training: TrainingSet | None, program: walks.Program) -> WaitingWalk:
    engine, layout = _engine(search, training), layout_of(search.shape)
    pair = large_of(layout, picked=search.law.sam_ends == "picked")
    pair.genes[: program.size] = pair.parent[: program.size] = program
    return WaitingWalk(search, engine, waiting_of(layout, pair, engine.evaluator(search, training, layout)))


def _engine(search: CgpSearch, training: TrainingSet | None) -> Engine:
    """The symbolic engine where it is exact, else the plain one.

    Incremental evaluation would not pay: every change of a parent is evaluated once, and in full.
    """
    if is_symbolic(search, training) and search.evaluation in ("auto", "symbolic"):
        return named("symbolic")
    if search.evaluation == "symbolic":
        raise no_evaluation(search)
    return named("plain")
