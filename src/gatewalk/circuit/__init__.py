"""The artefact: circuits as functions, text, pictures and files; simplified, compared, priced.

>>> import gatewalk as gw
>>> from gatewalk.circuit import circuit_named, equivalent
>>> bool(equivalent(circuit_named("add:2"), gw.target("add:2")))
True
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.circuit.construction import circuit_named as circuit_named
    from gatewalk.circuit.equivalence import equivalent as equivalent

_HOME = {
    "circuit_named": "construction",
    "equivalent": "equivalence",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
