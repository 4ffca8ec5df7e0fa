"""Bounds that solve a chain, for one search at a time: certified levels, and the mean over sampled sets.

*Certified levels* are Theorem 6's method with the true probabilities of each level. For level i, the proof of
Theorem 6 estimates the chance r to rise from i+, the chance p + q to leave i- for i+ or above, and the chance
s to fall back from i+ to i-. Here these are computed for every program of a conjunction, from the exact
chain. Their extremes over all programs of the level,

    r = least r,    q = least p + q,    rho = greatest s / r,

bound the time at the level, from any program, by (1 + rho)/q + 1/r. The sum over levels bounds E[T] from any
start. The proof, in docs/theory/certified-levels.md, has no gap; but each certificate is for one (n, D) only.

`gatewalk bounds` has these numbers for sizes that take about a second. The solver is imported only when one
is asked for, because its kernels take a second to load.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import factorial, prod
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.boolean.training import Complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError
from gatewalk.numbers import for_json
from gatewalk.search.options import Search, search_for
from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.assumptions import (
    CARTESIAN,
    CONJUNCTION,
    NONSTRICT,
    ON_CONJUNCTIONS,
    Assumption,
    mutation_of,
    nodes_of,
    require,
    starts_at_random,
    statement,
    tie_acceptance,
)

if TYPE_CHECKING:
    from gatewalk.theory.chain.sam.chain import SamChain
    from gatewalk.theory.chain.sam.node_states import Floats

MOST_INPUTS = 6
MOST_NODES = 10
MOST_CLASSES = 100_000  # for certified levels
SETS = 10
MOST_GENOTYPES = 25_000  # for sampled sets
MOST_ROWS, WIDEST = 64, 2

CERTIFIABLE = (
    Assumption("target", "levels are certified for and:N with gates and", CONJUNCTION.holds),
    Assumption(
        "selection",
        "levels are certified for --selection nonstrict and --lambda 1",
        lambda search: search.selection == "nonstrict" and search.offspring == 1,
    ),
)


@dataclass(frozen=True)
class LevelConstants:
    """The extremes over the programs of a level, each moved outwards by its rounding error (`rounding`).

    level: the number of inputs in use.
    rise: the least chance to leave i+ for a higher level; None if no program is at i+.
    leave: the least chance to leave i- for i+ or a higher level; None if no program is at i-.
    fall: the greatest ratio of the chance to fall from i+ to i- and the chance to rise.
    """

    level: int
    rise: float | None
    leave: float | None
    fall: float

    @property
    def time(self) -> Fraction:
        """An upper bound on the expected iterations at the level, from any of its programs."""
        rise = 0 if self.rise is None else 1 / Fraction(self.rise)
        leave = 0 if self.leave is None else (1 + Fraction(self.fall)) / Fraction(self.leave)
        return Fraction(rise + leave)


@dataclass(frozen=True)
class CertifiedLevels:
    """The constants of all levels below the optimum, lowest first."""

    search: Search
    levels: tuple[LevelConstants, ...]

    @property
    def bound(self) -> float:
        """An upper bound on E[T], whatever the start."""
        from gatewalk.theory.rounding import rounded_up

        return rounded_up(sum((level.time for level in self.levels), Fraction(0)))


def certified_levels(
    search: Search, *, memory: int | None = None, on_progress: OnProgress = lambda share, words: None
) -> CertifiedLevels:
    """The constants for this search: conjunctions, non-strict selection, SAM, one offspring.

    memory: the most bytes that the chain may take; that of `gatewalk.theory.exact` if None.

    >>> from gatewalk import search_for
    >>> round(certified_levels(search_for("and:3", nodes=2)).bound)
    186
    """
    from gatewalk.theory.chain.sam.chain import build_chain
    from gatewalk.theory.chain.sam.size import MEMORY

    require(CERTIFIABLE, search)
    chain = build_chain(search, memory=MEMORY if memory is None else memory, on_progress=on_progress)
    levels = []
    for level in reversed(range(len(chain.levels))):
        levels.append(_constants(chain, level, tie_acceptance(search)))
        on_progress(len(levels) / len(chain.levels), "levels")
    return CertifiedLevels(search, tuple(levels))


def _constants(chain: SamChain, level: int, tie: float) -> LevelConstants:
    from gatewalk.theory.rounding import at_least, at_most, mean_over_offspring

    first, last = chain.level_start[level], chain.level_start[level + 1]
    plus = chain.has_free_connection(level)

    def chance(of: Floats, *, solved: float = 0.0) -> Floats:
        return mean_over_offspring(chain, level, of, solved=solved, tie=tie)

    above, at_plus, at_minus = (np.zeros(chain.classes) for _ in range(3))
    above[:first] = 1.0
    at_plus[first:last] = plus
    at_minus[first:last] = ~plus
    rise, leave, fall = [], [], []
    if plus.any():
        up, down = at_least(chance(above, solved=1.0)[plus]), at_most(chance(at_minus)[plus])
        rise.append(float(up.min()))
        if up.min() > 0:
            fall.append(float(np.nextafter(down / up, np.inf).max()))
    if not plus.all():
        leave.append(float(at_least(chance(above + at_plus, solved=1.0)[~plus]).min()))
    if any(chance <= 0 for chance in (*rise, *leave)):
        raise InputError("a program of this search cannot rise: its levels have no finite certificate")
    wrong = chain.levels[level]  # 2^(n-i) - 1 by Lemma 2
    return LevelConstants(
        chain.shape.inputs - (wrong + 1).bit_length() + 1,
        min(rise, default=None),
        min(leave, default=None),
        max(fall, default=0.0),
    )


def fits_levels(n: int, nodes: int, *, most: int = MOST_CLASSES) -> bool:
    """Whether the chain of a conjunction has few enough classes to certify its levels in about a second.

    Their number is estimated as the number of programs up to swapped connections and exchanged inputs.
    """
    if n > MOST_INPUTS or nodes > MOST_NODES:
        return False
    states = prod((n + node) * (n + node + 1) // 2 for node in range(nodes))
    return states * (n + nodes) // factorial(n) <= most


def _what_fits(search: Search) -> str:
    """The size as an assumption, with what to do instead."""
    possible = [nodes for nodes in range(1, MOST_NODES + 1) if fits_levels(search.n, nodes)]
    most = f"D <= {possible[-1]}" if possible and possible[-1] >= search.n - 1 else "n <= 5"
    return f"needs {most} here; larger chains: gatewalk.theory.certified_levels in Python"


@statement(
    "certified_levels",
    "Certified levels",
    "E[T] at most: the true constants of each level, from the exact chain",
    needs=(
        *ON_CONJUNCTIONS,
        NONSTRICT,
        Assumption("size", _what_fits, lambda search: fits_levels(search.n, nodes_of(search))),
    ),
)
@lru_cache(maxsize=64)
def certified_bound(n: int, nodes: int) -> float:
    """The certified bound on E[T] of the paper's non-strict search for and:N."""
    return certified_levels(search_for(f"and:{n}", nodes=nodes)).bound


