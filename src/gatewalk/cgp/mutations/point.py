"""Miller's point mutation: a fixed number of genes, drawn with replacement, get new values (Miller 1999)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gatewalk.cgp.evaluators import is_active
from gatewalk.cgp.large import Large
from gatewalk.cgp.program import Changes, Program, change, hit
from gatewalk.cgp.slots import gene_of, others_of
from gatewalk.cgp.small import Small
from gatewalk.errors import InputError, whole_number
from gatewalk.native.jit import by_kind, inlined, internal
from gatewalk.native.stream import Registers, pick

MOST_POINTS = 1_000_000
_ZERO = np.uint64(0)


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


@internal
def _listed_once(program: Large, evaluator: Any, state: Any) -> np.uint64:
    """List the active genes that differ from the parent's, each once."""
    hits = _ZERO
    for number in range(program.slots.size):
        slot = program.slots[number]
        gene = gene_of(slot)
        if is_active(evaluator, program, state, slot) and program.genes[gene] != program.parent[gene]:
            hits = hit(program, hits, slot)
    return hits


@inlined
def _of_small(program: Small, evaluator: Any, state: Any, hits: np.uint64) -> np.uint64:
    return hits


@inlined
def _of_large(program: Large, evaluator: Any, state: Any, hits: np.uint64) -> np.uint64:
    return hits if hits <= np.uint64(program.hit.size) else _listed_once(program, evaluator, state)


_complete = by_kind({Small: _of_small, Large: _of_large})  # the hits, also if they were too many for the list


@inlined
def mutate(
    mutation: PointArrays, program: Program, evaluator: Any, state: Any, registers: Registers, observer: Any
) -> tuple[Changes, Registers]:
    """Make an offspring; every gene drawn is an elementary step."""
    touched = hits = _ZERO
    for _ in range(mutation.points):
        choice, spare, registers = pick(registers, np.uint64(program.slots.size))
        slot = program.slots[choice]
        touched, registers = change(program, touched, slot, spare, registers, observer)
        if is_active(evaluator, program, state, slot) and others_of(slot) != _ZERO:
            hits = hit(program, hits, slot)
    return Changes(touched, _complete(program, evaluator, state, hits), np.uint64(mutation.points)), registers
