"""Exclusive disjunctions from D >= n - 1 Xor gates, as numbers: Lemmas 7 and 8, Theorem 9, and more.

*Lemmas 7 and 8*, for D <= (1 + d) n, follow a set L of m nodes: V(L), the inputs read by an odd number of L's
connections, and U(L), the nodes of L read by another node of L. An optimum needs V = n and U >= n - 2.

*The walk* gives a lower bound on E[T] for every D >= n - 1. Until it is solved the non-strict search keeps
every offspring, so it walks: programs seen after each effective elementary step (a pick of one of the 2D + 1
genes that can change) are uniform at all times if the first one is. With pi the chance that a uniform program
is optimal,

    E[T] >= (1 - pi)^2 / (2 pi (2D + 1)),    pi <= 2^(1-n).

2D + 1 may be replaced by A, the mean number of active genes of a uniform optimal program. Here pi and A are
computed, by following toggles from the output down: k connections point to uniform sources below v; a node
that an odd number of them reads passes two on.

*Stuck programs* can never be improved under strict selection. All wrong programs are equally wrong, so the
parent stays until one mutation makes an optimum of it. SAM changes one active gene, and inactive genes at
will. A program of m active nodes whose output is connected to i inputs has no optimal offspring if

    m - i >= D - n + 2,    or m - i >= D - n + 1 and the last node is inactive.

There is such a program for all n >= 3 and D >= n - 1, so E[T] from a uniform start is infinite. `stuck_lower`
is the chance to start at one, a lower bound on the chance that the target is never found. `gatewalk exact`
computes that chance exactly if the chain can be solved.

The proofs of the last two are in docs/theory/xor-walk.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, log2, perm, prod
from sys import float_info

import numpy as np
from numpy.typing import NDArray

from gatewalk.errors import InputError
from gatewalk.search.options import Search
from gatewalk.theory.assumptions import (
    CARTESIAN,
    ENOUGH_NODES,
    EXCLUSIVE,
    HUNDREDTH_MORE_NODES,
    LARGE_N,
    NONSTRICT,
    ON_EXCLUSIVES,
    ONE_START,
    SMALL_EXCESS,
    STRICT,
    UNLIMITED_REACH,
    Assumption,
    inputs_from,
    nodes_from,
    nodes_of,
    nodes_to,
    statement,
)
from gatewalk.theory.uniform_programs import MOST_NODES, active_and_reads, thinned, two_more, used_inputs

Floats = NDArray[np.float64]

LEMMA8_INPUTS = 256  # the least n with a potential Y >= 0 in [n/256 - 2, n/128 - 2]
MOST_WALK_NODES = 500  # with more nodes pi is bounded by 2^(1-n); the work grows with D^3
MOST_SOURCES = 250  # A is computed for up to so many inputs and nodes together; the work grows with D^4
FLOATS = 1022  # floats from 2^-1022 to 2^1022 have full precision

UNIFORM_PROGRAM = (EXCLUSIVE, inputs_from(2), ENOUGH_NODES, CARTESIAN, UNLIMITED_REACH)
LEMMA7 = (*UNIFORM_PROGRAM, ONE_START)
LEMMA8 = (
    *ON_EXCLUSIVES,
    NONSTRICT,
    HUNDREDTH_MORE_NODES,
    inputs_from(LEMMA8_INPUTS, because=": before, no potential is in [n/256 - 2, n/128 - 2]"),
)
WALK = (*ON_EXCLUSIVES, NONSTRICT, ONE_START)


def check_exclusive(n: int, nodes: int) -> None:
    """The assumptions of Section 4: n >= 2 inputs and D >= n - 1 nodes."""
    if n < 2:
        raise InputError(f"an exclusive disjunction needs n >= 2 inputs, not {n}")
    if nodes < n - 1:
        raise InputError(f"{nodes} nodes cannot join {n} inputs; use D >= n - 1 = {n - 1}")


@statement(
    "lemma7_probability",
    "Lemma 7",
    "exact chance that at most 3n/4 inputs are odd at the start",
    needs=LEMMA7,
)
def lemma7_probability(n: int, nodes: int) -> float:
    """Lemma 7's probability that V(L) <= 3n/4 at the start, exactly, for L all D nodes that reach everything.

    It is 1 where `many_odd_inputs_bound` on the rest is less than rounding.
    """
    check_exclusive(n, nodes)
    if many_odd_inputs_bound(n, nodes) < float_info.epsilon / 4:
        return 1.0
    return float(few_odd_inputs(n, nodes, 3 * n // 4))


@statement(
    "lemma7_rest",
    "Lemma 7, rest",
    "one minus this chance; where that is less than rounding, an upper bound",
    needs=LEMMA7,
)
def lemma7_rest(n: int, nodes: int) -> float:
    """One minus Lemma 7's probability: exactly, or `many_odd_inputs_bound` where that is less than rounding.

    It is never 0, which would be no upper bound: below the least float it is the least float.
    """
    bound = many_odd_inputs_bound(n, nodes)
    if bound < float_info.epsilon / 4:
        return max(bound, float_info.min)
    return float(1 - few_odd_inputs(n, nodes, 3 * n // 4))


def few_odd_inputs(n: int, nodes: int, most: int) -> Fraction:
    """Pr(V(L) <= m) at the start for m < n and L all D nodes, from the parities' Fourier coefficients.

    With phi_j the mean of (-1)^(odd inputs among j given ones), `_parity_mean`,

        Pr(V <= m) = 2^-n sum_j C(n,j) phi_j sum_{v<=m} K_v(j),

    where the Krawtchouk polynomial K_v(j) is the coefficient of z^v in (1-z)^j (1+z)^(n-j). For j >= 1
    their sum up to m is the coefficient of z^m in (1-z)^(j-1) (1+z)^(n-j): the polynomial K_m of n - 1
    inputs at x = j - 1, for which (n-1-x) K(x+1) = (n-1-2m) K(x) - x K(x-1).
    """
    check_exclusive(n, nodes)
    if not 0 <= most < n:
        raise InputError(f"the number of odd inputs must be from 0 to {n - 1}, not {most}")
    total = Fraction(sum(comb(n, v) for v in range(most + 1)))
    before, here = 0, comb(n - 1, most)
    for j in range(1, n + 1):
        mean = _parity_mean(n, nodes, j)
        if mean:
            total += comb(n, j) * mean * here
        x = j - 1
        if j < n:
            before, here = here, ((n - 1 - 2 * most) * here - x * before) // (n - 1 - x)
    return total / (1 << n)


def _parity_mean(n: int, nodes: int, j: int) -> Fraction:
    """phi_j: the product of (1 - 2j/(n+b))^2 over blocks b < D, two connections each.

    A connection of block b toggles one of the j inputs with probability j/(n+b). The product telescopes
    for 2j < n. Otherwise block 2j - n makes it 0; there is such a block unless j = n >= D.
    """
    if 2 * j < n:
        root = Fraction(perm(n - 1, 2 * j), perm(n + nodes - 1, 2 * j))
    elif 2 * j - n < nodes:
        root = Fraction(0)
    else:
        root = Fraction(perm(n, nodes), perm(n + nodes - 1, nodes))
    return root * root


def many_odd_inputs_bound(n: int, nodes: int) -> float:
    """An upper bound on Pr(V(L) > 3n/4) at the start, L all D nodes; below exp(-n/10) from n = 20 on.

    By Chernoff, with s > 1, Pr(V > 3n/4) <= s^(-3n/4) E[s^V], and s^V is the product over the inputs of
    a + b (-1)^x with a = (1+s)/2, b = (1-s)/2. So E[s^V] = sum_j C(n,j) a^(n-j) b^j phi_j, in which
    phi_j <= phi_1^j for 2j < n by Bernoulli's inequality, 0 for other j < n, and phi_n <= 1:

        E[s^V] <= (a + |b| phi_1)^n + |b|^n = (1 - q + q s)^n + ((s-1)/2)^n,    q = (1 + phi_1)/2.

    s is chosen to make the first term least.
    """
    check_exclusive(n, nodes)
    q = (1 + float(_parity_mean(n, nodes, 1))) / 2
    s = 3 * (1 - q) / q
    if s <= 1:
        return 1.0
    scale = s**0.75
    return float(min(1.0, ((1 - q + q * s) / scale) ** n + ((s - 1) / 2 / scale) ** n))


@statement(
    "lemma8_drift",
    "Lemma 8",
    "drift away from the optimum at least, on [n/256 - 2, n/128 - 2]",
    needs=LEMMA8,
)
def lemma8_drift(n: int, nodes: int) -> Fraction:
    """Lemma 8's estimate of the drift away from the optimum: 2 p+ - 3 p- = 12n^2/(25D^2) - 3/42 - 9d."""
    return 2 * toward_start(n, nodes) - 3 * toward_optimum(excess(n, nodes))


