"""Stores that are damaged, foreign, newer or read-only are refused and left as they are."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gatewalk.campaign import Results, campaign, run
from gatewalk.campaign.schema import APPLICATION_ID, VERSION
from gatewalk.campaign.status import status
from gatewalk.campaign.store_file import in_memory, reading, running, writing
from gatewalk.errors import InputError

SMALL = campaign(target=["and:2", "and:3"], replications=40, seed=3)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "runs.sqlite"
    run(SMALL, path, jobs=1).close()
    return path


def refused(path: Path, words: str) -> None:
    """Both doors say so in one line, and nothing in the folder changes."""
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.parent.iterdir()}
    for door in (lambda: run(SMALL, path, jobs=1), lambda: status(path)):
        with pytest.raises(InputError, match=words) as error:
            door()
        assert "\n" not in str(error.value)
        assert str(path) in str(error.value)
    assert {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.parent.iterdir()} == before


def test_a_store_is_one_file_when_nobody_writes(store: Path) -> None:
    status(store)
    assert [p.name for p in store.parent.iterdir()] == ["runs.sqlite"]
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_empty_file_is_a_new_store(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    path.touch()
    with run(SMALL, path, jobs=1) as results:
        assert len(results) == 80


def test_a_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear store, " * 50)
    refused(path, "not a store")


def test_a_short_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear store")
    refused(path, "not a store")


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_foreign_database(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("CREATE TABLE run (x)")
    refused(path, "another program")


def test_a_newer_store(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    refused(store, "newer Gatewalk")


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_an_older_store(tmp_path: Path, mode: str) -> None:
    """As the first version wrote it, its tables being others."""
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        for table in ("campaign", "cell", "run", "trace", "checkpoint"):
            connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, key BLOB)")
        connection.execute(f"PRAGMA journal_mode = {mode}")
    refused(path, "written by an older Gatewalk.*; use a new store")


def test_a_truncated_store(store: Path) -> None:
    os.truncate(store, store.stat().st_size // 2)
    refused(store, "damaged")


def test_a_store_without_its_tables(store: Path) -> None:
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("DROP TABLE checkpoint")
    refused(store, "damaged")


def test_damage_in_the_middle_is_found_before_writing(store: Path) -> None:
    data = bytearray(store.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    with closing(sqlite3.connect(store)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'run'").fetchone()
    data[(page - 1) * size : page * size] = b"\xa5" * size
    store.write_bytes(data)
    with pytest.raises(InputError, match="damaged"):
        run(SMALL, store, jobs=1)
    assert store.read_bytes() == data
    with pytest.raises(InputError, match="damaged"), Results.open(store) as results:
        results.columns()


def test_a_read_only_store_can_be_read_and_not_written(store: Path) -> None:
    store.chmod(0o444)
    before = store.read_bytes()
    with pytest.raises(InputError, match="read-only"):
        run(SMALL, store, jobs=1)
    assert status(store).finished == 80
    assert store.read_bytes() == before
    assert [p.name for p in store.parent.iterdir()] == ["runs.sqlite"]


def test_a_read_only_folder(store: Path) -> None:
    store.parent.chmod(0o555)
    try:
        with pytest.raises(InputError, match="read-only"):
            run(SMALL, store, jobs=1)
        assert status(store).finished == 80
    finally:
        store.parent.chmod(0o755)


def test_places_where_no_store_can_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        run(SMALL, tmp_path, jobs=1)
    with pytest.raises(InputError, match="does not exist"):
        run(SMALL, tmp_path / "none" / "a.sqlite", jobs=1)
    with pytest.raises(InputError, match="no such store"):
        reading(tmp_path / "none.sqlite")


def test_a_store_has_one_writer_and_many_readers(store: Path) -> None:
    assert not running(store)
    with writing(store):
        assert running(store)
        assert status(store).running
        with pytest.raises(InputError, match="another campaign is writing"):
            run(SMALL, store, jobs=1)
    assert not running(store)


def test_memory_needs_no_file() -> None:
    with closing(in_memory()) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchone() == (0,)
