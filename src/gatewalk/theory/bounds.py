"""Lemmas 1 and 2, Theorems 3 and 6: conjunctions with a minimal gate set, as numbers.

Throughout n >= 2 is the number of inputs, D >= n - 1 the number of nodes and i in [1, n - 1] a
level: the number of distinct inputs the output depends on. alpha = D/(n - 1) as in the proofs.
Probabilities of one level are exact fractions; sums over levels are floats.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import fsum, log2, pi

from gatewalk.errors import InputError

ZETA_2 = pi**2 / 6
ZETA_4 = pi**4 / 90


def check_conjunction(n: int, nodes: int) -> None:
    """The assumptions of Section 3: n >= 2 inputs and D >= n - 1 nodes."""
    if n < 2:
        raise InputError(f"a conjunction needs n >= 2 inputs, not {n}")
    if nodes < n - 1:
        raise InputError(f"{nodes} nodes cannot join {n} inputs: take D >= n - 1 = {n - 1}")


def check_level(n: int, level: int) -> None:
    """A level that can still be left upwards."""
    if not 1 <= level <= n - 1:
        raise InputError(f"level {level} is outside [1, {n - 1}], the levels below the optimum")


@lru_cache(maxsize=8)
def harmonic(n: int, power: int = 1) -> float:
    """The generalised harmonic number: sum of 1/i^power for i in [1, n]."""
    return fsum(1.0 / i**power for i in range(1, n + 1))


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


def leave_level(n: int, nodes: int, level: int) -> Fraction:
    """Theorem 3's s_i = alpha (n-i)^2 / ((3D+1)^3 4 D^3), a lower bound on leaving level i upwards."""
    check_conjunction(n, nodes)
    check_level(n, level)
    return Fraction(nodes * (n - level) ** 2, (n - 1) * (3 * nodes + 1) ** 3 * 4 * nodes**3)


def raise_free(n: int, nodes: int, level: int) -> Fraction:
    """Theorem 6's r'(i) = (n-i) / ((3D+1) 2D), a lower bound on the step from i+ to level i+1."""
    check_conjunction(n, nodes)
    check_level(n, level)
    return Fraction(n - level, (3 * nodes + 1) * 2 * nodes)


def free_connection(n: int, nodes: int, level: int) -> Fraction:
    """Theorem 6's q'(i) = 2 alpha (n-i) / ((3D+1)^2 (2D)^2), a lower bound on leaving i-."""
    check_conjunction(n, nodes)
    check_level(n, level)
    return Fraction(2 * nodes * (n - level), (n - 1) * (3 * nodes + 1) ** 2 * 4 * nodes**2)


def lose_free(n: int, nodes: int) -> Fraction:
    """Theorem 6's s'(i) = 2 / (3D+1), its estimate of the step from i+ back to i-.

    The proof counts the genes that can do it per elementary step. An iteration repeats elementary
    steps until an active gene changes, so for programs with few active genes the probability per
    iteration can be larger; r gains the same factor, and the theorem needs s/r only. But the proof
    also says that at most two genes can do it, and that is not so: of the program with the nodes
    4 = (x1, x2), 5 = (x1, x3), 6 = (4, 5), 7 = (4, x3) and the output 6 both connections of node 6 and
    the output can. So the theorem has no complete proof; no case solved exactly contradicts it.
    """
    check_conjunction(n, nodes)
    return Fraction(2, 3 * nodes + 1)


def theorem3(n: int, nodes: int) -> float:
    """Theorem 3, both selections: E[T] <= the sum of 1/s_i over the levels i in [1, n-1]."""
    check_conjunction(n, nodes)
    return (3 * nodes + 1) ** 3 * 4 * nodes**2 * (n - 1) * harmonic(n - 1, 2)


def theorem3_closed(n: int, nodes: int) -> float:
    """Theorem 3, closed form: E[T] <= (3D+1)^3 D^3 ((n-1)/D) (2 pi^2/3) = O(n D^5)."""
    check_conjunction(n, nodes)
    return (3 * nodes + 1) ** 3 * nodes**2 * (n - 1) * (2 * pi**2 / 3)


def theorem3_tail(n: int, nodes: int, delta: float) -> float:
    """Theorem 3's tail for D >= 10, delta >= 1: T exceeds this with probability <= exp(-delta/3)."""
    check_conjunction(n, nodes)
    if nodes < 10:
        raise InputError(f"Theorem 3's tail needs D >= 10 nodes, not {nodes}")
    if not delta >= 1:
        raise InputError(f"Theorem 3's tail needs delta >= 1, not {delta}")
    return (1 + delta) * 20 * pi**2 * (n - 1) * nodes**5


def theorem6_levels(n: int, nodes: int) -> float:
    """Theorem 6, non-strict: E[T] <= the sum over levels of 1/r' + 1/q' + s'/(r' q')."""
    check_conjunction(n, nodes)
    return _theorem6(n, nodes, harmonic(n - 1, 2))


def theorem6(n: int, nodes: int) -> float:
    """Theorem 6, non-strict: the same sum with its second-order part bounded by zeta(2); O(n D^4).

    ((3D+1) 2D + (3D+1)^2 (2D)^2 / (2 alpha)) H_{n-1} + 2 (3D+1)^2 (2D)^3 / (2 alpha) zeta(2)
    """
    check_conjunction(n, nodes)
    return _theorem6(n, nodes, ZETA_2)


def _theorem6(n: int, nodes: int, squares: float) -> float:
    genes = 3 * nodes + 1
    first = genes * 2 * nodes + genes**2 * 2 * nodes * (n - 1)
    second = genes**2 * 8 * nodes**2 * (n - 1)
    return first * harmonic(n - 1) + second * squares
