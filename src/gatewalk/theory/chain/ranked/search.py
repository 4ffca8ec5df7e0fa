"""The (1+1) CGP with SAM where all inputs may be exchanged: the same chain, in reach of six nodes.

All inputs must be exchangeable: the target depends only on the number of ones, and every connection reaches
all inputs and all earlier nodes. There must be one output and one gate, which is commutative. Then the number
of a class can be computed from a program (`programs`), so no tables of places are needed. The chain is that
of `sam`, class by class, and is solved level by level with the equations of `solving`.

It is not an `Offspring` of `solving`, because that would take memory that six nodes do not leave. Moves to
better classes are never stored: one scan of a level adds up the means over better offspring of both moments
at once, in the places where the solutions will be (`moves`). Only the ties of one level are stored at a time,
and no tensor is expanded over the symmetries (`mixing`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import factorial, sqrt

import numpy as np

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import Complete, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.cgp.operators import OwnSelection
from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.assumptions import check_solvable, tie_acceptance
from gatewalk.theory.chain.gmres import Kept
from gatewalk.theory.chain.ranked.mixing import Locals, Stages, locals_of, mix_blocks, scratch_size, stages_of
from gatewalk.theory.chain.ranked.moves import Known, Ties, gather, scan, tie_weight
from gatewalk.theory.chain.ranked.programs import (
    Bytes,
    RankedChain,
    RankedSegment,
    cells_of,
    chain_of,
    count_sequences,
    genotypes_of,
    sequences,
)
from gatewalk.theory.chain.result import ExactResult
from gatewalk.theory.chain.sam.chain import inactive_nodes
from gatewalk.theory.chain.sam.mixing import on_threads
from gatewalk.theory.chain.sam.moves import count_ending_genes
from gatewalk.theory.chain.sam.node_states import Floats, swapped_gates
from gatewalk.theory.chain.sam.size import MEMORY, estimated_classes, genotype_count, too_large
from gatewalk.theory.chain.solving import RESTART, solve_ties, start_shares

BASIS_BYTES = 1_500_000_000  # for the basis of GMRES; if that is not enough, single precision and restarts
STRICT_BYTES, TIE_BYTES = 65, 95  # memory per class, as measured
COUNTED = 1 << 62  # with more genotypes than this, classes cannot be counted in 64 bits
MOST_INPUTS = 9  # because divisions of the inputs are bytes
MOST_SOURCES = 20  # because tokens and kinds of moves are bytes


def is_ranked(search: CgpSearch) -> bool:
    """Whether this search has a chain with ranked classes."""
    if not isinstance(search.mutation, Sam) or isinstance(search.selection, OwnSelection):
        return False
    if search.offspring != 1 or search.law.uncounted > 1:
        return False
    if not isinstance(search.training, Complete) or search.start is not None:
        return False
    if not 2 <= search.n <= MOST_INPUTS or search.n + search.nodes > MOST_SOURCES:
        return False
    shape = search.shape
    if shape.outputs != 1 or len(shape.gates) != 1 or swapped_gates(shape.gates) is None:
        return False
    connections = [count for gene, count in enumerate(shape.ranges.count[:-1].tolist()) if gene % 3]
    if connections != [shape.inputs + node for node in range(shape.nodes) for _ in range(2)]:
        return False  # some connection does not reach everything before it
    return _is_symmetric(search.target)


def _is_symmetric(target: Target) -> bool:
    """Whether the target depends only on the number of ones."""
    training = complete(target)
    if training.rows != 1 << target.inputs:
        return False
    ones = unpack(training.inputs, training.rows).astype(np.int64).sum(axis=0)
    outputs = unpack(training.outputs, training.rows)[0]
    return all(np.unique(outputs[ones == count]).size == 1 for count in range(target.inputs + 1))


def about_classes(search: CgpSearch) -> int:
    """About how many classes there are, without counting them."""
    return estimated_classes(search.shape, factorial(search.n))


def ranked_classes(shape: Shape) -> int:
    """How many classes there are, solved ones included; an estimate if there are too many to be solved."""
    if genotype_count(shape) >= COUNTED:
        return estimated_classes(shape, factorial(shape.inputs))
    cells = cells_of(shape.inputs, shape.nodes)
    nodes = np.arange(shape.nodes)
    ways = count_sequences(cells, nodes, np.zeros_like(nodes))[0][0]
    # The output is either an input, which is then distinguished from the others, or a node.
    return int(ways[cells.split[0, 0]] + shape.nodes * ways[0])


def ranked_bytes(shape: Shape, *, ties: bool) -> int:
    """About how many bytes solving takes: a measured amount per class, and the basis of GMRES."""
    classes = ranked_classes(shape)
    if not ties:
        return 200_000_000 + STRICT_BYTES * classes
    return 200_000_000 + TIE_BYTES * classes + min(BASIS_BYTES, 8 * RESTART * classes)


def check_ranked_size(search: CgpSearch, *, memory: int) -> None:
    """Raise `InputError` if solving would take more memory, saying how much, and what is possible."""
    ties = tie_acceptance(search) > 0
    needed = ranked_bytes(search.shape, ties=ties)
    if needed <= memory:
        return
    fewer = ((nodes, replace(search, nodes=nodes).shape) for nodes in range(search.nodes - 1, 0, -1))
    possible = next((nodes for nodes, shape in fewer if ranked_bytes(shape, ties=ties) <= memory), 0)
    genotypes, classes = genotype_count(search.shape), ranked_classes(search.shape)
    raise too_large(search, genotypes, classes, needed, memory, possible)


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

    totals: for each level, Σ genotypes times 1, mean and mean square.
    ties: how many ties each level has.
    """

    mean: Floats
    square: Floats
    totals: list[tuple[float, float, float]]
    ties: list[int]


