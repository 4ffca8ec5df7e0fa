"""The expected running time as an exact fraction, for the smallest cases.

The same chain as in `sam_search`, in integers over common denominators: the generator N of a node's walk
(`node_states`) has few distinct eigenvalues, sums of κ = k / (k-1), so its spectral projections are
the polynomials Π_{μ≠λ} (N - μ) / (λ - μ), rational matrices, and G (`inactive_mixing`) is the sum of their
tensor products times ending / (ending + Σ λ). The system is then solved by `padic_lifting`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm
from typing import Any

import numpy as np

from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import valid_values
from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import Settings, settings
from gatewalk.theory.chain.markov_chain import Chain, Segment, build, frame_of
from gatewalk.theory.chain.moves import SOLVED, TIE, WORSE, move_fractions
from gatewalk.theory.chain.node_states import Axis, walk_generator
from gatewalk.theory.chain.padic_lifting import Integers, functional
from gatewalk.theory.chain.size_check import check_size
from gatewalk.theory.known_settings import check_known, picked_ends, tie_acceptance

MOST_CLASSES = 450
MOST_STARTS = 100


def rational_expectation(target_name: str, **options: Any) -> Fraction:
    """The expected iterations from the uniform start; the options are those of `settings`.

    >>> rational_expectation("and:2", nodes=1)
    Fraction(311, 132)
    """
    return rational(settings(target_name, **options))


def rational(settings: Settings) -> Fraction:
    """The expected iterations of a (1+1) CGP with SAM, of which at most one is not counted."""
    check_known(settings)
    law = settings.law
    if (
        not isinstance(law, CgpLaw)
        or settings.mutation != "sam"
        or settings.offspring != 1
        or law.uncounted > 1
    ):
        raise InputError("exact fractions are for cgp with sam, one offspring and at most one uncounted")
    if settings.training != "complete" or settings.start != "random" or law.starts > MOST_STARTS:
        raise InputError(
            f"exact fractions are for complete training sets and up to {MOST_STARTS} random starts"
        )
    check_size(settings, memory=20_000_000)
    frame = frame_of(shape_of(settings), complete(settings.wanted))
    ends = picked_ends(law)
    chain = build(frame, tie=tie_acceptance(settings), picked_ends=ends)
    if chain.classes > MOST_CLASSES:
        raise InputError(
            f"{settings.target} with {settings.nodes} nodes has {chain.classes} classes; "
            f"exact fractions are for up to {MOST_CLASSES}: take fewer nodes or leave --rational out"
        )
    start = _start(chain, law.starts)
    denominator = reduce(lcm, (one.denominator for one in start), 1)
    weights = np.array([int(one * denominator) for one in start], dtype=object)
    matrix, right = _system(chain, ends)
    try:
        mean = functional(matrix, right, weights) / denominator if chain.classes else Fraction(0)
    except ArithmeticError as error:
        raise InputError(f"{settings.target}: the expected time is infinite, there is no fraction") from error
    return mean - law.uncounted * sum(start, Fraction(0))


def _start(chain: Chain, starts: int) -> list[Fraction]:
    """The probability of each class as the best of so many uniform programs."""
    uniform = [Fraction(size, chain.genotypes) for size in chain.size.tolist()]
    result: list[Fraction] = []
    for level in range(len(chain.levels)):
        here = uniform[chain.level_start[level] : chain.level_start[level + 1]]
        worse = sum(uniform[chain.level_start[level + 1] :], Fraction(0))
        best = (worse + sum(here, Fraction(0))) ** starts - worse**starts
        share = best / sum(here, Fraction(0))
        result += [one * share for one in here]
    return result


def _system(chain: Chain, ends_when_picked: bool) -> tuple[Integers, Integers]:
    """Integers A, b with A h = b: the equations D h - R h = 1, each times its common denominator."""
    matrix = np.zeros((chain.classes, chain.classes), dtype=object)
    right = np.zeros(chain.classes, dtype=object)
    tie = {0.0: Fraction(0), 0.5: Fraction(1, 2), 1.0: Fraction(1)}[chain.tie]
    for segment in chain.segments:
        fractions = move_fractions(chain.shape, segment.active, picked_ends=ends_when_picked)
        unit = reduce(lcm, (one.denominator for one in fractions), tie.denominator)
        moves, accept = _moves(chain, segment, [int(one * unit * tie.denominator) for one in fractions], tie)
        mixing, scale = _mixing(chain, segment)
        here = _classes(chain, segment)
        to = mixing @ moves[here]
        leave = mixing @ accept[here]
        rows = np.arange(segment.classes.start, segment.classes.stop)
        matrix[rows] = -to
        matrix[rows, rows] += leave
        right[rows] = scale * unit * tie.denominator
    return matrix, right


def _moves(chain: Chain, segment: Segment, chances: list[int], tie: Fraction) -> tuple[Integers, Integers]:
    """The accepted moves of a segment's classes to all classes, and how much each class accepts in total.

    All numbers are in the unit of `chances`, in which the acceptance of a tie is a whole number.
    """
    matrix = np.zeros((segment.moves.shape[0], chain.classes), dtype=object)
    accept = np.zeros(segment.moves.shape[0], dtype=object)
    for row, line in enumerate(segment.moves.tolist()):
        for to, chance in zip(line, chances, strict=True):
            if to == WORSE:
                continue
            part = int(chance * tie) if to <= TIE else chance
            accept[row] += part
            if to != SOLVED:
                matrix[row, TIE - to if to <= TIE else to] += part
    return matrix, accept


def _classes(chain: Chain, segment: Segment) -> Any:
    """The class of every place, counted from the segment's first."""
    if not chain.of_place.size:
        return np.arange(segment.classes.stop - segment.classes.start)
    return chain.of_place[segment.places] - segment.classes.start


