"""Single active-gene mutation: SAM (Algorithm 3; Goldman and Punch 2013)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from gatewalk.cgp.evaluators import is_active
from gatewalk.cgp.program import Changes, Program, change, hit
from gatewalk.cgp.slots import others_of
from gatewalk.errors import InputError
from gatewalk.native.jit import inlined
from gatewalk.native.stream import Registers, pick

_ZERO, _ONE = np.uint64(0), np.uint64(1)


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
def mutate(
    mutation: SamArrays, program: Program, evaluator: Any, state: Any, registers: Registers, observer: Any
) -> tuple[Changes, Registers]:
    """Make an offspring; every turn of the loop is an elementary step."""
    touched = steps = _ZERO
    while True:
        choice, spare, registers = pick(registers, np.uint64(program.slots.size))
        slot = program.slots[choice]
        steps += _ONE
        touched, registers = change(program, touched, slot, spare, registers, observer)
        if is_active(evaluator, program, state, slot):
            hits = hit(program, _ZERO, slot) if others_of(slot) != _ZERO else _ZERO
            return Changes(touched, hits, steps), registers
