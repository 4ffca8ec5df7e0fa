"""CSV: a truth table with a line for every row, under the names of the columns (RFC 4180).

Which columns are outputs, and what the cells mean, is explained in `circuit/row_tables.py`. Cells are
separated by commas; where the first line has none, by semicolons or tabs, as many spreadsheets write them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.covers import Cover
from gatewalk.circuit.files import Format, reached
from gatewalk.circuit.own_targets import cover_target
from gatewalk.circuit.row_tables import (
    SEPARATOR,
    SIGNS,
    check_columns,
    circuit_of_rows,
    cover_of_rows,
    rows_of_circuit,
)
from gatewalk.errors import InputError, shown

_LINE = re.compile(r"[^\r\n]+")


def write(circuit: Circuit) -> str:
    """The complete truth table of the circuit."""
    names, values = rows_of_circuit(circuit)
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(names)
    cells = np.full((len(values), 2 * len(names)), ord(","), np.uint8)
    cells[:, ::2] = values + ord("0")
    if SEPARATOR in names:
        cells[:, 2 * names.index(SEPARATOR)] = ord(SEPARATOR)
    cells[:, -1] = ord("\n")
    return head.getvalue() + cells.tobytes().decode("ascii")


def read(text: str) -> Circuit:
    """A circuit that is 1 on the rows listed for 1, and 0 on all others."""
    return circuit_of_rows(read_cover(text))


def read_target(text: str, name: str) -> Target:
    """The table as a target; what no row says does not count."""
    return cover_target(read_cover(text), name)


def read_cover(text: str) -> Cover:
    """What the rows say, as a cover of type fr.

    >>> read_cover("a,b,y\\n1,1,1\\n0,-,0\\n").products
    (('11', '1'), ('0-', '0'))
    """
    head = _LINE.search(text)
    delimiter = next((sign for sign in ",;\t" if head is not None and sign in head[0]), ",")
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = next((row for row in lines if any(row)), None)
        if names is None:
            raise InputError("the file is empty; its first line names the columns, as in x1,x2,y")
        names = [name.strip() for name in names]
        check_columns(names)
        return cover_of_rows(names, _rows(lines, names, len(text)), counted="line")
    except csv.Error as error:
        raise InputError(f"line {lines.line_num}: not valid CSV: {error}") from None


def _rows(lines: Any, names: Sequence[str], size: int) -> Iterator[tuple[int, str]]:
    """Every row that is not empty, as `cover_of_rows` takes it. size: of the text, in characters."""
    width = len(names)
    middle = names.index(SEPARATOR) if SEPARATOR in names else None
    for count, row in enumerate(lines):
        if not count & 4095:
            about = 2 * width * count  # most cells are one sign
            reached(min(about, size), size, f"line {lines.line_num:,}")
        if not any(row):
            continue
        line = lines.line_num
        if len(row) != width:
            raise InputError(f"line {line}: {len(row):,} cells, but the first line names {width:,} columns")
        if middle is not None and row.pop(middle).strip() not in ("", SEPARATOR):
            raise InputError(f"line {line}: a cell of the column {SEPARATOR} is empty or {SEPARATOR}")
        signs = "".join(row)
        if len(signs) != len(row) or "" in row or signs.strip("01-"):
            signs = "".join([_sign(cell, line) for cell in row])
        yield line, signs


def _sign(cell: str, line: int) -> str:
    sign = SIGNS.get(cell.strip().lower())
    if sign is None:
        raise InputError(
            f"line {line}: {shown(cell)} is not 0, 1 or -, which stands for both values of an input "
            "and for an output that does not count"
        )
    return sign


FORMATS = (Format(suffixes=(".csv",), write=write, read=read, read_target=read_target),)
