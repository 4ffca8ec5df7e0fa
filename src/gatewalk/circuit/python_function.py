"""A circuit as a Python function of whole numbers, compiled once: every bit is a row of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from gatewalk.circuit.circuit import Circuit, reached


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
    n, live = len(circuit.input_labels), reached(circuit)
    names = [f"v{source}" for source in range(n + len(circuit))]
    lines = [f"def circuit({', '.join([*names[:n], '*', 'mask=1'])}):"]
    for i, node in enumerate(circuit.nodes):
        if live[n + i]:
            term = _term(node.gate.table, node.gate.arity)
            lines.append(f"    {names[n + i]} = {term.format(*(names[source] for source in node.sources))}")
    results = [f"{names[source]} & mask" for source in circuit.outputs]
    lines.append(f"    return {results[0] if len(results) == 1 else '(' + ', '.join(results) + ')'}")
    made: dict[str, Any] = {}
    exec("\n".join(lines), {}, made)  # the text holds numbered names and operators only, no labels
    function: Callable[..., Any] = made["circuit"]
    return function


@cache
def _term(table: int, arity: int) -> str:
    """A formula of `{0}`, `{1}`, ... for a table, by Shannon's expansion about the last input."""
    if arity == 0:
        return "-1" if table else "0"
    half = 1 << (arity - 1)
    every = (1 << half) - 1
    low, high = table & every, table >> half
    x = f"{{{arity - 1}}}"
    if low == high:
        return _term(low, arity - 1)
    if (low, high) == (0, every):
        return x
    if (low, high) == (every, 0):
        return f"~{x}"
    if low == 0:
        return f"({x} & {_term(high, arity - 1)})"
    if high == 0:
        return f"({_term(low, arity - 1)} & ~{x})"
    if low == every:
        return f"(~{x} | {_term(high, arity - 1)})"
    if high == every:
        return f"({x} | {_term(low, arity - 1)})"
    if low == high ^ every:
        return f"({x} ^ {_term(low, arity - 1)})"
    return f"({x} & {_term(high, arity - 1)} | {_term(low, arity - 1)} & ~{x})"
