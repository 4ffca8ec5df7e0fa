"""Point and rate mutation: the chain on all programs, whose mutation is one tensor operator.

These mutations do not look at which nodes are active. In the notation of `node_states`, K draws of
a gene out of L, each given a new value, are (1 - N / L)^K with N the sum of all genes' generators:
diagonal in the product of the eigenbases. Changing every gene with probability p, independently, is
a product of one matrix for each node and output. The programs are lumped by swaps only.

With K the mutation, f the fitness and a tie accepted with probability τ, the expected time h is

    D(x) h(x) = 1 + K[h 1(f < f(x))](x) + τ K[h 1(f = f(x))](x),   D = K[1(f < f(x))] + τ K[1(f = f(x))]

solved level by level as in `level_solver`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf, prod, sqrt

import numpy as np

from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.mutations import parse_mutation
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.errors import InputError
from gatewalk.native.jit import kernel
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import Settings
from gatewalk.theory.chain.gmres import gmres
from gatewalk.theory.chain.hitting_times import best_start_share
from gatewalk.theory.chain.inactive_mixing import filtered, multiplied
from gatewalk.theory.chain.kernel_tables import Tables, active_set, state_fitness, tables_of
from gatewalk.theory.chain.level_solver import TOLERANCE
from gatewalk.theory.chain.markov_chain import TellProgress, genotype_count
from gatewalk.theory.chain.node_states import Axis, Floats, Ints, axes_of, output_axis
from gatewalk.theory.chain.result import ExactResult
from gatewalk.theory.chain.size_check import axis_size, check_size
from gatewalk.theory.chain.symmetries import identity_only
from gatewalk.theory.chain.walk import Flags
from gatewalk.theory.known_settings import check_known, tie_acceptance

MOST_STATES = 20_000_000
POSSIBLE = 1e-13  # computed probabilities below this are rounding

Mutate = Callable[[Floats], Floats]


def solved_point_or_rate(made: Settings, *, watch: TellProgress | None = None) -> ExactResult:
    """The running time of a (1+1) CGP with point or rate mutation."""
    check_known(made)
    law = made.law
    if not isinstance(law, CgpLaw) or made.mutation is None:
        raise InputError(f"point and rate mutation are for cgp, not {made.algorithm}")
    if made.training != "complete" or made.start != "random":
        raise InputError("exact times are for complete training sets and random starts")
    if made.offspring != 1 or law.uncounted > 1:
        raise InputError(f"exact times with {made.mutation} are for one offspring and at most one uncounted")
    check_size(made)
    shape = shape_of(made)
    states = prod(axis_size(shape, node) for node in range(shape.nodes))
    states *= (shape.inputs + shape.nodes) ** shape.outputs
    if states > MOST_STATES:
        raise InputError(
            f"{made.target} with {made.nodes} nodes has {states:,} states with {made.mutation}, too many: "
            f"{MOST_STATES:,} are possible; take fewer nodes or --mutation sam"
        )
    axes = axes_of(shape)
    training = complete(made.wanted)
    tables = tables_of(shape, axes, identity_only(shape), training)
    everything = [*axes, *(output_axis(shape) for _ in range(shape.outputs))]
    rank = np.empty(states, dtype=np.int64)
    _ranks(tables, rank)
    mutate = _operator(made.mutation, shape, everything)
    return _result(made, law, everything, rank, mutate, tie_acceptance(made), watch)


def _operator(mutation: str, shape: Shape, axes: list[Axis]) -> Mutate:
    """The mean of values over the offspring that a mutation makes."""
    parsed = parse_mutation(mutation)
    if isinstance(parsed, Point):
        return _point(shape, axes, parsed.points)
    if isinstance(parsed, Rate):
        return _rate(shape, axes, float(mutation.partition(":")[2]))
    raise InputError(f"this chain is for point:K and rate:P, not {mutation}")


def _result(
    made: Settings,
    law: CgpLaw,
    axes: list[Axis],
    rank: Ints,
    mutate: Mutate,
    tie: float,
    watch: TellProgress | None,
) -> ExactResult:
    weight: Floats = np.ones(1)
    for axis in axes:
        weight = (weight[:, None] * axis.weight[None, :]).reshape(-1)
    uniform = weight / weight.sum()
    levels = [int(level) for level in np.unique(rank) if level > 0]
    hopeful = _hopeful(rank, levels, mutate, tie)
    unsolved = (rank > 0).astype(np.float64)
    solve = partial(_solve, rank, levels, mutate, tie, hopeful)
    if watch:
        watch("mean", 0.2)
    lost = not hopeful.all()
    # With hopeless programs, the times are those of searches that end, as in `hitting_times`.
    ends = solve(mutate((rank == 0).astype(np.float64))) if lost else unsolved
    mean = solve(ends)
    if watch:
        watch("deviation", 0.6)
    # m = k + 2 Q h + Q m and Q h = h - k, with k the probability to end.
    square = solve(2.0 * mean - ends)
    start = _start(uniform, rank, levels, law.starts)
    mean, square = mean - law.uncounted * ends, square - law.uncounted * (2.0 * mean - ends)
    ending = float(start[rank == 0].sum() + start @ ends)
    expected = float(start @ mean) / ending if ending > 0 else float("nan")
    return ExactResult(
        settings=made,
        states=genotype_count(shape_of(made)),
        classes=rank.size,
        expected_iterations=inf if lost else expected,
        std_iterations=inf if lost else sqrt(max(0.0, float(start @ square) - expected**2)),
        worst_start_expected=inf if lost else float(mean.max()),
        p_solved_at_start=float(start[rank == 0].sum()),
        p_never=1.0 - ending if lost else 0.0,
        expected_if_solved=expected,
    )


def _start(uniform: Floats, rank: Ints, levels: list[int], starts: int) -> Floats:
    result = np.zeros_like(uniform)
    for level in [0, *levels]:
        here = rank == level
        mass, worse = float(uniform[here].sum()), float(uniform[rank > level].sum())
        result[here] = uniform[here] * best_start_share(mass, worse, starts)
    return result


def _hopeful(rank: Ints, levels: list[int], mutate: Mutate, tie: float) -> Flags:
    """States from which the target can be reached, found by walking back from it."""
    hopeful: Flags = rank == 0
    for level in levels:
        while True:
            reached = mutate((hopeful & (rank < level + (tie > 0))).astype(np.float64)) > POSSIBLE
            grown = hopeful | (reached & (rank == level))
            if (grown == hopeful).all():
                break
            hopeful = grown
            if tie == 0:
                break
    return hopeful


def _solve(
    rank: Ints,
    levels: list[int],
    mutate: Mutate,
    tie: float,
    hopeful: Flags,
    constant: Floats,
) -> Floats:
    values = np.zeros(rank.size)
    for level in levels:
        here = np.flatnonzero((rank == level) & hopeful)
        if not here.size:
            continue
        accepted = np.where(rank < level, 1.0, np.where(rank == level, tie, 0.0))
        leaving = mutate(accepted)[here]
        right = (constant[here] + mutate(values)[here]) / leaving
        if tie > 0:
            operator = partial(_within, mutate, here, tie / leaving, rank.size)
            right = gmres(operator, right, tolerance=TOLERANCE)
        values[here] = right
    return values


def _within(mutate: Mutate, here: Ints, scale: Floats, size: int, x: Floats) -> Floats:
    full = np.zeros(size)
    full[here] = x
    return x - scale * mutate(full)[here]


def _point(shape: Shape, axes: list[Axis], points: int) -> Mutate:
    """So many genes drawn out of all, each given a new value."""
    sizes, length = [len(axis) for axis in axes], shape.length
    return lambda values: filtered(
        values.reshape(*sizes, 1), axes, lambda rates: (1.0 - rates / length) ** points
    ).reshape(-1)


def _rate(shape: Shape, axes: list[Axis], probability: float) -> Mutate:
    """Every gene given a new value with this probability."""
    matrices = [_rate_matrix(shape, node, axis, probability) for node, axis in enumerate(axes)]
    return lambda values: multiplied(values, matrices)


def _rate_matrix(shape: Shape, node: int, axis: Axis, probability: float) -> Floats:
    """Every gene of the axis changed with this probability, independently."""
    connections = valid_values(shape, node * shape.block + 1) if node < shape.nodes else axis.first.tolist()
    options = [list(range(axis.counts[0])), connections, connections][: len(axis.counts)]
    options += [[0]] * (3 - len(options))
    matrix = np.zeros((len(axis), len(axis)))
    for row, state in enumerate(zip(axis.function, axis.first, axis.second, strict=True)):
        chances = [
            _chances(values, int(now), probability) for values, now in zip(options, state, strict=True)
        ]
        for f, a in zip(options[0], chances[0], strict=True):
            for i, b in zip(options[1], chances[1], strict=True):
                for j, c in zip(options[2], chances[2], strict=True):
                    matrix[row, axis.lookup[f, i, j]] += a * b * c
    return matrix


def _chances(values: list[int], now: int, probability: float) -> list[float]:
    others = len(values) - 1
    if others == 0:
        return [1.0]
    return [1.0 - probability if value == now else probability / others for value in values]


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
