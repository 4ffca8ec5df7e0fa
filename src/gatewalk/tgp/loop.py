"""The (1+lambda) TGP as a kernel: mutate, evaluate, select, and undo what is not accepted.

An offspring is the parent's tree changed in place. If room runs out the generation is taken back,
random stream included, and made again when the caller has made room, so that the capacity of the
arrays never shows in a run. Of several offspring the best is not kept but made again from the
state that the random stream had.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, hot_kernel, inlined, internal
from gatewalk.native.registers import State
from gatewalk.native.stream import below
from gatewalk.tgp.hvl import Steps, hvl_step
from gatewalk.tgp.judging import TOO_LARGE, Judge, judge_all, judge_leaf, judge_offspring, settle, take_back
from gatewalk.tgp.poisson import step_count
from gatewalk.tgp.table import NO_ROOM
from gatewalk.tgp.tree import Tree, clear_marks, open_journal, plant_leaf, undo

OFFSPRING, STEPS, RANK, LOGGED, ACCEPTED = range(5)  # places in `counters`
LOG_ROOM = 256
DONE, NO_LEAF = 0, -2  # what `advance` returns, beside NO_ROOM
UNBORN = -1  # the rank before there is a parent


class Rule(NamedTuple):
    """How the first parent and a generation are made and judged; see `TgpLaw`."""

    starts: int
    multi: bool
    offspring: int
    strict: bool
    coin_ties: bool
    size_limit: int


class Course(NamedTuple):
    """The state beside the tree. counters: see OFFSPRING to ACCEPTED. log: (offspring, rank) at each
    improvement. past: states of the random stream within a generation."""

    stream: NDArray[np.uint64]
    counters: NDArray[np.int64]
    log: NDArray[np.int64]
    past: NDArray[np.uint64]


@hot_kernel
def rank(tree: Tree, judge: Judge) -> Int:
    """Evaluate a tree and take it as the parent; NO_ROOM if rows ran out."""
    return judge_all(tree, judge)


@internal
def _plant(tree: Tree, judge: Judge, terminal: Int) -> Int:
    """Make the tree one leaf; its rank."""
    plant_leaf(tree, terminal)
    return judge_leaf(tree, judge)


@internal
def _begin(tree: Tree, rule: Rule, judge: Judge, course: Course, terminals: Int) -> None:
    """Make the best of some uniform leaves the parent; a tie: uniform if non-strict, the first if strict."""
    best: Int = np.int64(TOO_LARGE)
    chosen = np.int64(0)
    equals = 0
    for _ in range(rule.starts):
        terminal = np.int64(below(course.stream, np.uint64(terminals)))
        rank = _plant(tree, judge, terminal)
        if rank < best:
            best, chosen, equals = rank, terminal, 1
        elif rank == best and not rule.strict:
            equals += 1
            if below(course.stream, np.uint64(equals)) == np.uint64(0):
                chosen = terminal
    course.counters[RANK] = _plant(tree, judge, chosen)


@inlined
def _mutate(tree: Tree, steps: Steps, rule: Rule, course: Course) -> bool:
    """Turn the tree into an offspring. False: it had no room."""
    open_journal(tree)
    count = step_count(course.stream) if rule.multi else 1
    for _ in range(count):
        if not hvl_step(tree, steps, course.stream):
            return False
    course.counters[STEPS] += count
    return True


@inlined
def _reject(tree: Tree, judge: Judge) -> None:
    """Turn an evaluated offspring into its parent again."""
    take_back(tree, judge)
    undo(tree)


@inlined
def _accept(tree: Tree, judge: Judge, course: Course, rank: Int) -> None:
    """The offspring is the parent now."""
    settle(tree, judge)
    counters = course.counters
    counters[ACCEPTED] += 1
    if rank < counters[RANK]:
        course.log[counters[LOGGED], 0] = counters[OFFSPRING]
        course.log[counters[LOGGED], 1] = rank
        counters[LOGGED] += 1
    counters[RANK] = rank


@inlined
def _accepts(stream: State, rule: Rule, parent: Int, child: Int, equals: Int) -> bool:
    """Does the best offspring replace the parent? `equals` offspring have that best rank."""
    if child != parent:
        return bool(child < parent)
    if rule.strict:
        return False
    return not rule.coin_ties or below(stream, np.uint64(equals + 1)) != np.uint64(0)


@internal
def _abandon(tree: Tree) -> None:
    """Turn an offspring that is not evaluated to the end into its parent again; rare."""
    clear_marks(tree)
    undo(tree)


@inlined
def _offspring(tree: Tree, steps: Steps, rule: Rule, judge: Judge, course: Course) -> Int:
    """Make and evaluate an offspring; its rank, or NO_LEAF or NO_ROOM with the tree as before."""
    if not _mutate(tree, steps, rule, course):
        _abandon(tree)
        return NO_LEAF
    parent = course.counters[RANK]
    worst = parent if rule.offspring == 1 else np.int64(TOO_LARGE)
    rank = judge_offspring(tree, judge, parent, worst, rule.size_limit)
    if rank == NO_ROOM:
        take_back(tree, judge)
        _abandon(tree)
    return rank


@inlined
def _one(tree: Tree, steps: Steps, rule: Rule, judge: Judge, course: Course) -> Int:
    """A generation of one offspring."""
    stream, counters = course.stream, course.counters
    w0, w1, w2, w3, stepped = stream[0], stream[1], stream[2], stream[3], counters[STEPS]
    rank = _offspring(tree, steps, rule, judge, course)
    if rank < 0:
        stream[0], stream[1], stream[2], stream[3], counters[STEPS] = w0, w1, w2, w3, stepped
        return rank
    counters[OFFSPRING] += 1
    if _accepts(stream, rule, counters[RANK], rank, np.int64(1)):
        _accept(tree, judge, course, rank)
    else:
        _reject(tree, judge)
    return DONE


@inlined
def _copy(source: State, to: State) -> None:
    for word in range(4):
        to[word] = source[word]


@internal
def _offspring_apart(tree: Tree, steps: Steps, rule: Rule, judge: Judge, course: Course) -> Int:
    """As `_offspring`, called and not merged: so there is one of it in the machine code and not two."""
    return _offspring(tree, steps, rule, judge, course)


@internal
def _several(tree: Tree, steps: Steps, rule: Rule, judge: Judge, course: Course, limit: Int) -> Int:
    """A generation; it ends early when solved or at the limit. Equal offspring: one drawn uniformly."""
    stream, counters = course.stream, course.counters
    first, origin, chosen, after = course.past[0], course.past[1], course.past[2], course.past[3]
    _copy(stream, first)
    made, stepped = counters[OFFSPRING], counters[STEPS]
    best: Int = np.int64(-1)
    equals = 0
    for _ in range(rule.offspring):
        _copy(stream, origin)
        rank = _offspring_apart(tree, steps, rule, judge, course)
        if rank < 0:
            _copy(first, stream)
            counters[OFFSPRING], counters[STEPS] = made, stepped
            return rank
        _reject(tree, judge)
        counters[OFFSPRING] += 1
        if best < 0 or rank < best:
            best, equals = rank, 1
            _copy(origin, chosen)
        elif rank == best:
            equals += 1
            if below(stream, np.uint64(equals)) == np.uint64(0):
                _copy(origin, chosen)
        if best == 0 or counters[OFFSPRING] >= limit:
            break
    if _accepts(stream, rule, counters[RANK], best, equals):
        stepped = counters[STEPS]
        _copy(stream, after)
        _copy(chosen, stream)
        _offspring_apart(tree, steps, rule, judge, course)
        _accept(tree, judge, course, best)
        _copy(after, stream)
        counters[STEPS] = stepped
    return DONE


@inlined
def _goes_on(course: Course, limit: Int) -> bool:
    """Is there something to search for, and room in the log?"""
    counters = course.counters
    is_open = counters[RANK] > 0 and counters[OFFSPRING] < limit
    return bool(is_open and counters[LOGGED] < course.log.shape[0])


@hot_kernel
def advance_one(tree: Tree, steps: Steps, rule: Rule, judge: Judge, course: Course, limit: Int) -> Int:
    """Walk with one offspring a generation until solved, until `limit` offspring in all, until the log is
    full, or out of room; from leaves if there is no parent yet.
    """
    if course.counters[RANK] == UNBORN:
        _begin(tree, rule, judge, course, steps.terminals)
    status: Int = DONE
    while status == DONE and _goes_on(course, limit):
        status = _one(tree, steps, rule, judge, course)
    return status


@hot_kernel
def advance_several(tree: Tree, steps: Steps, rule: Rule, judge: Judge, course: Course, limit: Int) -> Int:
    """As `advance_one`, with several. A kernel of its own: few searches need both, and both take long to
    compile.
    """
    if course.counters[RANK] == UNBORN:
        _begin(tree, rule, judge, course, steps.terminals)
    status: Int = DONE
    while status == DONE and _goes_on(course, limit):
        status = _several(tree, steps, rule, judge, course, limit)
    return status