def fits_samples(search: Search) -> bool:
    """Whether there are few enough programs, and the training sets and gates are possible for the chain."""
    if not isinstance(search, CgpSearch) or search.nodes > MOST_NODES:
        return False
    if search.n > MOST_INPUTS or search.gates.arity > WIDEST or (search.rows or 1) > MOST_ROWS:
        return False
    return prod(int(count) for count in search.shape.ranges.count) <= MOST_GENOTYPES


def _what_is_counted(search: Search) -> str:
    """What the means are of, where that is not T."""
    uncounted = search.law.uncounted
    return f"the times are those that the profile reports, T - {uncounted}" if uncounted else ""


@statement(
    "sampled_expected",
    "Sampled sets",
    f"mean of E[T | S] over the first {SETS} sampled sets S of seed 0, exact for each",
    needs=(
        Assumption(
            "training",
            "needs sampled sets: --training sample",
            lambda search: not isinstance(search.training, Complete),
        ),
        CARTESIAN,
        Assumption("mutation", "needs --mutation sam", lambda search: isinstance(mutation_of(search), Sam)),
        Assumption("start", "needs --start random", starts_at_random),
        Assumption(
            "size",
            f"needs at most {MOST_GENOTYPES:,} genotypes and {MOST_ROWS} rows: see gatewalk exact",
            fits_samples,
        ),
        Assumption("counting", _what_is_counted, None),
    ),
)
@lru_cache(maxsize=64)
def sampled_expected(search: Search) -> float | str:
    """The mean over the first training sets S of seed 0 of the exact E[T | S]; "inf" if one may never end."""
    from gatewalk.theory.chain.sam.sampled_sets import exact_sets

    expected: float | str = for_json(exact_sets(search, sets=SETS).expected_iterations)
    return expected