def lemma8_interval(n: int) -> tuple[float, float]:
    """The interval [n/256 - 2, n/128 - 2] of the potential on which Lemma 8 bounds the drift.

    >>> lemma8_interval(1024)
    (2.0, 6.0)
    """
    return n / 256 - 2, n / 128 - 2


def toward_start(n: int, nodes: int) -> Fraction:
    """Lemma 8's p+ = 6 n^2 / (25 D^2): at least this often the potential grows by two."""
    check_exclusive(n, nodes)
    return Fraction(6 * n * n, 25 * nodes * nodes)


def toward_optimum(d: Fraction) -> Fraction:
    """Lemma 8's p- = 1/42 + 3d: at most this often the potential shrinks, by at most three."""
    if d < 0:
        raise InputError(f"Lemma 8 needs d >= 0, not {d}")
    return Fraction(1, 42) + 3 * d


def excess(n: int, nodes: int) -> Fraction:
    """The least d >= 0 with D <= (1 + d) n."""
    check_exclusive(n, nodes)
    return max(Fraction(0), Fraction(nodes - n, n))


@statement(
    "theorem9",
    "Theorem 9",
    "T, with probability 1 - exp(-Omega(n))",
    needs=(*ON_EXCLUSIVES, NONSTRICT, ONE_START, SMALL_EXCESS, LARGE_N),
)
def theorem9() -> str:
    """Theorem 9: an order without constants, from which no number follows."""
    return "exp(Omega(n))"


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

    >>> round(2 ** xor_walk(4, 3).log2_lower, 1)
    49.9
    """
    check_exclusive(n, nodes)
    all_genes = float(2 * nodes + 1)
    if nodes > MOST_WALK_NODES:
        return XorWalk(n, nodes, False, float(1 - n), all_genes)
    log2_start = start_optimal_log2(n, nodes)
    if n + nodes > MOST_SOURCES:
        return XorWalk(n, nodes, True, log2_start, all_genes)
    return XorWalk(n, nodes, True, log2_start, optimal_active_genes(n, nodes))


TOO_SMALL = "is below the range of floats: see xor_start_optimal_log2"
TOO_LARGE = "is above the range of floats: see xor_lower_log2"


def _in_floats(words: str, log2_of: Callable[[XorWalk], float]) -> Assumption:
    """The assumption that a number of the walk, given by its base-2 logarithm, is in the range of floats."""

    def holds(search: Search) -> bool:
        n, nodes = search.n, nodes_of(search)
        has_walk = n >= 2 and nodes >= n - 1
        return not has_walk or abs(log2_of(xor_walk(n, nodes))) < FLOATS

    return Assumption("n", words, holds)


@statement(
    "xor_start_optimal",
    "Xor walk, start",
    "chance that a uniform program is optimal, exactly; at most 2^(1-n)",
    needs=(
        *UNIFORM_PROGRAM,
        nodes_to(MOST_WALK_NODES, because="; it is at most 2^(1-n) for any D"),
        _in_floats(TOO_SMALL, lambda walk: walk.log2_start),
    ),
)
def xor_start_optimal(n: int, nodes: int) -> float:
    """pi, for up to `MOST_WALK_NODES` nodes."""
    return xor_walk(n, nodes).start_optimal


@statement(
    "xor_start_optimal_log2",
    "Xor walk, start, log2",
    "its base-2 logarithm; beyond D = 500 that of the bound 2^(1-n)",
    needs=UNIFORM_PROGRAM,
)
def xor_start_optimal_log2(n: int, nodes: int) -> float:
    """log2 of pi, or of its bound."""
    return xor_walk(n, nodes).log2_start


@statement(
    "xor_lower",
    "Xor walk",
    "E[T] at least: (1-pi)^2 / (2 pi (2D+1)), pi the chance to start optimal",
    needs=(
        *WALK,
        _in_floats(TOO_LARGE, lambda walk: walk.log2_lower),
    ),
)
def xor_lower(n: int, nodes: int) -> float:
    """The lower bound on E[T], with all genes that can change."""
    return float(2.0 ** xor_walk(n, nodes).log2_lower)


@statement(
    "xor_lower_active",
    "Xor walk, active",
    "E[T] at least: 2D+1 replaced by the mean active genes of optimal programs",
    needs=(
        *WALK,
        _in_floats(TOO_LARGE, lambda walk: walk.log2_lower_active),
    ),
)
def xor_lower_active(n: int, nodes: int) -> float:
    """The lower bound on E[T], with the active genes of optimal programs only."""
    return float(2.0 ** xor_walk(n, nodes).log2_lower_active)


@statement(
    "xor_lower_log2",
    "Xor walk, log2",
    "the base-2 logarithm of the larger of the two",
    needs=WALK,
)
def xor_lower_log2(n: int, nodes: int) -> float:
    """log2 of the lower bound on E[T], for numbers beyond the range of floats."""
    return xor_walk(n, nodes).log2_lower_active


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


def all_odd(n: int, toggles: int) -> Fraction:
    """The chance that so many uniform toggles of n inputs leave each of them odd; at most 2^(1-n)."""
    if n < 1 or toggles < 0:
        raise InputError(f"toggles need n >= 1 inputs and a number of at least 0, not {n} and {toggles}")
    ways = [1] + [0] * n  # by the number of odd inputs
    for _ in range(toggles):
        ways = [
            (ways[odd - 1] * (n - odd + 1) if odd else 0) + (ways[odd + 1] * (odd + 1) if odd < n else 0)
            for odd in range(n + 1)
        ]
    return Fraction(ways[n], n**toggles)


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
    all_odd = np.full(most + 1, -np.inf)
    for toggles in range(1, most + 1):
        raised = np.concatenate([[-np.inf], (logs + up)[:-1]])
        lowered = np.concatenate([(logs + down)[1:], [-np.inf]])
        logs = np.logaddexp(raised, lowered)
        all_odd[toggles] = logs[n]
    return all_odd


def _log_sums(terms: Floats) -> Floats:
    """log of the sums of exp along rows; rows of zeros give -inf."""
    top = np.max(terms, axis=1)
    safe = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(safe + np.log(np.exp(terms - safe[:, None]).sum(axis=1)))


def optimal_active_genes(n: int, nodes: int) -> float:
    """A: the mean of 2 (active nodes) + 1 over all optimal programs.

    Apart from k toggles there are q reads: connections of active nodes that an even number of toggles reads.
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


