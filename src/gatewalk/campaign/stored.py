"""Reading a store: every value that comes out of it is checked before anyone uses it.

A store is a file that may come from a stranger or from a damaged disk. Only the functions here read rows, and
they raise `Damage` for whatever no campaign would have written.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.campaign.identity import cell_key
from gatewalk.campaign.packing import Trace, unpack_program, unpack_trace
from gatewalk.campaign.schema import (
    CAMPAIGN,
    CELL,
    CHECKPOINT,
    COUNTS,
    DELIVERY,
    ID,
    PROGRAM,
    RUN_NUMBER,
    TRACE,
)
from gatewalk.errors import InputError, shown
from gatewalk.search.algorithms import algorithm_of
from gatewalk.search.column import Column, check_values, number_of
from gatewalk.search.run import RUN_COLUMNS, Run
from gatewalk.search.settings import CELL_COLUMNS, SEED, Settings, cell_values, law_text, settings

_CHUNK = 5000  # rows read at once, so that a long reading never holds the writer's log back
Row = tuple[Any, ...]


class Damage(InputError):
    """What a store holds is not what a campaign writes; `store_file.explained` adds which store it is."""


@dataclass(frozen=True, kw_only=True)
class StoredCell:
    """A cell of a store, with counts over its runs.

    Attributes
    ----------
    number, key
        The number by which its rows are found, and its identity.
    law
        The version of the law of its runs.
    values
        Its settings by column, as `values["target"]`.
    options
        The arguments of `gatewalk.settings` that make these settings again.
    planned, finished, solved
        How many runs were asked for, are stored, and were solved.
    iterations, seconds
        Sums over its finished runs.
    traced
        How many runs have a trace.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> (cell,) = run(campaign(target="and:3", replications=5, seed=7), jobs=1).cells()
    >>> cell.values["target"], cell.finished, cell.solved
    ('and:3', 5, 5)
    """

    number: int
    key: bytes
    law: str
    values: dict[str, Any]
    options: dict[str, Any]
    planned: int
    finished: int
    solved: int
    iterations: int | float
    seconds: float
    traced: int

    @property
    def settings(self) -> Settings:
        """The settings of its runs, which must be those that its key stands for."""
        try:
            made = settings(**self.options)
        except InputError as error:
            raise Damage(f"cell {self.number}: {error}") from None
        seed, law = self.values[SEED.name], law_text(made)
        is_its_own = law == self.law and cell_key(law, made.budget, seed) == self.key
        if not is_its_own or cell_values(made, seed) != self.values:
            raise Damage(f"cell {self.number}: its settings are not those that it was stored under")
        return made

    @property
    def expected_running_time(self) -> float:
        """ERT: all iterations spent per success; infinite without one."""
        return self.iterations / self.solved if self.solved else float("inf")


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """A run on its way: its saved session and the seconds it took so far."""

    run: int
    state: bytes
    seconds: float


def select(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[Column],
    condition: str = "",
    values: Sequence[Any] = (),
) -> list[Row]:
    """Rows of a table, with these columns, all of whose values are as their columns say."""
    names = ", ".join(column.name for column in columns)
    rows: list[Row] = connection.execute(f"SELECT {names} FROM {table} {condition}", values).fetchall()
    if rows:
        for column, found in zip(columns, zip(*rows, strict=True), strict=True):
            try:
                check_values(column, found)
            except InputError as error:
                raise Damage(f"in the table {table}, {error}") from None
    return rows


def cells(connection: sqlite3.Connection) -> Iterator[StoredCell]:
    """The cells, in the order they were first asked for."""
    for row in select(connection, "cell", (ID, *CELL), "ORDER BY id"):
        values = dict(zip((column.name for column in (ID, *CELL)), row, strict=True))
        number = values["id"]
        counts = {column.name: values[column.name] for column in COUNTS}
        if max(counts["solved"], counts["traced"]) > counts["finished"]:
            raise Damage(f"cell {number} has counts that do not fit together")
        yield StoredCell(
            number=number,
            key=values["key"],
            law=values["law"],
            values={column.name: values[column.name] for column in CELL_COLUMNS},
            options=_options(number, values["options"]),
            planned=values["planned"],
            **counts,
        )


def _options(cell: int, text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or "target" not in found:
        raise Damage(f"cell {cell}: its options cannot be read")
    return found


def check_counts(connection: sqlite3.Connection) -> None:
    """Refuse a store whose cells do not have the runs and traces that they say: reads all of it."""
    for table, counted in (("run", "finished"), ("trace", "traced")):
        rows = select(connection, "cell", (ID, Column(name=counted, kind="count")))
        says: dict[int, int] = dict(rows)
        has = dict(connection.execute(f"SELECT cell, count(*) FROM {table} GROUP BY cell"))
        for number in has.keys() - says.keys():
            raise Damage(f"there are rows of {table} for a cell {shown(number)}, which is not there")
        for number, count in says.items():
            if count != has.get(number, 0):
                words = f"cell {number} says that it has {count} rows of {table}"
                raise Damage(f"{words}, not {has.get(number, 0)}")


def run_chunks(
    connection: sqlite3.Connection, cell: int, columns: Sequence[Column] = RUN_COLUMNS
) -> Iterator[list[Row]]:
    """The rows of a cell's runs by their numbers, which are their first column, some at a time."""
    last = -1
    while True:
        condition = f"WHERE cell = ? AND run > ? ORDER BY run LIMIT {_CHUNK}"
        chunk = select(connection, "run", columns, condition, (cell, last))
        if chunk:
            yield chunk
        if len(chunk) < _CHUNK:
            return
        last = chunk[-1][0]


