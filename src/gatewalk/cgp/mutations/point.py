"""Miller's point mutation: a fixed number of genes, drawn with replacement, get new values (Miller 1999)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gatewalk.cgp.evaluators import is_active
from gatewalk.cgp.large import Large
from gatewalk.cgp.program import Changes, Program, change, hit
from gatewalk.cgp.slots import gene_of, others_of
from gatewalk.cgp.small import Small
from gatewalk.errors import InputError
from gatewalk.native.jit import by_kind, inlined, internal
from gatewalk.native.stream import Registers, pick

USAGE = "point:K with K from 1 to 1,000,000 genes"
MOST_POINTS = 1_000_000
_ZERO = np.uint64(0)


class Point(NamedTuple):
    """Point mutation of so many genes."""

    points: int


def parse(strength: str | None) -> Point:
    """`point:3`: three genes."""
    if strength is None or not (strength.isascii() and strength.isdecimal()) or len(strength) > 9:
        raise InputError("point needs a whole number of genes, as in point:3")
    if not 1 <= int(strength) <= MOST_POINTS:
        raise InputError(f"point needs a number of genes from 1 to {MOST_POINTS:,}")
    return Point(int(strength))


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
    mutation: Point, program: Program, evaluator: Any, state: Any, registers: Registers, observer: Any
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
