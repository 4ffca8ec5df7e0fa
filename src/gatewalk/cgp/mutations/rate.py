"""Rate mutation: every gene gets a new value with the same probability p, independently.

There is no draw for every gene: the number of genes up to the next one that changes is drawn
(`gatewalk.native.draws`).
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from gatewalk.cgp.evaluators import is_active
from gatewalk.cgp.program import Changes, Program, change, hit
from gatewalk.cgp.slots import others_of
from gatewalk.errors import InputError
from gatewalk.native.draws import Gaps, gaps_of, next_gap
from gatewalk.native.jit import inlined
from gatewalk.native.stream import Registers, next_word

USAGE = "rate:P with 0 < P <= 1"
_NUMBER = r"[0-9]*\.?[0-9]+(e-?[0-9]+)?"
_ZERO, _ONE, _LOW = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFF)


class Rate(NamedTuple):
    """Rate mutation. gaps: the law of the distances between genes that change."""

    gaps: Gaps


def parse(strength: str | None) -> Rate:
    """`rate:0.05`: each gene with probability 0.05."""
    probability = float(strength) if re.fullmatch(_NUMBER, strength or "") else 0.0  # type: ignore[arg-type]
    if not 0.0 < probability <= 1.0:
        raise InputError("rate needs a probability P with 0 < P <= 1, as in rate:0.05")
    return Rate(gaps_of(probability))


@inlined
def mutate(
    mutation: Rate, program: Program, evaluator: Any, state: Any, registers: Registers, observer: Any
) -> tuple[Changes, Registers]:
    """Make an offspring; every gene that gets a new value is an elementary step."""
    touched = hits = steps = gene = _ZERO
    while True:
        left_out, changes, registers = next_gap(mutation.gaps, registers)
        gene += left_out
        if gene >= np.uint64(program.slots.size):
            return Changes(touched, hits, steps), registers
        if changes:
            slot = program.slots[gene]
            word, registers = next_word(registers)
            touched, registers = change(program, touched, slot, word & _LOW, registers, observer)
            steps += _ONE
            if is_active(evaluator, program, state, slot) and others_of(slot) != _ZERO:
                hits = hit(program, hits, slot)
            gene += _ONE
