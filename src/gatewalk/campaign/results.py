"""Reading a store: rows as columns or a pandas frame, filtered by cell; circuits and traces of runs."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import Any

from gatewalk.campaign.packing import Trace, unpack_program, unpack_trace
from gatewalk.campaign.plan import remade
from gatewalk.campaign.store_file import explained, reading
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.search.run import Run
from gatewalk.search.settings import Settings

CELL_COLUMNS = (
    "target",
    "algorithm",
    "n",
    "nodes",
    "selection",
    "profile",
    "training",
    "mutation",
    "offspring",
    "gate_set",
    "budget",
    "seed",
    "start",
    "law_options",
)
RUN_COLUMNS = (
    "run",
    "iterations",
    "evaluations",
    "elementary_steps",
    "solved",
    "fitness",
    "gates",
    "generalisation",
    "evaluation",
    "seconds",
)
COLUMNS = (*CELL_COLUMNS, *RUN_COLUMNS)
_CHUNK = 5000


@dataclass(frozen=True, kw_only=True)
class CellSummary:
    """A cell of a store. iterations and seconds are sums over its finished runs; traced have a trace."""

    number: int
    values: dict[str, Any]
    planned: int
    finished: int
    solved: int
    iterations: int
    seconds: float
    traced: int
    settings_options: dict[str, Any]

    @property
    def settings(self) -> Settings:
        return remade(self.settings_options)

    @property
    def expected_running_time(self) -> float:
        """ERT: all iterations spent per success; infinite without one."""
        return self.iterations / self.solved if self.solved else float("inf")


@dataclass(frozen=True)
class Results:
    """The runs of a store, or of some of its cells.

    keys: of the cells wanted; None is all. numbers: of the cells that filters left; None is all.
    """

    connection: sqlite3.Connection
    keys: tuple[bytes, ...] | None = None
    numbers: tuple[int, ...] | None = None
    name: str = "the store"

    @classmethod
    def open(cls, store: str | os.PathLike[str], keys: tuple[bytes, ...] | None = None) -> Results:
        """The results in a file."""
        return cls(reading(store), keys, None, os.fspath(store))

    def is_in(self, path: Path) -> bool:
        """Is this file the store?"""
        (_, _, store), *_ = self.connection.execute("PRAGMA database_list")
        return bool(store) and os.path.samefile(store, path)

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def cells(self) -> list[CellSummary]:
        """The cells, with their counts, in the order they were first asked for."""
        with explained(self.name):
            query = (
                f"SELECT {', '.join(CELL_COLUMNS)}, id, key, planned, finished, solved, iterations, seconds,"
                " traced, options FROM cell ORDER BY id"
            )
            rows = self.connection.execute(query).fetchall()
        found = []
        wanted = None if self.keys is None else set(self.keys)
        for row in rows:
            number, key, planned, finished, solved, iterations, seconds, traced, options = row[
                len(CELL_COLUMNS) :
            ]
            if wanted is not None and key not in wanted:
                continue
            if self.numbers is not None and number not in self.numbers:
                continue
            found.append(
                CellSummary(
                    number=number,
                    values=dict(zip(CELL_COLUMNS, row, strict=False)),
                    planned=planned,
                    finished=finished,
                    solved=solved,
                    iterations=iterations,
                    seconds=seconds,
                    traced=traced,
                    settings_options=json.loads(options),
                )
            )
        return found

    def where(self, **values: object) -> Results:
        """Only the cells with these values: where(target="and:4", nodes=[8, 12])."""
        for name in values:
            if name not in CELL_COLUMNS:
                raise InputError(f"no column {name} to filter by; cells have {', '.join(CELL_COLUMNS)}")
        kept = []
        for cell in self.cells():
            pairs = ((cell.values[name], wanted) for name, wanted in values.items())
            if all(v in w if isinstance(w, (list, tuple, set, range)) else v == w for v, w in pairs):
                kept.append(cell.number)
        return replace(self, numbers=tuple(kept))

    def where_cell(self, cell: CellSummary) -> Results:
        """Only this cell."""
        return replace(self, numbers=(cell.number,))

    def has_large_fitness(self) -> bool:
        """Whether a stored fitness exceeds 64 bits."""
        query = "SELECT 1 FROM run WHERE cell = ? AND typeof(fitness) = 'text' LIMIT 1"
        with explained(self.name):
            return any(self.connection.execute(query, (cell.number,)).fetchone() for cell in self.cells())

    def runs_without_trace(self) -> int:
        """How many runs were stored without a trace."""
        return sum(cell.finished - cell.traced for cell in self.cells())

    def __len__(self) -> int:
        return sum(cell.finished for cell in self.cells())

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Every run as a tuple in the order of `COLUMNS`, by cell and run number, a few at a time."""
        for columns in self._columns():
            yield from zip(*columns, strict=True)

    def columns(self) -> dict[str, list[Any]]:
        """Every column as a list; fitness as whole numbers of any size."""
        found: dict[str, list[Any]] = {name: [] for name in COLUMNS}
        for columns in self._columns():
            for values, column in zip(found.values(), columns, strict=True):
                values.extend(column)
        return found

    def frame(self) -> Any:
        """Every run as a row of a pandas DataFrame."""
        need("pandas", "a pandas frame")
        import pandas

        return pandas.DataFrame(self.columns())

    def runs(self) -> Iterator[Run]:
        """Every run as `search` gave it, its circuit included; traces only if they were asked for."""
        for cell in self.cells():
            made = cell.settings
            for chunk in self._chunks(cell.number, ("program", *RUN_COLUMNS)):
                for row in chunk:
                    yield self._run(made, cell.values["seed"], row)

    def run(self, cell: CellSummary, run: int) -> Run:
        """One run of a cell."""
        with explained(self.name):
            row = self.connection.execute(
                f"SELECT program, {', '.join(RUN_COLUMNS)} FROM run WHERE cell = ? AND run = ?",
                (cell.number, run),
            ).fetchone()
        if row is None:
            raise InputError(f"{self.name}: run {run} of cell {cell.number} is not there (yet)")
        return self._run(cell.settings, cell.values["seed"], row)

    def circuit(self, cell: CellSummary, run: int) -> Circuit:
        """What the final program of a run computes."""
        return self.run(cell, run).circuit

    def traces(self, cell: CellSummary) -> Iterator[tuple[int, Trace]]:
        """(run number, trace) of every run of the cell that has one."""
        query = "SELECT run, data FROM trace WHERE cell = ? ORDER BY run"
        with explained(self.name):
            for run, data in self.connection.execute(query, (cell.number,)):
                yield run, unpack_trace(data)

    def _columns(self) -> Iterator[list[Iterable[Any]]]:
        """The values of some runs at a time, in the order of `COLUMNS`."""
        for cell in self.cells():
            for chunk in self._chunks(cell.number, RUN_COLUMNS):
                columns: dict[str, Iterable[Any]] = dict(
                    zip(RUN_COLUMNS, zip(*chunk, strict=True), strict=True)
                )
                columns["solved"] = map(bool, columns["solved"])
                columns["fitness"] = map(int, columns["fitness"])
                of_cell = (repeat(cell.values[name], len(chunk)) for name in CELL_COLUMNS)
                yield [*of_cell, *columns.values()]

    def _chunks(self, cell: int, columns: Sequence[str]) -> Iterator[list[tuple[Any, ...]]]:
        """Rows of a cell, some at a time, so that a long reading never holds the writer's log back."""
        last = -1
        place = columns.index("run")
        query = f"SELECT {', '.join(columns)} FROM run WHERE cell = ? AND run > ? ORDER BY run LIMIT {_CHUNK}"
        while True:
            with explained(self.name):
                chunk = self.connection.execute(query, (cell, last)).fetchall()
            if chunk:
                yield chunk
            if len(chunk) < _CHUNK:
                return
            last = chunk[-1][place]

    def _run(self, made: Settings, seed: int, row: tuple[Any, ...]) -> Run:
        values = dict(zip(RUN_COLUMNS, row[1:], strict=True))
        values["solved"] = bool(values["solved"])
        values["fitness"] = int(values["fitness"])
        return Run(settings=made, seed=seed, program=unpack_program(row[0]), **values)
