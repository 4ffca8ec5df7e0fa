"""Bounds on E[T] of conjunctions from both sides, without a chain and with proofs for every n and D.

Above, for non-strict selection: the blocks of Theorem 6, a level's programs without (i-) and with (i+) a
surplus of active gates, each with probabilities that hold for all of its programs,

    p + q >= Q(i),    r >= R(i),    s/r <= rho(i),

and E[T] <= sum of (1 + rho)/Q + 1/R over levels (the theorem of `chain_bounds.certified_levels`).

Below, for any selection: with pi the chance that a uniform program is optimal and A the mean number of active
genes of a uniform optimal program, P(T <= t) <= pi A 2^t, and under strict selection, where the parent
changes at most n - 1 times, P(T <= t) <= pi A (C(t,0) + ... + C(t,n-1)).

The proofs are in docs/theory/enclosure.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from math import comb

import numpy as np

from gatewalk.errors import InputError
from gatewalk.theory.assumptions import (
    EITHER_SELECTION,
    NONSTRICT,
    ON_CONJUNCTIONS,
    ONE_START,
    nodes_to,
    statement,
)
from gatewalk.theory.conjunctions import check_conjunction
from gatewalk.theory.uniform_programs import MOST_NODES, active_and_used

LAST = 10_000_000  # the last time that is added up; a sum that is cut off is still a lower bound


@statement(
    "enclosure_lower",
    "Enclosure, lower",
    "E[T] at least, from a uniform start: by the chance to reach an optimum in k steps",
    needs=(*ON_CONJUNCTIONS, EITHER_SELECTION, ONE_START, nodes_to(MOST_NODES, because=" to be computed")),
)
@lru_cache(maxsize=256)
def lower(n: int, nodes: int, *, strict: bool) -> float:
    """A lower bound on E[T] from a uniform start.

    >>> round(lower(6, 5, strict=False), 1)
    12.5
    """
    check_conjunction(n, nodes)
    if nodes > MOST_NODES:
        raise InputError(f"the lower bound is computed for at most {MOST_NODES} nodes, not {nodes}")
    start, weighed = optimal_start(n, nodes)
    total = 1.0 - start
    for t in count(1):
        changes = sum(comb(t, k) for k in range(min(t, n - 1) + 1)) if strict else 2**t
        chance = weighed * changes
        if chance >= 1 or t > LAST:
            return total
        total += 1.0 - chance
    raise AssertionError("unreachable")


def optimal_start(n: int, nodes: int) -> tuple[float, float]:
    """pi and pi A: P(a uniform program is optimal), and E[its active genes; it is optimal]."""
    optimal = active_and_used(n, nodes)[:, n]
    genes = 2 * np.arange(nodes + 1) + 1
    return float(optimal.sum()), float(optimal @ genes)


@statement(
    "enclosure_upper",
    "Enclosure, upper",
    "E[T] at most: Theorem 6's blocks with probabilities that hold for all their programs",
    needs=(*ON_CONJUNCTIONS, NONSTRICT, nodes_to(1000, because=" to be added up")),
)
@lru_cache(maxsize=256)
def upper(n: int, nodes: int) -> float:
    """An upper bound on E[T] of the non-strict search, from any start.

    >>> round(upper(6, 5))
    32498
    """
    check_conjunction(n, nodes)
    total = 0.0
    for level in range(1, n):
        ratio = fall_over_rise(n, nodes, level)
        total += (1 + ratio) / leave(n, nodes, level) + 1 / rise(n, nodes, level)
    return total


def leave(n: int, nodes: int, level: int) -> float:
    """Q(i): from i-, the least chance to reach i+ or a higher level.

    An inactive node that reads a source w, and to which the connection that reads w is redirected, is a
    surplus gate. At least one connection passes over each inactive node; the worst place for inactive nodes
    is after all active ones.
    """
    active_genes = 2 * level - 1
    reads = sum(reads_given_source(n + node, active_genes) for node in range(level - 1, nodes))
    return reads / (active_genes * (n + nodes - 1))


def reads_given_source(sources: int, active_genes: int) -> float:
    """The least chance that an inactive node reads a given one of its sources when SAM's loop ends.

    Its connections are at another source first and walk, independently, for an exponential time of rate
    `active_genes`. Then one of them is there with f = (1 - exp(-kappa time)) / k, kappa = k/(k-1), and one or
    both of them with 2f - f^2.
    """
    kappa = sources / (sources - 1)
    once = active_genes / (active_genes + kappa)
    twice = active_genes / (active_genes + 2 * kappa)
    return 2 * (1 - once) / sources - (1 - 2 * once + twice) / sources**2


def rise(n: int, nodes: int, level: int) -> float:
    """R(i): from i+, the least chance to rise."""
    return min(
        least_free_connections(level, gates) * (n - level) / ((2 * gates + 1) * (n + nodes - 2))
        for gates in range(level, nodes + 1)
    )


def least_free_connections(level: int, gates: int) -> int:
    """A lower bound on the number of connections that can be redirected to an unused input, for a gain.

    2m + 1 connections read m + i sources, so at least m - i + 2 of them read one that is read again.
    """
    return gates - level + 2


def fall_over_rise(n: int, nodes: int, level: int) -> float:
    """rho(i): an upper bound, at any program of i+, on the chance to fall to i- over the chance to rise."""
    worst = 0.0
    for gates, by_genes in enumerate(_by_genes(n, nodes, level), start=1):
        if gates >= level:
            falling = min(by_genes, _by_pairs(n, nodes, level, gates))
            worst = max(worst, falling / least_free_connections(level, gates))
    return worst * (n + nodes - 2) / (n - level)


def _by_genes(n: int, nodes: int, level: int) -> Iterator[float]:
    """a s is at most this, for m = 1, 2, ..., D: m connections with at most n + D + 2 - 2i values each.

    To fall, the only connection that reads some active gate is redirected. Of m such connections one is the
    output's; the others are worst at the first nodes, two each.
    """
    good = n + nodes + 2 - 2 * level
    total = min(1.0, good / (n + nodes - 1))
    yield total
    for gates in range(2, nodes + 1):
        total += min(1.0, good / (n + gates // 2 - 1))
        yield total


def _by_pairs(n: int, nodes: int, level: int, gates: int) -> float:
    """a s is at most this: the connections and values that lead to i-, counted together, each at most 1/n.

    At most 2c connections have values other than inactive nodes, c + 1 + n - i each. An inactive node is a
    value for one connection, or, if it is connected to unused inputs only, for m / (c + 1).
    """
    surplus = gates - level + 1
    pairs = min(gates, 2 * surplus) * (n - level + surplus + 1)
    of_one_node = 1 if level == n - 1 else max(1, gates // (surplus + 1))
    return (pairs + (nodes - gates) * of_one_node) / n
