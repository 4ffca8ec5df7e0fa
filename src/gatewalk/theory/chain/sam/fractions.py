"""The expected running time as an exact fraction, for the smallest cases.

The chain of `chain`, in integers over common denominators: the generator N of a node's walk (`node_states`)
has few distinct eigenvalues, sums of κ = k / (k-1), so its spectral projections are the polynomials
Π_{μ≠λ} (N - μ) / (λ - μ), rational matrices, and G (`mixing`) is the sum of their tensor products times
ending / (ending + Σ λ). The system is then solved level by level, by elimination.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import product
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import Complete, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import valid_values
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError
from gatewalk.search.options import Search
from gatewalk.theory.assumptions import check_solvable, picked_ends, tie_acceptance
from gatewalk.theory.chain.sam.chain import SamChain, Segment, chain_on
from gatewalk.theory.chain.sam.moves import SOLVED, TIE, WORSE, move_fractions
from gatewalk.theory.chain.sam.node_states import Axis, walk_generator
from gatewalk.theory.chain.sam.size import check_size

MOST_CLASSES = 450
MOST_TIED = 100  # classes of one fitness, if a search can move between them; these take some seconds
MOST_STARTS = 100

Integers = NDArray[Any]  # an object array of Python integers


def expected_fraction(search: Search) -> Fraction:
    """The expected iterations of a (1+1) CGP with SAM, of which at most one is not counted.

    >>> from gatewalk import search_for
    >>> expected_fraction(search_for("and:2", nodes=1))
    Fraction(311, 132)
    """
    check_solvable(search)
    is_sam = isinstance(search, CgpSearch) and isinstance(search.mutation, Sam)
    if not is_sam or search.offspring != 1 or search.law.uncounted > 1:
        raise InputError("exact fractions are for cgp with sam, one offspring and at most one uncounted")
    assert isinstance(search, CgpSearch)
    is_complete, law = isinstance(search.training, Complete), search.law
    if not is_complete or search.start is not None or law.starts > MOST_STARTS:
        raise InputError(
            f"exact fractions are for complete training sets and up to {MOST_STARTS} random starts"
        )
    check_size(search, memory=20_000_000)
    tie = Fraction(repr(tie_acceptance(search)))
    ends = picked_ends(law)
    chain = chain_on(search.shape, complete(search.target), strict=tie == 0, picked_ends=ends)
    _check_classes(search, chain, is_strict=tie == 0)
    start = _start(chain, law.starts)
    try:
        values = _solved(chain, *_system(chain, tie, ends))
    except ZeroDivisionError:
        raise InputError(
            f"{search.target.name}: the expected time is infinite, so there is no fraction"
        ) from None
    mean = sum((chance * value for chance, value in zip(start, values, strict=True)), Fraction(0))
    return mean - law.uncounted * sum(start, Fraction(0))


def _check_classes(search: CgpSearch, chain: SamChain, *, is_strict: bool) -> None:
    """Refuse what would take minutes: with ties, time grows as about the fifth power of a level's classes."""
    most, classes, which = MOST_CLASSES, chain.classes, "classes"
    if not is_strict:
        most, which = MOST_TIED, "classes of one fitness"
        classes = max(np.diff(chain.level_start).tolist(), default=0)
    if classes > most:
        raise InputError(
            f"{search.target.name} with {search.nodes} nodes has {classes} {which}; "
            f"exact fractions are for up to {most}; use fewer nodes or remove --rational"
        )


