"""Sums over the λ offspring of one generation, in about log₂ λ steps.

Each sum is doubled: from the sum of m terms follow those of 2m and of m + 1 terms. With q = e^l,

    S_m = Σ_{j<m} q^j                           S_2m = S_m (1 + q^m)
    T_m = Σ_{j<m} (2j+1) q^j                    T_2m = T_m + q^m (T_m + 2m S_m)
    H_m = Σ_{j<m} u^(m-1-j) w^j                 H_2m = H_m (u^m + w^m)
    G_m = Σ_{0<j≤m} u^(m-j) H_j                 G_2m = G_m (u^m + w^m) + m u^m H_m

All terms are positive, so nothing cancels. The functions take logarithms of the probabilities: with
u = 1 - p and p small, log1p(-p) keeps what u^m needs for m in the millions.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gatewalk.theory.chain.sam.node_states import Floats


def log_of_rest(probability: Floats) -> Floats:
    """log(1 - p); -inf for p = 1, and for p that rounding made larger than 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-np.minimum(probability, 1.0)))


def geometric(log_q: Floats, count: int) -> Floats:
    """Σ_{j<count} q^j.

    >>> float(geometric(np.log(np.array([0.5])), 3)[0])
    1.75
    """
    total = np.ones_like(log_q)
    for m, one_more in _doublings(count):
        total = total * (1.0 + _power(log_q, m))
        if one_more:
            total = total + _power(log_q, 2 * m)
    return total


def odd_geometric(log_q: Floats, count: int) -> Floats:
    """Σ_{j<count} (2j+1) q^j."""
    total, plain = np.ones_like(log_q), np.ones_like(log_q)
    for m, one_more in _doublings(count):
        power = _power(log_q, m)
        total = total + power * (total + 2.0 * m * plain)
        plain = plain * (1.0 + power)
        if one_more:
            power = _power(log_q, 2 * m)
            total, plain = total + (4.0 * m + 1.0) * power, plain + power
    return total


def share_of_best(log_u: Floats, log_w: Floats, count: int) -> Floats:
    """(u^λ - w^λ) / (u - w) = Σ_{j<λ} u^(λ-1-j) w^j.

    With u the chance of a fitness F or worse and w that of worse ones: the chance that F is the best of λ
    offspring, divided by the chance u - w that a single one has it.
    """
    total = np.ones_like(log_u)
    for m, one_more in _doublings(count):
        total = total * (_power(log_u, m) + _power(log_w, m))
        if one_more:
            total = _power(log_u, 1) * total + _power(log_w, 2 * m)
    return total


def share_of_ties(log_u: Floats, log_w: Floats, count: int) -> Floats:
    """Σ_e C(λ,e) A^(e-1) w^(λ-e) e / (e+1), A = u - w: the parent is drawn among e + 1 equally best.

    It is G_λ / (λ + 1): the sum times A is u^λ - (u^(λ+1) - w^(λ+1)) / ((λ+1) A), which is the mean of
    u^λ - u^(λ-j) w^j over j from 0 to λ.
    """
    total, best = np.ones_like(log_u), np.ones_like(log_u)
    for m, one_more in _doublings(count):
        u, w = _power(log_u, m), _power(log_w, m)
        total, best = total * (u + w) + m * u * best, best * (u + w)
        if one_more:
            u = _power(log_u, 1)
            best = u * best + _power(log_w, 2 * m)
            total = u * total + best
    return total / (count + 1)


def _doublings(count: int) -> Iterator[tuple[int, bool]]:
    """The doublings from one term to `count`: the terms before each, and whether one is added after it."""
    terms = 1
    for digit in f"{count:b}"[1:]:
        yield terms, digit == "1"
        terms = 2 * terms + (digit == "1")


def _power(log_q: Floats, exponent: int) -> Floats:
    return np.asarray(np.exp(exponent * log_q))
