"""A lower bound on the time to evolve an exclusive disjunction, for every D >= n - 1.

Until it is solved the non-strict search keeps every offspring, so it walks: programs seen after each
effective elementary step (a pick of one of the 2D + 1 genes that can change) are uniform at all times
if the first one is. With pi the chance that a uniform program is optimal,

    E[T] >= (1 - pi)^2 / (2 pi (2D + 1)),    pi <= 2^(1-n).

2D + 1 may be replaced by A, the mean number of active genes of a uniform optimal program. The proofs
are in docs/theory/xor-walk.md. Here pi and A are computed, by following toggles from the output down:
k connections point to uniform sources below v; a node that an odd number of them reads passes two on.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, log2

import numpy as np
from numpy.typing import NDArray

from gatewalk.errors import InputError
from gatewalk.theory.uniform_programs import thinned, two_more
from gatewalk.theory.xor_bounds import check_exclusive

Floats = NDArray[np.float64]

MOST_NODES = 500  # with more nodes pi is bounded by 2^(1-n); the work grows with D^3
MOST_SOURCES = 250  # A is computed for up to so many inputs and nodes together; the work grows with D^4
FLOATS = 1022  # floats from 2^-1022 to 2^1022 have full precision


@dataclass(frozen=True)
class XorWalk:
    """The lower bound and its parts, as logarithms, because the numbers can leave the range of floats.

    log2_start: log2 of pi, or of an upper bound on pi if not `exact`. active_genes: A, or 2D + 1 if unknown.
    """

    n: int
    nodes: int
    exact: bool
    log2_start: float
    active_genes: float

    @property
    def start_optimal(self) -> float:
        """pi, rounded to 0 below the range of floats."""
        return float(np.exp2(self.log2_start))

    @property
    def log2_lower(self) -> float:
        """log2 of (1 - pi)^2 / (2 pi (2D + 1))."""
        return self._log2_lower(2 * self.nodes + 1)

    @property
    def log2_lower_active(self) -> float:
        """log2 of (1 - pi)^2 / (2 pi A), which is at least as large."""
        return self._log2_lower(self.active_genes)

    def _log2_lower(self, genes: float) -> float:
        return 2 * float(np.log1p(-self.start_optimal) / np.log(2)) - 1 - self.log2_start - log2(genes)


@lru_cache(maxsize=256)
def xor_walk(n: int, nodes: int) -> XorWalk:
    """The lower bound for n inputs and D nodes.

    Examples
    --------
    >>> found = xor_walk(4, 3)
    >>> round(2**found.log2_lower, 1)
    49.9
    """
    check_exclusive(n, nodes)
    all_genes = float(2 * nodes + 1)
    if nodes > MOST_NODES:
        return XorWalk(n, nodes, False, float(1 - n), all_genes)
    log2_start = start_optimal_log2(n, nodes)
    if n + nodes > MOST_SOURCES:
        return XorWalk(n, nodes, True, log2_start, all_genes)
    return XorWalk(n, nodes, True, log2_start, optimal_active_genes(n, nodes))


def start_has_float(n: int, nodes: int) -> bool:
    """Whether pi fits a float; true if it is not computed."""
    return n < 2 or nodes < n - 1 or xor_walk(n, nodes).log2_start > -FLOATS


def lower_has_float(n: int, nodes: int, name: str) -> bool:
    """Whether the bound whose logarithm has this name in `XorWalk` fits a float; true if there is none."""
    return n < 2 or nodes < n - 1 or getattr(xor_walk(n, nodes), name) < FLOATS


def all_odd(n: int, toggles: int) -> Fraction:
    """The chance that so many uniform toggles of n inputs leave each of them odd; at most 2^(1-n)."""
    if n < 1 or toggles < 0:
        raise InputError(f"toggles of inputs: take n >= 1 and at least 0 of them, not {n} and {toggles}")
    ways = [1] + [0] * n  # by the number of odd inputs
    for _ in range(toggles):
        ways = [
            (ways[odd - 1] * (n - odd + 1) if odd else 0) + (ways[odd + 1] * (odd + 1) if odd < n else 0)
            for odd in range(n + 1)
        ]
    return Fraction(ways[n], n**toggles)


def start_optimal(n: int, nodes: int) -> Fraction:
    """pi as a fraction; for some dozens of nodes.

    With k toggles uniform over the sources 0 ... v, j of them hit source v with the binomial chance, and
    if v is a node and j is odd then its two connections are toggles of the sources below.
    """
    check_exclusive(n, nodes)
    chances = [all_odd(n, toggles) for toggles in range(nodes + 2)]
    for v in range(n, n + nodes):
        chances = [
            sum(
                (
                    Fraction(comb(k, j) * v ** (k - j), (v + 1) ** k) * chances[k - j + 2 * (j % 2)]
                    for j in range(k + 1)
                ),
                Fraction(0),
            )
            for k in range(n + nodes - v + 1)
        ]
    return chances[1]


def start_optimal_log2(n: int, nodes: int) -> float:
    """log2 of pi, by the same sums on logarithms: all terms are positive, so nothing cancels."""
    check_exclusive(n, nodes)
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, nodes + 3, dtype=np.float64)))])
    logs = _all_odd_logs(n, nodes + 1)
    for v in range(n, n + nodes):
        k = np.arange(n + nodes - v + 1)[:, None]
        j = np.arange(n + nodes - v + 1)[None, :]
        left = np.maximum(k - j, 0)
        terms = log_factorial[k] - log_factorial[j] - log_factorial[left]
        terms = terms + left * np.log(v) - k * np.log(v + 1)
        terms = np.where(j <= k, terms + logs[left + 2 * (j % 2)], -np.inf)
        logs = _log_sums(terms)
    return float(logs[1] / np.log(2))


def _all_odd_logs(n: int, most: int) -> Floats:
    """log of `all_odd` for 0, 1, ..., most toggles."""
    odd = np.arange(n + 1, dtype=np.float64)
    with np.errstate(divide="ignore"):
        up, down = np.log((n - odd) / n), np.log(odd / n)
    logs = np.full(n + 1, -np.inf)
    logs[0] = 0.0
    found = np.full(most + 1, -np.inf)
    for toggles in range(1, most + 1):
        raised = np.concatenate([[-np.inf], (logs + up)[:-1]])
        lowered = np.concatenate([(logs + down)[1:], [-np.inf]])
        logs = np.logaddexp(raised, lowered)
        found[toggles] = logs[n]
    return found


def _log_sums(terms: Floats) -> Floats:
    """log of the sums of exp along rows; rows of zeros give -inf."""
    top = np.max(terms, axis=1)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(safe + np.log(np.exp(terms - safe[:, None]).sum(axis=1)))


def optimal_active_genes(n: int, nodes: int) -> float:
    """A: the mean of 2 (active nodes) + 1 over all optimal programs.

    Beside k toggles there are q reads: connections of active nodes that an even number of toggles reads.
    They keep nodes active but change no parity. all_odd(n, k) is scaled by 2^(n-1), which A does not see.
    """
    check_exclusive(n, nodes)
    if n + nodes > MOST_SOURCES:
        raise InputError(
            f"active genes of optimal programs: at most {MOST_SOURCES} inputs and nodes together"
        )
    size = nodes + 4  # at most nodes + 1 connections, two more, and a zeroth entry
    optimal = np.zeros(size)  # P(optimal), given k
    optimal[: nodes + 2] = np.exp(_all_odd_logs(n, nodes + 1) + (n - 1) * np.log(2))
    active = np.zeros((size, size))  # E[active nodes among those done; optimal], given k and q
    hits = np.arange(size)[:, None] - np.arange(size)[None, :]
    for v in range(n, n + nodes):
        passed = thinned(size, v / (v + 1))
        none, odd = np.where(hits == 0, passed, 0.0), np.where(hits % 2 == 1, passed, 0.0)
        even, some = passed - none - odd, passed - none
        odd_on = two_more(odd)
        counted = optimal[:, None] + active
        active = (
            odd_on @ counted @ passed.T  # an odd node: two toggles more
            + even @ counted @ two_more(passed).T  # an even one that toggles hit: two reads more
            + none @ (counted @ two_more(some).T + active @ none.T)  # hit by reads only, or by nothing
        )
        optimal = (odd_on + even + none) @ optimal
    return 1.0 + 2.0 * float(active[1, 0] / optimal[1])
