"""The file of a store: its tables, opening it safely, and reading rows of which every value is checked.

A store is one SQLite file in write-ahead mode, which may come from anyone or from a damaged disk. It is
examined before any connection that could change it: its header is read as bytes, its content through a
read-only connection. If anything is wrong, one line says so and the file is left unchanged. There is only one
writer, which holds a lock on a second SQLite file beside the store; the lock ends with the process.

The columns of cells and runs follow from the table of options and from `Run`. Counts per cell are updated
with the runs, so nobody has to count rows to know the status.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sqlite3
import urllib.parse
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from gatewalk.errors import InputError, printable, shown
from gatewalk.search.columns import Column, Kind, check_values
from gatewalk.search.options import CELL_COLUMNS
from gatewalk.search.runs import RUN_COLUMNS

APPLICATION_ID = 0x4757_414C  # "GWAL"
OLDEST, VERSION = 3, 4  # 4 has the table of operators; a store without such operators is one of version 3

ID = Column(name="id", kind="count")
CELL_NUMBER = Column(name="cell", kind="count")
RUN_NUMBER = Column(name="run", kind="count")
PROGRAM = Column(name="program", kind="bytes")

# One row per invocation of a campaign: what was asked for, with which software, on which machine, and when.
CAMPAIGN = (
    Column(name="name", kind="text"),
    Column(name="source", kind="text"),
    Column(name="text", kind="text"),
    Column(name="packages", kind="text"),
    Column(name="processor", kind="text"),
    Column(name="executor", kind="text"),
    Column(name="started", kind="real"),
    Column(name="stopped", kind="real", optional=True),
    Column(name="state", kind="text"),
)
# About the stored runs of a cell: how many there are, how many were solved and how many have a trace, and the
# sums of their iterations and seconds.
COUNTS = (
    Column(name="finished", kind="count"),
    Column(name="solved", kind="count"),
    Column(name="iterations", kind="total"),
    Column(name="seconds", kind="real"),
    Column(name="traced", kind="count"),
)
# options: the words of `search_for`, as JSON. law: the canonical text of the law that follows from them.
CELL = (
    Column(name="key", kind="bytes"),
    Column(name="law", kind="text"),
    Column(name="options", kind="text"),
    *CELL_COLUMNS,
    Column(name="planned", kind="count"),
    *COUNTS,
)
# One row per transaction that stored runs: of which invocation, how many runs, and when.
DELIVERY = (
    Column(name="campaign", kind="count"),
    Column(name="runs", kind="count"),
    Column(name="stored", kind="real"),
)
# A run is identified by its cell, whose key is a hash of what determines it, and by its number.
RUN = (CELL_NUMBER, *RUN_COLUMNS, PROGRAM, Column(name="delivery", kind="count"))
TRACE = (CELL_NUMBER, RUN_NUMBER, Column(name="data", kind="bytes"))
CHECKPOINT = (
    CELL_NUMBER,
    RUN_NUMBER,
    Column(name="state", kind="bytes"),
    Column(name="seconds", kind="real"),
    Column(name="saved", kind="real"),
)
# The functions of users that are mutations or selections of its cells, as text: to be shown, never executed.
OPERATOR = (
    Column(name="kind", kind="text"),
    Column(name="name", kind="text"),
    Column(name="digest", kind="text"),
    Column(name="source", kind="text"),
)

# Numbers beyond 64 bits are stored as decimal text, so their column has no type.
_TYPES: dict[Kind, str] = {
    "text": "TEXT",
    "count": "INTEGER",
    "total": "INTEGER",
    "real": "REAL",
    "truth": "INTEGER",
    "number": "",
    "bytes": "BLOB",
}


def _numbered(name: str, columns: Sequence[Column], *more: str) -> str:
    """The statement that creates a table whose rows have a number of their own as key."""
    return _table(name, ["id INTEGER PRIMARY KEY", *map(_declared, columns), *more])


def _of_runs(name: str, columns: Sequence[Column], *more: str) -> str:
    """The statement that creates a table with a row per run, ordered so that new runs are appended."""
    key = "PRIMARY KEY (cell, run)"
    return _table(name, [*map(_declared, columns), key, *more]) + " WITHOUT ROWID"


def _table(name: str, lines: Sequence[str]) -> str:
    return f"CREATE TABLE {name} (" + ", ".join(lines) + ")"


def _declared(column: Column) -> str:
    words = [column.name, _TYPES[column.kind], "" if column.optional else "NOT NULL"]
    if column in COUNTS:
        words.append("DEFAULT 0")
    return " ".join(filter(None, words))


STATEMENTS = (
    _numbered("campaign", CAMPAIGN),
    _numbered("cell", CELL, "UNIQUE (key)"),
    _numbered("delivery", DELIVERY, "FOREIGN KEY (campaign) REFERENCES campaign"),
    _of_runs("run", RUN, "FOREIGN KEY (cell) REFERENCES cell", "FOREIGN KEY (delivery) REFERENCES delivery"),
    _of_runs("trace", TRACE, "FOREIGN KEY (cell, run) REFERENCES run"),
    _of_runs("checkpoint", CHECKPOINT, "FOREIGN KEY (cell) REFERENCES cell"),
)
_OPERATORS = _numbered("operator", OPERATOR, "UNIQUE (kind, name)")

_MAGIC = b"SQLite format 3\0"
_BUSY_SECONDS = 30.0
_LONGEST_REASON = 300  # characters of SQLite's messages that are quoted
_LONGEST_VALUE = 1 << 28  # bytes, enough for a saved search with the largest program
Row = tuple[Any, ...]


class Damage(InputError):
    """A store holds something that no campaign writes. `explained` adds the name of the store."""


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[sqlite3.Connection]:
    """The only writing connection to a store, which is created if it does not exist."""
    name = os.fspath(path)
    _writable(Path(name))
    with _lock(name), explained(name):
        if os.path.exists(name) and os.path.getsize(name):
            examine(name, thorough=True)
        connection = sqlite3.connect(name, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            _distrust(connection)
            if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                _create(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection
        finally:
            connection.close()


def in_memory() -> sqlite3.Connection:
    """A new store in memory, which is lost when the connection is closed."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _create(connection)
    return connection


