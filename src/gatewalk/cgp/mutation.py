"""Which mutation a search uses: `sam`, `point:K` or `rate:P`, by name and in a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.core import Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.point import point
from gatewalk.cgp.rate import rate
from gatewalk.cgp.sam import sam
from gatewalk.errors import InputError
from gatewalk.jit import Int, internal

SAM, SAM_PICKED, POINT, RATE = range(4)
MOST_POINTS = 1_000_000


@dataclass(frozen=True)
class Mutation:
    """A mutation and its strength: points for `point`, a probability for `rate`, 0 for `sam`."""

    name: Literal["sam", "point", "rate"] = "sam"
    strength: float = 0.0


def parse_mutation(text: str) -> Mutation:
    """`sam`, `point:3` (three genes, drawn with replacement) or `rate:0.05` (each, with probability 0.05)."""
    name, _, strength = text.partition(":")
    if text == "sam":
        return Mutation()
    if name == "point" and strength.isdecimal() and 1 <= int(strength) <= MOST_POINTS:
        return Mutation("point", float(strength))
    if name == "rate":
        try:
            probability = float(strength)
        except ValueError:
            probability = 0.0
        if 0.0 < probability <= 1.0:
            return Mutation("rate", probability)
    raise InputError(
        f"unknown mutation {text!r}: use sam, point:K with K from 1 to {MOST_POINTS:,} genes, "
        "or rate:P with 0 < P <= 1"
    )


def mutation_code(mutation: Mutation, sam_ends: str) -> int:
    """The number by which `mutate` knows it."""
    if mutation.name == "sam":
        return SAM_PICKED if sam_ends == "picked" else SAM
    return POINT if mutation.name == "point" else RATE


@internal
def mutate(core: Core, layout: Layout, active: NDArray[np.uint8], code: Int, strength: float) -> Int:
    """Mutate the child; `active` tells the parent's active nodes. Returns the number of genes touched."""
    if code == POINT:
        return point(core, layout, np.int64(strength))
    if code == RATE:
        return rate(core, layout, strength)
    return sam(core, layout, active, layout.block, code == SAM_PICKED)
