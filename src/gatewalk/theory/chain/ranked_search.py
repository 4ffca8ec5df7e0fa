"""The (1+1) CGP with SAM where all inputs may be exchanged: the same chain, in reach of six nodes.

With one commutative gate, one output and a target that no exchange of inputs changes, the number of a class
can be computed from a program (`ranked_programs`), so no tables of places are needed. The chain is that of
`sam_search`, class by class, and is solved level by level as in `level_solver`. But the ties of only one
level are stored at a time (`ranked_moves`), and no tensor is expanded over the symmetries (`cell_mixing`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from gatewalk.cgp.law import CgpLaw
from gatewalk.search.settings import Settings
from gatewalk.theory.chain.cell_mixing import Locals, Stages, locals_of, mix_blocks, scratch_size, stages_of
from gatewalk.theory.chain.gmres import Kept, gmres
from gatewalk.theory.chain.hitting_times import best_start_share
from gatewalk.theory.chain.level_solver import RESTART, TOLERANCE
from gatewalk.theory.chain.markov_chain import genotype_count, inactive_nodes
from gatewalk.theory.chain.moves import count_ending_genes
from gatewalk.theory.chain.node_states import Floats
from gatewalk.theory.chain.progress import TellProgress
from gatewalk.theory.chain.ranked_chain import RankedChain, chain_of
from gatewalk.theory.chain.ranked_moves import Known, Ties, gather, scan, tie_weight
from gatewalk.theory.chain.ranked_programs import Bytes, RankedSegment, genotypes_of, sequences
from gatewalk.theory.chain.ranked_size import BASIS_BYTES, check_ranked_size
from gatewalk.theory.chain.result import ExactResult
from gatewalk.theory.chain.size_check import MEMORY
from gatewalk.theory.chain.threads import each
from gatewalk.theory.known_settings import check_known

AT_ONCE = 2_000_000  # classes whose moves are found between two reports of progress


@dataclass(frozen=True, eq=False)
class _Part:
    """A segment while its level is solved: its ties by rows of classes, their weights, stages of mixing."""

    segment: RankedSegment
    stages: Stages
    ties: list[tuple[slice, Ties]]
    weights: Floats


@dataclass(frozen=True, eq=False)
class Moments:
    """The mean and the mean square of T from every class.

    totals: for each level, Σ genotypes times 1, mean and mean square. ties: how many ties each level has.
    """

    mean: Floats
    square: Floats
    totals: list[tuple[float, float, float]]
    ties: list[int]


class MayNeverEnd(Exception):
    """From some class no single offspring improves, so this solver cannot tell whether the search ends."""


def moments_of(chain: RankedChain, *, watch: TellProgress | None = None) -> Moments:
    """Solve the chain, level by level. Raises `MayNeverEnd`."""
    known = Known(np.zeros(chain.count), np.zeros(chain.count))
    tables = locals_of(chain.cells)
    totals, ties = [], []
    for level in range(len(chain.levels)):
        segments = [one for one in chain.segments if one.level == level]
        told = None if watch is None else _told(watch, chain, level)
        ties.append(_solve_level(chain, tables, known, segments, told))
        totals.append(_totals(chain, segments, known))
    return Moments(known.mean, known.square, totals, ties)


def _solve_level(
    chain: RankedChain,
    tables: Locals,
    known: Known,
    segments: list[RankedSegment],
    told: TellProgress | None,
) -> int:
    """Fill `known` at a level, when all better levels are known; returns the number of ties."""
    at = slice(segments[0].first, segments[-1].classes.stop)
    leaving = np.empty(at.stop - at.start)
    scratch = np.empty(0)
    parts = []
    for segment in segments:
        here = leaving[segment.first - at.start : segment.classes.stop - at.start]
        part = _part(chain, known, segment, at.start, here, told)
        if scratch.size < scratch_size(part.stages):
            scratch = np.empty(scratch_size(part.stages))
        for one in (here, known.mean[segment.classes], known.square[segment.classes]):
            mix_blocks(tables, part.stages, one.reshape(-1, segment.ways), scratch)
        if chain.tie > 0:
            parts.append(part)
    within = _operator(chain, tables, parts, leaving, scratch, at.start)
    mean, square = known.mean[at], known.square[at]
    mean += 1.0
    mean /= leaving
    if chain.tie > 0:
        mean[:] = _solved(within, mean, "mean", told)
    # E[T^2] = 1 + 2 Q h + Q m, and Q h = h - 1.
    square += 2.0 * mean
    square -= 1.0
    square /= leaving
    if chain.tie > 0:
        square[:] = _solved(within, square, "deviation", told)
    return sum(found.to.size for part in parts for _, found in part.ties)


# About which shares of a level's time go into finding its moves and, if there are ties, the two systems.
_SHARES = {"moves": (0.0, 0.2), "mean": (0.2, 0.6), "deviation": (0.6, 1.0)}
_HARDER = 1.7  # with ties, a class takes so many times longer than a class of the next worse level


def _told(watch: TellProgress, chain: RankedChain, level: int) -> TellProgress:
    """Progress on one phase of a level as progress on all of them."""
    count = len(chain.levels)
    work = [0.0] * count
    for one in chain.segments:
        harder = _HARDER ** (count - 1 - one.level) if chain.tie > 0 else 1.0
        work[one.level] += one.ways * len(one.pairs) * harder
    before, here = sum(work[:level]) / sum(work), work[level] / sum(work)

    def told(what: str, done: float) -> None:
        begin, end = _SHARES[what] if chain.tie > 0 else (0.0, 1.0)
        watch(f"level {level + 1} of {count}: {what}", before + here * (begin + (end - begin) * done))

    return told


def _part(
    chain: RankedChain,
    known: Known,
    segment: RankedSegment,
    level_first: int,
    leaving: Floats,
    told: TellProgress | None,
) -> _Part:
    """Find the moves of a segment.

    Fills `leaving` with the chance to leave each class, and `known` with the sums over better offspring; both
    still without mixing of inactive genes.
    """
    ending = count_ending_genes(chain.shape, segment.active, picked_ends=chain.ends_when_picked)
    weights, idle = _weights(chain, segment.active, ending)
    ties = _scanned(chain, known, segment, level_first, weights, idle, leaving, told)
    # Mixing reaches every state of the inactive nodes, so either all classes of a block are hopeful or none.
    if not (leaving.reshape(-1, segment.ways).max(axis=1) > 0).all():
        raise MayNeverEnd
    flat = weights.reshape(-1)
    for rows, found in ties:
        tie_weight(found, flat, chain.tie, leaving[rows])
    inactive = inactive_nodes(chain.shape, segment.active)
    return _Part(segment, stages_of(chain.cells, inactive, segment.division, ending), ties, flat)


def _scanned(
    chain: RankedChain,
    known: Known,
    segment: RankedSegment,
    level_first: int,
    weights: Floats,
    idle: int,
    better: Floats,
    told: TellProgress | None,
) -> list[tuple[slice, Ties]]:
    """Find the ties of a segment, piece by piece; fills `better` and the segment's part of `known`."""
    tokens, after = _inactive_parts(chain, segment)
    ties: list[tuple[slice, Ties]] = []
    size = sum(one.ways * len(one.pairs) for one in chain.segments if one.level == segment.level)

    def rows(first: int, last: int) -> None:
        found = scan(
            chain.cells,
            chain.ranks,
            chain.classes,
            known,
            weights,
            segment.level,
            segment.active,
            level_first,
            chain.tie > 0,
            idle,
            segment.pairs,
            tokens,
            after,
            first,
            last,
            better,
            known.mean[segment.classes],
            known.square[segment.classes],
        )
        if chain.tie > 0:
            ties.append((slice(first, last), found))

    for begin in range(0, better.size, AT_ONCE):
        end = min(begin + AT_ONCE, better.size)
        each(lambda part, begin=begin: rows(begin + part.start, begin + part.stop), end - begin)  # type: ignore[misc]
        if told:
            told("moves", (segment.first + end - level_first) / size)
    return ties


