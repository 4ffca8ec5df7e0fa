"""Conjunctions from And gates, as numbers: Lemmas 1, 2, 5 and 10, Theorems 3, 4 and 6.

Throughout n >= 2 is the number of inputs, D >= n - 1 the number of nodes and i in [1, n - 1] a level: the
number of distinct inputs that the output depends on. alpha = D/(n - 1) as in the proofs. Probabilities of one
level are exact fractions; sums over levels are floats.

*Theorems 3 and 6* add up the expected times at the levels. Theorem 6 splits a level in two, i- and i+, and
needs Lemma 5: the chain of the three states i- (1), i+ (2) and i+1 (3, absorbing).

*Theorem 4* is about the penultimate start, from which the strict (1+1) CGP* with D = n - 1 needs Omega(n^6)
iterations; `gatewalk.search.start.penultimate` makes such a program. Its first n - 2 nodes join n - 1 inputs
in a chain that ends in node j, the output reads j, and the last node j+ is inactive and reads neither j nor
the missing input v. Under strict selection, it is only left by a single call of SAM that sets {j, v} as the
sources of j+ and then points the output at j+.

The exact probability p of that: with one gate, function genes never change, so each *effective* elementary
step changes one of N = 2n - 1 connection genes, uniformly. Two of them belong to j+; all others end the loop.
k changes of j+'s two connections are a walk on pairs: each change moves one of the two to a uniform other
value among m = 2n - 2. On one complete graph of m values a specific other value is reached after l moves with
probability (1 - u^l)/m, u = -1/(m-1), so {j, v} is reached after k with

    P_k = (2/m^2) (1 - 2 ((1+u)/2)^k + u^k).

The loop then ends on the output gene (1/N) with the value j+ (1/(2n-2)). Summing the geometric series over k
with y = 2/N gives

    p = 1/N * 1/(2n-2) * 2/m^2 * [1/(1-y) - 2/(1 - y(1+u)/2) + 1/(1-yu)]
      = 2 / ((n-1)(2n-3)(4n^2-8n+5)(4n^2-10n+7))  ~  1/(16 n^6).

Rejected offspring leave the parent as it was, so T is geometric with p: E[T] = 1/p exactly.

*Lemma 10* (Witt 2014, Theorem 1) bounds the tails of sums of geometric times. With it, or with Markov's
inequality, the theorems give iterations that are not exceeded with a probability P.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, e, exp, fsum, inf, log1p, log2, pi, sqrt
from typing import TypeVar

from gatewalk.errors import InputError
from gatewalk.search.options import Search
from gatewalk.theory.assumptions import (
    ALGORITHM_1,
    CARTESIAN,
    COMPLETE_SET,
    CONJUNCTION,
    EITHER_SELECTION,
    FEWEST_NODES,
    NONSTRICT,
    ON_CONJUNCTIONS,
    STRICT,
    inputs_from,
    inputs_to,
    is_pure,
    nodes_from,
    statement,
)

ZETA_2 = pi**2 / 6
LISTED_LEVELS = 64  # beyond this many levels Lemma 2's numbers are too long to list
GAP = (
    "the proof has a gap, since any number of genes can undo i+ and not two; but the claim is true: "
    "Theorem A proves O(n D^3 log n)"
)

THEOREM3 = (*ON_CONJUNCTIONS, EITHER_SELECTION)
THEOREM3_TAIL = (*THEOREM3, nodes_from(10))
THEOREM4 = (CONJUNCTION, inputs_from(3), FEWEST_NODES, COMPLETE_SET, *ALGORITHM_1, STRICT)
THEOREM6 = (*ON_CONJUNCTIONS, NONSTRICT)


def check_conjunction(n: int, nodes: int) -> None:
    """The assumptions of Section 3: n >= 2 inputs and D >= n - 1 nodes."""
    if n < 2:
        raise InputError(f"a conjunction needs n >= 2 inputs, not {n}")
    if nodes < n - 1:
        raise InputError(f"{nodes} nodes cannot join {n} inputs; use D >= n - 1 = {n - 1}")


def check_level(n: int, level: int) -> None:
    """A level that can still be left upwards."""
    if not 1 <= level <= n - 1:
        raise InputError(f"level {level} is outside [1, {n - 1}], the levels below the optimum")


@lru_cache(maxsize=8)
def harmonic(n: int, power: int = 1) -> float:
    """The generalised harmonic number: sum of 1/i^power for i in [1, n]."""
    return fsum(1.0 / i**power for i in range(1, n + 1))


@statement("lemma1_bits", "Lemma 1", "bits that store a program", needs=(CARTESIAN,))
def lemma1_bits(n: int, nodes: int, *, outputs: int = 1, gates: int = 1, arity: int = 2) -> float:
    """Lemma 1: (D(k+1) + m) log2(1 + max(K, n + D)) bits store a program."""
    if min(n, outputs, gates, arity) < 1 or nodes < 0:
        raise InputError("a program has at least one input, output, gate and argument")
    return (nodes * (arity + 1) + outputs) * log2(1 + max(gates, n + nodes))


def lemma2_mismatches(n: int, level: int) -> int:
    """Lemma 2: a conjunction of i of n inputs differs from And_n on exactly 2^(n-i) - 1 rows."""
    if not 1 <= level <= n:
        raise InputError(f"level {level} is outside [1, {n}]")
    return (1 << (n - level)) - 1


@statement(
    "lemma2_mismatches",
    "Lemma 2",
    "mismatches at level 1, 2, ..., n",
    needs=(
        CONJUNCTION,
        inputs_from(2),
        COMPLETE_SET,
        inputs_to(LISTED_LEVELS, because=" to be listed: 2^(n-i) - 1 for level i"),
    ),
)
def lemma2_levels(n: int) -> list[int]:
    """Lemma 2 for every level, the lowest first."""
    return [lemma2_mismatches(n, level) for level in range(1, n + 1)]


def has_levels(search: Search) -> bool:
    """Whether the search has levels: and:N with gate and, or its dual or:N with gate or.

    There the fitness depends only on the inputs to which the output is connected.
    """
    return is_pure(search, "and", "or")


def level_of_fitness(search: Search, fitness: int) -> int | None:
    """The level with this many mismatches on the complete set, by Lemma 2; None without levels."""
    return search.n + 1 - (fitness + 1).bit_length() if has_levels(search) else None


def theorem3_s(n: int, nodes: int, level: int) -> Fraction:
    """Theorem 3's s_i = alpha (n-i)^2 / ((3D+1)^3 4 D^3), a lower bound on leaving level i upwards."""
    check_conjunction(n, nodes)
    check_level(n, level)
    return Fraction(nodes * (n - level) ** 2, (n - 1) * (3 * nodes + 1) ** 3 * 4 * nodes**3)


