"""Gatewalk: how long genetic programming takes to find a Boolean circuit, and the circuit.

>>> import gatewalk as gw
>>> run = gw.evolve("and:4", nodes=8, seed=1)
>>> run.solved
True
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    # ruff: noqa: F401
    from gatewalk.boolean.gates import GateSet, gate_set
    from gatewalk.boolean.targets import Target, target
    from gatewalk.circuit.circuit import Circuit
    from gatewalk.circuit.formats import read_file, write_file
    from gatewalk.errors import InputError
    from gatewalk.search.evolve import evolve, run_many
    from gatewalk.search.run import Run
    from gatewalk.search.runs import Runs
    from gatewalk.search.saving import restore, save
    from gatewalk.search.session import Session, advance, begin, result
    from gatewalk.search.settings import Settings, settings

_HOME = {
    "Circuit": "circuit.circuit",
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
    "gate_set": "boolean.gates",
    "read_file": "circuit.formats",
    "restore": "search.saving",
    "result": "search.session",
    "run_many": "search.evolve",
    "save": "search.saving",
    "settings": "search.settings",
    "target": "boolean.targets",
    "write_file": "circuit.formats",
}
__all__ = sorted(_HOME)

try:
    __version__ = version("gatewalk")
except PackageNotFoundError:  # used from a source tree that was never installed
    __version__ = "0+unknown"


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that `import gatewalk` costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'gatewalk' has no attribute {name!r}")
    value = getattr(import_module(f"gatewalk.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
