"""What is known of a search without running it: proven bounds, exact expected times and distributions.

Figures show these with the measurements, so only quick answers count: Markov chains of a few megabytes, on
complete training sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from gatewalk.boolean.training import Complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.errors import InputError
from gatewalk.search.options import Search

if TYPE_CHECKING:
    from gatewalk.theory.chain.distribution import Distribution
    from gatewalk.theory.chain.solved_chain import SolvedChain

_MOST_STEPS = 3000  # a distribution is computed for at most so many iterations
_MEMORY = 10_000_000  # bytes: a chain of this size is solved in well under a second
_MOST_NODES = 8  # with more nodes no chain is small enough, and computing its size may itself take long
_UPPER = ("theorem6", "theorem3")  # the smaller bound first


@dataclass(frozen=True)
class Bound:
    """A proven upper bound on the expected iterations, and the name of the theorem."""

    name: str
    value: float


def upper_bound(search: Search) -> Bound | None:
    """The paper's bound on the expected iterations; None if no theorem applies to the search.

    >>> from gatewalk import search_for
    >>> upper_bound(search_for("and:8", selection="strict")).name
    'Theorem 3'
    >>> upper_bound(search_for("maj:3")) is None
    True
    """
    from gatewalk.theory.statements import applied

    for key in _UPPER:
        try:
            statement = applied(key, search)
        except InputError:  # an option that no theorem covers
            return None
        if statement.value is not None:
            return Bound(statement.name, float(statement.value))
    return None


def exact_time(search: Search) -> float | None:
    """The expected iterations from the Markov chain; None if it is too large, or infinite.

    >>> from gatewalk import search_for
    >>> round(exact_time(search_for("and:4", nodes=3)), 2)
    91.54
    >>> exact_time(search_for("and:40")) is None
    True
    """
    chain = _solved_chain(search)
    return None if chain is None else _finite_time(chain)


def exact_time_and_law(search: Search) -> tuple[float | None, Distribution | None]:
    """The expected iterations and their distribution, from one solution of the chain.

    >>> from gatewalk import search_for
    >>> time, law = exact_time_and_law(search_for("and:2", nodes=2))
    >>> round(time, 2), law.quantile(0.5)
    (1.51, 1.0)
    """
    chain = _solved_chain(search)
    return (None, None) if chain is None else (_finite_time(chain), _law(chain))


def _solved_chain(search: Search) -> SolvedChain | None:
    from gatewalk.theory.chain.exact import solve_chain

    if not _may_have_small_chain(search):
        return None
    try:
        return solve_chain(search, memory=_MEMORY)
    except InputError:
        return None


def _finite_time(chain: SolvedChain) -> float | None:
    expected = chain.result.expected_iterations
    return expected if isfinite(expected) else None


def _law(chain: SolvedChain) -> Distribution | None:
    try:
        return chain.distribution(most=_MOST_STEPS)
    except InputError:
        return None


def _may_have_small_chain(search: Search) -> bool:
    """Whether it is CGP with few nodes and SAM, on the complete set and from a random start."""
    return (
        isinstance(search, CgpSearch)
        and search.nodes <= _MOST_NODES
        and search.mutation.name == "sam"
        and isinstance(search.training, Complete)
        and search.start is None
    )
