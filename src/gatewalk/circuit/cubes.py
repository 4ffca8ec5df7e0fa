"""A function of one output as a list of cubes, the way BLIF and PLA files write it, to and from gates.

A cube is a string over 0, 1 and -, one character per input. It contains the rows in which every input that is
not - has the value given. The list holds the cubes on which the function has a certain value, 0 or 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.draft import Draft, add, balanced, constant, negation

_WIDEST_GATE = max(gate.arity for gate in GATES.values())
_BY_TABLE = {(gate.arity, gate.table): gate for gate in reversed(GATES.values())}


@dataclass(frozen=True)
class Cubes:
    """Cubes over `inputs` inputs; the function is `value` on them and the opposite elsewhere."""

    inputs: int
    cubes: tuple[str, ...]
    value: int = 1


def holds(cube: str, row: int) -> bool:
    """Whether the row, in which input j is bit j, lies in the cube."""
    return all(sign == "-" or int(sign) == row >> j & 1 for j, sign in enumerate(cube))


def table_of(listed: Cubes) -> int:
    """The truth table as a number, whose bit r is the value on row r; for few inputs only."""
    rows = range(1 << listed.inputs)
    table = sum(1 << row for row in rows if any(holds(cube, row) for cube in listed.cubes))
    return table if listed.value else table ^ (1 << len(rows)) - 1


@cache
def cubes_of(gate: Gate) -> Cubes:
    """The gate's cubes, of which none can be left out, widest first."""
    if gate.arity and not gate.table:
        # Some programs refuse a table with inputs but no rows, or take it for undefined.
        return Cubes(gate.arity, ("-" * gate.arity,), 0)
    ones = {row for row in range(1 << gate.arity) if gate.table >> row & 1}
    cubes = {"".join(signs) for signs in product("-10", repeat=gate.arity)}
    rows_of = {cube: {row for row in range(1 << gate.arity) if holds(cube, row)} for cube in cubes}
    usable = [cube for cube in cubes if rows_of[cube] <= ones]
    chosen: list[str] = []
    for cube in sorted(usable, key=lambda cube: (-cube.count("-"), cube)):
        if not rows_of[cube] <= set().union(*(rows_of[other] for other in chosen)):
            chosen.append(cube)
    for cube in list(chosen):
        others = [other for other in chosen if other != cube]
        if rows_of[cube] <= set().union(*(rows_of[other] for other in others)):
            chosen = others
    return Cubes(gate.arity, tuple(chosen))


@cache
def named_table(inputs: int, table: int) -> tuple[Gate, tuple[int, ...]] | None:
    """The named gate with this truth table, and the input of the table that each of its inputs reads."""
    if inputs > _WIDEST_GATE:
        return None
    for order in permutations(range(inputs)):
        permuted = 0
        for row in range(1 << inputs):
            original = sum((row >> j & 1) << position for j, position in enumerate(order))
            permuted |= (table >> original & 1) << row
        gate = _BY_TABLE.get((inputs, permuted))
        if gate is not None:
            return gate, order
    return None


def named_gate(listed: Cubes) -> tuple[Gate, tuple[int, ...]] | None:
    """The named gate that the cubes describe, and the input of the cubes that each of its inputs reads."""
    if listed.inputs > _WIDEST_GATE:
        return None
    return named_table(listed.inputs, table_of(listed))


def add_cubes(draft: Draft, listed: Cubes, sources: Sequence[int]) -> int:
    """Add the function to a circuit, as one named gate or as a sum of products; returns its source."""
    named = named_gate(listed)
    if named is not None:
        gate, order = named
        return add(draft, gate, [sources[position] for position in order])
    products = []
    for cube in listed.cubes:
        literals = [
            source if sign == "1" else negation(draft, source)
            for sign, source in zip(cube, sources, strict=True)
            if sign != "-"
        ]
        if not literals:
            return constant(draft, listed.value)
        products.append(balanced(draft, GATES["and"], literals))
    if not products:
        return constant(draft, 1 - listed.value)
    total = balanced(draft, GATES["or"], products)
    return total if listed.value else negation(draft, total)
