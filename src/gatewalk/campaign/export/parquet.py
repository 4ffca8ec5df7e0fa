"""Results as Parquet, in row groups, so that memory stays flat.

fitness is a 64-bit integer, or decimal text if one of them is larger than that.
"""

from __future__ import annotations

import itertools
import os
from pathlib import Path
from typing import Any

from gatewalk.campaign.export import unfinished
from gatewalk.campaign.results import COLUMNS, Results
from gatewalk.errors import InputError
from gatewalk.extras import need

_GROUP = 50_000
_TEXT = ("target", "algorithm", "selection", "profile", "training", "mutation", "gate_set", "start")
_TEXTS = (*_TEXT, "law_options", "evaluation")
_REALS = ("generalisation", "seconds")


def write(results: Results, path: Path) -> None:
    """Write all rows; the file appears when it is complete."""
    need("pyarrow", "writing Parquet")
    import pyarrow
    from pyarrow import parquet

    large = results.has_large_fitness()
    schema = pyarrow.schema([(name, _type(pyarrow, name, large)) for name in COLUMNS])
    fitness = COLUMNS.index("fitness")
    part = unfinished(path)
    rows = results.rows()
    try:
        with parquet.ParquetWriter(part, schema) as writer:
            while group := list(itertools.islice(rows, _GROUP)):
                columns = [list(column) for column in zip(*group, strict=True)]
                if large:
                    columns[fitness] = [str(value) for value in columns[fitness]]
                arrays = [pyarrow.array(c, field.type) for c, field in zip(columns, schema, strict=True)]
                writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)


def _type(pyarrow: Any, name: str, large: bool) -> Any:
    if name in _TEXTS or (name == "fitness" and large):
        return pyarrow.string()
    if name in _REALS:
        return pyarrow.float64()
    return pyarrow.bool_() if name == "solved" else pyarrow.int64()
