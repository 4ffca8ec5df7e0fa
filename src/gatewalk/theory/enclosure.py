"""Bounds on E[T] of conjunctions from both sides, with proofs for every n and D.

Above, for non-strict selection: robust value iteration over blocks whose extremes are proven. A level i has
the blocks i+ with a surplus of c = 1, 2, ... active gates, and i- without: the program is a tree. i- is A1
if an inactive node reads the source of a bridge over it, else A0. With

    r(c), s(c)     from i+ with surplus c, the least chance to rise, and the greatest to fall to i-,
    Q              from i-, the least chance to leave it for i+ or a higher level,
    sigma, gamma   the same from A1, and from A0 the least chance to leave A0,
    l              from A1, the greatest chance to go to A0,

and W = min(1/Q, 1/sigma + (1 + l/sigma)/gamma), the values

    V(i+) = V(i+1) + max over c of (1 + s(c) W) / r(c),    V(i-) = V(i+) + W

are superharmonic, so E[T] <= V(1-) from any start.

Below, for any selection: with pi the chance that a uniform program is optimal and A the mean number of active
genes of a uniform optimal program, P(T <= t) <= pi A 2^t, and under strict selection, where the parent
changes at most n - 1 times, P(T <= t) <= pi A (C(t,0) + ... + C(t,n-1)).

A chain of few programs is enumerated instead (`block_bounds`). The proofs are in docs/theory/enclosure.md.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gatewalk.errors import InputError
from gatewalk.search.options import Search, search_for
from gatewalk.theory.assumptions import (
    EITHER_SELECTION,
    NONSTRICT,
    ON_CONJUNCTIONS,
    ONE_START,
    Assumption,
    nodes_of,
    nodes_to,
    statement,
    unmet,
)
from gatewalk.theory.chain_bounds import fits_levels
from gatewalk.theory.conjunctions import check_conjunction, check_level
from gatewalk.theory.uniform_programs import MOST_NODES, active_and_used

if TYPE_CHECKING:
    from gatewalk.theory.block_bounds import BlockBounds

Floats = NDArray[np.float64]

LAST = 10_000_000  # the last time that is added up; a sum that is cut off is still a lower bound
MOST_ENUMERATED = 30_000  # classes of programs, by the estimate of `chain_bounds`: at most two seconds
MOST_ADDED = 1_000_000  # n D up to which the levels are added up: within a second
# Sums and products of positive numbers, with fewer than 3 * 10^6 roundings: an error below 4 * 10^-10.
OUTWARD = 1e-9


@lru_cache(maxsize=64)
def enumerated(n: int, nodes: int, *, strict: bool) -> BlockBounds | None:
    """The bounds of the enumerated chain, or None if that would take more than two seconds."""
    if not fits_levels(n, nodes, most=MOST_ENUMERATED):
        return None
    from gatewalk.theory.block_bounds import block_bounds

    return block_bounds(search_for(f"and:{n}", nodes=nodes, selection="strict" if strict else "nonstrict"))


@statement(
    "enclosure_lower",
    "Enclosure, lower",
    "E[T] at least, from a uniform start: by blocks of programs, or by the chance of an early optimum",
    needs=(*ON_CONJUNCTIONS, EITHER_SELECTION, ONE_START, nodes_to(MOST_NODES, because=" to be computed")),
)
def lower(n: int, nodes: int, *, strict: bool) -> float:
    """A lower bound on E[T] from a uniform start.

    >>> round(lower(6, 5, strict=False), 1)
    12.5
    """
    known = by_early_optimum(n, nodes, strict=strict)
    blocks = enumerated(n, nodes, strict=strict)
    return known if blocks is None else max(known, blocks.lower)


@lru_cache(maxsize=256)
def by_early_optimum(n: int, nodes: int, *, strict: bool) -> float:
    """The lower bound for every n and D: the sum over t of what P(T > t) is at least.

    >>> round(by_early_optimum(3, 2, strict=False), 2)
    2.82
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
    "E[T] at most, from this start: values of blocks of programs that are proven to be superharmonic",
    needs=(
        *ON_CONJUNCTIONS,
        NONSTRICT,
        Assumption(
            "D",
            lambda search: f"needs D <= {MOST_ADDED // search.n:,} nodes to be added up",
            lambda search: search.n * nodes_of(search) <= MOST_ADDED,
        ),
    ),
)
def upper(search: Search) -> float:
    """An upper bound on E[T] of a non-strict search, from its start.

    >>> round(upper(search_for("and:6", nodes=5)))
    20661
    """
    n, nodes = search.n, nodes_of(search)
    known = by_levels(n, nodes)
    blocks = enumerated(n, nodes, strict=False)
    if blocks is None:
        return known
    is_uniform = not unmet((ONE_START,), search)
    return min(known, blocks.upper if is_uniform else blocks.upper_from_worst)


@lru_cache(maxsize=256)
def by_levels(n: int, nodes: int) -> float:
    """The upper bound for every n and D, from any start: V(1-) of the module's docstring.

    >>> round(by_levels(4, 3))
    1993
    """
    check_conjunction(n, nodes)
    return sum(time_at_level(n, nodes, level) for level in range(1, n))


def time_at_level(n: int, nodes: int, level: int) -> float:
    """V(i-) - V((i+1)-): from any program of the level, it is left in this time on average, or sooner."""
    check_level(n, level)
    time = time_in_surplus(n, nodes, level) + time_in_trees(n, nodes, level)
    return time * (1 + OUTWARD)


