"""A circuit as expressions of SymPy, with a symbol for each input."""

from __future__ import annotations

from typing import Any

from gatewalk.boolean.gates import Gate
from gatewalk.circuit.circuit import Circuit, reached
from gatewalk.extras import need


def sympy_expressions(circuit: Circuit) -> dict[str, Any]:
    """The expression of each output, by its name.

    The expressions are as the gates are, not simplified, and share their parts; `sympy.simplify_logic`
    goes further for few inputs.
    """
    need("sympy", "writing a circuit as SymPy expressions")
    from sympy import Symbol

    n, live = len(circuit.input_labels), reached(circuit)
    values: list[Any] = [Symbol(label) for label in circuit.input_labels]
    for i, node in enumerate(circuit.nodes):
        operands = [values[source] for source in node.sources]
        values.append(_expression(node.gate, operands) if live[n + i] else None)
    return {
        label: values[source] for label, source in zip(circuit.output_labels, circuit.outputs, strict=True)
    }


def _expression(gate: Gate, operands: list[Any]) -> Any:
    """SymPy's own function of that meaning if there is one, else Shannon's expansion about the last input."""
    from sympy import ITE, And, Not, Or, Xor, false, true

    rows = 1 << gate.arity
    every = (1 << rows) - 1
    if gate.table in (0, every):
        return true if gate.table else false
    conjunction, disjunction = 1 << (rows - 1), every ^ 1
    parity = sum((row.bit_count() & 1) << row for row in range(rows))
    # Left as they are, shared parts stay shared; but SymPy takes ~False, left as it is, for true.
    evaluate = any(operand in (true, false) for operand in operands)
    for function, table in ((And, conjunction), (Or, disjunction), (Xor, parity)):
        if gate.table in (table, table ^ every):
            made = operands[0] if gate.arity == 1 else function(*operands, evaluate=evaluate)
            return made if gate.table == table else Not(made, evaluate=evaluate)
    half = rows >> 1
    parts = (gate.table >> half, gate.table & (1 << half) - 1)
    high, low = (_expression(Gate("part", gate.arity - 1, part, ""), operands[:-1]) for part in parts)
    return high if high == low else ITE(operands[-1], high, low)
