"""SymPy: a circuit as expressions of `sympy.logic`, and a Python file whose `outputs` holds them.

In the file, `inputs` is the list of symbols in order, `outputs` a dict from labels to expressions. Symbols
have the labels of the inputs, unchanged. Every gate is a variable of its own, so the file has about as many
lines as the circuit has gates; expressions written out in full could be much longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gatewalk.circuit.circuit import Circuit, needed
from gatewalk.circuit.files import Format
from gatewalk.circuit.text import Term, gate_formula, term_of
from gatewalk.extras import need


def sympy_expressions(circuit: Circuit) -> dict[str, Any]:
    """The expression of each output, by its name.

    The expressions mirror the gates; they are not simplified, and share common parts. `sympy.simplify_logic`
    can simplify expressions of few inputs.
    """
    need("sympy", "writing a circuit as SymPy expressions")
    from sympy import Symbol

    n, is_needed = len(circuit.input_labels), needed(circuit)
    values: list[Any] = [Symbol(label) for label in circuit.input_labels]
    for i, node in enumerate(circuit.nodes):
        operands = [values[source] for source in node.sources]
        values.append(_expression(term_of(node.gate), operands) if is_needed[n + i] else None)
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


def write(circuit: Circuit) -> str:
    """The circuit as a Python file for SymPy."""
    n = len(circuit.input_labels)
    names = [*(f"x{i + 1}" for i in range(n)), *(f"g{i + 1}" for i in range(len(circuit)))]
    lines = ["from sympy import Symbol, false, true", ""]
    lines += [f"{name} = Symbol({label!a})" for name, label in zip(names, circuit.input_labels, strict=False)]
    lines += [f"inputs = [{', '.join(names[:n])}]", ""]
    for i, node in enumerate(circuit.nodes):
        operands = [names[source] for source in node.sources]
        lines.append(f"{names[n + i]} = {gate_formula(node.gate, operands, zero='false', one='true')}")
    lines += ["outputs = {"]
    for label, source in zip(circuit.output_labels, circuit.outputs, strict=True):
        lines.append(f"    {label!a}: {names[source]},")
    return "\n".join([*lines, "}", ""])


FORMATS = (Format(suffixes=(".sympy.py",), write=write),)