def reading(path: str | os.PathLike[str]) -> sqlite3.Connection:
    """A read-only connection, which works even while a campaign is writing."""
    name = os.fspath(path)
    with explained(name):
        if not os.path.isfile(name):
            raise InputError(f"{name}: no such store; `gatewalk campaign run SPEC --store {name}` makes one")
        examine(name, thorough=False)
        if _read_only(Path(name)) or _read_only(Path(name).absolute().parent):
            return _connect(name, _untouching(name))
        connection = _connect(name, "mode=rw")  # so that the last connection to close can remove the log
        connection.execute("PRAGMA query_only = ON")
        return connection


def file_of(connection: sqlite3.Connection) -> str:
    """The path of a store; empty if the store is in memory."""
    (_, _, file), *_ = connection.execute("PRAGMA database_list")
    return str(file)


def running(path: str | os.PathLike[str]) -> bool:
    """Whether a campaign is writing to the store now."""
    lock = os.fspath(path) + "-lock"
    if not os.path.exists(lock):
        return False
    try:
        probe = sqlite3.connect(f"file:{urllib.parse.quote(lock)}?mode=rw", uri=True, timeout=0)
        try:
            probe.execute("BEGIN EXCLUSIVE")
            probe.rollback()
        finally:
            probe.close()
    except sqlite3.OperationalError:
        return True
    return False