def time_in_surplus(n: int, nodes: int, level: int) -> float:
    """V(i+) - V(i+1)."""
    falling, rising = fall_by_surplus(n, nodes, level), rise_by_surplus(n, nodes, level)
    return float(((1 + falling * time_in_trees(n, nodes, level)) / rising).max())


@lru_cache(maxsize=4096)
def time_in_trees(n: int, nodes: int, level: int) -> float:
    """W = V(i-) - V(i+)."""
    meet = meeting(n, nodes, level)
    again = unpreparing(n, nodes, level) / meet
    return min(1 / leave(n, nodes, level), 1 / meet + (1 + again) / preparing(n, nodes, level))


def leave(n: int, nodes: int, level: int) -> float:
    """Q: from i-, the least chance to reach i+ or a higher level (Lemma 1).

    An inactive node that reads a source w, and to which the connection that reads w is redirected, is a
    surplus gate. At least one connection passes over each inactive node; the worst place for inactive nodes
    is after all active ones.
    """
    active_genes = 2 * level - 1
    reads = reads_given_source(np.arange(n + level - 1, n + nodes), active_genes).sum()
    return float(reads) / (active_genes * (n + nodes - 1))


def reads_given_source(sources: Floats | NDArray[np.int64], active_genes: int) -> Floats:
    """The least chance that an inactive node reads a given one of its k sources when SAM's loop ends.

    Its connections are at another source first and walk, independently, for an exponential time of rate
    `active_genes`. Then one of them is there with f = (1 - exp(-kappa time)) / k, kappa = k/(k-1), and one or
    both of them with 2f - f^2 = k f (2k - 1 + (1 - k f)) / k^2, where nothing cancels.
    """
    kappa = sources / (sources - 1)
    one = kappa / (active_genes + kappa)  # E[k f]
    rest = active_genes / (active_genes + 2 * kappa)  # E[k f (1 - k f)] = one * rest
    return np.asarray(one * (2 * sources - 1 + rest) / sources**2)


def rise_by_surplus(n: int, nodes: int, level: int) -> Floats:
    """r(c) for c = 1, 2, ..., D - i + 1: from i+ with this surplus, the least chance to rise (Lemma 2).

    At least c + 1 connections read a source that is read again. Redirect one of them to an unused input. The
    connection of a node with v values has v - 1 others; a node has two, and the last ones have the most.
    """
    surplus = np.arange(1, nodes - level + 2)
    values = n + nodes - 2 - np.arange(nodes - level + 2) // 2
    redundant = np.cumsum(1 / values)[1:]
    return np.asarray((n - level) * redundant / (2 * (level - 1 + surplus) + 1))


def fall_by_surplus(n: int, nodes: int, level: int) -> Floats:
    """s(c) for c = 1, 2, ..., D - i + 1: from i+ with this surplus, the greatest chance to fall (Lemma 4).

    The pairs of a connection and its new value that lead to i-, each over the number of other values: values
    that are unused inputs, that are cut off by the change, or that are inactive nodes. Or, if that is less,
    the shares of such values at the m connections that may be changed (B of Lemma 3).
    """
    surplus = np.arange(1, nodes - level + 2)
    gates = level - 1 + surplus
    unused, cut_off = 2 * (n - level), np.minimum(surplus * (surplus + 1), gates + level - 1)
    of_one_node = 1 if level == n - 1 else np.clip(gates // (surplus + 1), 1, 2)
    pairs = (unused + cut_off) / (n + surplus - 1) + (nodes - gates) * of_one_node / (n + surplus)
    good, others = n + nodes + 2 - 2 * level, n + np.arange(2, nodes + 1) // 2 - 1
    shares = np.cumsum(np.minimum(1, good / np.concatenate([[n + nodes - 1], others])))
    return np.asarray(np.minimum(pairs, shares[level - 1 :]) / (2 * gates + 1))


def meeting(n: int, nodes: int, level: int) -> float:
    """sigma: from A1, the least chance to reach i+ or a higher level (Lemma 5).

    The connection that reads the source of a bridge is left alone, and the bridge gets its node.
    """
    return 1 / (2 * level * (n + nodes - 1))


def preparing(n: int, nodes: int, level: int) -> float:
    """gamma: from A0, the least chance to leave A0 (Lemma 5).

    A used input is swapped for an unused one, and meanwhile an inactive node has come to read the source of
    a bridge over it. The swaps are fewest if the active nodes come last, the reads if the inactive ones do.
    """
    spare, active_genes, last = nodes - level + 1, 2 * level - 1, n + nodes - 1
    others = np.arange(last - level + 1, last) if level > 1 else np.array([last])
    swaps = (1 / others).sum() + (1 / others[0] if level > 1 else 0.0)
    reads = spare * float(reads_given_source(np.array([last]), active_genes)[0])
    return float((n - level) * swaps * reads / (1 + 2 * (spare - 1) / last) / active_genes)


def unpreparing(n: int, nodes: int, level: int) -> float:
    """l: from A1, the greatest chance to go to A0 (Lemma 5).

    Either the connection that reads the source of the bridge walks and the offspring, a tree of the same
    level, is accepted; or the change itself undoes the reading, by a swap or by an inactive node.
    """
    spare, active_genes = nodes - level + 1, 2 * level - 1
    others = n - 1 + np.arange(level) // 2 if level > 1 else np.array([n + nodes - 1])
    swaps = (n - level) * float((1 / others).sum())
    of_one_node = 1 if level == n - 1 else level - 1
    walked = (swaps + spare * of_one_node / n) / (active_genes * (active_genes + 1))
    return walked + (n - level + spare) / (active_genes * n)