class MayNeverEnd(Exception):
    """From some class no single offspring improves, so this solver cannot tell whether the search ends."""


def moments_of(chain: RankedChain, *, on_progress: OnProgress = lambda share, words: None) -> Moments:
    """Solve the chain, level by level. Raises `MayNeverEnd`."""
    known = Known(np.zeros(chain.count), np.zeros(chain.count))
    tables = locals_of(chain.cells)
    totals, ties = [], []
    for level in range(len(chain.levels)):
        segments = [segment for segment in chain.segments if segment.level == level]
        ties.append(_solve_level(chain, tables, known, segments, _of_level(on_progress, chain, level)))
        totals.append(_totals(chain, segments, known))
    return Moments(known.mean, known.square, totals, ties)


def _solve_level(
    chain: RankedChain,
    tables: Locals,
    known: Known,
    segments: list[RankedSegment],
    on_progress: OnProgress,
) -> int:
    """Fill `known` at a level, when all better levels are known; returns the number of ties."""
    at = slice(segments[0].first, segments[-1].classes.stop)
    leaving = np.empty(at.stop - at.start)
    scratch = np.empty(0)
    parts = []
    for segment in segments:
        here = leaving[segment.first - at.start : segment.classes.stop - at.start]
        part = _part(chain, known, segment, at.start, here, on_progress)
        if scratch.size < scratch_size(part.stages):
            scratch = np.empty(scratch_size(part.stages))
        for values in (here, known.mean[segment.classes], known.square[segment.classes]):
            mix_blocks(tables, part.stages, values.reshape(-1, segment.ways), scratch)
        if chain.tie > 0:
            parts.append(part)
    within = _operator(chain, tables, parts, leaving, scratch, at.start)
    mean, square = known.mean[at], known.square[at]
    mean += 1.0
    mean /= leaving
    if chain.tie > 0:
        mean[:] = _solved(within, mean, "mean", on_progress)
    # E[T^2] = 1 + 2 Q h + Q m, and Q h = h - 1.
    square += 2.0 * mean
    square -= 1.0
    square /= leaving
    if chain.tie > 0:
        square[:] = _solved(within, square, "deviation", on_progress)
    return sum(piece.to.size for part in parts for _, piece in part.ties)


# About which shares of a level's time go into finding its moves and, if there are ties, the two systems.
_SHARES = {"moves": (0.0, 0.2), "mean": (0.2, 0.6), "deviation": (0.6, 1.0)}
_HARDER = 1.7  # with ties, a class takes so many times longer than a class of the next worse level


def _of_level(on_progress: OnProgress, chain: RankedChain, level: int) -> OnProgress:
    """Progress on one phase of a level as progress on all of them."""
    count = len(chain.levels)
    work = [0.0] * count
    for segment in chain.segments:
        harder = _HARDER ** (count - 1 - segment.level) if chain.tie > 0 else 1.0
        work[segment.level] += segment.ways * len(segment.pairs) * harder
    before, here = sum(work[:level]) / sum(work), work[level] / sum(work)

    def on_phase(share: float, phase: str) -> None:
        begin, end = _SHARES[phase] if chain.tie > 0 else (0.0, 1.0)
        on_progress(before + here * (begin + (end - begin) * share), f"level {level + 1} of {count}: {phase}")

    return on_phase


