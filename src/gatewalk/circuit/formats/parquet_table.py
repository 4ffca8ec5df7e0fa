"""Parquet: a truth table with the columns of a data frame, of truth values, numbers 0 and 1, or texts.

Which columns are outputs, and what the cells mean, is explained in `circuit/row_tables.py`; a missing value
is -. Reading and writing need the extra `data`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.covers import Cover
from gatewalk.circuit.files import Format
from gatewalk.circuit.own_targets import cover_target
from gatewalk.circuit.row_tables import (
    SEPARATOR,
    SIGNS,
    check_columns,
    circuit_of_rows,
    cover_of_rows,
    rows_of_circuit,
)
from gatewalk.errors import InputError, printable, shown
from gatewalk.extras import need

MOST_CELLS = 1 << 25
_LONGEST = 200  # characters of a reason


def write(circuit: Circuit) -> bytes:
    """The complete truth table of the circuit, in columns of truth values."""
    need("pyarrow", "writing Parquet files")
    import pyarrow
    import pyarrow.parquet

    names, values = rows_of_circuit(circuit)
    columns = [
        pyarrow.nulls(len(values)) if name == SEPARATOR else pyarrow.array(column)
        for name, column in zip(names, values.T.copy(), strict=True)
    ]
    data = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(columns, names=names), data)
    return data.getvalue()


def read(data: bytes) -> Circuit:
    """A circuit that is 1 on the rows listed for 1, and 0 on all others."""
    return circuit_of_rows(read_cover(data))


def read_target(data: bytes, name: str) -> Target:
    """The table as a target; what no row says does not count."""
    return cover_target(read_cover(data), name)


def read_cover(data: bytes) -> Cover:
    """What the rows say, as a cover of type fr."""
    need("pyarrow", "reading Parquet files")
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
        names = [str(name).strip() for name in file.schema_arrow.names]
        rows = file.metadata.num_rows
    except Exception as error:  # pyarrow raises errors of many kinds for what is not Parquet
        raise _unreadable(error) from error
    check_columns(names)
    if rows * len(names) > MOST_CELLS:
        raise InputError(f"{rows:,} rows of {len(names):,} columns are more than {MOST_CELLS:,} cells")
    try:
        table = file.read(use_threads=False)
    except Exception as error:
        raise _unreadable(error) from error
    columns = [
        _signs(column, name) for name, column in zip(names, table.columns, strict=True) if name != SEPARATOR
    ]
    return cover_of_rows(names, _rows(columns), counted="row")


def _unreadable(error: Exception) -> InputError:
    return InputError(f"not a Parquet file that can be read: {printable(str(error))[:_LONGEST]}")


def _signs(column: Any, name: str) -> NDArray[np.uint8]:
    """The sign of every cell of a column, as ASCII. It has few different values, or it is refused."""
    coded = column.combine_chunks()
    if not hasattr(coded, "indices"):
        try:
            coded = coded.dictionary_encode(null_encoding="encode")
        except Exception as error:  # of a type that has no values to compare
            raise InputError(f"column {shown(name)} is {shown(str(column.type))}, not 0 and 1") from error
    signs = [_sign(value, name) for value in coded.dictionary[: len(SIGNS) + 2].to_pylist()]
    if len(coded.dictionary) > len(signs):
        raise InputError(f"column {shown(name)} has {len(coded.dictionary):,} different values, not 0 and 1")
    places = coded.indices.fill_null(len(signs)).to_numpy()
    found: NDArray[np.uint8] = np.array([*signs, ord("-")], np.uint8)[places]
    return found


def _sign(value: object, name: str) -> int:
    sign = "-" if value is None else SIGNS.get(str(value).strip().lower())
    if sign is None:
        raise InputError(
            f"column {shown(name)}: {shown(value)} is not 0, 1 or missing, which stands for both values "
            "of an input and for an output that does not count"
        )
    return ord(sign)


def _rows(columns: Sequence[NDArray[np.uint8]]) -> Iterator[tuple[int, str]]:
    """Every row, as `cover_of_rows` takes it."""
    text = np.stack(columns, axis=1).tobytes().decode("ascii")
    width = len(columns)
    for number, start in enumerate(range(0, len(text), width), 1):
        yield number, text[start : start + width]


FORMATS = (Format(suffixes=(".parquet",), write=write, read=read, read_target=read_target, is_binary=True),)
