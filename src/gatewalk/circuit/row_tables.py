"""Truth tables as rows under named columns, as spreadsheets and data frames hold them (CSV, Parquet).

Columns named y, out or output, alone or with a number as in y1, out_2 or Y[0], are outputs, and all others
are inputs; or else a column named | stands between the inputs and the outputs, whatever these are called. A
cell is 0 or 1, also written 0.0, 1.0, false or true, or it is - : for an input, that the row stands for both
of its values; for an output, that the row says nothing about it. What no row says does not count. Two rows
that say different things of one output are refused. So the rows are a cover of type fr (`covers.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from gatewalk.boolean.tables import table_numbers
from gatewalk.circuit.circuit import LARGEST_TABLE, Circuit, truth_table
from gatewalk.circuit.construction import circuit_of_tables
from gatewalk.circuit.covers import Cover, check_consistency, complete_tables, ones_circuit
from gatewalk.circuit.labels import distinct
from gatewalk.errors import InputError, shown

MOST_INPUTS = 16  # the most inputs of a circuit that is written, since all its rows are
MOST_COLUMNS = 1 << 16
SEPARATOR = "|"
SIGNS = {"0": "0", "1": "1", "-": "-", "0.0": "0", "1.0": "1", "false": "0", "true": "1"}
_MOST_CELLS = 1 << 24  # of complete tables, from which a circuit is made
_OUTPUT = re.compile(r"(?:y|out|output)[ _]?(?:[0-9]+|\[[0-9]+\])?", re.ASCII | re.IGNORECASE)


def check_columns(names: Sequence[str]) -> None:
    """Raise `InputError` unless the columns are inputs and outputs, each called differently."""
    if len(names) > MOST_COLUMNS:
        raise InputError(f"{len(names):,} columns; Gatewalk reads at most {MOST_COLUMNS:,}")
    if all(name in SIGNS for name in names):
        raise InputError("the first line names the columns, as in x1,x2,y; here it holds values")
    if names.count(SEPARATOR) > 1:
        raise InputError(f"several columns are named {SEPARATOR}; one stands before the outputs")
    inputs, outputs = _split(names)
    if not outputs:
        raise InputError(
            "which columns are outputs? Call them y1, y2, ..., or put a column named | before them"
        )
    for kind, places in (("input", inputs), ("output", outputs)):
        for label, count in Counter(names[place] for place in places).items():
            if not label:
                raise InputError(f"an {kind} has no name; the first line names all columns")
            if count > 1:
                raise InputError(f"{count} {kind}s are called {shown(label)}")


def _split(names: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places of the inputs and of the outputs."""
    if SEPARATOR in names:
        middle = names.index(SEPARATOR)
        return list(range(middle)), list(range(middle + 1, len(names)))
    is_output = [_OUTPUT.fullmatch(name) is not None for name in names]
    return [i for i, out in enumerate(is_output) if not out], [i for i, out in enumerate(is_output) if out]


def cover_of_rows(names: Sequence[str], rows: Iterable[tuple[int, str]], *, counted: str) -> Cover:
    """The cover of rows under columns with these names, which `check_columns` has checked.

    rows: of each its number, and its signs 0, 1 and -, one for each column except the separator.
    counted: what messages call a row, as "line".

    >>> cover_of_rows(["a", "b", "y"], [(2, "111"), (3, "0-0")], counted="line").products
    (('11', '1'), ('0-', '0'))
    """
    inputs, outputs = _split(names)
    signs_of_outputs = [place - (SEPARATOR in names) for place in outputs]
    n = len(inputs)
    is_in_order = signs_of_outputs == list(range(n, n + len(outputs)))
    said: dict[str, tuple[str, int]] = {}
    known: dict[str, str] = {}  # equal texts are kept once
    for number, signs in rows:
        if is_in_order:
            cube, values = signs[:n], signs[n:]
        else:
            cube = "".join([signs[place] for place in inputs])
            values = "".join([signs[place] for place in signs_of_outputs])
        before = said.get(cube)
        if before is not None and before[0] != values:
            wrong, values = _merged(before[0], values)
            if wrong is not None:
                raise InputError(
                    f"{counted} {number} contradicts {counted} {before[1]}: for the same inputs "
                    f"{shown(names[outputs[wrong]])} is 0 and 1"
                )
        said[cube] = known.setdefault(values, values), number
    if not said:
        raise InputError("there is no row; a truth table has at least one")
    products = tuple((cube, values) for cube, (values, _) in said.items())
    return Cover(tuple(names[i] for i in inputs), tuple(names[j] for j in outputs), products, "fr")


def _merged(one: str, other: str) -> tuple[int | None, str]:
    """The first output of which two rows say different things, and what the rows say together."""
    pairs = list(zip(one, other, strict=True))
    wrong = next((place for place, pair in enumerate(pairs) if pair in (("0", "1"), ("1", "0"))), None)
    return wrong, "".join(b if a == "-" else a for a, b in pairs)


def circuit_of_rows(cover: Cover) -> Circuit:
    """A circuit that is 1 on the rows listed for 1, and 0 on all others."""
    n = len(cover.input_labels)
    if n <= LARGEST_TABLE and len(cover.output_labels) << n <= _MOST_CELLS:
        ones, _ = complete_tables(cover)
        return circuit_of_tables(table_numbers(ones, 1 << n), cover.input_labels, cover.output_labels)
    check_consistency(cover)
    return ones_circuit(cover)


def rows_of_circuit(circuit: Circuit) -> tuple[list[str], np.ndarray]:
    """The names of the columns, and the values, bool[rows, columns]; those of a separator are 0.

    The first input changes fastest, as in `gatewalk targets --tt`.
    """
    n = len(circuit.input_labels)
    if not circuit.outputs:
        raise InputError("a truth table needs at least one output")
    if n > MOST_INPUTS:
        raise InputError(
            f"a truth table lists all rows, so Gatewalk writes at most {MOST_INPUTS} inputs, not {n}"
        )
    ins = distinct(circuit.input_labels, _spell, {})
    outs = distinct(circuit.output_labels, _spell, {})
    is_clear = all(map(_OUTPUT.fullmatch, outs)) and not any(map(_OUTPUT.fullmatch, ins))
    between = [] if is_clear else [SEPARATOR]
    rows = np.arange(1 << n)[:, None] >> np.arange(n + len(between)) & 1
    rows[:, n:] = 0
    return [*ins, *between, *outs], np.hstack([rows.astype(np.bool_), truth_table(circuit)])


def _spell(label: str) -> str:
    """A label as the name of a column, which is one word or several, and not the separator."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in label).split())
    return "_" if plain in ("", SEPARATOR) else plain
