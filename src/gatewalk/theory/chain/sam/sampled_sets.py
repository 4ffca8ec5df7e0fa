"""Exact running times on given incomplete training sets, and what becomes of generalisation.

On an incomplete set S the search is still a Markov chain on programs. Only the symmetries that leave S
unchanged may be used (`symmetries`), so the chain is larger. Besides the running time it answers two
questions that the paper leaves open:

- Does the level, the number of inputs that a program uses, ever drop? It may, if a program with fewer inputs
  fits S as well or better. The chance d(x) that this ever happens from x solves d = c + Q' d, where Q' moves
  without dropping and c is the chance to drop now.
- How well does the program that is found generalise? g = a + Q g, where a is the chance that the next
  offspring is solved times its ability, its share of right outputs on the complete table.

The chain treats all solved programs as one state, but on a sampled set they differ in ability and level. So
the kernels here go through the solved offspring of every class.

The sets are those of `gatewalk evolve` for the same search and seed: set number k is that of run number k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError, whole_number
from gatewalk.native.jit import Int, inlined, kernel
from gatewalk.numbers import for_json
from gatewalk.search.options import Search
from gatewalk.search.scheduler import OnProgress
from gatewalk.search.seeds import check_seed, training_of_run
from gatewalk.theory.chain.result import ExactResult, part_of
from gatewalk.theory.chain.sam.chain import SamChain, Segment, build_chain, mix
from gatewalk.theory.chain.sam.classes import solved_blocks, unpack_block, unpack_inactive
from gatewalk.theory.chain.sam.moves import SOLVED, TIE, changes_of, make_change, undo_change
from gatewalk.theory.chain.sam.node_states import Floats, Ints
from gatewalk.theory.chain.sam.size import MEMORY
from gatewalk.theory.chain.sam.tables import Tables, active_set, mask_of, mismatches, state_fitness
from gatewalk.theory.chain.solved_chain import SolvedChain, solve
from gatewalk.theory.chain.solving import Transition, hopeful_states, solve_system

Words = NDArray[np.uint64]

MOST_SETS = 100_000


@dataclass(frozen=True)
class SetResult:
    """The search on one training set.

    number: the run of `gatewalk evolve` that has this set.
    training: its rows.
    symmetries: how many permutations of the inputs leave it unchanged.
    p_level_drops: the chance that the parent's level ever drops.
    generalisation: the expected ability of the program that is found, over searches that end; nan if none
        does.
    """

    number: int
    training: TrainingSet
    symmetries: int
    result: ExactResult
    p_level_drops: float
    generalisation: float

    def record(self) -> dict[str, Any]:
        """The result as values for JSON."""
        return dict(for_json(self.values()))

    def values(self) -> dict[str, Any]:
        """The result by the keys of `record`."""
        return {
            "set": self.number,
            "symmetries": self.symmetries,
            "classes": self.result.classes,
            "expected_iterations": self.result.expected_iterations,
            "std_iterations": self.result.std_iterations,
            "worst_start_expected": self.result.worst_start_expected,
            "p_solved_at_start": self.result.p_solved_at_start,
            "p_never": self.result.p_never,
            "p_level_drops": self.p_level_drops,
            "generalisation": self.generalisation,
        }


@dataclass(frozen=True)
class SetsResult:
    """Exact running times on several sampled training sets.

    seed: that from which the sets were drawn.

    >>> from gatewalk import search_for
    >>> results = exact_sets(search_for("and:3", nodes=2, training="sample:4"), sets=3, seed=1)
    >>> round(results.expected_iterations, 2), len(results.sets)
    (2.76, 3)
    """

    search: CgpSearch
    seed: int
    sets: tuple[SetResult, ...]

    @property
    def expected_iterations(self) -> float:
        return self.mean("expected_iterations")[0]

    def mean(self, key: str) -> tuple[float, float]:
        """The mean over sets of a number of `SetResult.record`, and its standard error (nan for one set)."""
        values = np.array([on_set.values()[key] for on_set in self.sets])
        if not np.isfinite(values).all():
            return float(values.mean()), nan
        error = float(values.std(ddof=1)) / sqrt(values.size) if values.size > 1 else nan
        return float(values.mean()), error

    def record(self) -> dict[str, Any]:
        """The keys of `gatewalk exact --json` as means over sets, and further keys for sampled sets."""
        search = self.search
        error = self.mean("expected_iterations")[1]
        ability, ability_error = self.mean("generalisation")
        keys = ("worst_start_expected", "p_solved_at_start", "p_never", "p_level_drops")
        record = {
            "target": search.target.name,
            "n": search.n,
            "nodes": search.nodes,
            "selection": search.selection,
            "profile": search.profile,
            "training": str(search.training),
            "seed": self.seed,
            "states": self.sets[0].result.states,
            "classes": max(on_set.result.classes for on_set in self.sets),
            "expected_iterations": self.expected_iterations,
            "expected_iterations_error": error,
            "std_iterations": self._std(),
            **{key: self.mean(key)[0] for key in keys},
            "generalisation": ability,
            "generalisation_error": ability_error,
            "sets": len(self.sets),
        }
        return dict(for_json(record))

    def _std(self) -> float:
        """The deviation of the iterations if the training set is one of these, with equal probability."""
        results = [on_set.result for on_set in self.sets]
        means = np.array([result.expected_iterations for result in results])
        if not np.isfinite(means).all():
            return inf
        squares = np.array([result.std_iterations for result in results]) ** 2 + means**2
        return sqrt(max(0.0, float(squares.mean() - means.mean() ** 2)))


def exact_sets(
    search: Search,
    *,
    sets: int = 1,
    seed: int = 0,
    lump: bool = True,
    memory: int = MEMORY,
    on_done: Callable[[SetResult], None] = lambda result: None,
    on_progress: OnProgress = lambda share, words: None,
) -> SetsResult:
    """The exact running time on sampled training sets of at most 64 rows, one chain for each.

    sets, seed: the number of sets; they are those of runs 0, 1, ... of `gatewalk evolve` with this seed.
    lump, memory: as in `exact_result`.

    >>> from gatewalk import search_for
    >>> results = exact_sets(search_for("and:3", nodes=2, training="sample:4"), sets=3, seed=1)
    >>> len(results.sets)
    3
    """
    whole_number("--sets", sets, least=1, most=MOST_SETS)
    check_seed(seed)
    is_sam = isinstance(search, CgpSearch) and isinstance(search.mutation, Sam)
    if not is_sam or search.rows is None:
        raise InputError("exact times on sampled sets need cgp, sam and --training sample or sample:ROWS")
    if not isinstance(search.selection, str):
        raise InputError(f"exact times on sampled sets need strict or nonstrict, not {search.selection}")
    assert isinstance(search, CgpSearch)
    results = []
    for number in range(sets):
        training = training_of_run(search, seed=seed, run=number)
        assert training is not None
        part = _of_sets(on_progress, number, sets)
        results.append(exact_on(search, training, number=number, lump=lump, memory=memory, on_progress=part))
        on_done(results[-1])
    return SetsResult(search, seed, tuple(results))


def _of_sets(on_progress: OnProgress, number: int, sets: int) -> OnProgress:
    """Progress on one of several sets as progress on all of them."""
    part = part_of(on_progress, number / sets, (number + 1) / sets)
    return lambda share, words: part(share, f"set {number + 1} of {sets}: {words}")


def exact_on(
    search: CgpSearch,
    training: TrainingSet,
    *,
    number: int = 0,
    lump: bool = True,
    memory: int = MEMORY,
    on_progress: OnProgress = lambda share, words: None,
) -> SetResult:
    """The search on this training set."""
    first = part_of(on_progress, 0.0, 0.2)
    chain = build_chain(search, training=training, lump=lump, memory=memory, on_progress=first)
    solved = solve(search, chain, on_progress=part_of(on_progress, 0.2, 1.0))
    table = complete(search.target)
    levels = [block_levels(chain, segment) for segment in chain.segments]
    ability, lower = [], []
    for segment, here in zip(chain.segments, levels, strict=True):
        right, drops = solved_moves(chain, segment, table, here)
        ability.append(mix(chain, segment, right))
        lower.append(mix(chain, segment, drops))
    return SetResult(
        number,
        training,
        int(chain.tables.moved_source.shape[0]),
        solved.result,
        _drops(solved, chain, levels, _next(solved.transition, lower)),
        _generalisation(solved, chain, table, _next(solved.transition, ability)),
    )


def _next(transition: Transition, moves: list[Floats]) -> Floats:
    """From one offspring to the first solved one of λ, which has the same distribution as a single one."""
    chance = np.concatenate([np.zeros(0), *moves])
    if transition.offspring == 1:
        return chance
    solved, soon = transition.solved, transition.solved_soon
    return chance * np.divide(soon, solved, out=np.zeros_like(soon), where=solved > 0)


def _generalisation(solved: SolvedChain, chain: SamChain, table: TrainingSet, now: Floats) -> float:
    """E[ability of the program found | one is found]."""
    later = solve_system(solved.transition, now, solved.hopeful, what="generalisation")
    at_start = solved.p_solved_at_start
    total = float(solved.start @ later)
    if at_start > 0:
        total += at_start * ability_at_start(chain, table)
    ending = 1.0 - solved.p_never
    return total / ending if ending > 1e-15 else nan


def _drops(solved: SolvedChain, chain: SamChain, levels: list[Ints], lower: Floats) -> float:
    """The chance that a parent is ever followed by one of a lower level, the program found included."""
    level = np.concatenate([np.zeros(0, dtype=np.int64), *levels])
    calm = replace(chain, segments=[_without_drops(segment, level) for segment in chain.segments])
    quiet = replace(solved.transition, chain=calm)
    ones = np.ones(chain.classes)
    drop = solved.transition.onward(ones) - quiet.onward(ones)
    hopeful = hopeful_states(calm, ties=quiet.ties)
    chances = solve_system(quiet, np.maximum(drop, 0.0) + lower, hopeful, what="level drops")
    return float(solved.start @ chances)


def _without_drops(segment: Segment, level: Ints) -> Segment:
    """The segment, with moves to lower levels replaced by moves to a solved program, where the chain ends."""
    moves = segment.moves
    to = np.where(moves <= TIE, TIE - moves.astype(np.int64), moves.astype(np.int64))
    here = level[segment.classes][:, None]
    is_drop = (to >= 0) & (level[np.maximum(to, 0)] < here)
    return replace(segment, moves=np.where(is_drop, np.int32(SOLVED), moves))


def block_levels(chain: SamChain, segment: Segment) -> Ints:
    """The level of every class of a segment."""
    levels = np.zeros(segment.keys.size, dtype=np.int64)
    _levels_of(chain.tables, segment.active, segment.keys, levels)
    return levels[segment.example % segment.keys.size]


def solved_moves(
    chain: SamChain, segment: Segment, complete: TrainingSet, levels: Ints
) -> tuple[Floats, Floats]:
    """For each class, E[ability; solved] and P(solved, at a lower level) of one move, without mixing.

    complete: the complete training set. levels: the levels of the segment's classes.
    """
    ability, lower = np.zeros(levels.size), np.zeros(levels.size)
    _weigh_solved(
        chain.tables,
        complete.inputs[:, 0],
        complete.outputs[:, 0],
        mask_of(complete.rows),
        float(complete.rows * chain.shape.outputs),
        segment.active,
        changes_of(chain.shape, segment.active),
        segment.keys,
        segment.example,
        segment.probabilities,
        levels,
        ability,
        lower,
    )
    return ability, lower


def ability_at_start(chain: SamChain, complete: TrainingSet) -> float:
    """The mean generalisation ability of uniform programs that fit the training set; nan if none does."""
    total = 0.0
    count = 0
    for active in range(1 << chain.shape.nodes):
        blocks = solved_blocks(chain.tables, active)
        wrong = np.zeros(blocks.key.size, dtype=np.int64)
        _wrong_of(
            chain.tables,
            complete.inputs[:, 0],
            complete.outputs[:, 0],
            mask_of(complete.rows),
            active,
            blocks.key,
            wrong,
        )
        genotypes = _genotypes(chain, active, blocks.key) * blocks.orbit
        count += int(genotypes.sum())
        total += float((genotypes * (1 - wrong / (complete.rows * chain.shape.outputs))).sum())
    return total / count if count else float("nan")


def _genotypes(chain: SamChain, active: int, keys: Ints) -> Ints:
    """How many genotypes have this active part: all swaps of active nodes, any states of inactive ones."""
    inactive = 1
    for node, axis in enumerate(chain.axes):
        if not active >> node & 1:
            inactive *= int(axis.weight.sum())
    weight = np.zeros((len(chain.axes), max(len(axis) for axis in chain.axes)), dtype=np.int64)
    for node, axis in enumerate(chain.axes):
        weight[node, : len(axis)] = axis.weight
    result = np.full(keys.size, inactive, dtype=np.int64)
    _times_weight(chain.tables, active, keys, weight, result)
    return result


@inlined
def _level(tables: Tables, state: Ints, out: Ints, active: int) -> Int:
    """The number of inputs to which an output is connected."""
    used = np.int64(0)
    for o in range(tables.outputs):
        if out[o] < tables.inputs:
            used |= np.int64(1) << out[o]
    for node in range(tables.nodes):
        if active >> node & 1:
            c = state[node]
            if tables.first[node, c] < tables.inputs:
                used |= np.int64(1) << tables.first[node, c]
            if tables.arity > 1 and tables.second[node, c] < tables.inputs:
                used |= np.int64(1) << tables.second[node, c]
    count = np.int64(0)
    while used:
        used &= used - 1
        count += 1
    return count


@kernel
def _levels_of(tables: Tables, active: int, keys: Ints, levels: Ints) -> None:
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    for block in range(keys.size):
        unpack_block(tables, active, keys[block], state, out)
        levels[block] = _level(tables, state, out, active)


@kernel
def _wrong_of(
    tables: Tables, columns: Words, target: Words, rows: np.uint64, active: int, keys: Ints, wrong: Ints
) -> None:
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: Words = np.zeros(tables.inputs + tables.nodes, dtype=np.uint64)
    for block in range(keys.size):
        unpack_block(tables, active, keys[block], state, out)
        wrong[block] = mismatches(tables, columns, target, rows, state, out, active, words)


@kernel
def _times_weight(tables: Tables, active: int, keys: Ints, weight: Ints, result: Ints) -> None:
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    for block in range(keys.size):
        unpack_block(tables, active, keys[block], state, out)
        for node in range(tables.nodes):
            if active >> node & 1:
                result[block] *= weight[node, state[node]]


@kernel
def _weigh_solved(
    tables: Tables,
    columns: Words,
    target: Words,
    rows: np.uint64,
    outputs: float,
    active: int,
    changes: Ints,
    keys: Ints,
    example: Ints,
    chances: Floats,
    levels: Ints,
    ability: Floats,
    lower: Floats,
) -> None:
    """Go through the moves in the order of `fill_moves`, and add up those to solved programs."""
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words: Words = np.zeros(tables.inputs + tables.nodes, dtype=np.uint64)
    blocks = keys.size
    for row in range(example.size):
        unpack_block(tables, active, keys[example[row] % blocks], state, out)
        unpack_inactive(tables, active, example[row] // blocks, state)
        move = 0
        for number in range(changes.shape[0]):
            before = make_change(tables, changes[number], state, out)
            if before < 0:
                continue
            now = active_set(tables, state, out)
            if state_fitness(tables, state, out, now, words) == 0:
                wrong = mismatches(tables, columns, target, rows, state, out, now, words)
                ability[row] += chances[move] * (1.0 - wrong / outputs)
                if _level(tables, state, out, now) < levels[row]:
                    lower[row] += chances[move]
            move += 1
            undo_change(tables, changes[number], before, state, out)
