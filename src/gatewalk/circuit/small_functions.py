"""Functions of few inputs as tables in whole numbers: compose them, drop inputs, find a gate for them.

Bit r of a table is the value on row r, in which input j is bit j of r, as in `boolean/gates.py`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from gatewalk.boolean.gates import Gate

MOST_PINS = 4  # gates with more inputs are not tried: there are too many ways to connect them

# An operand of a composition: the number of a variable, or None for a constant, and whether it is
# negated; the constant is 0, or 1 if negated.
Operand = tuple[int | None, bool]
# How a gate computes a function: for each of its inputs the variable it reads.
Pins = tuple[int, ...]


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
def support(table: int, variables: int) -> tuple[int, ...]:
    """The variables on which the function depends."""
    needed = []
    for variable in range(variables):
        run = 1 << variable
        low = sum(1 << row for row in range(1 << variables) if not row & run)
        if (table >> run ^ table) & low:
            needed.append(variable)
    return tuple(needed)


@lru_cache(1 << 16)
def restricted(table: int, variables: int, kept: tuple[int, ...]) -> int:
    """The table over the kept variables only, the others being 0."""
    place = {variable: i for i, variable in enumerate(kept)}
    operands = tuple((place.get(variable), False) for variable in range(variables))
    return compose(table, operands, len(kept))


@lru_cache(1 << 16)
def pins_for(gate: Gate, table: int, variables: int) -> Pins | None:
    """The variable for each input of the gate such that it computes the function; None if it cannot.

    The function must depend on all its variables. Several inputs of the gate may read the same variable. For
    a constant function, all inputs of the gate read one variable, number 0.
    """
    if not variables <= gate.arity <= MOST_PINS:
        return None
    spread = max(1, variables)
    wanted = compose(table, tuple((v, False) for v in range(variables)), spread)
    for pins in product(range(spread), repeat=gate.arity):
        if variables and len(set(pins)) < variables:
            continue
        if compose(gate.table, tuple((pin, False) for pin in pins), spread) == wanted:
            return pins
    return None