@statement("theorem3", "Theorem 3", "E[T] at most: sum over levels, both selections", needs=THEOREM3)
def theorem3(n: int, nodes: int) -> float:
    """Theorem 3, both selections: E[T] <= the sum of 1/s_i over the levels i in [1, n-1]."""
    check_conjunction(n, nodes)
    return (3 * nodes + 1) ** 3 * 4 * nodes**2 * (n - 1) * harmonic(n - 1, 2)


@statement(
    "theorem3_closed",
    "Theorem 3, closed",
    "E[T] at most: (3D+1)^3 D^2 (n-1) 2 pi^2/3 = O(n D^5)",
    needs=THEOREM3,
)
def theorem3_closed(n: int, nodes: int) -> float:
    """Theorem 3, closed form: E[T] <= (3D+1)^3 D^3 ((n-1)/D) (2 pi^2/3) = O(n D^5)."""
    check_conjunction(n, nodes)
    return (3 * nodes + 1) ** 3 * nodes**2 * (n - 1) * (2 * pi**2 / 3)


@statement(
    "theorem3_tail_delta1",
    "Theorem 3, tail",
    "T above this with probability at most exp(-1/3)",
    needs=THEOREM3_TAIL,
)
def theorem3_tail(n: int, nodes: int, delta: float = 1) -> float:
    """Theorem 3's tail for D >= 10, delta >= 1: T exceeds this with probability <= exp(-delta/3)."""
    check_conjunction(n, nodes)
    if nodes < 10:
        raise InputError(f"Theorem 3's tail needs D >= 10 nodes, not {nodes}")
    if not delta >= 1:
        raise InputError(f"Theorem 3's tail needs delta >= 1, not {delta}")
    return (1 + delta) * 20 * pi**2 * (n - 1) * nodes**5


Number = TypeVar("Number", float, Fraction)


def check_probabilities(p: Number, q: Number, r: Number, s: Number) -> None:
    """The assumptions of Lemma 5 on the probabilities 1->3, 1->2, 2->3 and 2->1."""
    if not all(0 <= value < 1 for value in (p, q, r, s)) or not (q > 0 and r > 0):
        raise InputError("Lemma 5 needs p, q, r, s in [0, 1) with q > 0 and r > 0")
    if p + q > 1 or r + s > 1:
        raise InputError("Lemma 5 needs p + q <= 1 and r + s <= 1: they leave the same state")


def expected_from_first(p: Number, q: Number, r: Number, s: Number) -> Number:
    """E_1 = (q + r + s) / (rq + rp + sp), exactly."""
    check_probabilities(p, q, r, s)
    return (q + r + s) / (r * q + r * p + s * p)


def expected_from_second(p: Number, q: Number, r: Number, s: Number) -> Number:
    """E_2 = (p + q + s) / (rq + rp + sp): the same equations solved for the other state."""
    check_probabilities(p, q, r, s)
    return (p + q + s) / (r * q + r * p + s * p)


