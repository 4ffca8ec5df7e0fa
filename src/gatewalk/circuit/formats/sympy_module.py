"""SymPy: a Python file whose `outputs` holds every output as an expression of `sympy.logic`.

`inputs` is the list of symbols in order, `outputs` a dict from labels to expressions. Symbols have the labels
of the inputs, unchanged. Every gate is a variable of its own, so the file has about as many lines as the
circuit has gates; expressions written out in full could be much longer.
"""

from __future__ import annotations

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.formula import formula

SUFFIXES = (".sympy.py",)
BINARY = False

read = None


def write(circuit: Circuit) -> str:
    """The circuit as a Python file for SymPy."""
    n = len(circuit.input_labels)
    names = [*(f"x{i + 1}" for i in range(n)), *(f"g{i + 1}" for i in range(len(circuit)))]
    lines = ["from sympy import Symbol, false, true", ""]
    lines += [f"{name} = Symbol({label!a})" for name, label in zip(names, circuit.input_labels, strict=False)]
    lines += [f"inputs = [{', '.join(names[:n])}]", ""]
    for i, node in enumerate(circuit.nodes):
        operands = [names[source] for source in node.sources]
        lines.append(f"{names[n + i]} = {formula(node.gate, operands, zero='false', one='true')}")
    lines += ["outputs = {"]
    for label, source in zip(circuit.output_labels, circuit.outputs, strict=True):
        lines.append(f"    {label!a}: {names[source]},")
    return "\n".join([*lines, "}", ""])
