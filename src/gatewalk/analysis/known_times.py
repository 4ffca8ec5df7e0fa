"""What is known of a search without running it: proven bounds, exact expected times and distributions.

Figures show these with the measurements, so only quick answers count: Markov chains of a few megabytes, on
complete training sets.
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
    from gatewalk.theory.chain.solved_chain import SolvedChain

MEMORY = 10_000_000  # bytes: a chain of this size is solved in well under a second
MOST_STEPS = 3000  # a distribution is computed for at most so many iterations
_MOST_NODES = 8  # with more nodes no chain is small enough, and computing its size may itself take long
_UPPER = ("theorem6", "theorem3")  # the smaller bound first


@dataclass(frozen=True)
class Bound:
    """A proven upper bound on the expected iterations, and the name of the theorem."""

    name: str
    value: float


def upper_bound(settings: Settings) -> Bound | None:
    """The paper's bound on the expected iterations; None if no theorem applies to the search.

    >>> from gatewalk import settings
    >>> upper_bound(settings("and:8", selection="strict")).name
    'Theorem 3'
    >>> upper_bound(settings("maj:3")) is None
    True
    """
    from gatewalk.theory.statements import applied

    for key in _UPPER:
        try:
            found = applied(key, settings)
        except InputError:  # an option that no theorem covers
            return None
        if found.value is not None:
            return Bound(found.name, float(found.value))
    return None


def exact_time(settings: Settings) -> float | None:
    """The expected iterations from the Markov chain; None if it is too large, or infinite.

    >>> from gatewalk import settings
    >>> round(exact_time(settings("and:4", nodes=3)), 2)
    91.54
    >>> exact_time(settings("and:40")) is None
    True
    """
    found = _solved(settings, MEMORY)
    return None if found is None else _finite(found)


def exact_law(settings: Settings) -> Distribution | None:
    """The whole distribution of the running time; None if the chain is too large."""
    found = _solved(settings, MEMORY)
    return None if found is None else _law(found)


def exact_time_and_law(
    settings: Settings, *, memory: int = MEMORY
) -> tuple[float | None, Distribution | None]:
    """The expected iterations and their distribution, from one solution of the chain.

    memory: the most bytes that the chain may take; both are None for a larger one.

    >>> from gatewalk import settings
    >>> time, law = exact_time_and_law(settings("and:2", nodes=2))
    >>> round(time, 2), law.quantile(0.5)
    (1.51, 1.0)
    """
    found = _solved(settings, memory)
    return (None, None) if found is None else (_finite(found), _law(found))


def _solved(settings: Settings, memory: int) -> SolvedChain | None:
    from gatewalk.theory.chain.exact import solve_chain

    if not _has_small_chain(settings):
        return None
    try:
        return solve_chain(settings, memory=memory)
    except InputError:
        return None


def _finite(found: SolvedChain) -> float | None:
    expected = found.result.expected_iterations
    return expected if isfinite(expected) else None


def _law(found: SolvedChain) -> Distribution | None:
    try:
        return found.distribution(most=MOST_STEPS)
    except InputError:
        return None


def _has_small_chain(settings: Settings) -> bool:
    """Whether the chain may be small enough: CGP with few nodes and SAM, complete set, random start."""
    return (
        isinstance(settings.law, CgpLaw)
        and (settings.nodes or 0) <= _MOST_NODES
        and settings.mutation == "sam"
        and settings.training == "complete"
        and settings.start == "random"
    )
