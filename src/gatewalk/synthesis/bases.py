"""Bases: the gate sets in which circuits are counted, by name.

`any` is what complexity theory calls B2, all gates of two inputs that read both (Knuth, TAOCP 7.1.2), and
`not`. `aig` is U2, those of them that are an AND with inputs and output negated at will: a circuit of so many
gates is an and/inverter graph of as many nodes, since negations on wires are free there.
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
