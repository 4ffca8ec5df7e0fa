"""The complete truth table of a circuit as numbers, and a circuit made from such a table.

Bit r of a number is the output on row r, in which input i is bit i of r. A table becomes a circuit by
Shannon's expansion (C. E. Shannon, "The synthesis of two-terminal switching circuits", 1949) from the
last input down; equal parts are built once, so the circuit is no larger than the table's decision diagram.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections, table_numbers
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.circuit.cubes import named_table
from gatewalk.circuit.draft import Draft, add, constant, finished, negation
from gatewalk.errors import InputError

_MOST_WORDS = 1 << 24  # the most words that are evaluated at a time, of all gates together


def tables_of(circuit: Circuit, *, most_inputs: int, purpose: str) -> tuple[int, ...]:
    """The table of every output; an `InputError`, which names the purpose, if there are too many inputs."""
    n = len(circuit.input_labels)
    if n > most_inputs:
        raise InputError(
            f"{purpose} lists all rows, so Gatewalk writes at most {most_inputs} inputs, not {n}"
        )
    inputs = projections(n)
    words = np.empty((len(circuit.outputs), inputs.shape[1]), np.uint64)
    block = max(64, _MOST_WORDS // (1 + n + len(circuit)))
    for at in range(0, inputs.shape[1], block):
        words[:, at : at + block] = evaluate(circuit, inputs[:, at : at + block])
    return tuple(table_numbers(words, 1 << n))


def circuit_of_tables(
    tables: Sequence[int], input_labels: Sequence[str], output_labels: Sequence[str]
) -> Circuit:
    """A circuit of these truth tables, one per output."""
    n = len(input_labels)
    draft = Draft(n)
    known: dict[tuple[int, int], int] = {}
    outputs = [_add_table(draft, table, n, known) for table in tables]
    return finished(draft, input_labels, outputs, output_labels)


def _add_table(draft: Draft, table: int, n: int, known: dict[tuple[int, int], int]) -> int:
    """The source that computes a table of the first n inputs; the recursion is at most n deep."""
    while n and (halves := _halves(table, n))[0] == halves[1]:
        table, n = halves[0], n - 1  # the function does not depend on the last input
    if (n, table) not in known:
        known[n, table] = _new_table(draft, table, n, known)
    return known[n, table]


def _halves(table: int, n: int) -> tuple[int, int]:
    """The half of a table on which the last of n inputs is 0, and the half on which it is 1."""
    rows = 1 << (n - 1)
    return table & (1 << rows) - 1, table >> rows


def _new_table(draft: Draft, table: int, n: int, known: dict[tuple[int, int], int]) -> int:
    if n == 0:
        return constant(draft, table)
    support = [i for i in range(n) if _depends(table, n, i)] if n <= _SMALL else []
    if support:
        if len(support) == 1 and _restricted(table, support) == 0b10:
            return support[0]
        named = named_table(len(support), _restricted(table, support))
        if named is not None:
            return add(draft, named[0], [support[position] for position in named[1]])
    low, high = _halves(table, n)
    everything = (1 << (1 << (n - 1))) - 1
    select = n - 1
    if low == high ^ everything:
        if low in (0, everything):
            return select if low == 0 else negation(draft, select)
        return add(draft, GATES["xor"], (select, _add_table(draft, low, n - 1, known)))
    for part, other, zero, one in ((low, high, "and", "imply"), (high, low, "ncimply", "or")):
        if part in (0, everything):
            name = zero if part == 0 else one
            return add(draft, GATES[name], (select, _add_table(draft, other, n - 1, known)))
    sources = (select, _add_table(draft, low, n - 1, known), _add_table(draft, high, n - 1, known))
    return add(draft, GATES["mux"], sources)


_SMALL = 4  # tables of up to so many inputs are reduced to the inputs that they depend on


def _depends(table: int, n: int, i: int) -> bool:
    return any((table >> row ^ table >> (row | 1 << i)) & 1 for row in range(1 << n) if not row >> i & 1)


def _restricted(table: int, support: Sequence[int]) -> int:
    """The table over these inputs only; the others are 0."""
    found = 0
    for row in range(1 << len(support)):
        original = sum((row >> j & 1) << i for j, i in enumerate(support))
        found |= (table >> original & 1) << row
    return found
