"""A circuit as a Python function of whole numbers, compiled once: every bit is a row of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from gatewalk.circuit.circuit import Circuit, reached
from gatewalk.circuit.formula import formula_without_not


def python_function(circuit: Circuit) -> Callable[..., Any]:
    """A function of as many whole numbers as there are inputs.

    Parameters
    ----------
    circuit
        What the function computes.

    Returns
    -------
    A function `f(*inputs, mask=1)`. Bit r of its results is the value on row r, for which bit r
    of each argument is the input; only the bits of `mask` are kept. So it takes single bits as it
    is, and with `mask = 2**64 - 1` 64 rows at a time, or any number of them. It returns a whole
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
    made: dict[str, Any] = {}
    # The text holds numbered names and operators only, no labels.
    exec("\n".join(function_lines(circuit, names)), {}, made)
    function: Callable[..., Any] = made["circuit"]
    return function


def function_lines(circuit: Circuit, names: Sequence[str]) -> list[str]:
    """The lines of a Python function `circuit(*inputs, mask=1)`, in which each source has a name."""
    n, live = len(circuit.input_labels), reached(circuit)
    # Made of an input, a constant has the type and the shape of the others.
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
