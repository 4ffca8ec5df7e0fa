"""The tables of a store: they can be created, and hold what their columns say."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

import pytest

from gatewalk.campaign import schema
from gatewalk.search.column import Column
from gatewalk.search.run import RUN_COLUMNS
from gatewalk.search.settings import CELL_COLUMNS

TABLES: dict[str, Sequence[Column]] = {
    "campaign": (schema.ID, *schema.CAMPAIGN),
    "cell": (schema.ID, *schema.CELL),
    "delivery": (schema.ID, *schema.DELIVERY),
    "run": schema.RUN,
    "trace": schema.TRACE,
    "checkpoint": schema.CHECKPOINT,
}


def created() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA foreign_keys = ON")
    for statement in schema.STATEMENTS:
        connection.execute(statement)
    return connection


def test_columns_are_those_of_settings_and_runs() -> None:
    with closing(created()) as connection:
        for table, columns in TABLES.items():
            found = connection.execute(f"PRAGMA table_info({table})").fetchall()
            assert [row[1] for row in found] == [column.name for column in columns]
            for row, column in zip(found, columns, strict=True):
                assert bool(row[3]) == (not column.optional) or row[5]  # NOT NULL, or part of the key
    assert set(CELL_COLUMNS) <= set(schema.CELL)
    assert set(RUN_COLUMNS) <= set(schema.RUN)


def test_names_occur_once_per_table() -> None:
    for columns in TABLES.values():
        names = [column.name for column in columns]
        assert len(set(names)) == len(names)


def test_a_trace_needs_its_run_and_a_checkpoint_its_cell() -> None:
    with closing(created()) as connection:
        for statement in (
            "INSERT INTO trace (cell, run, data) VALUES (1, 0, x'00')",
            "INSERT INTO checkpoint (cell, run, state, seconds, saved) VALUES (1, 0, x'00', 0.0, 0.0)",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
                connection.execute(statement)


def test_counts_begin_at_zero_and_keys_are_unique() -> None:
    needed = [column for column in schema.CELL if column not in schema.COUNTS and not column.optional]
    names = ", ".join(column.name for column in needed)
    values = tuple(b"key" if column.kind == "bytes" else 1 for column in needed)
    statement = f"INSERT INTO cell ({names}) VALUES ({', '.join('?' * len(needed))})"
    with closing(created()) as connection:
        connection.execute(statement, values)
        counts = ", ".join(column.name for column in schema.COUNTS)
        assert connection.execute(f"SELECT {counts} FROM cell").fetchall() == [(0,) * len(schema.COUNTS)]
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            connection.execute(statement, values)


def test_a_number_of_any_size_keeps_its_digits() -> None:
    """A typed column would make a float of decimal text."""
    large = str(2**80)
    (name,) = {column.name for column in schema.RUN if column.kind == "number"} & {"fitness"}
    with closing(created()) as connection:
        (declared,) = (row[2] for row in connection.execute("PRAGMA table_info(run)") if row[1] == name)
        connection.execute(f"CREATE TABLE probe (value {declared})")
        connection.execute("INSERT INTO probe VALUES (?)", (large,))
        assert connection.execute("SELECT value FROM probe").fetchone() == (large,)
