"""The artefact: circuits as functions, text, pictures and files; simplified, compared, priced.

>>> import gatewalk as gw
>>> from gatewalk.circuit import circuit_named, matches
>>> bool(matches(circuit_named("add:2"), gw.target("add:2")))
True
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.circuit.construction import circuit_named as circuit_named
    from gatewalk.circuit.construction import target_circuit as target_circuit
    from gatewalk.circuit.cost import price as price
    from gatewalk.circuit.drawing.picture import write_picture as write_picture
    from gatewalk.circuit.drawing.schematic import schematic as schematic
    from gatewalk.circuit.drawing.svg import svg as svg
    from gatewalk.circuit.equivalence import equivalent as equivalent
    from gatewalk.circuit.equivalence import matches as matches
    from gatewalk.circuit.files import read_library as read_library
    from gatewalk.circuit.library import library_areas as library_areas
    from gatewalk.circuit.library import library_gates as library_gates
    from gatewalk.circuit.simplification import simplify as simplify

_HOME = {
    "circuit_named": "construction",
    "equivalent": "equivalence",
    "library_areas": "library",
    "library_gates": "library",
    "matches": "equivalence",
    "price": "cost",
    "read_library": "files",
    "schematic": "drawing.schematic",
    "simplify": "simplification",
    "svg": "drawing.svg",
    "target_circuit": "construction",
    "write_picture": "drawing.picture",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
