"""Lemma 10 (Witt 2014, Theorem 1) and the tails it gives: iterations not exceeded with probability P."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, e, exp, fsum, inf, log1p, sqrt

from gatewalk.errors import InputError
from gatewalk.theory.bounds import check_conjunction, harmonic, theorem3_tail


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


def check_probability(probability: float) -> None:
    """Raise `InputError` unless the probability lies strictly between 0 and 1."""
    if not 0 < probability < 1:
        raise InputError(f"a tail's probability lies strictly between 0 and 1, not {probability}")


def lemma10_quantile(total: GeometricSum, probability: float) -> float:
    """Iterations that X exceeds with probability <= 1 - P: Lemma 10 solved for gamma."""
    check_probability(probability)
    need = -log1p(-probability)
    return total.mean + max(2 * sqrt(total.squares * need), 4 * need / total.least)


def theorem3_quantile(n: int, nodes: int, probability: float) -> float:
    """Theorem 3's tail solved for delta = 3 ln(1/(1-P)), at least 1 as the theorem asks; D >= 10."""
    check_probability(probability)
    return theorem3_tail(n, nodes, max(1.0, -3 * log1p(-probability)))


def theorem3_witt_quantile(n: int, nodes: int, probability: float) -> float:
    """The same from Lemma 10 on the levels' own s_i, without rounding constants; any D >= n - 1."""
    check_conjunction(n, nodes)
    scale = nodes / (n - 1) / ((3 * nodes + 1) ** 3 * 4 * nodes**3)  # s_i is scale (n-i)^2
    levels = GeometricSum(harmonic(n - 1, 2) / scale, harmonic(n - 1, 4) / scale**2, scale)
    return lemma10_quantile(levels, probability)


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


def geometric_quantile(success: float, probability: float) -> int:
    """The least t with Pr(T <= t) >= P for T geometric with this success probability."""
    check_probability(probability)
    if not 0 < success <= 1:
        raise InputError(f"a geometric time needs a success probability in (0, 1], not {success}")
    if success == 1:
        return 1
    return max(1, ceil(log1p(-probability) / log1p(-success)))
