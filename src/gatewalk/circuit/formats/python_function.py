"""A circuit as a Python function of whole numbers, in which every bit is a row, and as a file that holds one.

`circuit(*inputs, mask=1)` has one statement per gate and returns one value, or a tuple if there are several
outputs. Bit r is row r; `mask` holds the bits that count: 1 for single bits and arrays of them,
`(1 << rows) - 1` for integers of many rows, `2**64 - 1` for arrays of uint64.

The parameters are named after the inputs: other characters than letters, digits and _ become _, keywords get
a trailing _, and names that are then alike get _2, _3, ... INPUTS and OUTPUTS hold the labels unchanged.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from gatewalk.circuit.circuit import Circuit, needed
from gatewalk.circuit.files import Format
from gatewalk.circuit.labels import Spelling, Used, distinct, gate_names
from gatewalk.circuit.text import formula_without_not

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


def python_function(circuit: Circuit) -> Callable[..., Any]:
    """A function that takes a whole number for each input of a circuit.

    The function is `f(*inputs, mask=1)`. Bit r of a result is the output on row r, where the inputs are the
    bits r of the arguments; only the bits of `mask` are kept. So by default it takes single bits, with
    `mask = 2**64 - 1` 64 rows at a time, and with longer masks any number of rows. It returns a whole
    number, or a tuple of them if there are several outputs. Arrays of whole numbers work, too.

    >>> from gatewalk.boolean.gates import gate
    >>> from gatewalk.circuit.circuit import Node
    >>> nand = python_function(Circuit(("a", "b"), (Node(gate("nand"), (0, 1)),), (2,), ("y",)))
    >>> nand(1, 1)
    0
    >>> bin(nand(0b0101, 0b0011, mask=0b1111))
    '0b1110'
    """
    names = [f"v{source}" for source in range(len(circuit.input_labels) + len(circuit))]
    namespace: dict[str, Any] = {}
    # This is safe: the text consists of numbered names and operators only, without labels.
    exec("\n".join(function_lines(circuit, names)), {}, namespace)
    function: Callable[..., Any] = namespace["circuit"]
    return function


def function_lines(circuit: Circuit, names: Sequence[str]) -> list[str]:
    """The lines of a Python function `circuit(*inputs, mask=1)`, in which each source has a name."""
    n, is_needed = len(circuit.input_labels), needed(circuit)
    # A constant is computed from an input, so that it has the same type and shape.
    zero = f"{names[0]} ^ {names[0]}" if n else "mask ^ mask"
    one = f"{names[0]} ^ {names[0]} ^ mask" if n else "mask"
    lines = [f"def circuit({', '.join([*names[:n], '*', 'mask=1'])}):"]
    lines += ['    """The outputs, bit r of each for row r; `mask` holds the bits that count."""']
    for i, node in enumerate(circuit.nodes):
        if is_needed[n + i]:
            operands = [names[source] for source in node.sources]
            value = formula_without_not(node.gate, operands, zero=zero, one=one, ones="mask")
            lines.append(f"    {names[n + i]} = {value}")
    results = [f"{names[source]} & mask" for source in circuit.outputs]
    return [*lines, f"    return {results[0] if len(results) == 1 else tuple_text(results)}"]


def identifier(keywords: Collection[str]) -> Spelling:
    """A function that spells labels as identifiers: letters, digits and _, and none of the keywords.

    Other characters become _. A digit at the start gets a _ before it, a keyword a _ after it. Of several _
    at the start, which languages reserve, one is left; a label of _ only, or an empty one, becomes _x.
    """

    def spell(label: str) -> str:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", label)
        plain = re.sub(r"^_+", "_", plain)
        if plain in ("", "_"):
            plain = "_x"
        if plain[0].isdigit():
            plain = f"_{plain}"
        return f"{plain}_" if plain in keywords else plain

    return spell


def tuple_text(items: Iterable[str]) -> str:
    """A tuple as Python writes it."""
    listed = list(items)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


FORMATS = (Format(suffixes=(".py",), write=write),)