def is_stuck(n: int, nodes: int, *, active: int, used: int, last_active: bool) -> bool:
    """Whether a program with so many active nodes and used inputs is stuck: too few nodes are spare."""
    return active - used >= nodes - n + 1 + last_active


@statement(
    "xor_stuck_lower",
    "Xor, stuck",
    "chance at least never to find the target; so E[T] is infinite",
    needs=(
        *ON_EXCLUSIVES,
        STRICT,
        ONE_START,
        nodes_from(2),
        nodes_to(MOST_NODES, because=" to be computed; E[T] is infinite for any D"),
    ),
)
@lru_cache(maxsize=256)
def stuck_lower(n: int, nodes: int) -> float:
    """The chance that a uniform program is one of those that `is_stuck` knows.

    For n = 2 and D >= 2 it is the chance of a double chain.

    >>> round(stuck_lower(4, 3), 4)
    0.1066
    """
    check_exclusive(n, nodes)
    if nodes > MOST_NODES:
        raise InputError(
            f"the probability of getting stuck is computed for at most {MOST_NODES} nodes, not {nodes}"
        )
    used = used_inputs(n, nodes + 1)
    programs = (n + nodes) * prod((n + node) ** 2 for node in range(nodes))
    total = n / programs if n == 2 and nodes >= 2 else 0.0
    for last_active in (False, True):
        chances = active_and_reads(n, nodes, last_active=last_active)
        for active in range(nodes + 1):
            few = [
                i for i in range(n + 1) if is_stuck(n, nodes, active=active, used=i, last_active=last_active)
            ]
            total += float(chances[active] @ used[:, few].sum(axis=1))
    return total
