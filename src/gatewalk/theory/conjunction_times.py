"""How long the (1+1) CGP takes on conjunctions, beyond the paper: Theorems A to F, as numbers.

n is the number of inputs, D >= n - 1 that of nodes, N = n + D, and T counts iterations.

*Above, if ties are accepted, from any start.* A level is split as in Theorem 6: at i- the program is a tree,
at i+ it has a surplus of c >= 1 gates. With Q the least chance to leave i- for i+ or above, R the least
chance to rise from i+ and rho the greatest ratio of the chances to fall and to rise,

    time at level i <= (1 + rho) min(1/Q, W) + 1/R.

Theorem A is the sum with 1/Q alone, O(n D^3 log n). Theorem B has the time W of a better way out of i-: swaps
of a used input for an unused one walk until an inactive node reads what a connection that passes over it
reads. For D = n + O(1) that gives O(n^3 log n).

*At D = n - 1.* From the penultimate start the time is between (2n-3)(2n-2)^2/12 and 1300 n^3 with ties (C).
From no start, with any selection, does one iteration succeed with a probability above 2/((2n-1)(n-1)) (D).

*The start.* A uniform program leaves (n^3/N) ln(1 + N/n^2) inputs unused on average, or fewer (E).

*Many nodes.* Strict selection with D = n^(2+d) nodes, 0 < d < 1, takes n^(1+d/2+o(1)) with high probability
(F): an order, whose constant is too large for a number to be useful.

The proofs are in docs/theory: neutral-walks.md (A, B), fewest-nodes.md (C, D), unused-inputs.md (E) and
many-nodes.md (F).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import e, fsum, log1p, prod

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.errors import InputError
from gatewalk.search.options import Search
from gatewalk.theory import enclosure
from gatewalk.theory.assumptions import (
    ALGORITHM_1,
    CARTESIAN,
    COMPLETE_SET,
    CONJUNCTION,
    ENOUGH_NODES,
    FEWEST_NODES,
    NONSTRICT,
    ON_CONJUNCTIONS,
    ONE_START,
    STRICT,
    UNLIMITED_REACH,
    Assumption,
    inputs_from,
    nodes_of,
    starts_at_random,
    statement,
)
from gatewalk.theory.conjunctions import ZETA_2, check_conjunction, check_level, harmonic, markov_quantile
from gatewalk.theory.uniform_programs import MOST_NODES

MOST_SUMMED = 200_000  # beyond this n D the constants of a level are estimated in closed form
MOST_LEVELS = 50_000  # beyond this n there are only the closed forms of Theorems A and B
MOST_ENCLOSED = 1000  # nodes up to which `enclosure.upper` is added up
SMALL_START = 200  # beyond this n the chance to start at an optimum is bounded by 4^-200

MEASURED = "at D = n^2.5 the means of runs are about 1.6 sqrt(D) for n = 25 to 200"

UPPER = (*ON_CONJUNCTIONS, NONSTRICT)
AT_PENULTIMATE = (CONJUNCTION, FEWEST_NODES, COMPLETE_SET, *ALGORITHM_1, NONSTRICT)


# Above: a level at a time.


def fall_over_rise(n: int, nodes: int, level: int) -> float:
    """rho: at any program of i+, the chance to fall to i- is at most this multiple of the chance to rise.

    Lemma 3. With m active gates, c = m - i + 1 of them surplus, at most min(m, 2c) (n-i+c+1) pairs of a
    connection and a value other than an inactive node lead to i-. An inactive node is such a value for at
    most two connections: each of them cuts off one of two readers of the same source.
    """
    _check(n, nodes, level)
    return max(_fall_over_rise(n, nodes, level, gates) for gates in range(level, nodes + 1))


def _fall_over_rise(n: int, nodes: int, level: int, gates: int) -> float:
    surplus = gates - level + 1
    to_active = min(gates, 2 * surplus) * (n - level + surplus + 1)
    readers = 1 if level == n - 1 else min(2, max(1, gates // (surplus + 1)))
    falling = (to_active + (nodes - gates) * readers) / n
    return falling * (n + nodes - 2) / ((surplus + 1) * (n - level))


def meeting(n: int, nodes: int, level: int) -> float:
    """sigma: from A1, where an inactive node reads the source of a bridge over it, the least chance to rise.

    Or to reach i+: the connection that reads this source is not touched, and the bridge gets the node.
    """
    _check(n, nodes, level)
    return 1 / (2 * level * (n + nodes - 1))


def preparing(n: int, nodes: int, level: int) -> float:
    """gamma: from A0, the rest of i-, the least chance to leave A0.

    A used input is swapped for an unused one, and meanwhile an inactive node has come to read the source of
    a bridge over it.
    """
    _check(n, nodes, level)
    spare = nodes - level + 1
    swaps = level * (n - level)
    return (1 - 1 / e) * swaps * spare / ((2 * level - 1) * 2 * level * (n + nodes - 1) ** 2)


def unpreparing(n: int, nodes: int, level: int) -> float:
    """ell: from A1, the greatest chance to go to A0."""
    _check(n, nodes, level)
    spare, connections = nodes - level + 1, 2 * level - 1
    moved = (level * (n - level) / (n - 1) + spare * (level - 1) / n) / (connections * (connections + 1))
    return moved + (n - level + spare) / (connections * n)


def prepared_time(n: int, nodes: int, level: int) -> float:
    """W: the time to leave i-, by way of A1."""
    chance = meeting(n, nodes, level)
    again = unpreparing(n, nodes, level) / chance
    return 1 / chance + (1 + again) / preparing(n, nodes, level)


def level_time(n: int, nodes: int, level: int, *, estimated: bool = False) -> float:
    """The expected iterations at a level are at most this, from any of its programs.

    estimated: with the closed forms of the proof of Theorem A for rho, Q and R, which take no time.
    """
    _check(n, nodes, level)
    if not estimated:
        ratio = fall_over_rise(n, nodes, level)
        leave, rise = enclosure.leave(n, nodes, level), enclosure.rise(n, nodes, level)
    else:
        spare = nodes - level + 1
        ratio = (n + nodes - 2) / n * (2 + 2 * spare / (n - level))
        leave = spare / (2 * level * (2 * level - 1) * (n + nodes - 1) ** 2)
        rise = (n - level) / ((level + 1) * (n + nodes))
    return (1 + ratio) * min(1 / leave, prepared_time(n, nodes, level)) + 1 / rise


def _check(n: int, nodes: int, level: int) -> None:
    check_conjunction(n, nodes)
    check_level(n, level)


def theorem_a(n: int, nodes: int) -> float:
    """Theorem A: E[T] <= 21 n (n+D)^3 H(n-1)."""
    check_conjunction(n, nodes)
    return 21 * n * (n + nodes) ** 3 * harmonic(n - 1)


def theorem_b(n: int, nodes: int) -> float:
    """Theorem B: E[T] <= 194 (n+D)^4 / (n-1) (H(n-1) + (pi^2/6) (D-n+1))."""
    check_conjunction(n, nodes)
    return 194 * (n + nodes) ** 4 / (n - 1) * (harmonic(n - 1) + ZETA_2 * (nodes - n + 1))


@lru_cache(maxsize=64)
def _upper_bounds(n: int, nodes: int) -> dict[str, float]:
    """Every upper bound of ours that is computed at this size, by what it is."""
    is_large = n * nodes > MOST_SUMMED
    found = {"Theorem A": theorem_a(n, nodes), "Theorem B": theorem_b(n, nodes)}
    if n <= MOST_LEVELS:
        found["the levels of Theorems A and B"] = fsum(
            level_time(n, nodes, level, estimated=is_large) for level in range(1, n)
        )
    if nodes <= MOST_ENCLOSED and not is_large:
        found["the enclosure"] = enclosure.upper(n, nodes)
    return found


def _source_of_upper(search: Search) -> str:
    bounds = _upper_bounds(search.n, nodes_of(search))
    return f"from {min(bounds, key=bounds.__getitem__)}"


@statement(
    "conjunction_upper",
    "Best upper bound",
    "E[T] at most, from any start: the least bound that is proven; O(n D^3 log n)",
    needs=(*UPPER, Assumption("D", _source_of_upper, None)),
)
def conjunction_upper(n: int, nodes: int) -> float:
    """The least of the upper bounds on E[T] that are proven here, whatever the start.

    >>> round(conjunction_upper(4, 3))
    2615
    """
    check_conjunction(n, nodes)
    return min(_upper_bounds(n, nodes).values())


@statement(
    "conjunction_markov",
    "Best upper bound, Markov",
    "Markov's inequality, once or in windows of e E[T]",
    needs=UPPER,
)
def conjunction_quantile(n: int, nodes: int, probability: float) -> float:
    """Iterations not exceeded with probability P, by `conjunction_upper` and Markov's inequality."""
    return markov_quantile(conjunction_upper(n, nodes), probability)


