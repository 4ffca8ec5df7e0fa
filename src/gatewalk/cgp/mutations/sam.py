"""Single active-gene mutation: SAM (Algorithm 3; Goldman and Punch 2013)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gatewalk.cgp.evaluators import is_active
from gatewalk.cgp.program import Changes, Program, change, hit
from gatewalk.cgp.slots import others_of
from gatewalk.errors import InputError
from gatewalk.native.jit import inlined
from gatewalk.native.stream import Registers, pick

USAGE = "sam"
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Sam(NamedTuple):
    """Change random genes until one that is active in the parent has changed.

    Whether it is enough to pick such a gene (`CgpLaw.sam_ends`) is encoded in the slots
    (`gatewalk.cgp.program`).
    """

    single: bool = True


def parse(strength: str | None) -> Sam:
    """`sam`, which takes no strength."""
    if strength is not None:
        raise InputError("sam takes no number")
    return Sam()


@inlined
def mutate(
    mutation: Sam, program: Program, evaluator: Any, state: Any, registers: Registers, observer: Any
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
