"""Runs as data frames: a row per run, or the traces of all runs in one long table, a row per improvement.

A frame is one of pandas or, where only that is installed, one of polars.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from gatewalk.errors import InputError, shown
from gatewalk.extras import is_there, need
from gatewalk.numbers import decimal
from gatewalk.search.columns import LARGEST_COUNT
from gatewalk.search.options import Search, cell_values

if TYPE_CHECKING:
    from gatewalk.search.runs import Improvements

Rows = Literal["runs", "improvements"]
Columns = dict[str, list[Any]]


def check_rows(rows: str) -> None:
    """Refuse rows of a frame that there are not."""
    if rows not in ("runs", "improvements"):
        raise InputError(f"unknown rows {shown(rows)} of a frame; use runs or improvements")


def frame(columns: Mapping[str, Sequence[Any]]) -> Any:
    """A frame of pandas or polars with these columns.

    In polars, whose numbers have 64 bits, a column with a larger one is text, as in Parquet.

    >>> len(frame({"run": [0, 1], "iterations": [8, 12]}))
    2
    """
    if is_there("polars") and not is_there("pandas"):
        import polars

        return polars.DataFrame({name: _in_64_bits(values) for name, values in columns.items()})
    need("pandas", "a data frame")
    import pandas

    return pandas.DataFrame(columns)


def _in_64_bits(values: Sequence[Any]) -> Sequence[Any]:
    if any(isinstance(value, int) and value > LARGEST_COUNT for value in values):
        return [decimal(value) for value in values]
    return values


def improvement_columns(
    search: Search, seed: int, improvements: Iterable[tuple[int, Improvements]]
) -> Columns:
    """The improvements of runs, given with the numbers of these, as columns.

    They are the columns of the cell, then run, iterations and fitness. The first row of a run is its start.

    >>> from gatewalk import search_for
    >>> columns = improvement_columns(search_for("and:4"), 1, [(0, ((0, 7), (8, 0)))])
    >>> columns["run"], columns["iterations"], columns["fitness"]
    ([0, 0], [0, 8], [7, 0])
    """
    uncounted = search.law.uncounted
    rows = [
        (run, max(0, offspring - uncounted), fitness)
        for run, of_run in improvements
        for offspring, fitness in of_run
    ]
    own = dict(zip(("run", "iterations", "fitness"), zip(*rows, strict=True), strict=True))
    common = {name: [value] * len(rows) for name, value in cell_values(search, seed).items()}
    return common | {name: list(own.get(name, ())) for name in ("run", "iterations", "fitness")}