def upper_bound(q: Number, r: Number, s: Number) -> Number:
    """The first bound: E_1 <= 1/r + 1/q + s/(rq), whatever p."""
    check_probabilities(q - q, q, r, s)
    return 1 / r + 1 / q + s / (r * q)


def upper_bound_from_estimates(leave: Number, rise: Number, lose: Number) -> Number:
    """The second: 1/r' + 1/q' + s'/(r'q') if p + q >= q' (leave), r >= r' (rise), s <= s' (lose)."""
    if not (0 < leave <= 1 and 0 < rise <= 1 and 0 <= lose <= 1):
        raise InputError("the estimates of Lemma 5 are probabilities, q' and r' above 0")
    return 1 / rise + 1 / leave + lose / (rise * leave)


def theorem6_q(n: int, nodes: int, level: int) -> Fraction:
    """Theorem 6's q'(i) = 2 alpha (n-i) / ((3D+1)^2 (2D)^2), a lower bound on leaving i-."""
    check_conjunction(n, nodes)
    check_level(n, level)
    return Fraction(2 * nodes * (n - level), (n - 1) * (3 * nodes + 1) ** 2 * 4 * nodes**2)


def theorem6_r(n: int, nodes: int, level: int) -> Fraction:
    """Theorem 6's r'(i) = (n-i) / ((3D+1) 2D), a lower bound on the step from i+ to level i+1."""
    check_conjunction(n, nodes)
    check_level(n, level)
    return Fraction(n - level, (3 * nodes + 1) * 2 * nodes)


def theorem6_s(n: int, nodes: int) -> Fraction:
    """Theorem 6's s'(i) = 2 / (3D+1), its estimate of the step from i+ back to i-.

    The proof counts the genes that can do it per elementary step. An iteration repeats elementary
    steps until an active gene changes, so for programs with few active genes the probability per
    iteration is larger. And the number of genes that can do it is not bounded by two: one of two nodes
    must be cut off, but any connection above it may do that (docs/theory/theorem6.md). Theorem A
    (`conjunction_times`) proves the claim, with a better order, in another way.
    """
    check_conjunction(n, nodes)
    return Fraction(2, 3 * nodes + 1)


@statement(
    "theorem6",
    "Theorem 6",
    "E[T] at most: non-strict, with H(n-1) and zeta(2) = O(n D^4)",
    needs=THEOREM6,
    note=GAP,
)
def theorem6(n: int, nodes: int) -> float:
    """Theorem 6, non-strict: `theorem6_levels` with its second-order part bounded by zeta(2); O(n D^4).

    ((3D+1) 2D + (3D+1)^2 (2D)^2 / (2 alpha)) H_{n-1} + 2 (3D+1)^2 (2D)^3 / (2 alpha) zeta(2)
    """
    check_conjunction(n, nodes)
    return _theorem6(n, nodes, ZETA_2)


@statement(
    "theorem6_levels",
    "Theorem 6, levels",
    "E[T] at most: its sum over levels before zeta(2)",
    needs=THEOREM6,
    note=GAP,
)
def theorem6_levels(n: int, nodes: int) -> float:
    """Theorem 6, non-strict: E[T] <= the sum over levels of 1/r' + 1/q' + s'/(r' q')."""
    check_conjunction(n, nodes)
    return _theorem6(n, nodes, harmonic(n - 1, 2))


def _theorem6(n: int, nodes: int, squares: float) -> float:
    genes = 3 * nodes + 1
    first = genes * 2 * nodes + genes**2 * 2 * nodes * (n - 1)
    second = genes**2 * 8 * nodes**2 * (n - 1)
    return first * harmonic(n - 1) + second * squares


def check_inputs(n: int) -> None:
    """With n = 2 the last node can read nothing but j and v."""
    if n < 3:
        raise InputError(f"Theorem 4's start needs n >= 3 inputs, not {n}")


@statement(
    "theorem4_leaving_probability",
    "Theorem 4, leaving",
    "exact chance to leave a penultimate start in one iteration",
    needs=THEOREM4,
)
def leaving_probability(n: int) -> Fraction:
    """The exact probability that one SAM call makes an optimum of a penultimate start."""
    check_inputs(n)
    return Fraction(2, (n - 1) * (2 * n - 3) * (4 * n * n - 8 * n + 5) * (4 * n * n - 10 * n + 7))


@statement(
    "theorem4_expected",
    "Theorem 4, start",
    "E[T] from a penultimate start, exactly, ~ 16 n^6",
    needs=THEOREM4,
)
def expected_iterations(n: int) -> Fraction:
    """E[T] of the strict (1+1) CGP* from a penultimate start, D = n - 1: exactly 1/p ~ 16 n^6."""
    return 1 / leaving_probability(n)