def examine(name: str, *, thorough: bool) -> None:
    """Raise `InputError` unless the file is an intact store of this version; `thorough` reads all of it."""
    with open(name, "rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise InputError(f"{name}: not a store of Gatewalk (not even an SQLite file); choose another file")
    application = int.from_bytes(header[68:72], "big")
    version = int.from_bytes(header[60:64], "big")
    if application != APPLICATION_ID:
        raise InputError(f"{name}: an SQLite file of another program, not a store; choose another file")
    if version > VERSION:
        raise InputError(
            f"{name}: written by a newer Gatewalk (store version {version}, this one reads {VERSION}); "
            "upgrade Gatewalk"
        )
    if version < OLDEST:
        raise InputError(
            f"{name}: written by an older Gatewalk (store version {version}, this one reads {OLDEST}); "
            "use a new store"
        )
    with explained(name), contextlib.closing(_connect(name, _untouching(name))) as connection:
        schema = set(connection.execute(_SCHEMA))
        if schema and schema not in (_own_schema(), _own_schema(operators=True)):
            raise Damage("it has other tables, views or triggers than a store")
        if thorough:
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                raise Damage(str(verdict).splitlines()[-1])
            if schema:
                check_counts(connection)


@contextlib.contextmanager
def explained(name: str) -> Iterator[None]:
    """Turn errors of SQLite and `Damage` into an `InputError` of one line that says what to do."""
    try:
        yield
    except Damage as damage:
        raise _damaged(name, str(damage)) from None
    except UnicodeDecodeError:  # also raised by messages of SQLite that quote damaged text
        raise _damaged(name, "a text in it is none") from None
    except sqlite3.DatabaseError as error:
        text = str(error)
        if "readonly" in text or "unable to open" in text:
            raise InputError(
                f"{name}: cannot be written ({text}); check its permissions and its folder's"
            ) from None
        if "locked" in text or "busy" in text:
            raise InputError(f"{name}: in use by another program; try again when it has finished") from None
        if "full" in text or "disk I/O" in text:
            raise InputError(
                f"{name}: the disk is full or broken ({text}); free some space and run the campaign again"
            ) from None
        if isinstance(error, sqlite3.ProgrammingError):
            raise
        raise _damaged(name, text) from None


def _damaged(name: str, what: str) -> InputError:
    again = f"sqlite3 {shlex.quote(name)} .recover"
    words = printable(what)[:_LONGEST_REASON]  # messages of SQLite may quote damaged text
    return InputError(f"{name}: the store is damaged ({words}); restore a backup, or try `{again}`")


def select(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[Column],
    condition: str = "",
    values: Sequence[Any] = (),
) -> list[Row]:
    """Rows of a table with these columns; raises `Damage` for a value that its column does not allow."""
    rows, _ = select_checked(connection, table, columns, condition, values)
    return rows


def select_checked(
    connection: sqlite3.Connection,
    table: str,
    columns: Sequence[Column],
    condition: str = "",
    values: Sequence[Any] = (),
) -> tuple[list[Row], list[tuple[Any, ...]]]:
    """As `select`: the rows, and their columns, of which there are none if there are no rows."""
    names = ", ".join(column.name for column in columns)
    rows: list[Row] = connection.execute(f"SELECT {names} FROM {table} {condition}", values).fetchall()
    by_column = list(zip(*rows, strict=True))
    for column, of_column in zip(columns, by_column, strict=False):
        try:
            check_values(column, of_column)
        except InputError as error:
            raise Damage(f"in the table {table}, {error}") from None
    return rows, by_column


def check_counts(connection: sqlite3.Connection) -> None:
    """Raise `Damage` unless every cell has as many runs and traces as its counts say; reads all of it."""
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


def _create(connection: sqlite3.Connection) -> None:
    # Before write-ahead mode is set, so that from the beginning the header in the file identifies a store.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {OLDEST}")
    for statement in STATEMENTS:
        connection.execute(statement)
    connection.execute("COMMIT")


def has_operators(connection: sqlite3.Connection) -> bool:
    """Whether the store has a table of operators."""
    return connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'operator'").fetchone() is not None


def make_operators(connection: sqlite3.Connection) -> None:
    """Add the table of operators, in a transaction that is under way."""
    connection.execute(_OPERATORS)
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _connect(name: str, how: str) -> sqlite3.Connection:
    address = f"file:{urllib.parse.quote(os.path.abspath(name))}?{how}"
    connection = sqlite3.connect(
        address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    _distrust(connection)
    return connection


def _distrust(connection: sqlite3.Connection) -> None:
    """Let nothing in the file execute code or allocate much memory: it may come from anyone."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)


_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_master"


@cache
def _own_schema(*, operators: bool = False) -> set[tuple[str | None, ...]]:
    """What the query `_SCHEMA` returns for a store, with or without a table of operators."""
    with contextlib.closing(in_memory()) as connection:
        if operators:
            make_operators(connection)
        return set(connection.execute(_SCHEMA))


def _untouching(name: str) -> str:
    """The URI parameters that open a file without changing anything.

    If there is a log, another process may be writing, so the file cannot be opened as immutable.
    """
    log = name + "-wal"
    return "mode=ro" if os.path.exists(log) and os.path.getsize(log) else "mode=ro&immutable=1"


def _read_only(path: Path) -> bool:
    # The permission bits count even for an administrator, who could write to the file anyway.
    return not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK)


def _writable(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"{path}: is a folder; a store is a file, such as {path / 'runs.sqlite'}")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InputError(f"{path}: the folder {folder} does not exist; make it first")
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is a pipe or a device; a store is a file, choose another name")
    for place in (path, folder):
        if place.exists() and _read_only(place):
            raise InputError(f"{place}: read-only; allow writing or choose another store with --store")


@contextlib.contextmanager
def _lock(name: str) -> Iterator[None]:
    lock = name + "-lock"
    holder = sqlite3.connect(lock, timeout=0.2, isolation_level=None)
    try:
        try:
            holder.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError:
            raise InputError(
                f"{name}: another campaign is writing to it; wait for it or use another store"
            ) from None
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.unlink(lock)
    finally:
        holder.close()
