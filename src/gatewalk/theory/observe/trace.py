"""Traces of watched runs: when a row is written, and its tables for your own plots, CSV or Parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.native.jit import inlined

if TYPE_CHECKING:
    from gatewalk.theory.observe.levels import LevelRun

TRACE_ROWS = 4096  # rows that a kernel can write before Python has to take them
TRACE_COLUMNS = ("iteration", "rank", "level", "plus", "gates", "accepted")
COLUMNS = ("run", "iteration", "fitness", "level", "sub_level", "gates", "accepted")
SUFFIXES = (".csv", ".parquet")
Row = tuple[int, int, int, int | None, str | None, int, bool]


@dataclass(frozen=True)
class TraceMoments:
    """When a trace has a row in addition to the first and the last."""

    improvements: bool = False
    powers: bool = False
    every: int = 0


def parse_moments(text: str) -> TraceMoments:
    """`improvements`, `powers` (of two) or `every:K`; several joined by commas."""
    improvements, powers, every = False, False, 0
    for word in text.split(","):
        name, _, count = word.strip().partition(":")
        if name == "every" and count.isdecimal() and int(count) >= 1:
            every = int(count)
        elif name == "improvements" and not count:
            improvements = True
        elif name == "powers" and not count:
            powers = True
        else:
            raise InputError(f"cannot record at {shown(word)}; use improvements, powers or every:K")
    return TraceMoments(improvements, powers, every)


class Trace(NamedTuple):
    """Rows of TRACE_COLUMNS, and when to write one: at improvements, powers of two, or every k iterations."""

    rows: NDArray[np.int64]
    used: NDArray[np.int64]
    improvements: bool
    powers: bool
    every: int


def empty_trace(moments: TraceMoments) -> Trace:
    """An empty trace that is written at these moments."""
    return Trace(
        np.zeros((TRACE_ROWS, len(TRACE_COLUMNS)), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        moments.improvements,
        moments.powers,
        moments.every,
    )


@inlined
def is_moment(trace: Trace, iteration: np.int64, improved: bool, solved: bool) -> bool:
    """Whether to write a row now; the last iteration of a solved run is always written."""
    if solved or (trace.improvements and improved):
        return True
    if trace.powers and iteration & (iteration - 1) == 0:
        return True
    return bool(trace.every > 0 and iteration % trace.every == 0)


def take_rows(trace: Trace) -> NDArray[np.int64]:
    """The rows written since the last call; the trace is empty afterwards."""
    rows = trace.rows[: trace.used[0]].copy()
    trace.used[0] = 0
    return rows


def rows(runs: Iterable[LevelRun], *, levels: bool) -> Iterator[Row]:
    """Rows of COLUMNS: the start, every recorded moment and the end of each run.

    accepted: whether the offspring of this iteration became the parent. level and sub_level (- or +) are None
    unless `levels`.
    """
    for item in runs:
        for time, rank, level, plus, gates, accepted in item.trace.tolist():
            where = (level, "+" if plus else "-") if levels else (None, None)
            yield (item.run, time, item.fitness[rank], *where, gates, bool(accepted))


def with_fitness(item: LevelRun) -> NDArray[np.float64]:
    """The rows of a run's trace, with fitness instead of rank, as numbers for a figure."""
    numbers = item.trace.astype(np.float64)
    try:
        numbers[:, 1] = [float(item.fitness[rank]) for rank in item.trace[:, 1].tolist()]
    except OverflowError:
        raise InputError(
            "numbers of mismatches beyond 10^308 cannot be drawn; write the trace as .csv"
        ) from None
    return numbers


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
        raise InputError(f"cannot write a trace to {path.name}; use one of {', '.join(SUFFIXES)}")


def _write_parquet(path: Path, table: list[Row]) -> None:
    need("pyarrow", "writing Parquet")
    import pyarrow
    import pyarrow.parquet

    columns = [list(column) for column in zip(*table, strict=True)] if table else [[] for _ in COLUMNS]
    fitness = columns[COLUMNS.index("fitness")]
    if any(value > 2**63 - 1 for value in fitness):  # beyond 64 bits numbers travel as text
        columns[COLUMNS.index("fitness")] = [str(value) for value in fitness]
    pyarrow.parquet.write_table(pyarrow.table(dict(zip(COLUMNS, columns, strict=True))), path)