def _solved(chain: SamChain, matrix: Integers, right: Integers) -> list[Fraction]:
    """x with matrix x = right, level by level. Raises `ZeroDivisionError` if it is singular.

    Rows have their largest entry on the diagonal, so elimination needs no other pivots.
    """
    values: list[Fraction] = []
    for first, last in zip(chain.level_start[:-1], chain.level_start[1:], strict=True):
        rows = []
        for number in range(first, last):
            known = sum(a * x for a, x in zip(matrix[number, :first], values, strict=True) if a)
            rows.append([*map(Fraction, matrix[number, first:last]), Fraction(right[number] - known)])
        for column, pivot in enumerate(rows):
            for row in rows[column + 1 :]:
                if row[column]:
                    times = row[column] / pivot[column]
                    row[column:] = [a - times * b for a, b in zip(row[column:], pivot[column:], strict=True)]
        here = [Fraction(0)] * len(rows)
        for column in reversed(range(len(rows))):
            row = rows[column]
            later = sum(a * x for a, x in zip(row[column + 1 : -1], here[column + 1 :], strict=True))
            here[column] = (row[-1] - later) / row[column]
        values += here
    return values


def _start(chain: SamChain, starts: int) -> list[Fraction]:
    """The probability of each class as the best of so many uniform programs."""
    uniform = [Fraction(size, chain.genotypes) for size in chain.size.tolist()]
    result: list[Fraction] = []
    for level in range(len(chain.levels)):
        here = uniform[chain.level_start[level] : chain.level_start[level + 1]]
        worse = sum(uniform[chain.level_start[level + 1] :], Fraction(0))
        best = (worse + sum(here, Fraction(0))) ** starts - worse**starts
        share = best / sum(here, Fraction(0))
        result += [chance * share for chance in here]
    return result


def _system(chain: SamChain, tie: Fraction, ends_when_picked: bool) -> tuple[Integers, Integers]:
    """Integers A, b with A h = b: the equations D h - R h = 1, each times its common denominator."""
    matrix = np.zeros((chain.classes, chain.classes), dtype=object)
    right = np.zeros(chain.classes, dtype=object)
    for segment in chain.segments:
        chances = move_fractions(chain.shape, segment.active, picked_ends=ends_when_picked)
        unit = reduce(lcm, (chance.denominator for chance in chances), tie.denominator)
        weights = [int(chance * unit * tie.denominator) for chance in chances]
        moves, accept = _moves(chain, segment, weights, tie)
        mixing, scale = _mixing(chain, segment)
        here = _classes(chain, segment)
        to = mixing @ moves[here]
        leave = mixing @ accept[here]
        rows = np.arange(segment.classes.start, segment.classes.stop)
        matrix[rows] = -to
        matrix[rows, rows] += leave
        right[rows] = scale * unit * tie.denominator
    return matrix, right


def _moves(chain: SamChain, segment: Segment, chances: list[int], tie: Fraction) -> tuple[Integers, Integers]:
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


def _classes(chain: SamChain, segment: Segment) -> Any:
    """The class of every place, counted from the segment's first."""
    if not chain.class_of_place.size:
        return np.arange(segment.classes.stop - segment.classes.start)
    return chain.class_of_place[segment.places] - segment.classes.start


def _mixing(chain: SamChain, segment: Segment) -> tuple[Integers, int]:
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


def _projections(chain: SamChain, axis: Axis, node: int) -> tuple[dict[Fraction, Integers], int]:
    """The spectral projections of a node's walk, all times the returned common denominator."""
    states = list(zip(axis.function.tolist(), axis.first.tolist(), axis.second.tolist(), strict=True))
    sources = valid_values(chain.shape, node * chain.shape.block + 1)
    generator = np.array(walk_generator(states, axis.lookup, sources, axis.counts), dtype=object)
    kappas = [Fraction(count, count - 1) for count in axis.counts if count > 1]
    rates = {sum(chosen, Fraction(0)) for chosen in product(*((Fraction(0), kappa) for kappa in kappas))}
    identity = np.array(
        [[Fraction(i == j) for j in range(len(axis))] for i in range(len(axis))], dtype=object
    )
    projections = {}
    for rate in rates:
        others = [(generator - other * identity) / (rate - other) for other in rates if other != rate]
        projections[rate] = reduce(np.dot, others, identity)
    unit = reduce(lcm, (entry.denominator for matrix in projections.values() for entry in matrix.flat), 1)
    return {
        rate: np.array([[int(entry * unit) for entry in row] for row in matrix], dtype=object)
        for rate, matrix in projections.items()
    }, unit