def runs(connection: sqlite3.Connection, cell: StoredCell) -> Iterator[Run]:
    """A cell's runs with their programs, in the order of their numbers."""
    made = cell.settings
    for chunk in run_chunks(connection, cell.number, (*RUN_COLUMNS, PROGRAM)):
        yield from _runs(made, cell, chunk)


def run(connection: sqlite3.Connection, cell: StoredCell, number: int) -> Run | None:
    """One run of a cell; None if it is not there."""
    columns = (*RUN_COLUMNS, PROGRAM)
    rows = select(connection, "run", columns, "WHERE cell = ? AND run = ?", (cell.number, number))
    return next(_runs(cell.settings, cell, rows), None)


def _runs(made: Settings, cell: StoredCell, rows: Sequence[Row]) -> Iterator[Run]:
    try:
        programs: Any = [unpack_program(row[-1]) for row in rows]
        if len({program.size for program in programs}) == 1:
            programs = np.stack(programs)  # so that all are checked at once
        algorithm_of(made).check_programs(made, programs)
    except InputError as error:
        raise Damage(f"a program of cell {cell.number}: {error}") from None
    for row, program in zip(rows, programs, strict=True):
        values = dict(zip((column.name for column in RUN_COLUMNS), row, strict=False))
        values["solved"], values["fitness"] = bool(values["solved"]), number_of(values["fitness"])
        yield Run(settings=made, seed=cell.values[SEED.name], program=program, **values)


def large_numbers(connection: sqlite3.Connection, cell: int) -> set[str]:
    """The columns of a cell's runs in which a number exceeds 64 bits."""
    names = [column.name for column in RUN_COLUMNS if column.kind == "number"]
    query = "SELECT 1 FROM run WHERE cell = ? AND typeof({}) = 'text' LIMIT 1"
    return {name for name in names if connection.execute(query.format(name), (cell,)).fetchone()}


def run_numbers(connection: sqlite3.Connection, table: str, cell: int, below: int) -> NDArray[np.int64]:
    """The numbers of a cell's runs, or of its traces, below a number, in order."""
    rows = connection.execute(
        f"SELECT run FROM {table} WHERE cell = ? AND run < ? ORDER BY run", (cell, below)
    )
    try:
        return np.fromiter((run for (run,) in rows), np.int64)
    except (TypeError, ValueError, OverflowError):
        raise Damage(f"a number of a run of cell {cell} is none") from None


def traces(connection: sqlite3.Connection, cell: StoredCell) -> Iterator[tuple[int, Trace]]:
    """(run number, trace) of every run of the cell that has one."""
    last = -1
    while True:
        condition = f"WHERE cell = ? AND run > ? ORDER BY run LIMIT {_CHUNK}"
        chunk = select(connection, "trace", TRACE, condition, (cell.number, last))
        for _, number, data in chunk:
            try:
                yield number, unpack_trace(data)
            except InputError as error:
                raise Damage(f"the trace of run {number} of cell {cell.number}: {error}") from None
        if len(chunk) < _CHUNK:
            return
        last = chunk[-1][1]


def checkpoints(connection: sqlite3.Connection, cell: int) -> list[Checkpoint]:
    """The runs of a cell on their way; one that is damaged has an empty state, which nothing can resume."""
    found = []
    names = ", ".join(column.name for column in CHECKPOINT)
    for row in connection.execute(f"SELECT {names} FROM checkpoint WHERE cell = ? ORDER BY run", (cell,)):
        _, run, state, seconds, _ = row
        if not _is_right(RUN_NUMBER, run):
            continue  # of no run that could be resumed
        if not all(_is_right(column, value) for column, value in zip(CHECKPOINT, row, strict=True)):
            state, seconds = b"", 0.0
        found.append(Checkpoint(run=run, state=state, seconds=seconds))
    return found


def _is_right(column: Column, value: object) -> bool:
    try:
        check_values(column, [value])
    except InputError:
        return False
    return True


def checkpoint_count(connection: sqlite3.Connection) -> int:
    """How many runs are on their way."""
    ((count,),) = connection.execute("SELECT count(*) FROM checkpoint")
    return int(count)


def latest_campaign(connection: sqlite3.Connection) -> dict[str, Any]:
    """What was last asked for, and how it ended; empty if nothing was."""
    rows = select(connection, "campaign", CAMPAIGN, "ORDER BY id DESC LIMIT 1")
    return {column.name: value for row in rows for column, value in zip(CAMPAIGN, row, strict=True)}


def latest_deliveries(connection: sqlite3.Connection, most: int) -> list[tuple[int, float]]:
    """(runs, when they were stored) of the last deliveries, the newest first."""
    rows = select(connection, "delivery", DELIVERY, "ORDER BY id DESC LIMIT ?", (most,))
    return [(runs, stored) for _, runs, stored in rows]
