"""Lemmas 7 and 8, Theorem 9: exclusive disjunctions of n inputs from n - 1 <= D <= (1 + d) n Xor gates.

The lemmas follow a set L of m nodes: V(L), the inputs read by an odd number of L's connections, and
U(L), the nodes of L read by another node of L. An optimum needs V = n and U >= n - 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import floor

import numpy as np
from numpy.typing import NDArray

from gatewalk.errors import InputError

D_LIMIT = Fraction(1, 100)


def check_exclusive(n: int, nodes: int) -> None:
    """The assumptions of Section 4: n >= 2 inputs and D >= n - 1 nodes."""
    if n < 2:
        raise InputError(f"an exclusive disjunction needs n >= 2 inputs, not {n}")
    if nodes < n - 1:
        raise InputError(f"{nodes} nodes cannot join {n} inputs: take D >= n - 1 = {n - 1}")


def odd_inputs_at_start(n: int, blocks: Iterable[int]) -> NDArray[np.float64]:
    """The exact distribution of V(L) in a uniform random program, L given by its blocks (0-based).

    A connection of block b reads one of n + b sources, so with probability n/(n+b) it toggles the
    parity of a uniform input: the number of odd inputs is an Ehrenfest walk with pauses.
    """
    chance = np.zeros(n + 1)
    chance[0] = 1.0
    odd = np.arange(n + 1)
    for block in blocks:
        if block < 0:
            raise InputError(f"block {block} is not a node")
        toggles = n / (n + block)
        for _ in range(2):
            moved = np.zeros(n + 1)
            moved[1:] += chance[:-1] * (n - odd[:-1]) / n
            moved[:-1] += chance[1:] * odd[1:] / n
            chance = (1 - toggles) * chance + toggles * moved
    return chance


def lemma7_probability(n: int, nodes: int) -> float:
    """Lemma 7's probability that V(L) <= 3n/4 at the start, exactly, for L all D nodes."""
    check_exclusive(n, nodes)
    return float(min(1.0, odd_inputs_at_start(n, range(nodes))[: floor(3 * n / 4) + 1].sum()))


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


def theorem9_applies(n: int, nodes: int) -> bool:
    """Theorem 9's assumption n - 1 <= D <= (1+d) n with d < 10^-2; it speaks of large n only."""
    return excess(n, nodes) < D_LIMIT
