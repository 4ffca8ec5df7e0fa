"""The sizes for which `gatewalk bounds` certifies levels: those whose chain takes about a second.

`certified_levels` is imported only when a bound is asked for, because its kernels take a second to load.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial, prod

from gatewalk.theory.assumptions import Case

MOST_INPUTS = 6
MOST_CLASSES = 100_000


def fits(n: int, nodes: int) -> bool:
    """Whether the chain of a conjunction has few enough classes.

    Their number is estimated as the number of programs up to swapped connections and exchanged inputs.
    """
    if n > MOST_INPUTS or nodes > 10:
        return False
    states = prod((n + node) * (n + node + 1) // 2 for node in range(nodes))
    return states * (n + nodes) // factorial(n) <= MOST_CLASSES


def words(case: Case) -> str:
    """The assumption as a text, with what to do instead."""
    possible = [nodes for nodes in range(1, 11) if fits(case.n, nodes)]
    most = f"D <= {possible[-1]}" if possible and possible[-1] >= case.n - 1 else "n <= 5"
    return f"needs {most} here; larger chains: gatewalk.theory.certified_levels in Python"


@lru_cache(maxsize=64)
def bound(n: int, nodes: int) -> float:
    """The certified bound on E[T] of the paper's non-strict search for and:N."""
    from gatewalk.search.settings import settings
    from gatewalk.theory.certified_levels import certified_levels

    return certified_levels(settings(f"and:{n}", nodes=nodes)).bound
