"""A Python function, one statement per gate, for bits, for integers as words of rows, and for NumPy arrays.

`circuit(*inputs, mask=1)` returns one value, or a tuple if there are several outputs, as the function of
`Circuit.to_function` does. Bit r is row r; `mask` holds the bits that count: 1 for single bits and arrays
of them, `(1 << rows) - 1` for integers of many rows, `2**64 - 1` for arrays of uint64.

Parameters bear the inputs' labels as identifiers: other characters become _, keywords get _ behind them,
names then alike _2, _3, ...; INPUTS and OUTPUTS hold the labels as they are.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.formula import formula_without_not
from gatewalk.circuit.identifiers import identifier
from gatewalk.circuit.names import Used, distinct, gate_names

SUFFIXES = (".py",)
BINARY = False

read = None

_KEYWORDS = frozenset((*keyword.kwlist, *keyword.softkwlist, "circuit", "mask", "INPUTS", "OUTPUTS"))


def write(circuit: Circuit) -> str:
    """The circuit as a Python module with one function."""
    n = len(circuit.input_labels)
    spell = identifier(_KEYWORDS)
    used: Used = {}
    names = distinct(circuit.input_labels, spell, used)
    names += gate_names(circuit, spell, used)
    # Made of an input, a constant has the type and the shape of the others.
    zero = f"{names[0]} ^ {names[0]}" if n else "mask ^ mask"
    one = f"{names[0]} ^ {names[0]} ^ mask" if n else "mask"
    lines = [f"INPUTS = {_tuple(map(ascii, circuit.input_labels))}"]
    lines += [f"OUTPUTS = {_tuple(map(ascii, circuit.output_labels))}", "", ""]
    lines += [f"def circuit({', '.join([*names[:n], '*', 'mask=1'])}):"]
    lines += ['    """The outputs, bit r of each for row r; `mask` holds the bits that count."""']
    for i, node in enumerate(circuit.nodes):
        operands = [names[source] for source in node.sources]
        value = formula_without_not(node.gate, operands, zero=zero, one=one, ones="mask")
        lines.append(f"    {names[n + i]} = {value}")
    results = [f"{names[source]} & mask" for source in circuit.outputs]
    lines.append(f"    return {results[0] if len(results) == 1 else _tuple(results)}")
    return "\n".join([*lines, ""])


def _tuple(items: Iterable[str]) -> str:
    listed = list(items)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"
