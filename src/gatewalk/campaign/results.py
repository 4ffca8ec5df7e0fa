"""Reading a store: rows as columns or a pandas frame, filtered by cell; circuits and traces of runs."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import escape
from itertools import repeat
from typing import Any

from gatewalk.campaign import stored
from gatewalk.campaign.labels import labels
from gatewalk.campaign.packing import Trace
from gatewalk.campaign.store_file import explained, file_of, reading
from gatewalk.campaign.stored import StoredCell
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.lazy import above
from gatewalk.search.column import Column, number_of
from gatewalk.search.run import COLUMNS, RUN_COLUMNS, Run
from gatewalk.search.settings import CELL_COLUMNS

_SHOWN = 50  # cells in a notebook
NAMES = tuple(column.name for column in COLUMNS)


@dataclass(frozen=True, repr=False)
class Results:
    """The runs in a store, or some of them; what `run` returns.

    Attributes
    ----------
    connection
        The SQLite database.
    keys
        The cells of the campaign; None stands for all cells of the store.
    numbers
        The cells that `where` left; None stands for all.
    name
        What messages call the store.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
    >>> len(results), len(results.where(target="and:3")), results.columns()["solved"][:3]
    (10, 5, [True, True, True])
    """

    connection: sqlite3.Connection
    keys: tuple[bytes, ...] | None = None
    numbers: tuple[int, ...] | None = None
    name: str = "the store"

    @classmethod
    def open(cls, store: str | os.PathLike[str], keys: tuple[bytes, ...] | None = None) -> Results:
        """The results in a file."""
        return cls(reading(store), keys, None, os.fspath(store))

    def is_in(self, path: str | os.PathLike[str]) -> bool:
        """Is this file the store?"""
        store = file_of(self.connection)
        return bool(store) and os.path.samefile(store, path)

    def __repr__(self) -> str:
        try:
            cells = self.cells()
        except sqlite3.ProgrammingError:
            return f"<Results of {self.name}, closed>"
        return f"<Results of {self.name}: {len(cells)} cells, {sum(cell.finished for cell in cells)} runs>"

    def _repr_html_(self) -> str:
        cells = self.cells()
        head = "".join(f"<th>{name}</th>" for name in ("cell", "runs", "solved", "ERT"))
        rows = [
            f"<tr><td>{escape(name)}</td><td>{cell.finished}</td><td>{cell.solved}</td>"
            f"<td>{cell.expected_running_time:.5g}</td></tr>"
            for name, cell in zip(labels([cell.values for cell in cells[:_SHOWN]]), cells, strict=False)
        ]
        more = f"<p>and {len(cells) - _SHOWN} more cells</p>" if len(cells) > _SHOWN else ""
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>{more}"

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def cells(self) -> list[StoredCell]:
        """The cells, with their counts, in the order they were first asked for."""
        keys = None if self.keys is None else set(self.keys)
        numbers = None if self.numbers is None else set(self.numbers)
        with explained(self.name):
            return [
                cell
                for cell in stored.cells(self.connection)
                if (keys is None or cell.key in keys) and (numbers is None or cell.number in numbers)
            ]

    def where(self, **values: object) -> Results:
        """Only the cells with these values: where(target="and:4", nodes=[8, 12])."""
        for name in values:
            if name not in _OF_CELL:
                raise InputError(f"no column {name} to filter by; cells have {', '.join(_OF_CELL)}")
        kept = []
        for cell in self.cells():
            pairs = ((cell.values[name], wanted) for name, wanted in values.items())
            if all(v in w if isinstance(w, (list, tuple, set, range)) else v == w for v, w in pairs):
                kept.append(cell.number)
        return replace(self, numbers=tuple(kept))

    def where_cell(self, cell: StoredCell) -> Results:
        """Only this cell."""
        return replace(self, numbers=(cell.number,))

    def large_numbers(self) -> set[str]:
        """The columns in which a number exceeds 64 bits."""
        with explained(self.name):
            found = (stored.large_numbers(self.connection, cell.number) for cell in self.cells())
            return set().union(*found)

    def runs_without_trace(self) -> int:
        """How many runs were stored without a trace."""
        return sum(cell.finished - cell.traced for cell in self.cells())

    def __len__(self) -> int:
        return sum(cell.finished for cell in self.cells())

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Every run as a tuple in the order of `NAMES`, by cell and run number, a few at a time."""
        for columns in self._columns():
            yield from zip(*columns, strict=True)

    def columns(self) -> dict[str, list[Any]]:
        """Every column as a list; fitness as whole numbers of any size."""
        found: dict[str, list[Any]] = {name: [] for name in NAMES}
        for columns in self._columns():
            for values, column in zip(found.values(), columns, strict=True):
                values.extend(column)
        return found

    def by_cell(self) -> Iterator[tuple[StoredCell, dict[str, list[Any]]]]:
        """Every cell with the columns of its runs, in the order of their numbers."""
        for cell in self.cells():
            found: dict[str, list[Any]] = {column.name: [] for column in RUN_COLUMNS}
            with explained(self.name):
                for chunk in stored.run_chunks(self.connection, cell.number):
                    for column, values in zip(RUN_COLUMNS, zip(*chunk, strict=True), strict=True):
                        found[column.name].extend(_converted(column, values))
            yield cell, found

    def frame(self) -> Any:
        """Every run as a row of a pandas DataFrame."""
        need("pandas", "a pandas frame")
        import pandas

        return pandas.DataFrame(self.columns())

    def runs(self) -> Iterator[Run]:
        """Every run as `search` gave it, its circuit included; traces only if they were asked for."""
        for cell in self.cells():
            with explained(self.name):
                yield from stored.runs(self.connection, cell)

    def run(self, cell: StoredCell, run: int) -> Run:
        """One run of a cell."""
        with explained(self.name):
            found = stored.run(self.connection, cell, run)
        if found is None:
            raise InputError(f"{self.name}: run {run} of cell {cell.number} is not there (yet)")
        return found

    def circuit(self, cell: StoredCell, run: int) -> Circuit:
        """What the final program of a run computes."""
        return self.run(cell, run).circuit

    def traces(self, cell: StoredCell) -> Iterator[tuple[int, Trace]]:
        """(run number, trace) of every run of the cell that has one."""
        with explained(self.name):
            yield from stored.traces(self.connection, cell)

    def plot(self, kind: str = "time", **options: Any) -> Any:
        """A figure of these runs: `gatewalk.analysis.plot`, which knows the kinds and their options.

        >>> from gatewalk.campaign import campaign, run
        >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
        >>> results.plot("ecdf").axes[0].get_xlabel()
        'iterations + 1'
        """
        return above("gatewalk.analysis.plots", "plot")(self, kind, **options)

    def growth(self, **options: Any) -> Any:
        """How running times grow with n, by curve: `gatewalk.analysis.growth_of`."""
        return above("gatewalk.analysis.plots", "growth_of")(self, **options)

    def compare(self, by: str | None = None, **options: Any) -> Any:
        """The values of an option, pair by pair: `gatewalk.analysis.compare`; `print` reads them out."""
        return above("gatewalk.analysis.plots", "compare")(self, by, **options)

    def _columns(self) -> Iterator[list[Iterable[Any]]]:
        """The values of some runs at a time, in the order of `NAMES`."""
        for cell in self.cells():
            with explained(self.name):
                for chunk in stored.run_chunks(self.connection, cell.number):
                    columns = zip(RUN_COLUMNS, zip(*chunk, strict=True), strict=True)
                    of_cell = (repeat(cell.values[name], len(chunk)) for name in _OF_CELL)
                    yield [*of_cell, *(_converted(column, values) for column, values in columns)]


_OF_CELL = [column.name for column in CELL_COLUMNS]


def _converted(column: Column, values: Iterable[Any]) -> Iterable[Any]:
    """Values as Python has them, of those that SQLite holds otherwise."""
    if column.kind == "truth":
        return map(bool, values)
    return map(number_of, values) if column.kind == "number" else values
