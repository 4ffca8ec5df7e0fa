"""Covers: a function as a list of cubes, the way BLIF and PLA files write it, to and from gates.

A cube is a string over 0, 1 and -, one character per input, and holds where every input that is
not - has that value. A cover lists the cubes on which the function has the cover's value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from gatewalk.boolean.gates import GATES, Gate

Add = Callable[[Gate, tuple[int, ...]], int]  # puts a gate into a circuit and tells its source number

_WIDEST_GATE = max(gate.arity for gate in GATES.values())
_BY_TABLE = {(gate.arity, gate.table): gate for gate in reversed(GATES.values())}


@dataclass(frozen=True)
class Cover:
    """Cubes over `inputs` inputs; the function is `value` on them and the opposite elsewhere."""

    inputs: int
    cubes: tuple[str, ...]
    value: int = 1


def holds(cube: str, row: int) -> bool:
    """Whether the row, input j its bit j, lies in the cube."""
    return all(sign == "-" or int(sign) == row >> j & 1 for j, sign in enumerate(cube))


def table_of(cover: Cover) -> int:
    """The truth table as a number, bit r its value on row r; for few inputs only."""
    rows = range(1 << cover.inputs)
    listed = sum(1 << row for row in rows if any(holds(cube, row) for cube in cover.cubes))
    return listed if cover.value else listed ^ (1 << len(rows)) - 1


def cover_of(gate: Gate) -> Cover:
    """A cover of the gate from which no cube can be left out, widest cubes first."""
    if gate.arity and not gate.table:
        # Some programs take a table of inputs without rows for undefined, or refuse it.
        return Cover(gate.arity, ("-" * gate.arity,), 0)
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
    return Cover(gate.arity, tuple(chosen))


def named_gate(cover: Cover) -> tuple[Gate, tuple[int, ...]] | None:
    """The named gate that a cover is, and which of the cover's inputs its own inputs are."""
    if cover.inputs > _WIDEST_GATE:
        return None
    table = table_of(cover)
    for order in permutations(range(cover.inputs)):
        permuted = 0
        for row in range(1 << cover.inputs):
            original = sum((row >> j & 1) << position for j, position in enumerate(order))
            permuted |= (table >> original & 1) << row
        gate = _BY_TABLE.get((cover.inputs, permuted))
        if gate is not None:
            return gate, order
    return None


def add_cover(cover: Cover, sources: Sequence[int], add: Add, negations: dict[int, int]) -> int:
    """Put a cover's function into a circuit: as one named gate or as a sum of products.

    `negations` remembers the not gates already there, so that covers share them.
    """
    named = named_gate(cover)
    if named is not None:
        gate, order = named
        return add(gate, tuple(sources[position] for position in order))

    def literal(sign: str, source: int) -> int:
        if sign == "1":
            return source
        if source not in negations:
            negations[source] = add(GATES["not"], (source,))
        return negations[source]

    products = []
    for cube in cover.cubes:
        literals = [literal(sign, source) for sign, source in zip(cube, sources, strict=True) if sign != "-"]
        if not literals:
            return add(GATES["const1" if cover.value else "const0"], ())
        products.append(_balanced(GATES["and"], literals, add))
    if not products:
        return add(GATES["const0" if cover.value else "const1"], ())
    total = _balanced(GATES["or"], products, add)
    return total if cover.value else literal("0", total)


def _balanced(gate: Gate, sources: list[int], add: Add) -> int:
    while len(sources) > 1:
        pairs = [add(gate, (a, b)) for a, b in zip(sources[::2], sources[1::2], strict=False)]
        sources = pairs + sources[2 * len(pairs) :]
    return sources[0]
