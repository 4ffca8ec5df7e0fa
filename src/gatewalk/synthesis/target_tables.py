"""The function of a target as whole numbers: the table of every output, and the rows on which it counts.

Bit r of a table is the value on row r, on which input j has the value of bit j of r, as everywhere in
Gatewalk.
"""

from __future__ import annotations

from dataclasses import dataclass

from gatewalk.boolean.tables import Words, masked, projections
from gatewalk.boolean.targets import Target
from gatewalk.circuit.own_target import target
from gatewalk.errors import InputError


@dataclass(frozen=True)
class TargetTables:
    """The tables of a function.

    values: for each output, the table; bits of rows that do not count are 0. cares: for each output, bit r
    says whether row r counts.
    """

    inputs: int
    values: tuple[int, ...]
    cares: tuple[int, ...]
    input_labels: tuple[str, ...]
    output_labels: tuple[str, ...]

    @property
    def rows(self) -> int:
        """The number of rows, counting or not."""
        return 1 << self.inputs

    @property
    def everything(self) -> int:
        """The table that is 1 on all rows."""
        return (1 << self.rows) - 1

    def is_complete(self, output: int) -> bool:
        """Whether all rows of the output count."""
        return self.cares[output] == self.everything


def target_tables(what: object, *, most_inputs: int, purpose: str) -> TargetTables:
    """The tables of anything that `gatewalk.target` takes: a name, a circuit, a function, a table, a target.

    More than `most_inputs` inputs raise `InputError`; `purpose` is the subject of its message.
    """
    function = target(what)
    if function.inputs > most_inputs:
        raise InputError(f"{purpose} takes at most {most_inputs} inputs, and there are {function.inputs}")
    columns = projections(function.inputs)
    every = (1 << (1 << function.inputs)) - 1
    values = _tables(function, function.evaluate(columns))
    cares = (
        (every,) * function.outputs if function.cares is None else _tables(function, function.cares(columns))
    )
    counted = tuple(value & care for value, care in zip(values, cares, strict=True))
    return TargetTables(function.inputs, counted, cares, function.input_labels, function.output_labels)


def _tables(function: Target, words: Words) -> tuple[int, ...]:
    rows = masked(words, 1 << function.inputs)
    return tuple(int.from_bytes(row.astype("<u8").tobytes(), "little") for row in rows)


def column(inputs: int, j: int) -> int:
    """The table of input j itself."""
    low = (1 << (1 << j)) - 1
    block = low << (1 << j)
    rows = 1 << inputs
    table = 0
    for start in range(0, rows, 2 << j):
        table |= block << start
    return table


def essential(wanted: TargetTables, output: int) -> tuple[int, ...]:
    """The inputs on which the output depends.

    For each of them there are two rows that count, differ in this input only, and have different values.
    """
    found = []
    value, care = wanted.values[output], wanted.cares[output]
    for j in range(wanted.inputs):
        low = wanted.everything & ~column(wanted.inputs, j)
        run = 1 << j
        if (value ^ value >> run) & care & care >> run & low:
            found.append(j)
    return tuple(found)


def symmetric_pairs(wanted: TargetTables) -> tuple[tuple[int, int], ...]:
    """The pairs p < q of inputs whose exchange changes neither an output nor which rows count."""
    return tuple(
        (p, q)
        for p in range(wanted.inputs)
        for q in range(p + 1, wanted.inputs)
        if all(exchanged(table, wanted.inputs, p, q) == table for table in (*wanted.values, *wanted.cares))
    )


def exchanged(table: int, inputs: int, p: int, q: int) -> int:
    """The table with inputs p < q exchanged."""
    only_p = column(inputs, p) & ~column(inputs, q)
    shift = (1 << q) - (1 << p)
    stay = table & ~(only_p | only_p << shift)
    return stay | (table & only_p) << shift | table >> shift & only_p
