"""Named gate sets ("bases") in which the size of a circuit is measured.

`any` is B2 of complexity theory, all gates that depend on both of their two inputs (Knuth, TAOCP 7.1.2),
together with `not`. `aig` is U2: the gates that are an AND whose inputs and output may be negated. A circuit
of g such gates is an and-inverter graph of g nodes, because negations on wires are free there.
"""

from __future__ import annotations

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.circuit.named import gates_named

AND_LIKE = ("and", "or", "nand", "nor", "nimply", "ncimply", "imply", "cimply")
BASES: dict[str, tuple[str, ...]] = {
    "any": (*AND_LIKE, "xor", "xnor", "not"),
    "aig": AND_LIKE,
}


def basis(gates: str | GateSet) -> GateSet:
    """The gates that a circuit may use, by name.

    Parameters
    ----------
    gates
        "any", "aig" or another named basis, a list of gates, or the path of a .genlib file.

    Returns
    -------
    GateSet
        The gates.

    Examples
    --------
    >>> len(basis("any")), basis("and,or").names
    (11, ('and', 'or'))
    """
    if isinstance(gates, GateSet):
        return gates
    named = BASES.get(gates.strip().lower())
    return gates_named(gates) if named is None else gate_set(named)
