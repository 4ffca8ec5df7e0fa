"""The functions that a single gate of a set can compute.

A gate may read a source several times: nand(a, a) is a negation, and xor(a, a) is 0. A repertoire lists every
function that depends on all of its 0 to 3 operands and that one gate computes, with the gate that does it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from gatewalk.boolean.gates import Gate, GateSet, gate_set
from gatewalk.circuit.small_functions import compose, support
from gatewalk.errors import InputError, shown

MOST_OPERANDS = 3

Function = tuple[int, int]  # the number of operands, all of which matter, and the table
Way = tuple[Gate, tuple[int, ...]]  # a gate, and for each of its inputs the operand that it reads


@dataclass(frozen=True)
class Repertoire:
    """The functions of a gate set, each with the gate of fewest inputs that computes it."""

    ways: dict[Function, Way]

    def tables(self, operands: int) -> tuple[int, ...]:
        """The tables of all functions of so many operands, except the copy, which no circuit needs."""
        return tuple(
            sorted(table for count, table in self.ways if count == operands and (count, table) != (1, 0b10))
        )


@lru_cache(64)
def repertoire(gates: str | GateSet) -> Repertoire:
    """The repertoire of a gate set. Gates of more than three inputs raise `InputError`.

    Examples
    --------
    >>> repertoire("nand").ways[1, 0b01]
    (Gate(name='nand', arity=2, table=7, symbol='~(a & b)'), (0, 0))
    """
    listed = gate_set(gates) if isinstance(gates, str) else gates
    ways: dict[Function, Way] = {}
    for one in sorted(listed.gates, key=lambda gate: gate.arity):
        if one.arity > MOST_OPERANDS:
            raise InputError(
                f"gate {shown(one.name)} has {one.arity} inputs; "
                f"exact synthesis takes gates of at most {MOST_OPERANDS}"
            )
        for operands in range(one.arity + 1):
            for pins, table in _connected(one, operands):
                ways.setdefault((operands, table), (one, pins))
    return Repertoire(ways)


def _connected(gate: Gate, operands: int) -> Iterable[tuple[tuple[int, ...], int]]:
    """Every way to connect the gate to operands so that all of them matter, with the resulting table."""
    spread = max(1, operands)
    for pins in product(range(spread), repeat=gate.arity):
        table = compose(gate.table, tuple((pin, False) for pin in pins), spread)
        if len(support(table, spread)) == operands:
            yield pins, table if operands else table & 1


def has_free_negation(functions: Repertoire) -> bool:
    """Whether the set has a `not`, and negating an operand or the result of any gate gives a gate of the set.

    A circuit of such gates can be brought into normal form: every gate is 0 where all its operands are 0.
    """
    wide = [function for function in functions.ways if function[0] >= 2]
    return (1, 0b01) in functions.ways and all(
        negated in functions.ways for function in wide for negated in _negations(function)
    )


def _negations(function: Function) -> Iterable[Function]:
    operands, table = function
    yield operands, table ^ (1 << (1 << operands)) - 1
    for j in range(operands):
        yield operands, with_negations(table, operands, 1 << j, False)


def with_negations(table: int, operands: int, flips: int, result: bool) -> int:
    """The table after negating the operands in the bit set `flips`, and the result if `result`."""
    rows = 1 << operands
    found = sum((table >> (row ^ flips) & 1) << row for row in range(rows))
    return found ^ (1 << rows) - 1 if result else found


def absorbs(functions: Repertoire) -> bool:
    """Whether any gate that reads a and b = f(a, c) can be replaced by a gate that reads a and c.

    If so, no gate of a smallest circuit needs to read a source together with a gate that reads that source.
    The answer is used for sets with free negation and for gates of two inputs only.
    """
    binary = functions.tables(2)
    if functions.tables(3) or not has_free_negation(functions):
        return False
    for outer, inner in product(binary, binary):
        table = sum((outer >> ((row & 1) | (inner >> row & 1) << 1) & 1) << row for row in range(4))
        if len(support(table, 2)) == 2 and table not in binary:
            return False
    return True
