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
    from gatewalk.boolean.families import target_family as target_family
    from gatewalk.boolean.gates import Gate as Gate
    from gatewalk.boolean.gates import GateSet as GateSet
    from gatewalk.boolean.gates import gate as gate
    from gatewalk.boolean.gates import gate_set as gate_set
    from gatewalk.boolean.targets import Target as Target
    from gatewalk.boolean.training import Sample as Sample
    from gatewalk.campaign.comparing import compare as compare
    from gatewalk.cgp.cgp_search import CgpSearch as CgpSearch
    from gatewalk.cgp.cgp_search import Ties as Ties
    from gatewalk.cgp.mutations.point import Point as Point
    from gatewalk.cgp.mutations.rate import Rate as Rate
    from gatewalk.cgp.mutations.sam import Sam as Sam
    from gatewalk.circuit.circuit import Circuit as Circuit
    from gatewalk.circuit.files import read_file as read_file
    from gatewalk.circuit.files import write_file as write_file
    from gatewalk.circuit.own_targets import target as target
    from gatewalk.errors import InputError as InputError
    from gatewalk.search.asking import ask as ask
    from gatewalk.search.asking import tell as tell
    from gatewalk.search.evolve import evolve as evolve
    from gatewalk.search.evolve import run_many as run_many
    from gatewalk.search.options import search_for as search_for
    from gatewalk.search.options import settings as settings
    from gatewalk.search.own_observers import observer as observer
    from gatewalk.search.own_operators import check_operator as check_operator
    from gatewalk.search.own_operators import mutation as mutation
    from gatewalk.search.own_operators import selection as selection
    from gatewalk.search.runs import Run as Run
    from gatewalk.search.runs import Runs as Runs
    from gatewalk.search.saving import restore as restore
    from gatewalk.search.saving import save as save
    from gatewalk.search.session import Session as Session
    from gatewalk.search.session import advance as advance
    from gatewalk.search.session import begin as begin
    from gatewalk.search.session import result as result
    from gatewalk.synthesis.minimisation import minimise as minimise
    from gatewalk.tgp.tgp_search import TgpSearch as TgpSearch
    from gatewalk.version import __version__ as __version__

_HOME = {
    "CgpSearch": "cgp.cgp_search",
    "Circuit": "circuit.circuit",
    "Gate": "boolean.gates",
    "GateSet": "boolean.gates",
    "InputError": "errors",
    "Point": "cgp.mutations.point",
    "Rate": "cgp.mutations.rate",
    "Run": "search.runs",
    "Runs": "search.runs",
    "Sam": "cgp.mutations.sam",
    "Sample": "boolean.training",
    "Session": "search.session",
    "Target": "boolean.targets",
    "Ties": "cgp.cgp_search",
    "TgpSearch": "tgp.tgp_search",
    "advance": "search.session",
    "ask": "search.asking",
    "begin": "search.session",
    "check_operator": "search.own_operators",
    "compare": "campaign.comparing",
    "evolve": "search.evolve",
    "gate": "boolean.gates",
    "gate_set": "boolean.gates",
    "minimise": "synthesis.minimisation",
    "mutation": "search.own_operators",
    "observer": "search.own_observers",
    "read_file": "circuit.files",
    "restore": "search.saving",
    "result": "search.session",
    "run_many": "search.evolve",
    "save": "search.saving",
    "search_for": "search.options",
    "selection": "search.own_operators",
    "settings": "search.options",
    "target": "circuit.own_targets",
    "target_family": "boolean.families",
    "tell": "search.asking",
    "write_file": "circuit.files",
    "__version__": "version",
}
__all__ = sorted(name for name in _HOME if name != "__version__")
__getattr__, __dir__ = exports(__name__, _HOME)
