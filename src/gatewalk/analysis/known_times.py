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

MEMORY = 10_000_000  # bytes: a chain of this size is solved in well under a second
MOST_STEPS = 3000  # iterations after which a distribution is given up
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
    from gatewalk.theory.chain.sam_search import solved

    if not _has_small_chain(made):
        return None
    try:
        found = solved(made, memory=MEMORY).result.expected_iterations
    except InputError:
        return None
    return found if isfinite(found) else None


def exact_law(made: Settings) -> Distribution | None:
    """The whole distribution of the running time; None if the chain is too large."""
    from gatewalk.theory.chain.sam_search import solved

    if not _has_small_chain(made):
        return None
    try:
        return solved(made, memory=MEMORY).distribution(most=MOST_STEPS)
    except InputError:
        return None


def _has_small_chain(made: Settings) -> bool:
    """Is it CGP with SAM on the complete set, from a random start? The solver refuses large chains."""
    return (
        isinstance(made.law, CgpLaw)
        and made.mutation == "sam"
        and made.training == "complete"
        and made.start == "random"
    )
