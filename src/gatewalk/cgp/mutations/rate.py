"""Rate mutation: every gene gets a new value with the same probability p, independently.

Not every gene is asked: how many are left out before the next one that changes is geometric, and drawn
directly. A word w is held against the thresholds t[k] = 2^64 (1 - (1-p)^(k+1)), rounded down: the number of
thresholds that are not above it is the number of genes left out. After the last threshold nothing is decided
about the genes that follow, so the next word goes on from there. The thresholds are computed in whole
numbers, so that a run is the same on every machine; rounding changes a probability by at most 2^-64.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.judging import is_active
from gatewalk.cgp.program import Changes, Program, change, hit
from gatewalk.cgp.slots import others_of
from gatewalk.errors import InputError
from gatewalk.native.jit import inlined
from gatewalk.native.registers import Registers, next_word

USAGE = "rate:P with 0 < P <= 1"
MOST_THRESHOLDS = 4096
_NUMBER = r"[0-9]*\.?[0-9]+(e-?[0-9]+)?"
_BITS = 256  # of a number in fixed point
_GUIDES = 256  # by the highest byte of a word: where among the thresholds to begin
_ZERO, _ONE, _LOW = np.uint64(0), np.uint64(1), np.uint64(0xFFFFFFFF)
_TOP_BYTE = np.uint64(56)


class Rate(NamedTuple):
    """thresholds: see the module. guide[b]: how many of them are not above the words with first byte b."""

    thresholds: NDArray[np.uint64]
    guide: NDArray[np.uint64]


def parse(strength: str | None) -> Rate:
    """`rate:0.05`: each gene with probability 0.05."""
    probability = float(strength) if re.fullmatch(_NUMBER, strength or "") else 0.0  # type: ignore[arg-type]
    if not 0.0 < probability <= 1.0:
        raise InputError("rate needs a probability P with 0 < P <= 1, as in rate:0.05")
    return rate_of(probability)


@lru_cache(maxsize=16)
def rate_of(probability: float) -> Rate:
    """The thresholds of a probability, in fixed point."""
    exact = Fraction(probability)
    stays = ((exact.denominator - exact.numerator) << _BITS) // exact.denominator
    thresholds: list[int] = []
    power = 1 << _BITS
    while len(thresholds) < MOST_THRESHOLDS:
        power = (power * stays) >> _BITS
        threshold = min((1 << 64) + (-power >> (_BITS - 64)), (1 << 64) - 1)
        if thresholds and threshold == thresholds[-1]:
            break
        thresholds.append(threshold)
    guide = np.searchsorted(np.array(thresholds, dtype=np.uint64), _first_words(), side="right")
    return Rate(np.array(thresholds, dtype=np.uint64), guide.astype(np.uint64))


def _first_words() -> NDArray[np.uint64]:
    return np.arange(_GUIDES, dtype=np.uint64) << _TOP_BYTE


@inlined
def mutate(
    mutation: Rate, program: Program, judge: Any, state: Any, registers: Registers, observer: Any
) -> tuple[Changes, Registers]:
    """Make an offspring; every gene that gets a new value is an elementary step."""
    touched = hits = steps = _ZERO
    thresholds, end = mutation.thresholds, np.uint64(program.slots.size)
    gene = _ZERO
    while True:
        word, registers = next_word(registers)
        left_out = mutation.guide[word >> _TOP_BYTE]
        while left_out < np.uint64(thresholds.size) and word >= thresholds[left_out]:
            left_out += _ONE
        gene += left_out
        if gene >= end:
            return Changes(touched, hits, steps), registers
        if left_out < np.uint64(thresholds.size):
            slot = program.slots[gene]
            word, registers = next_word(registers)
            touched, registers = change(program, touched, slot, word & _LOW, registers, observer)
            steps += _ONE
            if is_active(judge, program, state, slot) and others_of(slot) != _ZERO:
                hits = hit(program, hits, slot)
            gene += _ONE
