"""A Python function, one statement per gate, for bits, for integers as words of rows, and for NumPy arrays.

`circuit(*inputs, mask=1)` returns one value, or a tuple if there are several outputs, as the function of
`Circuit.to_function` does. Bit r is row r; `mask` holds the bits that count: 1 for single bits and arrays
of them, `(1 << rows) - 1` for integers of many rows, `2**64 - 1` for arrays of uint64.

The parameters are named after the inputs: other characters than letters, digits and _ become _, keywords get
a trailing _, and names that are then alike get _2, _3, ... INPUTS and OUTPUTS hold the labels unchanged.
"""

from __future__ import annotations

import keyword

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.identifiers import identifier
from gatewalk.circuit.names import Used, distinct, gate_names
from gatewalk.circuit.python_function import function_lines, tuple_text

SUFFIXES = (".py",)
BINARY = False

read = None

_KEYWORDS = frozenset((*keyword.kwlist, *keyword.softkwlist, "circuit", "mask", "INPUTS", "OUTPUTS"))


def write(circuit: Circuit) -> str:
    """The circuit as a Python module with one function."""
    spell = identifier(_KEYWORDS)
    used: Used = {}
    names = distinct(circuit.input_labels, spell, used)
    names += gate_names(circuit, spell, used)
    lines = [f"INPUTS = {tuple_text(map(ascii, circuit.input_labels))}"]
    lines += [f"OUTPUTS = {tuple_text(map(ascii, circuit.output_labels))}", "", ""]
    return "\n".join([*lines, *function_lines(circuit, names), ""])
