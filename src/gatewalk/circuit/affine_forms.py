"""Sums modulo two: which sources of a circuit are an exclusive or of inputs, and of which inputs.

SAT solvers cannot prove two trees of exclusive or gates over many inputs equal in any reasonable time
(A. Urquhart, "Hard examples for resolution", 1987); comparing the sums does so at once.
"""

from __future__ import annotations

from functools import cache

from gatewalk.boolean.gates import Gate, anf
from gatewalk.circuit.circuit import Circuit


def affine_forms(circuit: Circuit) -> list[int | None]:
    """For every source the set of inputs whose sum it is, as bits; None if its gates do not show that.

    Bit i stands for input i, and bit n, where n is the number of inputs, for the constant 1.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate
    >>> from gatewalk.circuit.circuit import Node
    >>> nodes = (Node(gate("xnor"), (0, 1)), Node(gate("xor"), (2, 1)), Node(gate("and"), (0, 1)))
    >>> [form and bin(form) for form in affine_forms(Circuit(("a", "b"), nodes, (3, 4), ("y", "z")))]
    ['0b1', '0b10', '0b111', '0b101', None]
    """
    n = len(circuit.input_labels)
    one = 1 << n
    forms: list[int | None] = [1 << i for i in range(n)]
    for node in circuit.nodes:
        terms = _terms(node.gate)
        total = None if terms is None else 0
        for position in terms or ():
            part = one if position is None else forms[node.sources[position]]
            total = None if total is None or part is None else total ^ part
        forms.append(total)
    return forms


@cache
def _terms(gate: Gate) -> tuple[int | None, ...] | None:
    """The inputs that a gate adds up, with None for the constant 1; no list if the gate is not a sum."""
    found: list[int | None] = []
    for monomial, coefficient in enumerate(anf(gate)):
        if coefficient:
            if monomial.bit_count() > 1:
                return None
            found.append(monomial.bit_length() - 1 if monomial else None)
    return tuple(found)
