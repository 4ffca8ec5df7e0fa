"""Single active-gene mutation: SAM (Algorithm 3; Goldman and Punch 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from gatewalk.errors import InputError
from gatewalk.native.jit import inlined


@dataclass(frozen=True)
class Sam:
    """Change random genes until one that is active in the parent has changed.

    Whether it is enough to pick such a gene (`CgpLaw.sam_ends`) is encoded in the slots
    (`gatewalk.cgp.program`).

    >>> import gatewalk as gw
    >>> gw.evolve("and:3", nodes=4, mutation=gw.Sam(), seed=1).solved
    True
    """

    usage: ClassVar[str] = "sam"
    name: ClassVar[str] = "sam"
    strength: ClassVar[float] = 0.0

    @classmethod
    def read(cls, strength: str | None) -> Sam:
        """`sam`, which takes no number."""
        if strength is not None:
            raise InputError("sam takes no number")
        return cls()

    def __str__(self) -> str:
        return self.name

    def fewest_picks(self, genes: int) -> float:
        """See `Mutation`."""
        return 1.0

    def arrays(self) -> SamArrays:
        """See `Mutation`."""
        return SamArrays()


class SamArrays(NamedTuple):
    """The mutation in a kernel, which needs nothing but its type."""

    single: bool = True


@inlined
def operate(mutation: SamArrays, program: Any, random: Any) -> None:
    """Make an offspring."""
    while True:
        gene = random.gene(program)
        program.change(gene, random)
        if program.is_active(gene):
            return
