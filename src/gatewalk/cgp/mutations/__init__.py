"""The mutations of Cartesian GP, a file each: `sam`, `point:K`, `rate:P`.

To add one, put a file into this folder; its name is the name of the mutation. It defines a frozen dataclass
of the same name with a capital, a `Mutation` (`gatewalk.cgp.cgp_search`), which is what users write and what
determines a run; the named tuple that its `arrays` returns; and `operate`, which makes an offspring in a
kernel, in the form in which users write mutations (`docs/reference/operators.md`). Its literal twin goes into
`reference/cgp.py`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_type_hints

import numpy as np

from gatewalk.cgp.cgp_search import Mutation
from gatewalk.cgp.operands import (
    NOTHING_DONE,
    changes_of,
    hold_random,
    hold_record,
    offspring_of,
    random_words,
    registers_of,
)
from gatewalk.cgp.program import Changes, Program
from gatewalk.errors import InputError, shown
from gatewalk.native.jit import by_kind, inlined
from gatewalk.native.stream import Registers

_MODULES = {module.name: import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)}
MUTATIONS = {name: getattr(module, name.capitalize()) for name, module in _MODULES.items()}

# The part of each kind: operate(arrays, program, random), with `program` and `random` of `cgp.operands`. The
# mutations that users write join them (`cgp.operators`).
PARTS = {
    get_type_hints(MUTATIONS[name].arrays, vars(module))["return"]: module.operate
    for name, module in _MODULES.items()
}
_operate: Any = by_kind(PARTS)


@inlined
def mutate(
    mutation: Any, program: Program, evaluator: Any, state: Any, registers: Registers, observer: Any
) -> tuple[Changes, Registers]:
    """Make an offspring; every change of a gene is an elementary step."""
    random = hold_random(random_words(registers, np.uint64(program.slots.size)))
    offspring = offspring_of(program, evaluator, state, observer, hold_record(NOTHING_DONE))
    _operate(mutation, offspring, random)
    return changes_of(offspring), registers_of(random)


def mutation_from_text(text: str) -> Mutation:
    """The mutation that a text names.

    >>> mutation_from_text("point:03")
    Point(genes=3)
    """
    name, colon, strength = text.partition(":")
    if name not in MUTATIONS:
        usages = [kind.usage for kind in MUTATIONS.values()]
        raise InputError(f"unknown mutation {shown(text)}; use {'; '.join([*usages, 'FILE:NAME'])}")
    kind = MUTATIONS[name]
    try:
        mutation: Mutation = kind.read(strength if colon else None)
    except InputError as error:
        raise InputError(f"mutation {shown(text)}: {error}; use {kind.usage}") from None
    return mutation
