"""Reading a store from a stranger: what no campaign writes is refused in a line, by every reader."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gatewalk.campaign import Results, campaign, run
from gatewalk.campaign import stored as reading
from gatewalk.campaign.export import export
from gatewalk.campaign.packing import pack_trace
from gatewalk.campaign.status import status
from gatewalk.errors import InputError

SMALL = campaign(target=["and:2", "and:3"], replications=6, seed=3, traces=True)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "runs.sqlite"
    run(SMALL, path, jobs=1).close()
    return path


def read_all(path: Path) -> None:
    """All that a reader can ask of a store."""
    status(path)
    with Results.open(path) as results:
        results.columns()
        assert all(one.circuit is not None for one in results.runs())
        for cell in results.cells():
            assert cell.settings is not None
            list(results.traces(cell))
        export(results, "ioh", path.with_suffix(".ioh"))


def changed(path: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement, values if "?" in statement else ())


def refused(path: Path, words: str = "the store is damaged") -> None:
    with pytest.raises(InputError, match=words) as error:
        read_all(path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_a_store_that_is_whole_is_read(store: Path) -> None:
    read_all(store)


CHANGES = [
    ("UPDATE cell SET target = ?", b"\xff\xfe"),
    ("UPDATE cell SET target = ?", 5),
    ("UPDATE cell SET n = ?", "many"),
    ("UPDATE cell SET n = ?", -3),
    ("UPDATE cell SET options = ?", "{"),
    ("UPDATE cell SET options = ?", "[1]"),
    ("UPDATE cell SET options = ?", "{}"),
    ("UPDATE cell SET options = ?", '{"target": "and:9"}'),
    ("UPDATE cell SET options = ?", '{"target": "and:2", "colour": 1}'),
    ("UPDATE cell SET options = ?", '{"target": "and:2", "options": [1]}'),
    ("UPDATE cell SET options = ?", "[" * 50_000),
    ("UPDATE cell SET law = ?", "{}"),
    ("UPDATE cell SET seed = ?", 4),
    ("UPDATE cell SET solved = ?", 10**6),
    ("UPDATE cell SET iterations = ?", "x"),
    ("UPDATE cell SET seconds = ?", float("inf")),
    ("UPDATE run SET iterations = ?", "x"),
    ("UPDATE run SET iterations = ?", -1),
    ("UPDATE run SET solved = ?", 7),
    ("UPDATE run SET fitness = ?", "-4"),
    ("UPDATE run SET fitness = ?", b"4"),
    ("UPDATE run SET evaluation = ?", b"\xff"),
    ("UPDATE run SET generalisation = ?", "good"),
    ("UPDATE run SET program = ?", b""),
    ("UPDATE run SET program = ?", "text"),
    ("UPDATE run SET program = ?", b"\x03abc"),
    ("UPDATE run SET program = ?", b"\x02a"),
    ("UPDATE run SET program = ?", b"\x01\x00\x00"),
    ("UPDATE run SET program = ?", b"\x81" + zlib.compress(b"\x7f" * 13)),
    ("UPDATE run SET program = ?", b"\x81" + zlib.compress(bytes(1 << 29))),
    ("UPDATE run SET program = ?", b"\x81rubbish"),
    ("UPDATE run SET program = ?", b"\x08" + b"\x7f" * 8 * 13),
    ("UPDATE trace SET data = ?", b"rubbish"),
    ("UPDATE trace SET data = ?", "text"),
    ("UPDATE trace SET data = ?", zlib.compress(b"[" * 50_000)),
    ("UPDATE trace SET data = ?", zlib.compress(b'[["x", 1]]')),
    ("UPDATE trace SET data = ?", zlib.compress(b"[]")),
    ("UPDATE trace SET data = ?", zlib.compress(b"[[1, 5], [1, 4]]")),
    ("UPDATE trace SET data = ?", zlib.compress(b"[[1, 5]]")[:-3]),
    ("UPDATE trace SET data = ?", pack_trace([(2, 5)])),
    ("UPDATE campaign SET source = ?", b"\xff"),
    ("UPDATE campaign SET started = ?", "then"),
]


@pytest.mark.parametrize(("statement", "value"), CHANGES)
def test_values_that_no_campaign_writes_are_refused(store: Path, statement: str, value: object) -> None:
    changed(store, statement, values=(value,))
    refused(store)


@pytest.mark.parametrize("text", ["fffe", "0a0d1b5b33316dff", "41" * 5000 + "ff"])
def test_text_that_is_none_is_refused_in_one_line(store: Path, text: str) -> None:
    changed(store, f"UPDATE run SET evaluation = CAST(x'{text}' AS TEXT)")
    refused(store)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER surprise AFTER INSERT ON run BEGIN DELETE FROM cell; END",
        "CREATE VIEW more AS SELECT * FROM run",
        "CREATE TABLE more (id)",
        "CREATE INDEX more ON run (iterations)",
        "DROP TABLE trace",
        "ALTER TABLE run ADD COLUMN colour TEXT",
        "ALTER TABLE campaign RENAME COLUMN name TO title",
    ],
)
def test_another_schema_is_refused_before_anything_of_it_runs(store: Path, statement: str) -> None:
    changed(store, statement)
    before = store.read_bytes()
    for door in (lambda: run(SMALL, store, jobs=1), lambda: status(store)):
        with pytest.raises(InputError, match="other tables, views or triggers"):
            door()
    assert store.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE cell SET finished = finished + 1", "says that it has 7 rows of run, not 6"),
        ("DELETE FROM run WHERE run = 2", "says that it has 6 rows of run, not 5"),
        ("UPDATE cell SET traced = 5", "says that it has 5 rows of trace, not 6"),
        ("UPDATE trace SET cell = 9 WHERE cell = 1", "rows of trace for a cell 9"),
    ],
)
def test_counts_that_are_wrong_are_found_before_writing(store: Path, statement: str, words: str) -> None:
    changed(store, statement)
    with pytest.raises(InputError, match=words):
        run(SMALL, store, jobs=1)


def test_a_huge_value_is_not_read(store: Path) -> None:
    changed(store, "UPDATE run SET program = zeroblob(300000000) WHERE cell = 1 AND run = 0")
    refused(store, "too big|damaged")


def test_a_cell_is_what_its_key_says(store: Path) -> None:
    """Settings that are right by themselves, but not those under which the runs were stored."""
    with Results.open(store) as results:
        options = results.cells()[0].options
    changed(store, "UPDATE cell SET options = ? WHERE id = 1", values=(json.dumps(options | {"budget": 7}),))
    refused(store, "not those that it was stored under")


def test_a_checkpoint_that_is_damaged_has_no_state(store: Path) -> None:
    insert = "INSERT INTO checkpoint (cell, run, state, seconds, saved) VALUES (1, ?, ?, ?, 0)"
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute(insert, (3, b"good", 2.0))
        connection.execute(insert, (4, "text", 2.0))
        connection.execute(insert, (5, b"good", "long"))
        connection.execute(insert, ("x", b"good", 2.0))
        found = reading.checkpoints(connection, 1)
    assert [(one.run, one.state) for one in found] == [(3, b"good"), (4, b""), (5, b"")]


@pytest.mark.parametrize("reader", [Results.cells, Results.columns, lambda results: list(results.runs())])
def test_python_readers_get_the_same_line(store: Path, reader: Callable[[Results], object]) -> None:
    changed(store, "UPDATE cell SET n = 'x'")
    with Results.open(store) as results, pytest.raises(InputError, match="the store is damaged"):
        reader(results)
