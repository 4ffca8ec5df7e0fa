"""The (1+lambda) TGP as a kernel: mutate, evaluate, select, and undo what is not accepted.

An offspring is the parent's tree, changed in place. If the arrays are full, the generation is undone, random
stream included, and made again after the caller has enlarged the arrays; so their size never affects a run.
Of several offspring the best is not stored, but made again from the state that the random stream had before
it.

Trees are evaluated by tables or by counting leaves, behind the same functions: a kernel is compiled for one
of the two evaluators, `Table` or `Counts`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.draws import step_count
from gatewalk.native.jit import Int, by_kind, hot_kernel, inlined, internal
from gatewalk.native.stream import State, draw_below
from gatewalk.tgp.counts import Counts, count_all, count_offspring, uncount_offspring
from gatewalk.tgp.hvl import Steps, hvl_step
from gatewalk.tgp.table import NO_SPACE, Table, compute_all, compute_leaf, drop_rows, evaluate, keep_rows
from gatewalk.tgp.tree import LEAVES, Tree, clear_marks, open_journal, plant_leaf, undo

Evaluator = Table | Counts
TOO_LARGE = np.iinfo(np.int64).max  # the rank of an offspring over the size limit
OFFSPRING, STEPS, RANK, LOGGED, ACCEPTED = range(5)  # indices into `LoopState.counters`
LOG_LENGTH = 256
DONE, NO_LEAF = 0, -2  # results of the kernels, besides NO_SPACE; NO_LEAF: the arrays of the tree are full
UNBORN = -1  # stands for the rank before there is a parent


class Rule(NamedTuple):
    """How the first parent and a generation are made and evaluated; see `TgpLaw`."""

    starts: int
    multi: bool
    offspring: int
    strict: bool
    coin_ties: bool
    size_limit: int


class LoopState(NamedTuple):
    """The state of a search, apart from the tree.

    counters: see OFFSPRING to ACCEPTED.
    log: (offspring, rank) at each improvement.
    past: earlier states of the random stream within a generation.
    """

    stream: NDArray[np.uint64]
    counters: NDArray[np.int64]
    log: NDArray[np.int64]
    past: NDArray[np.uint64]


@inlined
def _evaluate_by_table(tree: Tree, evaluator: Table, parent: Int, worst: Int, size_limit: Int) -> Int:
    """The rank of the offspring, or NO_SPACE; a rank over `worst` need not be exact."""
    if tree.info[LEAVES] > size_limit:
        clear_marks(tree)
        return TOO_LARGE
    return evaluate(tree, evaluator, parent, worst)


@inlined
def _evaluate_by_counts(tree: Tree, evaluator: Counts, parent: Int, worst: Int, size_limit: Int) -> Int:
    """The rank of the offspring."""
    rank = count_offspring(tree, evaluator)
    return rank if tree.info[LEAVES] <= size_limit else TOO_LARGE


@inlined
def _drop_table(tree: Tree, evaluator: Table) -> None:
    """After the offspring was rejected, free the rows that it took."""
    drop_rows(evaluator)


@inlined
def _keep_counts(tree: Tree, evaluator: Counts) -> None:
    """After the offspring was accepted there is nothing to do: its leaves are counted already."""


Rank = Callable[[Tree, Evaluator], Int]
Step = Callable[[Tree, Evaluator], None]
evaluate_all: Rank = by_kind({Table: compute_all, Counts: count_all})  # evaluates a tree from scratch
evaluate_leaf: Rank = by_kind({Table: compute_leaf, Counts: count_all})  # the same for a tree of one leaf
evaluate_offspring: Callable[[Tree, Evaluator, Int, Int, Int], Int]
evaluate_offspring = by_kind({Table: _evaluate_by_table, Counts: _evaluate_by_counts})
drop: Step = by_kind({Table: _drop_table, Counts: uncount_offspring})  # called if it was rejected
keep: Step = by_kind({Table: keep_rows, Counts: _keep_counts})  # called if it was accepted


@hot_kernel
def rank(tree: Tree, evaluator: Evaluator) -> Int:
    """Evaluate a tree from scratch and make it the parent; its rank, or NO_SPACE if rows ran out."""
    return evaluate_all(tree, evaluator)


@internal
def _plant(tree: Tree, evaluator: Evaluator, terminal: Int) -> Int:
    """Make the tree a single leaf; returns its rank."""
    plant_leaf(tree, terminal)
    return evaluate_leaf(tree, evaluator)


@internal
def _begin(tree: Tree, rule: Rule, evaluator: Evaluator, course: LoopState, terminals: Int) -> None:
    """Make the best of `starts` uniform leaves the parent; of equals a uniform one, the first if strict."""
    best: Int = np.int64(TOO_LARGE)
    chosen = np.int64(0)
    equals = 0
    for _ in range(rule.starts):
        terminal = np.int64(draw_below(course.stream, np.uint64(terminals)))
        rank = _plant(tree, evaluator, terminal)
        if rank < best:
            best, chosen, equals = rank, terminal, 1
        elif rank == best and not rule.strict:
            equals += 1
            if draw_below(course.stream, np.uint64(equals)) == np.uint64(0):
                chosen = terminal
    course.counters[RANK] = _plant(tree, evaluator, chosen)


@inlined
def _mutate(tree: Tree, steps: Steps, rule: Rule, course: LoopState) -> bool:
    """Turn the tree into an offspring. False: its arrays are full."""
    open_journal(tree)
    count = step_count(course.stream) if rule.multi else 1
    for _ in range(count):
        if not hvl_step(tree, steps, course.stream):
            return False
    course.counters[STEPS] += count
    return True


@inlined
def _reject(tree: Tree, evaluator: Evaluator) -> None:
    """Turn the tree from an evaluated offspring back into its parent."""
    drop(tree, evaluator)
    undo(tree)


@inlined
def _accept(tree: Tree, evaluator: Evaluator, course: LoopState, rank: Int) -> None:
    """Make the offspring the parent."""
    keep(tree, evaluator)
    counters = course.counters
    counters[ACCEPTED] += 1
    if rank < counters[RANK]:
        course.log[counters[LOGGED], 0] = counters[OFFSPRING]
        course.log[counters[LOGGED], 1] = rank
        counters[LOGGED] += 1
    counters[RANK] = rank


@inlined
def _accepts(stream: State, rule: Rule, parent: Int, child: Int, equals: Int) -> bool:
    """Whether the best offspring replaces the parent, if `equals` offspring have that best rank."""
    if child != parent:
        return bool(child < parent)
    if rule.strict:
        return False
    return not rule.coin_ties or draw_below(stream, np.uint64(equals + 1)) != np.uint64(0)


@internal
def _abandon(tree: Tree) -> None:
    """Turn the tree from an offspring that was not fully evaluated back into its parent; rare."""
    clear_marks(tree)
    undo(tree)


@inlined
def _offspring(tree: Tree, steps: Steps, rule: Rule, evaluator: Evaluator, course: LoopState) -> Int:
    """Make and evaluate an offspring; returns its rank, or NO_LEAF or NO_SPACE with the tree as before."""
    if not _mutate(tree, steps, rule, course):
        _abandon(tree)
        return NO_LEAF
    parent = course.counters[RANK]
    worst = parent if rule.offspring == 1 else np.int64(TOO_LARGE)
    rank = evaluate_offspring(tree, evaluator, parent, worst, rule.size_limit)
    if rank == NO_SPACE:
        drop(tree, evaluator)
        _abandon(tree)
    return rank


@inlined
def _one_offspring(tree: Tree, steps: Steps, rule: Rule, evaluator: Evaluator, course: LoopState) -> Int:
    """A generation of one offspring."""
    stream, counters = course.stream, course.counters
    w0, w1, w2, w3, stepped = stream[0], stream[1], stream[2], stream[3], counters[STEPS]
    rank = _offspring(tree, steps, rule, evaluator, course)
    if rank < 0:
        stream[0], stream[1], stream[2], stream[3], counters[STEPS] = w0, w1, w2, w3, stepped
        return rank
    counters[OFFSPRING] += 1
    if _accepts(stream, rule, counters[RANK], rank, np.int64(1)):
        _accept(tree, evaluator, course, rank)
    else:
        _reject(tree, evaluator)
    return DONE


@inlined
def _copy(source: State, to: State) -> None:
    for word in range(4):
        to[word] = source[word]


@internal
def _offspring_apart(tree: Tree, steps: Steps, rule: Rule, evaluator: Evaluator, course: LoopState) -> Int:
    """`_offspring` as a function of its own, so that two calls of it share one copy of the machine code."""
    return _offspring(tree, steps, rule, evaluator, course)


@internal
def _several_offspring(
    tree: Tree, steps: Steps, rule: Rule, evaluator: Evaluator, course: LoopState, limit: Int
) -> Int:
    """A generation of several offspring; among equally good ones one is drawn uniformly.

    It ends early when it is solved or reaches the limit.
    """
    stream, counters = course.stream, course.counters
    first, origin, chosen, after = course.past[0], course.past[1], course.past[2], course.past[3]
    _copy(stream, first)
    offspring_before, stepped = counters[OFFSPRING], counters[STEPS]
    best: Int = np.int64(-1)
    equals = 0
    for _ in range(rule.offspring):
        _copy(stream, origin)
        rank = _offspring_apart(tree, steps, rule, evaluator, course)
        if rank < 0:
            _copy(first, stream)
            counters[OFFSPRING], counters[STEPS] = offspring_before, stepped
            return rank
        _reject(tree, evaluator)
        counters[OFFSPRING] += 1
        if best < 0 or rank < best:
            best, equals = rank, 1
            _copy(origin, chosen)
        elif rank == best:
            equals += 1
            if draw_below(stream, np.uint64(equals)) == np.uint64(0):
                _copy(origin, chosen)
        if best == 0 or counters[OFFSPRING] >= limit:
            break
    if _accepts(stream, rule, counters[RANK], best, equals):
        stepped = counters[STEPS]
        _copy(stream, after)
        _copy(chosen, stream)
        _offspring_apart(tree, steps, rule, evaluator, course)
        _accept(tree, evaluator, course, best)
        _copy(after, stream)
        counters[STEPS] = stepped
    return DONE


@inlined
def _goes_on(course: LoopState, limit: Int) -> bool:
    """Whether the search is not over and the log is not full."""
    counters = course.counters
    is_open = counters[RANK] > 0 and counters[OFFSPRING] < limit
    return bool(is_open and counters[LOGGED] < course.log.shape[0])


@hot_kernel
def advance_one(
    tree: Tree, steps: Steps, rule: Rule, evaluator: Evaluator, course: LoopState, limit: Int
) -> Int:
    """Search, with one offspring a generation, until solved, at the limit, or until an array is full.

    If there is no parent yet, the search begins with the best of some uniform leaves. limit: the number of
    offspring in all. Returns NO_LEAF or NO_SPACE if the tree or its rows need larger arrays, otherwise DONE,
    also if the log is full.
    """
    if course.counters[RANK] == UNBORN:
        _begin(tree, rule, evaluator, course, steps.terminals)
    status: Int = DONE
    while status == DONE and _goes_on(course, limit):
        status = _one_offspring(tree, steps, rule, evaluator, course)
    return status


@hot_kernel
def advance_several(
    tree: Tree, steps: Steps, rule: Rule, evaluator: Evaluator, course: LoopState, limit: Int
) -> Int:
    """As `advance_one`, with several offspring a generation.

    It is a kernel of its own because few searches need both, and each takes long to compile.
    """
    if course.counters[RANK] == UNBORN:
        _begin(tree, rule, evaluator, course, steps.terminals)
    status: Int = DONE
    while status == DONE and _goes_on(course, limit):
        status = _several_offspring(tree, steps, rule, evaluator, course, limit)
    return status
