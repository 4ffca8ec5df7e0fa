"""Opening a store safely: if anything is wrong, one line says so and the file is left unchanged.

A store is one SQLite file in write-ahead mode. It is examined before any connection that could change it: its
header is read as bytes, its content through a read-only connection. There is only one writer, which holds a
lock on a second SQLite file beside the store; the lock ends with the process.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sqlite3
import urllib.parse
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gatewalk.campaign.schema import APPLICATION_ID, STATEMENTS, VERSION
from gatewalk.campaign.stored import Damage, check_counts
from gatewalk.errors import InputError, printable

_MAGIC = b"SQLite format 3\0"
_BUSY_SECONDS = 30.0
_LONGEST_REASON = 300  # characters of SQLite's messages that are quoted
_LONGEST_VALUE = 1 << 28  # bytes, enough for a saved search with the largest program


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
    if version < VERSION:
        raise InputError(
            f"{name}: written by an older Gatewalk (store version {version}, this one reads {VERSION}); "
            "use a new store"
        )
    with explained(name), contextlib.closing(_connect(name, _untouching(name))) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        if not os.path.exists(name + "-wal") and os.path.getsize(name) < pages * size:
            raise Damage("its end is missing")
        found = set(connection.execute(_SCHEMA))
        if found and found != _own_schema():
            raise Damage("it has other tables, views or triggers than a store")
        if thorough:
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if verdict != "ok":
                raise Damage(str(verdict).splitlines()[-1])
            if found:
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
            raise InputError(f"{name}: in use by another program; try again when it is done") from None
        if "full" in text or "disk I/O" in text:
            raise InputError(
                f"{name}: the disk refuses ({text}); make room and run the campaign again"
            ) from None
        if isinstance(error, sqlite3.ProgrammingError):
            raise
        raise _damaged(name, text) from None


def _damaged(name: str, what: str) -> InputError:
    again = f"sqlite3 {shlex.quote(name)} .recover"
    words = printable(what)[:_LONGEST_REASON]  # messages of SQLite may quote damaged text
    return InputError(f"{name}: the store is damaged ({words}); take a backup, or try `{again}`")


def _create(connection: sqlite3.Connection) -> None:
    # Before write-ahead mode is set, so that from the beginning the header in the file identifies a store.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    for statement in STATEMENTS:
        connection.execute(statement)
    connection.execute("COMMIT")


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
def _own_schema() -> set[tuple[str | None, ...]]:
    """What the query `_SCHEMA` returns for a store of this version."""
    with contextlib.closing(in_memory()) as connection:
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
