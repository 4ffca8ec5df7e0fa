"""Functions as tables in whole numbers: compose them, find and drop inputs, connect a gate to them.

Bit r of a table is the value on row r, in which input j is bit j of r, as in `boolean/gates.py`. A number has
no length of its own, so functions that need it are told the number of inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from gatewalk.boolean.gates import Gate

MOST_PINS = 4  # gates with more inputs are not tried: there are too many ways to connect them

# An operand of a composition: the number of a variable, or None for a constant, and whether it is
# negated; the constant is 0, or 1 if negated.
Operand = tuple[int | None, bool]
# How a gate computes a function: for each of its inputs the variable it reads.
Pins = tuple[int, ...]


@lru_cache(1 << 10)
def column(inputs: int, j: int) -> int:
    """The table of input j itself: 1 on the rows where it is 1."""
    run = 1 << j
    return sum((1 << run) - 1 << start + run for start in range(0, 1 << inputs, 2 * run))


def support(table: int, inputs: int, *, cares: int | None = None) -> tuple[int, ...]:
    """The inputs on which a function depends.

    For each of them there are two rows that differ in this input only and have different values. cares: the
    rows that count; both must be among them.

    >>> support(0b1010, 2), support(0b1010, 2, cares=0b0101)
    ((0,), ())
    """
    counted = -1 if cares is None else cares
    essential = []
    for j in range(inputs):
        run = 1 << j
        zeros = column(inputs, j) >> run  # the rows where input j is 0
        if (table ^ table >> run) & counted & counted >> run & zeros:
            essential.append(j)
    return tuple(essential)


def restricted(table: int, kept: Sequence[int]) -> int:
    """The table over the kept inputs only, in their order, with all others 0.

    If all inputs are kept, it is the table with its inputs in another order.
    """
    return _restricted(table, tuple(kept))


@lru_cache(1 << 16)
def _restricted(table: int, kept: tuple[int, ...]) -> int:
    small = 0
    for row in range(1 << len(kept)):
        original = sum((row >> k & 1) << j for k, j in enumerate(kept))
        small |= (table >> original & 1) << row
    return small


def exchanged(table: int, inputs: int, p: int, q: int) -> int:
    """The table with inputs p < q exchanged."""
    only_p = column(inputs, p) & ~column(inputs, q)
    shift = (1 << q) - (1 << p)
    stay = table & ~(only_p | only_p << shift)
    return stay | (table & only_p) << shift | table >> shift & only_p


def symmetric_pairs(tables: Iterable[int], inputs: int) -> tuple[tuple[int, int], ...]:
    """The pairs p < q of inputs whose exchange changes none of the tables."""
    listed = tuple(tables)
    return tuple(
        (p, q)
        for p in range(inputs)
        for q in range(p + 1, inputs)
        if all(exchanged(table, inputs, p, q) == table for table in listed)
    )


@lru_cache(1 << 16)
def compose(table: int, operands: tuple[Operand, ...], variables: int) -> int:
    """The table, over so many variables, of a function applied to these operands."""
    composed = 0
    for row in range(1 << variables):
        inner = 0
        for j, (variable, negated) in enumerate(operands):
            value = 0 if variable is None else row >> variable & 1
            inner |= (value ^ negated) << j
        composed |= (table >> inner & 1) << row
    return composed


@lru_cache(1 << 16)
def nested(table: int, parts: tuple[tuple[int, tuple[int, ...]], ...], variables: int) -> int:
    """The table of a function applied to functions; each part is a table and the variables that it reads."""
    columns = [compose(inner, tuple((v, False) for v in reads), variables) for inner, reads in parts]
    made = 0
    for row in range(1 << variables):
        values = sum((column >> row & 1) << j for j, column in enumerate(columns))
        made |= (table >> values & 1) << row
    return made


@lru_cache(1 << 16)
def pins_for(gate: Gate, table: int, variables: int) -> Pins | None:
    """The variable for each input of the gate such that it computes the function; None if it cannot.

    The function must depend on all its variables. Several inputs of the gate may read the same variable. For
    a constant function, all inputs of the gate read one variable, number 0.
    """
    if not variables <= gate.arity <= MOST_PINS:
        return None
    spread = max(1, variables)
    over_spread = compose(table, tuple((v, False) for v in range(variables)), spread)
    for pins in product(range(spread), repeat=gate.arity):
        if variables and len(set(pins)) < variables:
            continue
        if compose(gate.table, tuple((pin, False) for pin in pins), spread) == over_spread:
            return pins
    return None
