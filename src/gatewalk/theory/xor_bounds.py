"""Lemmas 7 and 8, Theorem 9: exclusive disjunctions of n inputs from n - 1 <= D <= (1 + d) n Xor gates.

The lemmas follow a set L of m nodes: V(L), the inputs read by an odd number of L's connections, and
U(L), the nodes of L read by another node of L. An optimum needs V = n and U >= n - 2.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, perm
from sys import float_info

from gatewalk.errors import InputError

LEMMA8_INPUTS = 256  # the least n with a potential Y >= 0 in [n/256 - 2, n/128 - 2]


def check_exclusive(n: int, nodes: int) -> None:
    """The assumptions of Section 4: n >= 2 inputs and D >= n - 1 nodes."""
    if n < 2:
        raise InputError(f"an exclusive disjunction needs n >= 2 inputs, not {n}")
    if nodes < n - 1:
        raise InputError(f"{nodes} nodes cannot join {n} inputs: take D >= n - 1 = {n - 1}")


def lemma7_probability(n: int, nodes: int) -> float:
    """Lemma 7's probability that V(L) <= 3n/4 at the start, exactly, for L all D nodes that reach everything.

    It is 1 where `many_odd_inputs_bound` on the rest is less than rounding.
    """
    check_exclusive(n, nodes)
    if many_odd_inputs_bound(n, nodes) < float_info.epsilon / 4:
        return 1.0
    return float(few_odd_inputs(n, nodes, 3 * n // 4))


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
        raise InputError(f"the number of odd inputs is asked for {most}: take one from 0 to {n - 1}")
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


def lemma8_interval(n: int) -> tuple[float, float]:
    """The interval [n/256 - 2, n/128 - 2] of the potential on which Lemma 8 bounds the drift."""
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


def lemma8_drift(n: int, nodes: int, d: Fraction) -> Fraction:
    """Lemma 8's estimate of the drift away from the optimum: 2 p+ - 3 p- = 12n^2/(25D^2) - 3/42 - 9d."""
    return 2 * toward_start(n, nodes) - 3 * toward_optimum(d)


def lemma8_floor(d: Fraction) -> Fraction:
    """The same for any D <= (1+d) n: 12/(25(1+d)^2) - 3/42 - 9d, above 3/10 for d <= 10^-2."""
    if d < 0:
        raise InputError(f"Lemma 8 needs d >= 0, not {d}")
    return Fraction(12, 25) / (1 + d) ** 2 - Fraction(3, 42) - 9 * d


def excess(n: int, nodes: int) -> Fraction:
    """The least d >= 0 with D <= (1 + d) n."""
    check_exclusive(n, nodes)
    return max(Fraction(0), Fraction(nodes - n, n))
