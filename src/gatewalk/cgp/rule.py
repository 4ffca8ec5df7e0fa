"""How a generation is made and judged, as a kernel reads it: mutation, offspring, selection."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.mutation import Mutation, mutation_code
from gatewalk.jit import Int, kernel
from gatewalk.stream import State, below


class Rule(NamedTuple):
    """mutation and strength: see `mutate`. coin_ties: the parent is uniform among the best."""

    mutation: int
    strength: float
    offspring: int
    strict: bool
    coin_ties: bool


def rule_of(law: CgpLaw, mutation: Mutation, *, offspring: int, strict: bool) -> Rule:
    """The rule of a law."""
    return Rule(
        mutation_code(mutation, law.sam_ends), mutation.strength, offspring, strict, law.ties == "coin"
    )


@kernel
def accepts(stream: State, rule: Rule, parent: Int, child: Int, equals: Int) -> bool:
    """Does the best offspring replace the parent? `equals` offspring have that best rank.

    Algorithm 1: strict asks for a lower rank, non-strict takes an equal one; with `coin_ties`
    the parent stays with the chance that one draw among the equally best gives it.
    """
    if child != parent:
        return bool(child < parent)
    if rule.strict:
        return False
    return bool(not rule.coin_ties or below(stream, np.uint64(equals + 1)) != np.uint64(0))
