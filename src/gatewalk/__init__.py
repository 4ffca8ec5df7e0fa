"""Gatewalk: how long genetic programming takes to find a Boolean circuit, and the circuit.

>>> import gatewalk as gw
>>> run = gw.evolve("and:4", nodes=8, seed=1)
>>> run.solved
True
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False  # stands in for that of `typing`: without the import, Ctrl-C is answered sooner
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.boolean.gates import Gate as Gate
    from gatewalk.boolean.gates import GateSet as GateSet
    from gatewalk.boolean.gates import gate as gate
    from gatewalk.boolean.gates import gate_set as gate_set
    from gatewalk.boolean.targets import Target as Target
    from gatewalk.circuit.circuit import Circuit as Circuit
    from gatewalk.circuit.files import read_file as read_file
    from gatewalk.circuit.files import write_file as write_file
    from gatewalk.circuit.own_targets import target as target
    from gatewalk.errors import InputError as InputError
    from gatewalk.search.evolve import evolve as evolve
    from gatewalk.search.evolve import run_many as run_many
    from gatewalk.search.runs import Run as Run
    from gatewalk.search.runs import Runs as Runs
    from gatewalk.search.saving import restore as restore
    from gatewalk.search.saving import save as save
    from gatewalk.search.session import Session as Session
    from gatewalk.search.session import advance as advance
    from gatewalk.search.session import begin as begin
    from gatewalk.search.session import result as result
    from gatewalk.search.settings import Settings as Settings
    from gatewalk.search.settings import settings as settings
    from gatewalk.synthesis.minimisation import Minimised as Minimised
    from gatewalk.synthesis.minimisation import minimise as minimise
    from gatewalk.version import __version__ as __version__

_HOME = {
    "Circuit": "circuit.circuit",
    "Gate": "boolean.gates",
    "GateSet": "boolean.gates",
    "InputError": "errors",
    "Minimised": "synthesis.minimisation",
    "Run": "search.runs",
    "Runs": "search.runs",
    "Session": "search.session",
    "Settings": "search.settings",
    "Target": "boolean.targets",
    "advance": "search.session",
    "begin": "search.session",
    "evolve": "search.evolve",
    "gate": "boolean.gates",
    "gate_set": "boolean.gates",
    "minimise": "synthesis.minimisation",
    "read_file": "circuit.files",
    "restore": "search.saving",
    "result": "search.session",
    "run_many": "search.evolve",
    "save": "search.saving",
    "settings": "search.settings",
    "target": "circuit.own_targets",
    "write_file": "circuit.files",
    "__version__": "version",
}
__all__ = sorted(name for name in _HOME if name != "__version__")
__getattr__, __dir__ = exports(__name__, _HOME)
