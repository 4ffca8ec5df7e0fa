"""The selections in a kernel: whether the best offspring of a generation becomes the parent.

A selection is a named tuple with the number of offspring of a generation; the loop is compiled for its type.
Strict selection takes fitter offspring only. The others are asked whenever the best offspring is not worse
than the parent: `settle`. The selections that users write join them (`cgp.operators`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gatewalk.cgp.operands import hold_random, random_words, registers_of
from gatewalk.cgp.program import Program
from gatewalk.native.jit import by_kind, inlined
from gatewalk.native.stream import Registers, below


class OneOffspring(NamedTuple):
    """Selection with one offspring a generation. coin_ties: the parent is uniform among the best."""

    strict: bool
    coin_ties: bool
    offspring: int


class SeveralOffspring(NamedTuple):
    """Selection with several offspring a generation; the fields are those of `OneOffspring`."""

    strict: bool
    coin_ties: bool
    offspring: int


class TiesOfOne(NamedTuple):
    """The selection `ties:P` with one offspring a generation. chance: P."""

    strict: bool
    offspring: int
    chance: float


class TiesOfSeveral(NamedTuple):
    """The selection `ties:P` with several offspring a generation."""

    strict: bool
    offspring: int
    chance: float


Rule = Any  # one of the types above, or that of a selection that a user wrote


@inlined
def _never(rule: Rule) -> bool:
    return False


@inlined
def _always(rule: Rule) -> bool:
    return True


@inlined
def _settle(
    rule: Rule, program: Program, parent: np.int64, best: np.int64, equals: np.uint64, registers: Registers
) -> tuple[bool, Registers]:
    wins = True
    if best == parent and rule.coin_ties:
        choice, registers = below(registers, equals + np.uint64(1))
        wins = choice != np.uint64(0)
    return wins, registers


@inlined
def _ties(rule: Rule, parent: np.int64, offspring: np.int64, random: Any) -> bool:
    return bool(offspring < parent or random.chance(rule.chance))


# The selections that are functions: accepts(rule, parent, offspring, random) -> bool.
ACCEPTS: dict[type, Any] = {TiesOfOne: _ties, TiesOfSeveral: _ties}
_accepts: Any = by_kind(ACCEPTS)


@inlined
def _settle_by_function(
    rule: Rule, program: Program, parent: np.int64, best: np.int64, equals: np.uint64, registers: Registers
) -> tuple[bool, Registers]:
    random = hold_random(random_words(registers, np.uint64(program.slots.size)))
    accepted = bool(_accepts(rule, parent, best, random))
    return accepted, registers_of(random)


_IS_SEVERAL: dict[type, Any] = {
    OneOffspring: _never,
    SeveralOffspring: _always,
    TiesOfOne: _never,
    TiesOfSeveral: _always,
}
_SETTLE: dict[type, Any] = {
    OneOffspring: _settle,
    SeveralOffspring: _settle,
    TiesOfOne: _settle_by_function,
    TiesOfSeveral: _settle_by_function,
}
# is_several(rule) -> bool: a constant to the compiler.
is_several: Callable[[Rule], bool] = by_kind(_IS_SEVERAL)
# settle(rule, program, parent, best, equals, registers) -> (bool, Registers): whether the best offspring,
# which is one of `equals` equally good ones and not worse than the parent, becomes the parent.
settle: Any = by_kind(_SETTLE)


def register(one: type, several: type, accepts: Any) -> None:
    """Register the types of a selection for one and for several offspring, and the part that is asked."""
    ACCEPTS[one] = ACCEPTS[several] = accepts
    _IS_SEVERAL.update({one: _never, several: _always})
    _SETTLE[one] = _SETTLE[several] = _settle_by_function