@dataclass(frozen=True)
class GeometricSum:
    """A sum of independent geometric variables: its mean, the sum s of 1/p_i^2 and the least p_i."""

    mean: float
    squares: float
    least: float


def geometric_sum(probabilities: Iterable[float]) -> GeometricSum:
    """Mean, s and p_min of Lemma 10 for these success probabilities."""
    values = [float(value) for value in probabilities]
    if not values or not all(0 < value <= 1 for value in values):
        raise InputError("Lemma 10 needs at least one success probability, each in (0, 1]")
    return GeometricSum(
        mean=fsum(1 / value for value in values),
        squares=fsum(1 / value**2 for value in values),
        least=min(values),
    )


def lemma10_upper(total: GeometricSum, gamma: float) -> float:
    """Lemma 10: Pr(X >= E[X] + gamma) <= exp(-(gamma/4) min(gamma/s, p_min))."""
    check_gamma(gamma)
    return exp(-gamma / 4 * min(gamma / total.squares, total.least))


def lemma10_lower(total: GeometricSum, gamma: float) -> float:
    """Lemma 10: Pr(X <= E[X] - gamma) <= exp(-gamma^2 / (2s))."""
    check_gamma(gamma)
    return exp(-(gamma**2) / (2 * total.squares))


def check_gamma(gamma: float) -> None:
    """Raise `InputError` if the deviation is negative."""
    if not gamma >= 0:
        raise InputError(f"Lemma 10 needs gamma >= 0, not {gamma}")


def lemma10_quantile(total: GeometricSum, probability: float) -> float:
    """Iterations that X exceeds with probability <= 1 - P: Lemma 10 solved for gamma."""
    check_probability(probability)
    need = -log1p(-probability)
    return total.mean + max(2 * sqrt(total.squares * need), 4 * need / total.least)


def check_probability(probability: float) -> None:
    """Raise `InputError` unless the probability lies strictly between 0 and 1."""
    if not 0 < probability < 1:
        raise InputError(f"the probability of a tail must lie strictly between 0 and 1, not {probability}")


@statement("theorem3", "Theorem 3", "with delta = 3 ln(1/(1-P))", needs=THEOREM3_TAIL)
def theorem3_quantile(n: int, nodes: int, probability: float) -> float:
    """Theorem 3's tail solved for delta = 3 ln(1/(1-P)), at least 1 as the theorem asks; D >= 10."""
    check_probability(probability)
    return theorem3_tail(n, nodes, max(1.0, -3 * log1p(-probability)))


@statement(
    "theorem3_lemma10",
    "Theorem 3, Lemma 10",
    "Witt's bound on the levels' own probabilities",
    needs=THEOREM3,
)
def theorem3_witt_quantile(n: int, nodes: int, probability: float) -> float:
    """The same from Lemma 10 on the levels' own s_i, without rounding constants; any D >= n - 1."""
    check_conjunction(n, nodes)
    scale = nodes / (n - 1) / ((3 * nodes + 1) ** 3 * 4 * nodes**3)  # s_i is scale (n-i)^2
    levels = GeometricSum(harmonic(n - 1, 2) / scale, harmonic(n - 1, 4) / scale**2, scale)
    return lemma10_quantile(levels, probability)


@statement(
    "theorem6_markov",
    "Theorem 6, Markov",
    "Markov's inequality, once or in windows of e E[T]",
    needs=THEOREM6,
    note=GAP,
)
def theorem6_quantile(n: int, nodes: int, probability: float) -> float:
    """Iterations not exceeded with probability P, by Theorem 6 and Markov's inequality."""
    return markov_quantile(theorem6(n, nodes), probability)


def markov_quantile(expected: float, probability: float) -> float:
    """Iterations not exceeded with probability P when E[T] <= expected from every start.

    Markov's inequality once, or, since the bound holds from wherever the search is, k times in a
    row on windows of e * expected iterations (each survived with probability <= 1/e).
    """
    check_probability(probability)
    if expected == inf:
        return inf
    once = expected / (1 - probability)
    windows = e * expected * ceil(-log1p(-probability))
    return min(once, windows)


@statement(
    "theorem4",
    "Theorem 4, start",
    "from a penultimate start, exactly (geometric)",
    needs=THEOREM4,
)
def theorem4_quantile(n: int, probability: float) -> int:
    """Iterations not exceeded with probability P from a penultimate start."""
    return geometric_quantile(float(leaving_probability(n)), probability)


def geometric_quantile(success: float, probability: float) -> int:
    """The least t with Pr(T <= t) >= P for T geometric with this success probability."""
    check_probability(probability)
    if not 0 < success <= 1:
        raise InputError(f"a geometric time needs a success probability in (0, 1], not {success}")
    if success == 1:
        return 1
    return max(1, ceil(log1p(-probability) / log1p(-success)))