# Below.


def success_chance(n: int) -> Fraction:
    """Theorem D: at D = n - 1 one iteration from a program that is not optimal succeeds at most so often.

    >>> success_chance(4)
    Fraction(2, 21)
    """
    check_conjunction(n, n - 1)
    return Fraction(2, (2 * n - 1) * (n - 1))


def optimal_start(n: int) -> Fraction:
    """The chance that a uniform program of D = n - 1 nodes is optimal: n! (n-1)! / ((2n-1) prod v^2).

    v runs over the numbers of values of the nodes' connections, n, ..., 2n - 2. In an optimum each source is
    read once. The output reads the last node; then, going down, node number b is read by any of the
    n - 1 - b connections that are still free above it, and in the end n of them take the n inputs.

    >>> optimal_start(2)
    Fraction(1, 6)
    """
    check_conjunction(n, n - 1)
    return Fraction(n, 2 * n - 1) * prod(Fraction(node + 1, n + node) for node in range(n - 1)) ** 2


def _uses_all(search: Search) -> bool:
    """Whether the given start is optimal: its output is connected to all inputs."""
    assert isinstance(search, CgpSearch)
    assert search.start is not None
    genes, n = search.start, search.n
    connected, last = {genes[-1]}, len(genes) // 3
    for node in reversed(range(last)):
        if n + node in connected:
            connected.update(genes[3 * node + 1 : 3 * node + 3])
    return set(range(n)) <= connected


