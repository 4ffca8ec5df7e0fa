"""The mutations of Cartesian GP, a file each: `sam`, `point:K`, `rate:P`.

To add one, put a file into this folder; its name is the name of the mutation. It defines `USAGE`, which shows
users how to write it; a named tuple of its constants; `parse(strength)`, which makes that tuple from the text
after the colon (None if there is none); and `mutate`, which makes an offspring in a kernel. Its literal twin
goes into `reference/cgp.py`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, get_type_hints

from gatewalk.errors import InputError, shown
from gatewalk.native.jit import by_kind

MODULES: dict[str, ModuleType] = {
    module.name: import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)
}
_KINDS = {get_type_hints(module.parse)["return"]: module.mutate for module in MODULES.values()}

# mutate(mutation, program, evaluator, state, registers, observer) -> (Changes, Registers)
mutate: Any = by_kind(_KINDS)


def canonical(text: str) -> str:
    """The standard way to write a mutation, so that `rate:5e-2` and `rate:0.05` are the same setting.

    >>> canonical("point:03"), canonical("rate:5e-2")
    ('point:3', 'rate:0.05')
    """
    parse_mutation(text)
    name, colon, strength = text.partition(":")
    if not colon:
        return text
    return f"{name}:{int(strength) if strength.isdecimal() else float(strength)!r}"


def parse_mutation(text: str) -> Any:
    """The mutation that a text names, as the named tuple that kernels take.

    >>> parse_mutation("point:3")
    Point(points=3)
    """
    name, colon, strength = text.partition(":")
    if name not in MODULES:
        usages = [str(module.USAGE) for module in MODULES.values()]
        raise InputError(f"unknown mutation {shown(text)}; use {'; '.join(usages)}")
    try:
        return MODULES[name].parse(strength if colon else None)
    except InputError as error:
        raise InputError(f"mutation {shown(text)}: {error}; use {MODULES[name].USAGE}") from None
