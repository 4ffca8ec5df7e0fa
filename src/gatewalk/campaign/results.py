"""The results in a store: runs as rows, columns or a pandas frame, filtered by cell; circuits and traces.

A store can be read at any time, also while a campaign is running. It keeps counts per cell, so its status is
known at once, even with a million runs.
"""

from __future__ import annotations

import os
import sqlite3
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import repeat
from typing import Any

from gatewalk.campaign import store as stored
from gatewalk.campaign.cluster import CLUSTER
from gatewalk.campaign.filters import matching
from gatewalk.campaign.labels import labels
from gatewalk.campaign.packing import Trace
from gatewalk.campaign.planning import Cell
from gatewalk.campaign.store import StoredCell, StoredOperator, improvements_of
from gatewalk.campaign.store_file import explained, file_of, reading, running
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError
from gatewalk.lazy import above
from gatewalk.numbers import running_time
from gatewalk.search.columns import Column, number_of
from gatewalk.search.frames import Rows, check_rows, frame, improvement_columns
from gatewalk.search.options import CELL_COLUMNS, SEED
from gatewalk.search.runs import COLUMNS, RUN_COLUMNS, Run
from gatewalk.search.scheduler import MAIN_THREAD, THREADS

_SHOWN = 50  # the most cells that a notebook lists
NAMES = tuple(column.name for column in COLUMNS)