def _part(
    chain: RankedChain,
    known: Known,
    segment: RankedSegment,
    level_first: int,
    leaving: Floats,
    on_progress: OnProgress,
) -> _Part:
    """Find the moves of a segment.

    Fills `leaving` with the chance to leave each class, and `known` with the sums over better offspring; both
    still without mixing of inactive genes.
    """
    ending = count_ending_genes(chain.shape, segment.active, picked_ends=chain.ends_when_picked)
    weights, idle = _weights(chain, segment.active, ending)
    ties = _scanned(chain, known, segment, level_first, weights, idle, leaving, on_progress)
    # Mixing reaches every state of the inactive nodes, so either all classes of a block are hopeful or none.
    if not (leaving.reshape(-1, segment.ways).max(axis=1) > 0).all():
        raise MayNeverEnd
    flat = weights.reshape(-1)
    for rows, piece in ties:
        tie_weight(piece, flat, chain.tie, leaving[rows])
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
    on_progress: OnProgress,
) -> list[tuple[slice, Ties]]:
    """Find the ties of a segment, piece by piece; fills `better` and the segment's part of `known`."""
    tokens, after = _inactive_parts(chain, segment)
    ties: list[tuple[slice, Ties]] = []
    of_level = [other for other in chain.segments if other.level == segment.level]
    size = sum(other.ways * len(other.pairs) for other in of_level)

    def rows(first: int, last: int) -> None:
        piece = scan(
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
            ties.append((slice(first, last), piece))

    def shifted(begin: int, part: slice) -> None:
        rows(begin + part.start, begin + part.stop)

    for begin in range(0, better.size, AT_ONCE):
        end = min(begin + AT_ONCE, better.size)
        on_threads(partial(shifted, begin), end - begin)
        on_progress((segment.first + end - level_first) / size, "moves")
    return ties


def _weights(chain: RankedChain, active: int, ending: int) -> tuple[Floats, int]:
    """The weights of moves, by gene and number of equivalent changes, and the kind that means no change."""
    shape = chain.shape
    n, nodes = shape.inputs, shape.nodes
    most = 2 * n + 1
    weights = np.zeros((nodes + 2, most))
    for owner in range(nodes + 1):
        others = n + owner - 1
        if others > 0:
            weights[owner] = np.arange(most) / (ending * others)
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
    """x - D^-1 R x of `solving` on the classes of a level, whose first is `first`."""

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


def _solved(within: Callable[[Kept], Floats], right: Floats, what: str, on_progress: OnProgress) -> Floats:
    return solve_ties(
        within, right, what=what, on_progress=on_progress, basis_bytes=BASIS_BYTES, may_be_short=True
    )


def _gather_all(part: _Part, values: Kept, result: Floats) -> None:
    def pieces(numbers: slice) -> None:
        for rows, ties in part.ties[numbers]:
            gather(ties, part.weights, values, result[rows])

    on_threads(pieces, len(part.ties), alone=1)


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
    search: CgpSearch, *, memory: int = MEMORY, on_progress: OnProgress = lambda share, words: None
) -> ExactResult:
    """The running time of a search that `is_ranked`. Raises `MayNeverEnd`."""
    check_solvable(search)
    check_ranked_size(search, memory=memory)
    on_progress(0.0, "active parts")
    chain = chain_of(search)
    return result_of(search, chain, moments_of(chain, on_progress=on_progress))


def result_of(search: CgpSearch, chain: RankedChain, moments: Moments) -> ExactResult:
    """The numbers from the start of the search."""
    law = search.law
    genotypes = genotype_count(chain.shape)
    masses = [total / genotypes for total, _, _ in moments.totals]
    shares = start_shares(masses, law.starts)
    expected = second = 0.0
    for (_, mean, square), share in zip(moments.totals, shares, strict=True):
        expected += share * mean / genotypes
        second += share * square / genotypes
    unsolved = sum(masses) ** law.starts
    # At most one iteration is not counted, and every unsolved start takes at least one.
    second -= law.uncounted * (2.0 * expected - unsolved)
    expected -= law.uncounted * unsolved
    return ExactResult(
        search=search,
        states=genotypes,
        classes=chain.count + 1,
        expected_iterations=expected,
        std_iterations=sqrt(max(0.0, second - expected**2)),
        worst_start_expected=float(moments.mean.max()) - law.uncounted if chain.count else 0.0,
        p_solved_at_start=1.0 - unsolved,
        expected_if_solved=expected,
    )
