"""A circuit as expressions of SymPy, with a symbol for each input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gatewalk.circuit.circuit import Circuit, reached
from gatewalk.circuit.formula import Term, term_of
from gatewalk.extras import need


def sympy_expressions(circuit: Circuit) -> dict[str, Any]:
    """The expression of each output, by its name.

    The expressions mirror the gates; they are not simplified, and share common parts. `sympy.simplify_logic`
    can simplify expressions of few inputs.
    """
    need("sympy", "writing a circuit as SymPy expressions")
    from sympy import Symbol

    n, live = len(circuit.input_labels), reached(circuit)
    values: list[Any] = [Symbol(label) for label in circuit.input_labels]
    for i, node in enumerate(circuit.nodes):
        operands = [values[source] for source in node.sources]
        values.append(_expression(term_of(node.gate), operands) if live[n + i] else None)
    return {
        label: values[source] for label, source in zip(circuit.output_labels, circuit.outputs, strict=True)
    }


def _expression(term: Term, operands: Sequence[Any]) -> Any:
    """The formula of a gate as a SymPy expression."""
    from sympy import And, Not, Or, Xor, false, true

    if term.sign == "x":
        return operands[term.operand]
    if not term.parts:
        return true if term.sign == "1" else false
    parts = [_expression(part, operands) for part in term.parts]
    # Unevaluated expressions keep their parts shared. But SymPy takes an unevaluated ~False for true.
    evaluate = any(part in (true, false) for part in parts)
    return {"~": Not, "&": And, "|": Or, "^": Xor}[term.sign](*parts, evaluate=evaluate)
