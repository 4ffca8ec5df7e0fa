"""Point and rate mutation: the chain on all programs, whose mutation is one tensor operator.

The programs are lumped by swaps only. With K the mutation (`mutation_operators`), f the fitness and a tie
accepted with probability τ, the expected time h with one offspring a generation is

    D(x) h(x) = 1 + K[h 1(f < f(x))](x) + τ K[h 1(f = f(x))](x),   D = K[1(f < f(x))] + τ K[1(f = f(x))]

solved level by level as in `level_solver`. With λ offspring the best of fitness F is distributed as a single
one of that fitness, so K[h 1(f = F)] is weighed by share_F of `generations`, one F at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, prod, sqrt

import numpy as np

from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Genes
from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError
from gatewalk.native.jit import kernel
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import Settings
from gatewalk.theory.chain.distribution import Distribution, distribution_of
from gatewalk.theory.chain.generations import SHARES
from gatewalk.theory.chain.gmres import gmres
from gatewalk.theory.chain.hitting_times import best_start_share
from gatewalk.theory.chain.kernel_tables import Tables, active_set, state_fitness, tables_of
from gatewalk.theory.chain.level_solver import TOLERANCE
from gatewalk.theory.chain.markov_chain import genotype_count
from gatewalk.theory.chain.mutation_operators import Mutate, operator_of
from gatewalk.theory.chain.node_states import Axis, Floats, Ints, axes_of, output_axis
from gatewalk.theory.chain.offspring_sums import log_of_rest
from gatewalk.theory.chain.progress import TellProgress
from gatewalk.theory.chain.result import ExactResult
from gatewalk.theory.chain.size_check import MEMORY, axis_size, check_size
from gatewalk.theory.chain.symmetries import identity_only
from gatewalk.theory.chain.transition import Flags, Transition, moments_reported, offspring_made, squares_made
from gatewalk.theory.known_settings import check_known, tie_acceptance

MOST_STATES = 20_000_000
POSSIBLE = 1e-13  # computed probabilities below this are rounding errors


@dataclass(frozen=True, eq=False)
class PointRateTimes:
    """The running time of a search with point or rate mutation, exactly.

    axes: the states of nodes and outputs; programs are their product. rank: the mismatches of each program.
    start: the probability of each program at the start. ends, mean, square: from each program, the chance
    that the search ends and the first two moments of the reported iterations, over searches that end; 0 for
    solved programs.
    """

    settings: Settings
    axes: list[Axis]
    rank: Ints
    transition: Transition
    hopeful: Flags
    start: Floats
    ends: Floats
    mean: Floats
    square: Floats

    @cached_property
    def result(self) -> ExactResult:
        """The numbers that `gatewalk exact` reports."""
        solved = float(self.start[self.rank == 0].sum())
        ending = solved + float(self.start @ self.ends)
        expected = float(self.start @ self.mean) / ending if ending > 0 else float("nan")
        lost = not self.hopeful.all()
        return ExactResult(
            settings=self.settings,
            states=genotype_count(shape_of(self.settings)),
            classes=self.rank.size,
            expected_iterations=inf if lost else expected,
            std_iterations=inf if lost else sqrt(max(0.0, float(self.start @ self.square) - expected**2)),
            worst_start_expected=inf if lost else float(self.mean.max()),
            p_solved_at_start=solved,
            p_never=1.0 - ending if lost else 0.0,
            expected_if_solved=expected,
        )

    @cached_property
    def worst_start(self) -> Genes | None:
        """A program from which the search takes longest."""
        if not self.rank.any():
            return None
        state = int(np.argmax(np.where(self.hopeful, self.mean, inf)))
        places = np.unravel_index(state, [len(axis) for axis in self.axes])
        shape = shape_of(self.settings)
        genes: list[int] = []
        for axis, place in zip(self.axes[: shape.nodes], places[: shape.nodes], strict=True):
            genes += [int(axis.function[place]), int(axis.first[place]), int(axis.second[place])][
                : shape.block
            ]
        return np.array([*genes, *(int(place) for place in places[shape.nodes :])], dtype=np.int64)

    def distribution(self, *, most: int = 200_000, watch: TellProgress | None = None) -> Distribution:
        """The distribution of the iterations."""
        assert isinstance(self.settings.law, CgpLaw)
        start = np.where(self.rank > 0, self.start, 0.0)
        uncounted = self.settings.law.uncounted
        return distribution_of(
            self.transition, self.hopeful, self.ends, start, uncounted=uncounted, most=most, watch=watch
        )


def solved_point_or_rate(
    settings: Settings, *, memory: int = MEMORY, watch: TellProgress | None = None
) -> PointRateTimes:
    """The running time of a (1+λ) CGP with point or rate mutation."""
    check_known(settings)
    law = settings.law
    if not isinstance(law, CgpLaw) or settings.mutation is None:
        raise InputError(f"point and rate mutation are for cgp, not {settings.algorithm}")
    if settings.training != "complete" or settings.start != "random":
        raise InputError("exact times are for complete training sets and random starts")
    check_size(settings, memory=memory)
    shape = shape_of(settings)
    states = prod(axis_size(shape, node) for node in range(shape.nodes))
    states *= (shape.inputs + shape.nodes) ** shape.outputs
    if states > MOST_STATES:
        raise InputError(
            f"{settings.target} with {settings.nodes} nodes has {states:,} states with "
            f"{settings.mutation}, too many: {MOST_STATES:,} are possible; take fewer nodes or --mutation sam"
        )
    axes = axes_of(shape)
    tables = tables_of(shape, axes, identity_only(shape), complete(settings.wanted))
    axes = [*axes, *(output_axis(shape) for _ in range(shape.outputs))]
    rank = np.empty(states, dtype=np.int64)
    _ranks(tables, rank)
    weight: Floats = np.ones(1)
    for axis in axes:
        weight = (weight[:, None] * axis.weight[None, :]).reshape(-1)
    mutate = operator_of(settings.mutation, shape, axes)
    search = _Search(rank, weight, mutate, tie_acceptance(settings), settings.offspring)
    return _times(settings, law, axes, search, watch)


@dataclass(frozen=True, eq=False)
class _Search:
    """A search on the tensor of programs. weight: the number of genotypes of each state."""

    rank: Ints
    weight: Floats
    mutate: Mutate
    tie: float
    offspring: int

    @cached_property
    def levels(self) -> list[int]:
        """The fitness values of unsolved programs, best first."""
        return [int(level) for level in np.unique(self.rank) if level > 0]


@dataclass(frozen=True, eq=False)
class _Level:
    """One generation from the states `at`, which have the same fitness; see `Generation`.

    shares: for λ > 1, pairs of a fitness F and share_F; None for a single offspring.
    """

    fitness: int
    at: Ints
    solved: Floats
    leaving: Floats
    shares: list[tuple[int, Floats]] | None


def _times(
    settings: Settings, law: CgpLaw, axes: list[Axis], search: _Search, watch: TellProgress | None
) -> PointRateTimes:
    rank = search.rank
    levels = list(_generations(search))
    hopeful = _hopeful(search)
    unsolved = (rank > 0).astype(np.float64)
    transition = _transition(search, levels)
    solve = partial(_solve, search, levels, hopeful)
    if watch:
        watch("mean", 0.2)
    # If some programs are hopeless, the times are those of the searches that end, as in `transition`.
    ends = unsolved
    if not hopeful.all():
        ends = solve(-np.expm1(search.offspring * log_of_rest(transition.solved)))
    mean = solve(offspring_made(transition, ends) * unsolved)
    if watch:
        watch("deviation", 0.6)
    square = solve(squares_made(transition, ends, mean) * unsolved)
    mean, square = moments_reported(transition, ends, mean, square, law.uncounted, watch=watch)
    start = _start(search.weight / search.weight.sum(), rank, search.levels, law.starts)
    return PointRateTimes(
        settings, axes, rank, transition, hopeful, start, ends, mean * unsolved, square * unsolved
    )


def _transition(search: _Search, levels: list[_Level]) -> Transition:
    solved, leaving = np.zeros(search.rank.size), np.zeros(search.rank.size)
    for level in levels:
        solved[level.at], leaving[level.at] = level.solved, level.leaving
    best = search.rank == (search.levels[0] if search.levels else -1)

    def backwards(values: Floats) -> Floats:
        result = np.zeros(search.rank.size)
        for level in levels:
            stays = (1.0 - level.leaving) * values[level.at]
            result[level.at] = _onward(search, level, values) + stays
        return result

    def forwards(probabilities: Floats) -> Floats:
        result = (1.0 - leaving) * probabilities
        for level in levels:
            _onward_transposed(search, level, probabilities[level.at], result)
        return result

    return Transition(search.offspring, search.tie, solved, leaving, best, backwards, forwards)


def _generations(search: _Search) -> Iterator[_Level]:
    """All levels, best first."""
    rank, mutate, count = search.rank, search.mutate, search.offspring
    solves = np.maximum(mutate((rank == 0).astype(np.float64)), 0.0)
    for level in search.levels:
        at = np.flatnonzero(rank == level)
        solved = solves[at]
        if count == 1:
            yield _Level(level, at, solved, mutate(_accepted(search, level))[at], None)
            continue
        shares: list[tuple[int, Floats]] = []
        better = solved  # the chance that one offspring is fitter than those of the level
        leaving = -np.expm1(count * log_of_rest(better))
        for fitness in search.levels:
            tie = 1.0 if fitness < level else search.tie
            if fitness > level or tie == 0.0:
                break
            chance = np.maximum(mutate((rank == fitness).astype(np.float64))[at], 0.0)
            log_at_least, better = log_of_rest(better), better + chance
            share = SHARES[tie](log_at_least, log_of_rest(better), count)
            shares.append((fitness, share))
            leaving = leaving + share * chance
        yield _Level(level, at, solved, leaving, shares)


def _accepted(search: _Search, level: int) -> Floats:
    """The chance that a single offspring replaces a parent of that fitness."""
    return np.where(search.rank < level, 1.0, np.where(search.rank == level, search.tie, 0.0))


def _onward(search: _Search, level: _Level, values: Floats) -> Floats:
    """Q without the term for staying, from the states of a level; values of solved programs are 0."""
    if level.shares is None:
        accepted = _accepted(search, level.fitness) * (search.rank > 0)
        return search.mutate(accepted * values)[level.at]
    total = np.zeros(level.at.size)
    for fitness, share in level.shares:
        total += share * search.mutate(np.where(search.rank == fitness, values, 0.0))[level.at]
    return total


def _onward_transposed(search: _Search, level: _Level, flow: Floats, into: Floats) -> None:
    """The transpose of `_onward`: add the probability on the level's states to where it moves."""
    full = np.zeros(search.rank.size)
    if level.shares is None:
        full[level.at] = flow / search.weight[level.at]
        accepted = _accepted(search, level.fitness) * (search.rank > 0)
        into += accepted * search.weight * search.mutate(full)
        return
    for fitness, share in level.shares:
        full[level.at] = share * flow / search.weight[level.at]
        there = search.rank == fitness
        into[there] += (search.weight * search.mutate(full))[there]


