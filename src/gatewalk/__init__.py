"""Gatewalk: how long genetic programming takes to find a Boolean circuit, and the circuit.

>>> import gatewalk as gw
>>> run = gw.evolve("and:4", nodes=8, seed=1)
>>> run.solved
True
"""

from __future__ import annotations

TYPE_CHECKING = False  # the one of `typing`, without importing it: see `__main__`
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    # ruff: noqa: F401
    from typing import Any

    from gatewalk.boolean.gates import Gate, GateSet, gate, gate_set
    from gatewalk.boolean.targets import Target
    from gatewalk.circuit.circuit import Circuit
    from gatewalk.circuit.formats import read_file, write_file
    from gatewalk.circuit.own_target import target
    from gatewalk.errors import InputError
    from gatewalk.search.evolve import evolve, run_many
    from gatewalk.search.run import Run
    from gatewalk.search.runs import Runs
    from gatewalk.search.saving import restore, save
    from gatewalk.search.session import Session, advance, begin, result
    from gatewalk.search.settings import Settings, settings

    __version__: str

_HOME = {
    "Circuit": "circuit.circuit",
    "Gate": "boolean.gates",
    "GateSet": "boolean.gates",
    "InputError": "errors",
    "Run": "search.run",
    "Runs": "search.runs",
    "Session": "search.session",
    "Settings": "search.settings",
    "Target": "boolean.targets",
    "advance": "search.session",
    "begin": "search.session",
    "evolve": "search.evolve",
    "gate": "boolean.gates",
    "gate_set": "boolean.gates",
    "read_file": "circuit.formats",
    "restore": "search.saving",
    "result": "search.session",
    "run_many": "search.evolve",
    "save": "search.saving",
    "settings": "search.settings",
    "target": "circuit.own_target",
    "write_file": "circuit.formats",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that `import gatewalk` costs nothing."""
    from importlib import import_module

    value: Any
    if name == "__version__":
        value = _version()
    elif name in _HOME:
        value = getattr(import_module(f"gatewalk.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'gatewalk' has no attribute {name!r}")
    globals()[name] = value
    return value


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("gatewalk")
    except PackageNotFoundError:  # used from a source tree that was never installed
        return "0+unknown"


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