def _has_lower(search: Search) -> bool:
    """Whether a lower bound is proven: Theorem D, or the chance to reach an optimum in a few steps."""
    if not isinstance(search, CgpSearch):
        return True
    if starts_at_random(search):
        return search.nodes == search.n - 1 or search.nodes <= MOST_NODES
    return search.nodes == search.n - 1 and not _uses_all(search)


def _source_of_lower(search: Search) -> str:
    return f"from {max(_lower_bounds(search), key=lambda bound: bound[1])[0]}"


def _lower_bounds(search: Search) -> list[tuple[str, float]]:
    """The lower bounds that are proven for a search, each after what it is."""
    n, nodes = search.n, nodes_of(search)
    found = []
    if nodes == n - 1:
        # (b + 1)/(n + b) <= 1/2 in the product of `optimal_start`, so it is at most 4^(1-n).
        optimal = optimal_start(n) if n <= SMALL_START else Fraction(1, 4**SMALL_START)
        reached = 1 - optimal if starts_at_random(search) else Fraction(1)
        found.append(("Theorem D", float(reached / success_chance(n))))
    if starts_at_random(search) and nodes <= MOST_NODES:
        found.append(("the enclosure", enclosure.lower(n, nodes, strict=search.strict)))
    return found


@statement(
    "conjunction_lower",
    "Best lower bound",
    "E[T] at least, from this start: the greatest bound that is proven",
    needs=(
        *ON_CONJUNCTIONS,
        Assumption(
            "D",
            lambda search: (
                f"needs D = n - 1 = {search.n - 1} nodes and a start that is not optimal, "
                f"or --start random and D <= {MOST_NODES} to be computed"
            ),
            _has_lower,
        ),
        Assumption("D", _source_of_lower, None),
    ),
)
def conjunction_lower(search: Search) -> float:
    """The greatest of the lower bounds on E[T] that are proven here.

    >>> from gatewalk import search_for
    >>> round(conjunction_lower(search_for("and:6", nodes=5)), 2)
    27.5
    """
    return max(value for _, value in _lower_bounds(search))


# From the penultimate start.


@statement(
    "penultimate_lower",
    "Theorem C, lower",
    "E[T] at least, from a penultimate start with ties: (2n-3)(2n-2)^2/12",
    needs=(*AT_PENULTIMATE, inputs_from(4)),
)
def penultimate_lower(n: int) -> float:
    """Theorem C's lower bound.

    >>> penultimate_lower(16)
    2175.0
    """
    if n < 4:
        raise InputError(f"Theorem C needs n >= 4 inputs, not {n}")
    return (2 * n - 3) * (2 * n - 2) ** 2 / 12


@statement(
    "penultimate_upper",
    "Theorem C, upper",
    "E[T] at most, from a penultimate start with ties; at most 1300 n^3",
    needs=(*AT_PENULTIMATE, inputs_from(3)),
)
def penultimate_upper(n: int) -> float:
    """Theorem C's upper bound: the time at the last level.

    >>> round(penultimate_upper(16) / 16**3)
    596
    """
    return level_time(n, n - 1, n - 1)


# The start, and many nodes.


@statement(
    "unused_inputs",
    "Theorem E",
    "E[unused inputs] at most, of a uniform program",
    needs=(CONJUNCTION, inputs_from(2), ENOUGH_NODES, CARTESIAN, UNLIMITED_REACH, ONE_START),
)
def unused_inputs(n: int, nodes: int) -> float:
    """Theorem E: (n^3/N) ln(1 + N/n^2), and n - 1 if that is less, since one input is always used.

    >>> round(unused_inputs(30, 3000), 2)
    13.13
    """
    check_conjunction(n, nodes)
    sources = n + nodes
    return min(n - 1.0, n**3 / sources * log1p(sources / n**2))


def _between_powers(search: Search) -> bool:
    return search.n**2 < nodes_of(search) < search.n**3


@statement(
    "many_nodes_order",
    "Theorem F",
    "T, with probability 1 - o(1), if D = n^(2+d) with 0 < d < 1",
    needs=(
        *ON_CONJUNCTIONS,
        STRICT,
        ONE_START,
        Assumption(
            "D",
            lambda search: f"needs n^2 < D < n^3: {search.n**2} < D < {search.n**3}",
            _between_powers,
        ),
        Assumption("n", "for n large enough: the proof asks for ln n >= 92/d", None),
    ),
    note=MEASURED,
)
def many_nodes_order() -> str:
    """Theorem F: an order; its constant e^(C sqrt(ln n)) is too large to be of use."""
    return "sqrt(D) n^o(1)"