@dataclass(frozen=True, repr=False)
class Results:
    """The runs in a store, or some of them; what `run` returns.

    connection: the SQLite database.
    keys: the cells of the campaign; None stands for all cells of the store.
    numbers: the cells that `where` left; None stands for all.
    name: what messages call the store.

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
        """Whether this file is the store."""
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
            f"<td>{running_time(cell.expected_running_time)}</td></tr>"
            for name, cell in zip(labels([cell.values for cell in cells[:_SHOWN]]), cells, strict=False)
        ]
        more = f"<p>and {len(cells) - _SHOWN} more cells</p>" if len(cells) > _SHOWN else ""
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>{more}"

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def cells(self) -> list[StoredCell]:
        """The cells with their counts, in the order in which they were first planned."""
        keys = None if self.keys is None else set(self.keys)
        numbers = None if self.numbers is None else set(self.numbers)
        with explained(self.name):
            return [
                cell
                for cell in stored.cells(self.connection)
                if (keys is None or cell.key in keys) and (numbers is None or cell.number in numbers)
            ]

    def operators(self) -> list[StoredOperator]:
        """The mutations and selections that users wrote for these runs, with their source texts."""
        with explained(self.name):
            return stored.operators(self.connection)

    def where(self, **values: object) -> Results:
        """Only the cells with these values: where(target="and:4", nodes=[8, "3n"]).

        A value is what a store has, or what the campaign wrote and legends say: nodes=8 or nodes="2n". Raises
        `InputError` if no cell is left.
        """
        left = matching(self.cells(), values, store=self.name)
        return replace(self, numbers=tuple(cell.number for cell in left))

    def where_cell(self, cell: StoredCell) -> Results:
        """Only this cell."""
        return replace(self, numbers=(cell.number,))

    def large_numbers(self) -> set[str]:
        """The columns in which a number exceeds 64 bits."""
        with explained(self.name):
            by_cell = (stored.large_numbers(self.connection, cell.number) for cell in self.cells())
            return set().union(*by_cell)

    def runs_without_trace(self) -> int:
        """How many runs were stored without a trace."""
        return sum(cell.finished - cell.traced for cell in self.cells())

    def __len__(self) -> int:
        return sum(cell.finished for cell in self.cells())

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Every run as a tuple in the order of `NAMES`, by cell and number; few are in memory at a time."""
        for columns in self._columns():
            yield from zip(*columns, strict=True)

    def columns(self) -> dict[str, list[Any]]:
        """Every column as a list; fitness as whole numbers of any size."""
        values: dict[str, list[Any]] = {name: [] for name in NAMES}
        for columns in self._columns():
            for so_far, column in zip(values.values(), columns, strict=True):
                so_far.extend(column)
        return values

    def by_cell(self) -> Iterator[tuple[StoredCell, dict[str, list[Any]]]]:
        """Every cell with the columns of its runs, in the order of their numbers."""
        for cell in self.cells():
            columns: dict[str, list[Any]] = {column.name: [] for column in RUN_COLUMNS}
            with explained(self.name):
                for chunk in stored.run_chunks(self.connection, cell):
                    for column, values in zip(RUN_COLUMNS, chunk, strict=True):
                        columns[column.name].extend(_converted(column, values))
            yield cell, columns

    def to_frame(self, rows: Rows = "runs") -> Any:
        """A data frame of pandas or, where only that is installed, of polars.

        rows: "runs", a row per run with the columns of `NAMES`; or "improvements", the traces of all cells in
            one long table: a row for the start of each run and for each improvement, with the columns of the
            cell, run, iterations and fitness.

        >>> from gatewalk.campaign import campaign, run
        >>> both = campaign(target=["and:2", "and:3"], replications=5, seed=7, traces=True)
        >>> results = run(both, jobs=1)
        >>> results.to_frame().groupby("target")["iterations"].median().to_dict()
        {'and:2': 1.0, 'and:3': 4.0}
        >>> list(results.to_frame("improvements").columns[-3:])
        ['run', 'iterations', 'fitness']
        """
        check_rows(rows)
        return frame(self._improvements() if rows == "improvements" else self.columns())

    def frame(self) -> Any:
        """The name of `to_frame` in 0.2, for one version."""
        warnings.warn("Results.frame is now called to_frame", DeprecationWarning, stacklevel=2)
        return self.to_frame()

    def summary(self) -> list[dict[str, Any]]:
        """A record per cell: its settings, runs, solved runs, ERT with its 95 % interval, median, mean.

        A time that the runs do not reach is infinite; `mean_of_solved` is that of the successful runs alone.
        The records are what `export` writes as "summary" and "tex", and what pandas.DataFrame takes.

        >>> from gatewalk.campaign import campaign, run
        >>> (record,) = run(campaign(target="and:3", replications=5, seed=7), jobs=1).summary()
        >>> record["cell"], record["runs"], record["solved"], record["ert"]
        ('and:3', 5, 5, 3.6)
        """
        from gatewalk.campaign.summary import summary

        return summary(self)

    def runs(self) -> Iterator[Run]:
        """Every run as `search` returned it, with its circuit; `traces` reads the traces."""
        for cell in self.cells():
            with explained(self.name):
                yield from stored.runs(self.connection, cell)

    def run(self, cell: StoredCell, run: int) -> Run:
        """One run of a cell."""
        with explained(self.name):
            stored_run = stored.run(self.connection, cell, run)
        if stored_run is None:
            raise InputError(f"{self.name}: run {run} of cell {cell.number} is not there (yet)")
        return stored_run

    def circuit(self, cell: StoredCell, run: int) -> Circuit:
        """What the final program of a run computes."""
        return self.run(cell, run).circuit

    def traces(self, cell: StoredCell) -> Iterator[tuple[int, Trace]]:
        """(run number, trace) of every run of the cell that has one."""
        with explained(self.name):
            yield from stored.traces(self.connection, cell)

    def _improvements(self) -> dict[str, list[Any]]:
        """The traces of all runs as columns."""
        check_traces(self)
        columns: dict[str, list[Any]] = {}
        for cell in self.cells():
            improvements = ((run, improvements_of(cell.search, trace)) for run, trace in self.traces(cell))
            for name, values in improvement_columns(
                cell.search, cell.values[SEED.name], improvements
            ).items():
                columns.setdefault(name, []).extend(values)
        return columns

    def plot(self, kind: str = "time", **options: Any) -> Any:
        """A figure of these runs: `gatewalk.analysis.plots` knows the kinds and their options.

        >>> from gatewalk.campaign import campaign, run
        >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
        >>> results.plot("ecdf").axes[0].get_xlabel()
        'iterations + 1'
        """
        return above("gatewalk.analysis.plots", "plot")(self, kind, **options)

    def growth(self, **options: Any) -> Any:
        """How running times grow with n, for every curve: `growth_of` of `gatewalk.analysis.plots`."""
        return above("gatewalk.analysis.plots", "growth_of")(self, **options)

    def compare(self, by: str | None = None, **options: Any) -> Any:
        """The values of an option compared in pairs, by `gatewalk.analysis.plots`; print the result."""
        return above("gatewalk.analysis.plots", "compare")(self, by, **options)

    def exact_fits(self, **options: Any) -> Any:
        """The runs of every cell beside the exact distribution of their chain, by `gatewalk.analysis.plots`.

        >>> from gatewalk.campaign import campaign, run
        >>> run(campaign(target="and:3", nodes="n", replications=50, seed=7), jobs=1).exact_fits()
        <ExactFits of 1 cells, 1 tested, 0 differ>
        """
        return above("gatewalk.analysis.plots", "exact_fits")(self, **options)

    def report(self, out: str | os.PathLike[str]) -> None:
        """Write a self-contained page of these runs: `gatewalk.report.store_page`."""
        above("gatewalk.report.store_page", "report")(self, out)

    def export(self, to: str, out: str | os.PathLike[str], **options: Any) -> None:
        """Write the runs to a file for other programs, by `gatewalk.campaign.export`: "csv", "parquet", ...

        >>> from gatewalk.campaign import campaign, run
        >>> run(campaign(target="and:3", replications=5), jobs=1).export("csv", "and.csv")
        """
        from gatewalk.campaign.export import export

        export(self, to, out, **options)

    def _columns(self) -> Iterator[list[Iterable[Any]]]:
        """The columns of some runs at a time, in the order of `NAMES`."""
        for cell in self.cells():
            with explained(self.name):
                for chunk in stored.run_chunks(self.connection, cell):
                    columns = zip(RUN_COLUMNS, chunk, strict=True)
                    of_cell = (repeat(cell.values[name], len(chunk[0])) for name in _OF_CELL)
                    yield [*of_cell, *(_converted(column, values) for column, values in columns)]


