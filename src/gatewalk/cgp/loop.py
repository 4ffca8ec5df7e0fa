"""The loop of the (1+lambda) CGP: Algorithm 1, written once for every mutation, evaluator and selection.

With one offspring a generation this is Algorithm 1 to the letter. With several, an offspring that is worse
than the best so far, the parent included, is never chosen; among equally good ones one is drawn uniformly.
The best offspring is not stored while the others are made: it is made again afterwards, from the state that
the random stream had before it.

A kernel does the runs of a cell one after the other, from the seed to the result. `advance` makes a number of
programs and returns, with all its state in arrays. So a search can show progress, be interrupted, be saved
and be continued, and still ends as it would have without a stop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.evaluators import count_active, drop, evaluate, evaluate_anew, keep, load, save, use_rows
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.mutations import mutate
from gatewalk.cgp.observers import Selected, on_selection
from gatewalk.cgp.program import (
    Program,
    draw_program,
    drop_child,
    drop_whole,
    keep_child,
    keep_whole,
    read_parent,
    write_program,
)
from gatewalk.cgp.selections import Rule, is_several, settle
from gatewalk.native.jit import by_kind, hot_kernel, inlined, internal
from gatewalk.native.seeding import seeded
from gatewalk.native.stream import Registers, below
from gatewalk.native.stream import load as load_stream
from gatewalk.native.stream import store as store_stream

# Indices into `LoopState.counters`. STAGE is UNBORN, UNDER_WAY, or RESUMED for a run that continues a saved
# one.
POSITION, STAGE, OFFSPRING, STEPS, RANK, LOGGED = range(6)
UNBORN, UNDER_WAY, RESUMED = range(3)
COUNTERS = 6
TRAINING, VALIDATION = range(2)
_ZERO = np.uint64(0)
_NO_RANK = np.int64(np.iinfo(np.int64).max)


class LoopState(NamedTuple):
    """How far the runs of a cell have come.

    stream: the random stream of the run under way.
    counters: see the indices above; POSITION is the index of the run under way in `RunArrays.runs`.
    log: (position, offspring, rank) at the start of a run and at each improvement; a kernel returns when the
        log is full.
    """

    stream: NDArray[np.uint64]
    counters: NDArray[np.int64]
    log: NDArray[np.int64]


class Shared(NamedTuple):
    """All runs have the same rows, those that the evaluator was made with."""

    rows: bool = True


class Sampled(NamedTuple):
    """Run r has rows of its own, sets[r, TRAINING] and perhaps sets[r, VALIDATION]: see `use_rows`."""

    sets: NDArray[np.uint64]


class RunArrays(NamedTuple):
    """The runs of a cell and, in columns, their results.

    entropy: the words of the seed and of the settings (`gatewalk.native.seeding`).
    runs: the numbers of the runs.
    start: the genes to begin from; if empty, a run begins from the best of `starts` random programs.
    limit: the offspring that the budget allows.
    offspring, steps, ranks, gates, wrong: the results, an entry for each run; `wrong` is the number of
        mismatches of the result on the rows for validation, if there are any.
    programs: a row of genes for each run, also for the one under way.
    """

    entropy: NDArray[np.uint32]
    runs: NDArray[np.uint64]
    start: NDArray[np.int32]
    starts: int
    limit: int
    offspring: NDArray[np.int64]
    steps: NDArray[np.int64]
    ranks: NDArray[np.int64]
    gates: NDArray[np.int64]
    wrong: NDArray[np.int64]
    programs: NDArray[np.int32]
    samples: Shared | Sampled


@inlined
def _note(course: LoopState, offspring: np.int64, rank: np.int64) -> bool:
    """Log a rank; returns whether the log has space for another entry."""
    counters = course.counters
    place = counters[LOGGED]
    course.log[place, 0], course.log[place, 1], course.log[place, 2] = counters[POSITION], offspring, rank
    counters[LOGGED] = place + 1
    return bool(place + 1 < course.log.shape[0])


@internal
def _evaluate_anew(evaluator: Any, program: Program) -> np.int64:
    """`evaluate_anew` as a function of its own, so that it is compiled once and not merged into callers."""
    return np.int64(evaluate_anew(evaluator, program))


@inlined
def _use_shared(samples: Shared, evaluator: Any, position: np.int64, which: int) -> bool:
    return False


@inlined
def _use_sampled(samples: Sampled, evaluator: Any, position: np.int64, which: int) -> bool:
    if which >= samples.sets.shape[1]:
        return False
    use_rows(evaluator, samples.sets[position, which])
    return True


# use_rows_of(samples, evaluator, position, which) -> bool: give the evaluator the rows of a run for TRAINING
# or VALIDATION; returns whether the run has such rows of its own.
use_rows_of: Callable[[Shared | Sampled, Any, np.int64, int], bool]
use_rows_of = by_kind({Shared: _use_shared, Sampled: _use_sampled})


@inlined
def _first_parent(
    cell: RunArrays, layout: Layout, program: Program, rule: Rule, evaluator: Any, registers: Registers
) -> tuple[np.int64, Registers]:
    """The start given, or the best of random programs: among equals a uniform one, or the first if strict."""
    if cell.start.size > 0:
        write_program(program, cell.start)
        return _evaluate_anew(evaluator, program), registers
    registers = draw_program(program, layout, registers)
    best, equals = _evaluate_anew(evaluator, program), np.uint64(1)
    if cell.starts > 1:
        keep_whole(program)
    for _ in range(1, cell.starts):
        registers = draw_program(program, layout, registers)
        rank = _evaluate_anew(evaluator, program)
        if rank < best:
            best, equals = rank, np.uint64(1)
            keep_whole(program)
        elif rank == best and not rule.strict:
            equals += np.uint64(1)
            choice, registers = below(registers, equals)
            if choice == _ZERO:
                keep_whole(program)
    if cell.starts > 1:
        drop_whole(program)
        best = _evaluate_anew(evaluator, program)
    return best, registers


@internal
def _begin(
    cell: RunArrays, course: LoopState, layout: Layout, program: Program, rule: Rule, evaluator: Any
) -> None:
    """Begin the next run with its first parent, or with the parent of a saved run."""
    counters = course.counters
    use_rows_of(cell.samples, evaluator, counters[POSITION], TRAINING)
    if counters[STAGE] == RESUMED:
        write_program(program, cell.programs[counters[POSITION]])
        counters[RANK] = _evaluate_anew(evaluator, program)
    else:
        registers = seeded(cell.entropy, cell.runs[counters[POSITION]])
        rank, registers = _first_parent(cell, layout, program, rule, evaluator, registers)
        store_stream(course.stream, registers)
        counters[OFFSPRING], counters[STEPS], counters[RANK] = 0, 0, rank
        _note(course, np.int64(0), rank)
    keep_whole(program)
    counters[STAGE] = UNDER_WAY


@inlined
def _generations(
    cell: RunArrays,
    course: LoopState,
    program: Program,
    mutation: Any,
    rule: Rule,
    evaluator: Any,
    observer: Any,
    pause: np.int64,
) -> bool:
    """Make generations until the run is over or has `pause` offspring; returns whether it may go on at once.

    A run is over when it is solved or out of budget. The result is false if the log is full or the
    observer wants to be read; then the loop stops too.
    """
    counters = course.counters
    offspring, steps, parent = counters[OFFSPRING], counters[STEPS], counters[RANK]
    end = min(pause, np.int64(cell.limit))
    registers, state = load_stream(course.stream), load(evaluator)
    best, equals, made = parent, np.uint64(0), 0
    compared = _NO_RANK  # the rank of the best offspring, also of one that is worse than the parent
    chosen = after = registers
    again = False  # whether the chosen offspring is being made a second time, to become the parent
    has_space = True
    going = parent > 0
    while going and (offspring < end or (is_several(rule) and (made > 0 or again))):
        origin = registers
        changes, registers = mutate(mutation, program, evaluator, state, registers, observer)
        rank, trial = evaluate(evaluator, program, state, changes, parent, best)
        wins, accepted, is_last = again, again, True
        if not again:
            offspring += 1
            steps += np.int64(changes.steps)
            made += 1
            compared = min(compared, rank)
            is_last = not is_several(rule) or made == rule.offspring or rank == 0 or offspring >= cell.limit
            is_chosen: bool = rank < best or (rank == best and (best < parent or not rule.strict))
            if is_chosen:
                equals = np.uint64(1) if rank < best else equals + np.uint64(1)
                best = rank
                if is_several(rule):
                    if equals > np.uint64(1):
                        choice, registers = below(registers, equals)
                        is_chosen = choice == _ZERO
                    if is_chosen:
                        chosen = origin
            wins = bool(is_last and equals > _ZERO)
            if wins:
                wins, registers = settle(rule, program, parent, best, equals, registers)
            accepted = wins and is_chosen
        if accepted:
            state = keep(evaluator, program, state, changes, trial)
            keep_child(program, changes)
        else:
            state = drop(evaluator, program, state, changes, trial)
            drop_child(program, changes)
        if is_several(rule):
            if again:
                registers = after
                again = False
            elif wins and not accepted:
                after, registers = registers, chosen
                again = True
                continue
        if is_last:
            selected = Selected(counters[POSITION], offspring, parent, best, compared, accepted)
            has_space = on_selection(observer, program, evaluator, state, selected)
            if best < parent:
                parent = best
                has_space = _note(course, offspring, best) and has_space
            going = has_space and parent > 0
            best, equals, made, compared = parent, np.uint64(0), 0, _NO_RANK
    store_stream(course.stream, registers)
    save(evaluator, state)
    counters[OFFSPRING], counters[STEPS], counters[RANK] = offspring, steps, parent
    return has_space


@hot_kernel
def advance(
    cell: RunArrays,
    course: LoopState,
    layout: Layout,
    program: Program,
    mutation: Any,
    rule: Rule,
    evaluator: Any,
    observer: Any,
    programs: int,
) -> int:
    """Make about `programs` programs, starts included, in whole generations; returns how many were made.

    If a run is left, at least its start is made. The cell is finished when POSITION is the number of runs.
    """
    counters = course.counters
    done = np.int64(0)
    while counters[POSITION] < cell.runs.size and counters[LOGGED] < course.log.shape[0]:
        position = counters[POSITION]
        if counters[STAGE] != UNDER_WAY:
            done += cell.starts
            _begin(cell, course, layout, program, rule, evaluator)
        before = counters[OFFSPRING]
        has_space = True
        if counters[LOGGED] < course.log.shape[0]:
            pause = before + max(np.int64(0), programs - done)
            has_space = _generations(cell, course, program, mutation, rule, evaluator, observer, pause)
        done += counters[OFFSPRING] - before
        if counters[RANK] == 0 or counters[OFFSPRING] >= cell.limit:
            cell.offspring[position] = counters[OFFSPRING]
            cell.steps[position] = counters[STEPS]
            cell.ranks[position] = counters[RANK]
            cell.gates[position] = count_active(evaluator, program, load(evaluator))
            read_parent(program, cell.programs[position])
            if use_rows_of(cell.samples, evaluator, position, VALIDATION):
                cell.wrong[position] = _evaluate_anew(evaluator, program)
            counters[POSITION] = position + 1
            counters[STAGE] = UNBORN
        if done >= programs or not has_space:
            break
    if counters[STAGE] == UNDER_WAY:
        read_parent(program, cell.programs[counters[POSITION]])
    return int(done)