def _weights(chain: RankedChain, active: int, ending: int) -> tuple[Floats, int]:
    """The weights of moves, by gene and number of equivalent changes, and the kind that means no change."""
    shape = chain.shape
    n, nodes = shape.inputs, shape.nodes
    most = 2 * n + 1
    weights = np.zeros((nodes + 2, most))
    for place in range(nodes + 1):
        others = n + place - 1
        if others > 0:
            weights[place] = np.arange(most) / (ending * others)
    fixed = sum(
        1
        for owner, count in zip(shape.owner, shape.ranges.count, strict=True)
        if count == 1 and (owner == nodes or active >> int(owner) & 1)
    )
    if not chain.ends_when_picked or fixed == 0:
        return weights, 0
    weights[nodes + 1, 0] = fixed / ending
    return weights, (nodes + 1) * most


def _operator(
    chain: RankedChain, tables: Locals, parts: list[_Part], leaving: Floats, scratch: Floats, first: int
) -> Callable[[Kept], Floats]:
    """x - D^-1 R x of `level_solver` on the classes of a level, whose first is `first`."""

    def within(x: Kept) -> Floats:
        result = np.empty(x.size)
        for part in parts:
            rows = slice(part.segment.first - first, part.segment.classes.stop - first)
            here = result[rows]
            _gather_all(part, x, here)
            mix_blocks(tables, part.stages, here.reshape(-1, part.segment.ways), scratch)
            here *= -chain.tie
            here /= leaving[rows]
        result += x
        return result

    return within


