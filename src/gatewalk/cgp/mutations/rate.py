"""Rate mutation: every gene gets a new value with the same probability p, independently.

There is no draw for every gene: the number of genes up to the next one that changes is drawn
(`gatewalk.native.draws`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gatewalk.cgp.operands import gap_of
from gatewalk.errors import InputError
from gatewalk.native.draws import Gaps, gaps_of
from gatewalk.native.jit import inlined

_NUMBER = r"[0-9]*\.?[0-9]+(e-?[0-9]+)?"


@dataclass(frozen=True)
class Rate:
    """Give a new value to every gene with the same probability, independently.

    written: the probability as text. Runs are seeded by it, so `Rate(1)` and `Rate(1.0)`, which are written
    `rate:1` and `rate:1.0`, are two mutations of the same law.

    >>> import gatewalk as gw
    >>> gw.evolve("and:3", nodes=4, mutation=gw.Rate(0.1), seed=1).solved
    True
    """

    probability: float
    written: str = field(init=False, repr=False)
    usage: ClassVar[str] = "rate:P with 0 < P <= 1"
    name: ClassVar[str] = "rate"

    def __post_init__(self) -> None:
        value = self.probability
        if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < value <= 1.0:
            raise InputError("rate needs a probability P with 0 < P <= 1, as in rate:0.05")
        plain = int(value) if isinstance(value, Integral) else float(value)
        object.__setattr__(self, "probability", plain)
        object.__setattr__(self, "written", repr(plain))

    @classmethod
    def read(cls, strength: str | None) -> Rate:
        """`rate:0.05`: each gene with probability 0.05."""
        text = strength if strength is not None and re.fullmatch(_NUMBER, strength) else "0"
        probability = float(text)
        return cls(int(probability) if text.isdecimal() and probability <= 1.0 else probability)

    def __str__(self) -> str:
        return f"{self.name}:{self.written}"

    @property
    def strength(self) -> float:
        """See `Mutation`."""
        return float(self.probability)

    def fewest_picks(self, genes: int) -> float:
        """See `Mutation`."""
        return genes * self.probability

    def arrays(self) -> RateArrays:
        """See `Mutation`."""
        return RateArrays(gaps_of(self.probability))


class RateArrays(NamedTuple):
    """The mutation in a kernel. gaps: the law of the distances between genes that change."""

    gaps: Gaps


@inlined
def operate(mutation: RateArrays, program: Any, random: Any) -> None:
    """Make an offspring."""
    gene = np.uint64(0)
    while True:
        left_out, changes = gap_of(random, mutation.gaps)
        gene += left_out
        if gene >= np.uint64(program.genes):
            return
        if changes:
            program.change(gene, random)
            gene += np.uint64(1)