def _start(uniform: Floats, rank: Ints, levels: list[int], starts: int) -> Floats:
    result = np.zeros_like(uniform)
    for level in [0, *levels]:
        here = rank == level
        mass, worse = float(uniform[here].sum()), float(uniform[rank > level].sum())
        result[here] = uniform[here] * best_start_share(mass, worse, starts)
    return result


def _hopeful(search: _Search) -> Flags:
    """The states from which the target can be reached, found by a search backwards from it."""
    rank, ties = search.rank, search.tie > 0
    hopeful: Flags = rank == 0
    for level in search.levels:
        while True:
            reached = search.mutate((hopeful & (rank < level + ties)).astype(np.float64)) > POSSIBLE
            grown = hopeful | (reached & (rank == level))
            if (grown == hopeful).all():
                break
            hopeful = grown
            if not ties:
                break
    return hopeful


def _solve(search: _Search, levels: list[_Level], hopeful: Flags, constant: Floats) -> Floats:
    """x = constant + Q x on hopeful unsolved states, and 0 on the others."""
    values = np.zeros(search.rank.size)
    for level in levels:
        here = hopeful[level.at]
        scale = np.divide(1.0, level.leaving, out=np.zeros(level.at.size), where=here)
        right = scale * (constant[level.at] + _onward(search, level, values))
        if search.tie > 0 and here.any():
            operator = partial(_within, search, level, scale)
            right = gmres(operator, right, tolerance=TOLERANCE)
        values[level.at] = right
    return values


def _within(search: _Search, level: _Level, scale: Floats, x: Floats) -> Floats:
    full = np.zeros(search.rank.size)
    full[level.at] = x
    return x - scale * _onward(search, level, full)


@kernel
def _ranks(tables: Tables, rank: Ints) -> None:
    """The fitness of every program in the order of the tensor: nodes, then outputs."""
    sources = tables.inputs + tables.nodes
    state = np.zeros(tables.nodes, dtype=np.int64)
    out = np.zeros(tables.outputs, dtype=np.int64)
    words = np.zeros(sources, dtype=np.uint64)
    for place in range(rank.size):
        rest = place
        for o in range(tables.outputs - 1, -1, -1):
            out[o] = rest % sources
            rest //= sources
        for node in range(tables.nodes - 1, -1, -1):
            state[node] = rest % tables.states[node]
            rest //= tables.states[node]
        rank[place] = state_fitness(tables, state, out, active_set(tables, state, out), words)