def _solved(within: Callable[[Kept], Floats], right: Floats, what: str, told: TellProgress | None) -> Floats:
    def heard(residual: float) -> None:
        if told:
            done = np.log(max(residual, TOLERANCE)) / np.log(TOLERANCE)
            told(what, float(np.clip(done, 0.0, 1.0)))

    short = 8 * RESTART * right.size > BASIS_BYTES
    restart = max(4, min(RESTART, BASIS_BYTES // ((4 if short else 8) * right.size)))
    return gmres(within, right, tolerance=TOLERANCE, restart=restart, short=short, told=heard)


def _gather_all(part: _Part, values: Kept, result: Floats) -> None:
    def pieces(numbers: slice) -> None:
        for rows, ties in part.ties[numbers]:
            gather(ties, part.weights, values, result[rows])

    each(pieces, len(part.ties), alone=1)


def _totals(chain: RankedChain, segments: list[RankedSegment], known: Known) -> tuple[float, float, float]:
    """Σ genotypes, Σ genotypes mean, Σ genotypes mean square over the classes of a level."""
    total = mean = square = 0.0
    for segment in segments:
        orders = 2.0**segment.doubled
        shape = (len(segment.pairs), segment.ways)
        weights = genotypes_of(chain.cells, *_inactive_parts(chain, segment)).astype(np.float64)
        total += float(orders.sum() * weights.sum())
        mean += float(orders @ (known.mean[segment.classes].reshape(shape) @ weights))
        square += float(orders @ (known.square[segment.classes].reshape(shape) @ weights))
    return total, mean, square


def _inactive_parts(chain: RankedChain, segment: RankedSegment) -> tuple[Bytes, Bytes]:
    """The tokens of all inactive parts of a segment, and the division after each of them."""
    nodes = np.array(inactive_nodes(chain.shape, segment.active), dtype=np.int64)
    tokens = np.zeros((segment.ways, nodes.size), dtype=np.uint8)
    after = np.zeros(segment.ways, dtype=np.uint8)
    sequences(chain.cells, nodes, np.zeros_like(nodes), segment.division, segment.ways, tokens, after)
    return tokens, after


def ranked_result(
    settings: Settings, *, memory: int = MEMORY, watch: TellProgress | None = None
) -> ExactResult:
    """The running time of a search that `is_ranked`. Raises `MayNeverEnd`."""
    check_known(settings)
    check_ranked_size(settings, memory=memory)
    if watch:
        watch("active parts", 0.0)
    chain = chain_of(settings)
    return result_of(settings, chain, moments_of(chain, watch=watch))


def result_of(settings: Settings, chain: RankedChain, found: Moments) -> ExactResult:
    """The numbers from the start of the search."""
    law = settings.law
    assert isinstance(law, CgpLaw)
    genotypes = genotype_count(chain.shape)
    masses = [total / genotypes for total, _, _ in found.totals]
    expected = second = 0.0
    for level, (_, mean, square) in enumerate(found.totals):
        share = best_start_share(masses[level], sum(masses[level + 1 :]), law.starts) / genotypes
        expected += share * mean
        second += share * square
    unsolved = sum(masses) ** law.starts
    # At most one iteration is not counted, and every unsolved start takes at least one.
    second -= law.uncounted * (2.0 * expected - unsolved)
    expected -= law.uncounted * unsolved
    return ExactResult(
        settings=settings,
        states=genotypes,
        classes=chain.count + 1,
        expected_iterations=expected,
        std_iterations=sqrt(max(0.0, second - expected**2)),
        worst_start_expected=float(found.mean.max()) - law.uncounted if chain.count else 0.0,
        p_solved_at_start=1.0 - unsolved,
        expected_if_solved=expected,
    )