def _mixing(chain: Chain, segment: Segment) -> tuple[Integers, int]:
    """The rows of G for the example of each class, over all places, times the returned common denominator."""
    blocks = segment.keys.size
    parts = [_projections(chain, chain.axes[node], node) for node in segment.axes]
    total = 1
    for node in segment.axes:
        total *= len(chain.axes[node])
    combined = np.zeros((total, total), dtype=object)
    shares = {
        rates: Fraction(segment.ending) / (segment.ending + sum(rates, Fraction(0)))
        for rates in product(*(part.keys() for part, _ in parts))
    }
    unit = reduce(lcm, (share.denominator for share in shares.values()), 1)
    for rates, share in shares.items():
        factors = [part[rate] for (part, _), rate in zip(parts, rates, strict=True)]
        combined += reduce(np.kron, factors, np.array([[1]], dtype=object)) * int(share * unit)
    result = np.zeros((segment.example.size, total * blocks), dtype=object)
    for row, place in enumerate(segment.example.tolist()):
        result[row, place % blocks :: blocks] = combined[place // blocks]
    for _, denominator in parts:
        unit *= denominator
    return result, unit


def _projections(chain: Chain, axis: Axis, node: int) -> tuple[dict[Fraction, Integers], int]:
    """The spectral projections of a node's walk, all times the returned common denominator."""
    states = list(zip(axis.function.tolist(), axis.first.tolist(), axis.second.tolist(), strict=True))
    sources = valid_values(chain.shape, node * chain.shape.block + 1)
    generator = np.array(walk_generator(states, axis.lookup, sources, axis.counts), dtype=object)
    kappas = [Fraction(count, count - 1) for count in axis.counts if count > 1]
    rates = {sum(chosen, Fraction(0)) for chosen in product(*((Fraction(0), kappa) for kappa in kappas))}
    identity = np.array(
        [[Fraction(i == j) for j in range(len(axis))] for i in range(len(axis))], dtype=object
    )
    found = {}
    for rate in rates:
        others = [(generator - other * identity) / (rate - other) for other in rates if other != rate]
        found[rate] = reduce(np.dot, others, identity)
    unit = reduce(lcm, (entry.denominator for one in found.values() for entry in one.flat), 1)
    return {
        rate: np.array([[int(entry * unit) for entry in row] for row in one], dtype=object)
        for rate, one in found.items()
    }, unit
