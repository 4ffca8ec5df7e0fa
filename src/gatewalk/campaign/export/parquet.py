"""Results as Parquet, written in row groups so that large stores need little memory.

A column of unbounded numbers, such as fitness, holds 64-bit integers, or decimal texts if one does not fit.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from gatewalk.bigint import decimal
from gatewalk.campaign.export import unfinished
from gatewalk.campaign.results import NAMES, Results
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.search.column import Kind
from gatewalk.search.run import COLUMNS

_GROUP = 50_000
_TYPES: dict[Kind, str] = {
    "text": "string",
    "count": "int64",
    "real": "float64",
    "truth": "bool_",
    "number": "int64",
}


def write(results: Results, path: Path) -> None:
    """Write all rows; the file appears when it is complete."""
    need("pyarrow", "writing Parquet")
    import pyarrow
    from pyarrow import parquet

    large = results.large_numbers()
    types = {column.name: "string" if column.name in large else _TYPES[column.kind] for column in COLUMNS}
    schema = pyarrow.schema([(name, getattr(pyarrow, type)()) for name, type in types.items()])
    as_text = [NAMES.index(name) for name in large]
    part = unfinished(path)
    rows = results.rows()
    try:
        with parquet.ParquetWriter(part, schema) as writer:
            while group := list(itertools.islice(rows, _GROUP)):
                columns = [list(column) for column in zip(*group, strict=True)]
                for place in as_text:
                    columns[place] = [decimal(value) for value in columns[place]]
                arrays = [pyarrow.array(c, field.type) for c, field in zip(columns, schema, strict=True)]
                writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