def check_traces(results: Results) -> None:
    """Raise `InputError` if a run was stored without a trace."""
    untraced = results.runs_without_trace()
    if untraced:
        raise InputError(
            f"{results.name}: {untraced} runs have no trace, which is needed here; run the campaign with "
            "traces = true"
        )


_OF_CELL = [column.name for column in CELL_COLUMNS]


def _converted(column: Column, values: Iterable[Any]) -> Iterable[Any]:
    """Values of a column, converted from what SQLite holds to what Python uses."""
    if column.kind == "truth":
        return map(bool, values)
    return map(number_of, values) if column.kind == "number" else values


_RECENT_SECONDS = 60.0
_MOST_DELIVERIES = 2000  # more than are stored in that time


@dataclass(frozen=True, kw_only=True)
class Status:
    """The status of a store.

    checkpoints: how many unfinished runs are saved. campaign: the row of the latest invocation. rate: recent
    runs per second; None if no campaign is running.
    """

    name: str
    running: bool
    cells: tuple[StoredCell, ...]
    labels: tuple[str, ...]
    checkpoints: int
    campaign: Mapping[str, Any]
    rate: float | None

    @property
    def planned(self) -> int:
        return sum(cell.planned for cell in self.cells)

    @property
    def finished(self) -> int:
        return sum(min(cell.finished, cell.planned) for cell in self.cells)

    @property
    def more(self) -> int:
        """Stored runs that are no longer planned, because the replications of their cells were lowered."""
        return sum(max(0, cell.finished - cell.planned) for cell in self.cells)

    @property
    def state(self) -> str:
        """The latest campaign's: running, done, interrupted, failed; killed if nobody could say; empty."""
        if self.running:
            return "running"
        noted = str(self.campaign.get("state", "empty"))
        return "killed" if noted == "running" else noted

    @property
    def source(self) -> str:
        """The file of the latest campaign; empty if it had none."""
        return str(self.campaign.get("source") or "")

    @property
    def scheduler(self) -> str | None:
        """The Dask scheduler of the latest campaign; None if it ran on this machine."""
        name = str(self.campaign.get("executor", ""))
        return name.removeprefix(CLUSTER) if name.startswith(CLUSTER) else None

    @property
    def threads(self) -> int | None:
        """The threads of the latest campaign; None if it ran on a cluster."""
        name = str(self.campaign.get("executor", ""))
        if name == MAIN_THREAD:
            return 1
        count = name.removesuffix(THREADS)
        return int(count) if count != name and count.isdecimal() and len(count) < 9 else None


def status(store: str | os.PathLike[str]) -> Status:
    """The status of a store."""
    name = os.fspath(store)
    with Results.open(store) as results, explained(name):
        cells = tuple(results.cells())
        connection = results.connection
        active = running(store)
        campaign = stored.latest_campaign(connection)
        return Status(
            name=name,
            running=active,
            cells=cells,
            labels=tuple(labels([cell.values for cell in cells])),
            checkpoints=stored.checkpoint_count(connection),
            campaign=campaign,
            rate=_rate(connection, campaign) if active and campaign else None,
        )


def stored_runs(store: str | os.PathLike[str], cells: Sequence[Cell]) -> list[int]:
    """How many of the runs that a plan asks for a store has, by cell; a store need not exist."""
    if not os.path.exists(store):
        return [0 for _ in cells]
    with Results.open(store) as results:
        finished = {cell.key: cell.finished for cell in results.cells()}
    return [min(finished.get(cell.key, 0), cell.replications) for cell in cells]


def _rate(connection: sqlite3.Connection, campaign: Mapping[str, Any]) -> float | None:
    """Runs per second in the last minute, or since the campaign began."""
    now = time.time()
    since = max(campaign["started"], now - _RECENT_SECONDS)
    deliveries = stored.latest_deliveries(connection, _MOST_DELIVERIES)
    runs = sum(runs for runs, at in deliveries if at >= since)
    return runs / max(now - since, 0.1) if runs else None
