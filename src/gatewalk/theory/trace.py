"""Traces of watched runs as tables for your own plots: CSV, or Parquet with the `data` extra."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.theory.watching import Watched

COLUMNS = ("run", "iteration", "fitness", "level", "sub_level", "gates", "accepted")
SUFFIXES = (".csv", ".parquet")
Row = tuple[int, int, int, int | None, str | None, int, bool]


def rows(watched: Iterable[Watched], *, levels: bool) -> Iterator[Row]:
    """Rows of COLUMNS: the start, every recorded moment and the end of each run.

    accepted: whether the offspring of this iteration became the parent. level and sub_level (- or +) are None
    unless `levels`.
    """
    for item in watched:
        for time, rank, level, plus, gates, accepted in item.trace.tolist():
            place = (level, "+" if plus else "-") if levels else (None, None)
            yield (item.run, time, item.fitness[rank], *place, gates, bool(accepted))


def with_fitness(item: Watched) -> NDArray[np.float64]:
    """The rows of a run's trace, with fitness instead of rank, as numbers for a figure."""
    found = item.trace.astype(np.float64)
    try:
        found[:, 1] = [float(item.fitness[rank]) for rank in item.trace[:, 1].tolist()]
    except OverflowError:
        raise InputError(
            "numbers of mismatches beyond 10^308 cannot be drawn: write the trace as .csv"
        ) from None
    return found


def write_trace(path: Path, table: Iterable[Row]) -> None:
    """Write the rows as CSV or Parquet, according to the suffix of the path."""
    if path.suffix == ".csv":
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            writer.writerows(table)
    elif path.suffix == ".parquet":
        _write_parquet(path, list(table))
    else:
        raise InputError(f"cannot write a trace to {path.name}: use one of {', '.join(SUFFIXES)}")


def _write_parquet(path: Path, table: list[Row]) -> None:
    need("pyarrow", "writing Parquet")
    import pyarrow
    import pyarrow.parquet

    columns = [list(column) for column in zip(*table, strict=True)] if table else [[] for _ in COLUMNS]
    fitness = columns[COLUMNS.index("fitness")]
    if any(value > 2**63 - 1 for value in fitness):  # beyond 64 bits numbers travel as text
        columns[COLUMNS.index("fitness")] = [str(value) for value in fitness]
    pyarrow.parquet.write_table(pyarrow.table(dict(zip(COLUMNS, columns, strict=True))), path)
