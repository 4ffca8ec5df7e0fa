"""A circuit as a compiled Python function of whole numbers, in which every bit is a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gatewalk.circuit.circuit import Circuit, reached
from gatewalk.circuit.formula import formula_without_not


def python_function(circuit: Circuit) -> Callable[..., Any]:
    """A function that takes a whole number for each input of a circuit.

    Parameters
    ----------
    circuit
        The circuit to compute.

    Returns
    -------
    A function `f(*inputs, mask=1)`. Bit r of a result is the output on row r, where the inputs are the
    bits r of the arguments; only the bits of `mask` are kept. So by default it takes single bits, with
    `mask = 2**64 - 1` 64 rows at a time, and with longer masks any number of rows. It returns a whole
    number, or a tuple of them if there are several outputs. Arrays of whole numbers work, too.

    Examples
    --------
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
    n, live = len(circuit.input_labels), reached(circuit)
    # A constant is computed from an input, so that it has the same type and shape.
    zero = f"{names[0]} ^ {names[0]}" if n else "mask ^ mask"
    one = f"{names[0]} ^ {names[0]} ^ mask" if n else "mask"
    lines = [f"def circuit({', '.join([*names[:n], '*', 'mask=1'])}):"]
    lines += ['    """The outputs, bit r of each for row r; `mask` holds the bits that count."""']
    for i, node in enumerate(circuit.nodes):
        if live[n + i]:
            operands = [names[source] for source in node.sources]
            value = formula_without_not(node.gate, operands, zero=zero, one=one, ones="mask")
            lines.append(f"    {names[n + i]} = {value}")
    results = [f"{names[source]} & mask" for source in circuit.outputs]
    return [*lines, f"    return {results[0] if len(results) == 1 else tuple_text(results)}"]


def tuple_text(items: Iterable[str]) -> str:
    """A tuple as Python writes it."""
    listed = list(items)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"
