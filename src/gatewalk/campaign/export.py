"""Results for other programs: a row per run as CSV and Parquet, a row per cell as CSV and LaTeX.

Rows of runs have the columns of `results.NAMES`, rows of cells those of `summary`; IOHprofiler's folders are
in `export_ioh`. Texts are written as they are, as other programs need them; for a spreadsheet, which would
run a text that begins with one of = + - @ as a formula, there is a CSV of its own.
"""

from __future__ import annotations

import csv
import itertools
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from gatewalk.campaign import summary
from gatewalk.campaign.results import NAMES, Results
from gatewalk.campaign.store_file import explained
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.numbers import decimal
from gatewalk.search.columns import Kind
from gatewalk.search.runs import COLUMNS

FORMATS = ("csv", "parquet", "ioh", "summary", "tex")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_GROUP = 50_000  # rows of Parquet that are in memory at a time
_TYPES: dict[Kind, str] = {
    "text": "string",
    "count": "int64",
    "real": "float64",
    "truth": "bool_",
    "number": "int64",
}


def export(results: Results, to: str, out: str | os.PathLike[str], *, for_spreadsheet: bool = False) -> Path:
    """Write results in a format: a file, or for IOHprofiler a folder.

    to: "csv" or "parquet", a row per run; "ioh"; "summary", a row per cell as CSV, or "tex", the same as a
        table of LaTeX.
    for_spreadsheet: in CSV, put an apostrophe before texts that a spreadsheet would run as formulas.
    """
    from gatewalk.campaign.export_ioh import write_ioh

    if to not in FORMATS:
        raise InputError(f"unknown format {to}; use {', '.join(FORMATS)}")
    path = Path(out)
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: the folder {path.absolute().parent} does not exist; make it first")
    if path.exists() and not path.is_file() and to != "ioh":
        raise InputError(f"{path}: exists and is not a file; choose another name")
    if path.exists() and results.is_in(path):
        raise InputError(f"{path}: is the store itself, which would be lost; choose another name")
    if for_spreadsheet and to not in ("csv", "summary"):
        raise InputError(f"--for-spreadsheet is for csv and summary, not {to}")
    with explained(results.name):
        if to == "csv":
            write_csv(results, path, for_spreadsheet=for_spreadsheet)
        elif to == "parquet":
            write_parquet(results, path)
        elif to == "summary":
            write_summary(results, path, for_spreadsheet=for_spreadsheet)
        elif to == "tex":
            with complete_file(path) as part:
                part.write_text(summary.as_latex(results), encoding="utf-8")
        else:
            write_ioh(results, path)
    return path


@contextmanager
def complete_file(path: Path) -> Iterator[Path]:
    """A new path beside `path` to write a file or a folder to, which becomes `path` when the block ends.

    So a reader never sees a part of it, and after an error or Ctrl-C what was there before is still there. A
    symbolic link stays one: what it points to is written.
    """
    target = path.resolve() if path.is_symlink() else path
    part = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    try:
        yield part
        os.replace(part, target)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            if part.is_dir():
                shutil.rmtree(part)
            else:
                part.unlink(missing_ok=True)


def write_csv(results: Results, path: Path, *, for_spreadsheet: bool = False) -> None:
    """Write a line per run; a missing value is an empty field."""
    _write_rows(NAMES, _with_decimals(results), path, for_spreadsheet=for_spreadsheet)


def write_summary(results: Results, path: Path, *, for_spreadsheet: bool = False) -> None:
    """Write a line per cell, with its running time; a time that is not reached is inf."""
    rows = ([record[name] for name in summary.COLUMNS] for record in summary.summary(results))
    _write_rows(summary.COLUMNS, rows, path, for_spreadsheet=for_spreadsheet)


def _write_rows(
    names: Sequence[str], rows: Iterator[Sequence[Any]], path: Path, *, for_spreadsheet: bool
) -> None:
    with complete_file(path) as part, open(part, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        writer.writerows(neutralised(rows) if for_spreadsheet else rows)


def _with_decimals(results: Results) -> Iterator[Sequence[Any]]:
    """The rows; numbers of more digits than Python converts by default are written as decimal texts."""
    large = [NAMES.index(name) for name in results.large_numbers()]
    if not large:
        return results.rows()
    return ([decimal(v) if i in large else v for i, v in enumerate(row)] for row in results.rows())


def neutralised(rows: Iterator[Sequence[Any]]) -> Iterator[list[Any]]:
    """The rows, with an apostrophe before every text that a spreadsheet would run as a formula."""
    for row in rows:
        yield [f"'{v}" if isinstance(v, str) and v.startswith(_FORMULA) else v for v in row]


def write_parquet(results: Results, path: Path) -> None:
    """Write a row per run, in row groups, so that large stores need little memory.

    A column of unbounded numbers, such as fitness, holds 64-bit integers, or decimal texts if one does not
    fit.
    """
    need("pyarrow", "writing Parquet")
    import pyarrow
    from pyarrow import parquet

    large = results.large_numbers()
    types = {column.name: "string" if column.name in large else _TYPES[column.kind] for column in COLUMNS}
    schema = pyarrow.schema([(name, getattr(pyarrow, type)()) for name, type in types.items()])
    as_text = [NAMES.index(name) for name in large]
    rows = results.rows()
    with complete_file(path) as part, parquet.ParquetWriter(part, schema) as writer:
        while group := list(itertools.islice(rows, _GROUP)):
            columns = [list(column) for column in zip(*group, strict=True)]
            for index in as_text:
                columns[index] = [decimal(value) for value in columns[index]]
            arrays = [pyarrow.array(c, field.type) for c, field in zip(columns, schema, strict=True)]
            writer.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))
