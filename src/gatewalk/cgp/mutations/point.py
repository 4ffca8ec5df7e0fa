"""Miller's point mutation: a fixed number of genes, drawn with replacement, get new values (Miller 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from gatewalk.errors import InputError, whole_number
from gatewalk.native.jit import inlined

MOST_POINTS = 1_000_000


@dataclass(frozen=True)
class Point:
    """Give new values to so many genes, drawn with replacement.

    >>> import gatewalk as gw
    >>> gw.evolve("and:3", nodes=4, mutation=gw.Point(2), seed=1).solved
    True
    """

    genes: int
    usage: ClassVar[str] = f"point:K with K from 1 to {MOST_POINTS:,} genes"
    name: ClassVar[str] = "point"

    def __post_init__(self) -> None:
        whole_number("the genes of a point mutation", self.genes, least=1, most=MOST_POINTS)

    @classmethod
    def read(cls, strength: str | None) -> Point:
        """`point:3`: three genes."""
        if strength is None or not (strength.isascii() and strength.isdecimal()) or len(strength) > 9:
            raise InputError("point needs a whole number of genes, as in point:3")
        if not 1 <= int(strength) <= MOST_POINTS:
            raise InputError(f"point needs a number of genes from 1 to {MOST_POINTS:,}")
        return cls(int(strength))

    def __str__(self) -> str:
        return f"{self.name}:{self.genes}"

    @property
    def strength(self) -> float:
        """See `Mutation`."""
        return float(self.genes)

    def fewest_picks(self, genes: int) -> float:
        """See `Mutation`."""
        return float(self.genes)

    def arrays(self) -> PointArrays:
        """See `Mutation`."""
        return PointArrays(self.genes)


class PointArrays(NamedTuple):
    """The mutation in a kernel."""

    points: int


@inlined
def operate(mutation: PointArrays, program: Any, random: Any) -> None:
    """Make an offspring."""
    for _ in range(mutation.points):
        program.change(random.gene(program), random)
