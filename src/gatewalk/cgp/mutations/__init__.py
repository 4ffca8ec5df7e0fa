"""The mutations of Cartesian GP, a file each: `sam`, `point:K`, `rate:P`.

To add one, put a file into this folder; its name is the name of the mutation. It defines a frozen dataclass
of the same name with a capital, a `Mutation` (`gatewalk.cgp.cgp_search`), which is what users write and what
determines a run; the named tuple that its `arrays` returns; and `mutate`, which makes an offspring in a
kernel. Its literal twin goes into `reference/cgp.py`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_type_hints

from gatewalk.cgp.cgp_search import Mutation
from gatewalk.errors import InputError, shown
from gatewalk.native.jit import by_kind

_MODULES = {module.name: import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)}
MUTATIONS = {name: getattr(module, name.capitalize()) for name, module in _MODULES.items()}

# mutate(arrays, program, evaluator, state, registers, observer) -> (Changes, Registers)
mutate: Any = by_kind(
    {
        get_type_hints(MUTATIONS[name].arrays, vars(module))["return"]: module.mutate
        for name, module in _MODULES.items()
    }
)


def mutation_from_text(text: str) -> Mutation:
    """The mutation that a text names.

    >>> mutation_from_text("point:03")
    Point(genes=3)
    """
    name, colon, strength = text.partition(":")
    if name not in MUTATIONS:
        usages = [kind.usage for kind in MUTATIONS.values()]
        raise InputError(f"unknown mutation {shown(text)}; use {'; '.join(usages)}")
    kind = MUTATIONS[name]
    try:
        mutation: Mutation = kind.read(strength if colon else None)
    except InputError as error:
        raise InputError(f"mutation {shown(text)}: {error}; use {kind.usage}") from None
    return mutation
