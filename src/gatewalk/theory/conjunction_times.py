"""How long the (1+1) CGP takes on conjunctions, beyond the paper: Theorems A to F, as numbers.

n is the number of inputs, D >= n - 1 that of nodes, N = n + D, and T counts iterations.

*Above, if ties are accepted, from any start.* Theorem A is O(n D^3 log n), which proves the claim of Theorem
6. Theorem B is O(n^3 log n) for D = n + O(1). Both are closed forms of a sum over levels that `enclosure`
adds up; that is sharper, where it does not take too long.

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
from math import log1p, prod

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
    unmet,
)
from gatewalk.theory.conjunctions import ZETA_2, check_conjunction, harmonic, markov_quantile
from gatewalk.theory.uniform_programs import MOST_NODES

SMALL_START = 200  # beyond this n the chance to start at an optimum is bounded by 4^-200

MEASURED = "at D = n^2.5 the means of runs are about 1.6 sqrt(D) for n = 25 to 200"

UPPER = (*ON_CONJUNCTIONS, NONSTRICT)
AT_PENULTIMATE = (CONJUNCTION, FEWEST_NODES, COMPLETE_SET, *ALGORITHM_1, NONSTRICT)


# Above.


def theorem_a(n: int, nodes: int) -> float:
    """Theorem A: E[T] <= 21 n (n+D)^3 H(n-1)."""
    check_conjunction(n, nodes)
    return 21 * n * (n + nodes) ** 3 * harmonic(n - 1)


def theorem_b(n: int, nodes: int) -> float:
    """Theorem B: E[T] <= 194 (n+D)^4 / (n-1) (H(n-1) + (pi^2/6) (D-n+1))."""
    check_conjunction(n, nodes)
    return 194 * (n + nodes) ** 4 / (n - 1) * (harmonic(n - 1) + ZETA_2 * (nodes - n + 1))


def _upper_bounds(search: Search) -> dict[str, float]:
    """The upper bounds that are proven for a search, by what each is from."""
    n, nodes = search.n, nodes_of(search)
    found = {"Theorem A": theorem_a(n, nodes), "Theorem B": theorem_b(n, nodes)}
    if not unmet(enclosure.upper.needs, search):
        found["the enclosure"] = enclosure.upper(search)
    return found


def _source_of_upper(search: Search) -> str:
    bounds = _upper_bounds(search)
    return f"from {min(bounds, key=bounds.__getitem__)}"


@statement(
    "conjunction_upper",
    "Best upper bound",
    "E[T] at most, from this start: the least of Theorems A, B and the enclosure; O(n D^3 log n)",
    needs=(*UPPER, Assumption("D", _source_of_upper, None)),
)
def conjunction_upper(search: Search) -> float:
    """The least of the upper bounds on E[T] that are proven here, from the start of a search.

    >>> from gatewalk import search_for
    >>> round(conjunction_upper(search_for("and:8", nodes=7)))
    82559
    """
    return min(_upper_bounds(search).values())


@statement(
    "conjunction_markov",
    "Best upper bound, Markov",
    "Markov's inequality, once or in windows of e E[T]",
    needs=UPPER,
)
def conjunction_quantile(search: Search, probability: float) -> float:
    """Iterations not exceeded with probability P, by `conjunction_upper` and Markov's inequality."""
    return markov_quantile(conjunction_upper(search), probability)


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
    """Theorem C's upper bound: the time at the last level by the enclosure, as far as that is computed.

    >>> round(penultimate_upper(16) / 16**3)
    119
    """
    check_conjunction(n, n - 1)
    return enclosure.time_at_level(n, n - 1, n - 1) if n <= enclosure.MOST_ADDED else 1300.0 * n**3


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
