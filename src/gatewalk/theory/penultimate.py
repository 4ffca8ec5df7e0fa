"""Theorem 4: the penultimate start, from which the strict (1+1) CGP* with D = n - 1 needs Omega(n^6).

The first n - 2 nodes join n - 1 inputs in a chain that ends in node j, the output reads j, and the
last node j+ is inactive and reads neither j nor the missing input v. Under strict selection only a
single call of SAM that sets {j, v} as the sources of j+ and then points the output at j+ leaves.

The exact probability. With one gate, function genes never change, so each *effective* elementary
step changes one of N = 2n - 1 connection genes, uniformly. Two of them belong to j+; all others end
the loop. k changes of j+'s two connections are a walk on pairs: each change moves one of the two to
a uniform other value among m = 2n - 2. On one complete graph of m values a specific other value is
reached after l moves with probability (1 - u^l)/m, u = -1/(m-1), so {j, v} is reached after k with

    P_k = (2/m^2) (1 - 2 ((1+u)/2)^k + u^k).

The loop then ends on the output gene (1/N) with the value j+ (1/(2n-2)). Summing the geometric
series over k with y = 2/N gives

    p = 1/N * 1/(2n-2) * 2/m^2 * [1/(1-y) - 2/(1 - y(1+u)/2) + 1/(1-yu)]
      = 2 / ((n-1)(2n-3)(4n^2-8n+5)(4n^2-10n+7))  ~  1/(16 n^6).

Rejected offspring leave the parent as it was, so T is geometric with p: E[T] = 1/p exactly.
`gatewalk.search.start.penultimate` makes such a program.
"""

from __future__ import annotations

from fractions import Fraction

from gatewalk.errors import InputError


def check_inputs(n: int) -> None:
    """With n = 2 the last node can read nothing but j and v."""
    if n < 3:
        raise InputError(f"Theorem 4's start needs n >= 3 inputs, not {n}")


def leaving_probability(n: int) -> Fraction:
    """The exact probability that one SAM call makes an optimum of a penultimate start."""
    check_inputs(n)
    return Fraction(2, (n - 1) * (2 * n - 3) * (4 * n * n - 8 * n + 5) * (4 * n * n - 10 * n + 7))


def leaving_probability_series(n: int) -> Fraction:
    """The same from the geometric series of the derivation, term by term."""
    check_inputs(n)
    values = 2 * n - 2
    genes = 2 * n - 1
    y, u = Fraction(2, genes), Fraction(-1, values - 1)
    series = 1 / (1 - y) - 2 / (1 - y * (1 + u) / 2) + 1 / (1 - y * u)
    return Fraction(1, genes) * Fraction(1, 2 * n - 2) * Fraction(2, values**2) * series


def expected_iterations(n: int) -> Fraction:
    """E[T] of the strict (1+1) CGP* from a penultimate start, D = n - 1: exactly 1/p ~ 16 n^6."""
    return 1 / leaving_probability(n)


def paper_estimate(n: int) -> Fraction:
    """The proof's estimate of p: x^2/(1-x)^3 / ((3n-2)(2n-2)) (2/3/(2n-2))^2 with x = 3/(3n-2).

    It counts the idle picks of active nodes' function genes as the end of the loop and j+'s values
    as 2n-2 instead of the 2n-3 others; the exact p is larger by a factor that tends to 27/8. The
    order n^-6, and so the theorem, is the same.
    """
    check_inputs(n)
    x = Fraction(3, 3 * n - 2)
    redirect = Fraction(2, 3 * (2 * n - 2))
    return x**2 / (1 - x) ** 3 * Fraction(1, (3 * n - 2) * (2 * n - 2)) * redirect**2
