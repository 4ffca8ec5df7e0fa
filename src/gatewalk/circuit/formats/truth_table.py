"""Truth tables as text: one line of 0 and 1 per output, from the row of all ones down to row 0.

This is the order of ABC (`read_truth -xf FILE`), of the .truth files of the IWLS contests, and of the
numbers in the lines of kitty and mockturtle: the most significant bit first. In row r input i, from 0,
is bit i of r, so for inputs a, b the line `1000` is a and b, and `1010` is a. A line that begins with 0x
is hexadecimal. Empty lines, and anything after #, are ignored.

The format holds no labels: inputs read are x1, x2, ..., outputs y1, y2, ...
"""

from __future__ import annotations

import re

from gatewalk.circuit.circuit import Circuit, circuit_tables
from gatewalk.circuit.construction import circuit_of_tables
from gatewalk.circuit.files import Format, reached
from gatewalk.circuit.netlists import numbered_lines
from gatewalk.errors import InputError, shown

MOST_INPUTS = 20
MOST_OUTPUTS = 1 << 16
_BINARY = re.compile(r"[01]+")
_HEXADECIMAL = re.compile(r"0[xX]([0-9a-fA-F]+)")


def write(circuit: Circuit) -> str:
    """The table of every output, one line each."""
    if not circuit.outputs:
        raise InputError("a truth table needs at least one output")
    rows = 1 << len(circuit.input_labels)
    tables = circuit_tables(circuit, most_inputs=MOST_INPUTS, purpose="a truth table")
    return "".join(f"{table:0{rows}b}\n" for table in tables)


def read(text: str) -> Circuit:
    """A circuit whose outputs have the tables in the lines."""
    tables: list[int] = []
    rows = 0
    for line, code in numbered_lines(text):
        words = code.split(None, 1)
        if not words:
            continue
        if len(words) > 1:
            raise InputError(f"line {line}: write one table of 0 and 1 per line, without spaces")
        table, length = _table(words[0], line)
        if tables and length != rows:
            raise InputError(f"line {line}: a table of {length:,} rows, but the first has {rows:,}")
        tables.append(table)
        if len(tables) > MOST_OUTPUTS:
            raise InputError(f"line {line}: Gatewalk reads at most {MOST_OUTPUTS:,} tables")
        rows = length
    if not tables:
        raise InputError("the file contains no truth table")
    reached(1, 1, "building the circuit")
    inputs = [f"x{i + 1}" for i in range(rows.bit_length() - 1)]
    return circuit_of_tables(tables, inputs, [f"y{j + 1}" for j in range(len(tables))])


def _table(word: str, line: int) -> tuple[int, int]:
    """The table and its number of rows."""
    hexadecimal = _HEXADECIMAL.fullmatch(word)
    if hexadecimal:
        digits, base, rows = hexadecimal.group(1), 16, 4 * len(hexadecimal.group(1))
    elif _BINARY.fullmatch(word):
        digits, base, rows = word, 2, len(word)
    else:
        raise InputError(
            f"line {line}: {shown(word)} is not a table; write 0 and 1, or 0x and hexadecimal digits"
        )
    if rows & (rows - 1):
        raise InputError(f"line {line}: a table of {rows:,} rows; the number of rows must be a power of two")
    if rows > 1 << MOST_INPUTS:
        raise InputError(
            f"line {line}: a table of {rows:,} rows; Gatewalk reads at most {MOST_INPUTS} inputs"
        )
    return int(digits, base), rows


FORMATS = (Format(suffixes=(".tt", ".truth"), write=write, read=read),)
