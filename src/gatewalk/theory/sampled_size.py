"""The sizes for which `gatewalk bounds` solves chains on sampled training sets, in about a second.

`chain.sampled_sets` is imported only when a bound is asked for, because its kernels take a second to load.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.law import CgpLaw
from gatewalk.search.settings import Settings

SETS = 10
MOST_GENOTYPES = 25_000
MOST_INPUTS, MOST_ROWS, WIDEST = 6, 64, 2


def fits(settings: Settings) -> bool:
    """Whether there are few enough programs, and the training sets and gates are possible for the chain."""
    gates = gate_set(settings.gates)
    if not isinstance(settings.law, CgpLaw) or settings.nodes is None or settings.nodes > 10:
        return False
    if settings.n > MOST_INPUTS or gates.arity > WIDEST or (settings.rows or 1) > MOST_ROWS:
        return False
    wanted = settings.wanted
    shape = shape_for(
        inputs=wanted.inputs, outputs=wanted.outputs, nodes=settings.nodes, gates=gates, law=settings.law
    )
    return prod(int(count) for count in shape.ranges.count) <= MOST_GENOTYPES


@lru_cache(maxsize=64)
def mean_expected(settings: Settings) -> float | str:
    """The mean over the first training sets S of seed 0 of the exact E[T | S]; "inf" if one may never end."""
    from gatewalk.theory.chain.result import finite_or_text
    from gatewalk.theory.chain.sampled_sets import exact_sets

    return finite_or_text(exact_sets(settings, sets=SETS).expected_iterations)
