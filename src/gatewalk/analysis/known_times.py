"""What is known of a search without running it, for figures: proven bounds, exact times and laws.

Only what takes no time to find out: chains of some megabytes, on complete training sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError
from gatewalk.search.settings import Settings

if TYPE_CHECKING:
    from gatewalk.theory.chain.distribution import Distribution
    from gatewalk.theory.chain.sam_search import Exact

MEMORY = 10_000_000  # bytes: a chain of this size is solved in well under a second
MOST_STEPS = 3000  # iterations after which a distribution is given up
_MOST_NODES = 8  # a chain of more is never that small, and for thousands even its size takes long to tell
_UPPER = ("theorem6", "theorem3")  # of the paper, the smaller first


@dataclass(frozen=True)
class Bound:
    """A proven upper bound on the expected iterations, and whose it is."""

    name: str
    value: float


def upper_bound(made: Settings) -> Bound | None:
    """The paper's bound on the expected iterations; None if no theorem applies to the search.

    Examples
    --------
    >>> from gatewalk import settings
    >>> upper_bound(settings("and:8", selection="strict")).name
    'Theorem 3'
    >>> upper_bound(settings("maj:3")) is None
    True
    """
    from gatewalk.theory.statements import applied

    for key in _UPPER:
        try:
            found = applied(key, made)
        except InputError:  # an option of the law that no theorem knows
            return None
        if found.value is not None:
            return Bound(found.name, float(found.value))
    return None


def exact_time(made: Settings) -> float | None:
    """The expected iterations from the Markov chain; None if it is too large, or infinite.

    Examples
    --------
    >>> from gatewalk import settings
    >>> round(exact_time(settings("and:4", nodes=3)), 2)
    91.54
    >>> exact_time(settings("and:40")) is None
    True
    """
    found = _solved(made, MEMORY)
    return None if found is None else _finite(found)


def exact_law(made: Settings) -> Distribution | None:
    """The whole distribution of the running time; None if the chain is too large."""
    found = _solved(made, MEMORY)
    return None if found is None else _law(found)


def exact_time_and_law(made: Settings, *, memory: int = MEMORY) -> tuple[float | None, Distribution | None]:
    """Both of them from one solution of the chain, which may take so many bytes.

    Examples
    --------
    >>> from gatewalk import settings
    >>> time, law = exact_time_and_law(settings("and:2", nodes=2))
    >>> round(time, 2), law.quantile(0.5)
    (1.51, 1.0)
    """
    found = _solved(made, memory)
    return (None, None) if found is None else (_finite(found), _law(found))


def _solved(made: Settings, memory: int) -> Exact | None:
    from gatewalk.theory.chain.sam_search import solved

    if not _has_small_chain(made):
        return None
    try:
        return solved(made, memory=memory)
    except InputError:
        return None


def _finite(found: Exact) -> float | None:
    expected = found.result.expected_iterations
    return expected if isfinite(expected) else None


def _law(found: Exact) -> Distribution | None:
    try:
        return found.distribution(most=MOST_STEPS)
    except InputError:
        return None


def _has_small_chain(made: Settings) -> bool:
    """Is it CGP with SAM on the complete set, from a random start? The solver refuses large chains."""
    return (
        isinstance(made.law, CgpLaw)
        and (made.nodes or 0) <= _MOST_NODES
        and made.mutation == "sam"
        and made.training == "complete"
        and made.start == "random"
    )
