"""Stores that are damaged, foreign, newer or read-only are refused and left as they are."""

import os
import sqlite3
import sys
from contextlib import closing

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.campaign import Results, campaign, run, store_file
from gatewalk.campaign.packing import pack_program, pack_programs, pack_trace, unpack_program, unpack_trace
from gatewalk.campaign.results import status
from gatewalk.campaign.store_file import APPLICATION_ID, VERSION, in_memory, reading, running, writing
from gatewalk.errors import InputError
from gatewalk.search.options import CELL_COLUMNS
from gatewalk.search.runs import RUN_COLUMNS

SMALL = campaign(target=["and:2", "and:3"], replications=40, seed=3)


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "runs.sqlite"
    run(SMALL, path, jobs=1).close()
    return path


def refused(path, words):
    """Both doors say so in one line, and nothing in the folder changes."""
    before = {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.parent.iterdir()}
    for door in (lambda: run(SMALL, path, jobs=1), lambda: status(path)):
        with pytest.raises(InputError, match=words) as error:
            door()
        assert "\n" not in str(error.value)
        assert str(path) in str(error.value)
    assert {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in path.parent.iterdir()} == before


def test_a_store_is_one_file_when_nobody_writes(store):
    status(store)
    assert [p.name for p in store.parent.iterdir()] == ["runs.sqlite"]
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_empty_file_is_a_new_store(tmp_path):
    path = tmp_path / "new.sqlite"
    path.touch()
    with run(SMALL, path, jobs=1) as results:
        assert len(results) == 80


def test_a_foreign_file(tmp_path):
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear store, " * 50)
    refused(path, "not a store")


def test_a_short_foreign_file(tmp_path):
    path = tmp_path / "letter.sqlite"
    path.write_text("Dear store")
    refused(path, "not a store")


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_foreign_database(tmp_path, mode):
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("CREATE TABLE run (x)")
    refused(path, "another program")


def test_a_newer_store(store):
    with closing(sqlite3.connect(store)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    refused(store, "newer Gatewalk")


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_an_older_store(tmp_path, mode):
    """As the first version wrote it, its tables being others."""
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        for table in ("campaign", "cell", "run", "trace", "checkpoint"):
            connection.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, key BLOB)")
        connection.execute(f"PRAGMA journal_mode = {mode}")
    refused(path, "written by an older Gatewalk.*; use a new store")


def test_a_truncated_store(store):
    os.truncate(store, store.stat().st_size // 2)
    refused(store, "damaged")


def test_a_store_without_its_tables(store):
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("DROP TABLE checkpoint")
    refused(store, "damaged")


def test_damage_in_the_middle_is_found_before_writing(store):
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


def test_a_read_only_store_can_be_read_and_not_written(store):
    store.chmod(0o444)
    before = store.read_bytes()
    with pytest.raises(InputError, match="read-only"):
        run(SMALL, store, jobs=1)
    assert status(store).finished == 80
    assert store.read_bytes() == before
    assert [p.name for p in store.parent.iterdir()] == ["runs.sqlite"]


def test_a_read_only_folder(store):
    store.parent.chmod(0o555)
    try:
        with pytest.raises(InputError, match="read-only"):
            run(SMALL, store, jobs=1)
        assert status(store).finished == 80
    finally:
        store.parent.chmod(0o755)


def test_places_where_no_store_can_be(tmp_path):
    with pytest.raises(InputError, match="is a folder"):
        run(SMALL, tmp_path, jobs=1)
    with pytest.raises(InputError, match="does not exist"):
        run(SMALL, tmp_path / "none" / "a.sqlite", jobs=1)
    with pytest.raises(InputError, match="no such store"):
        reading(tmp_path / "none.sqlite")


def test_a_pipe_is_no_store(tmp_path):
    path = tmp_path / "runs.sqlite"
    os.mkfifo(path)
    with pytest.raises(InputError, match="is a pipe or a device"):
        run(SMALL, path, jobs=1)
    with pytest.raises(InputError, match="no such store"):
        reading(path)


def test_a_store_has_one_writer_and_many_readers(store):
    assert not running(store)
    with writing(store):
        assert running(store)
        assert status(store).running
        with pytest.raises(InputError, match="another campaign is writing"):
            run(SMALL, store, jobs=1)
    assert not running(store)


def test_memory_needs_no_file():
    with closing(in_memory()) as connection:
        assert connection.execute("SELECT count(*) FROM run").fetchone() == (0,)


TABLES = {
    "campaign": (store_file.ID, *store_file.CAMPAIGN),
    "cell": (store_file.ID, *store_file.CELL),
    "delivery": (store_file.ID, *store_file.DELIVERY),
    "run": store_file.RUN,
    "trace": store_file.TRACE,
    "checkpoint": store_file.CHECKPOINT,
}


def created():
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA foreign_keys = ON")
    for statement in store_file.STATEMENTS:
        connection.execute(statement)
    return connection


def test_columns_are_those_of_options_and_runs():
    with closing(created()) as connection:
        for table, columns in TABLES.items():
            declared = connection.execute(f"PRAGMA table_info({table})").fetchall()
            assert [row[1] for row in declared] == [column.name for column in columns]
            for row, column in zip(declared, columns, strict=True):
                assert bool(row[3]) == (not column.optional) or row[5]  # NOT NULL, or part of the key
    assert set(CELL_COLUMNS) <= set(store_file.CELL)
    assert set(RUN_COLUMNS) <= set(store_file.RUN)


def test_names_occur_once_per_table():
    for columns in TABLES.values():
        names = [column.name for column in columns]
        assert len(set(names)) == len(names)


def test_a_trace_needs_its_run_and_a_checkpoint_its_cell():
    with closing(created()) as connection:
        for statement in (
            "INSERT INTO trace (cell, run, data) VALUES (1, 0, x'00')",
            "INSERT INTO checkpoint (cell, run, state, seconds, saved) VALUES (1, 0, x'00', 0.0, 0.0)",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
                connection.execute(statement)


def test_counts_begin_at_zero_and_keys_are_unique():
    needed = [column for column in store_file.CELL if column not in store_file.COUNTS and not column.optional]
    names = ", ".join(column.name for column in needed)
    values = tuple(b"key" if column.kind == "bytes" else 1 for column in needed)
    statement = f"INSERT INTO cell ({names}) VALUES ({', '.join('?' * len(needed))})"
    with closing(created()) as connection:
        connection.execute(statement, values)
        counts = ", ".join(column.name for column in store_file.COUNTS)
        assert connection.execute(f"SELECT {counts} FROM cell").fetchall() == [(0,) * len(store_file.COUNTS)]
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            connection.execute(statement, values)


def test_a_number_of_any_size_keeps_its_digits():
    """A typed column would make a float of decimal text."""
    large = str(2**80)
    (name,) = {column.name for column in store_file.RUN if column.kind == "number"} & {"fitness"}
    with closing(created()) as connection:
        (declared,) = (row[2] for row in connection.execute("PRAGMA table_info(run)") if row[1] == name)
        connection.execute(f"CREATE TABLE probe (value {declared})")
        connection.execute("INSERT INTO probe VALUES (?)", (large,))
        assert connection.execute("SELECT value FROM probe").fetchone() == (large,)


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=300))
def test_programs_come_back(values):
    program = np.array(values, dtype=np.int32)
    unpacked = unpack_program(pack_program(program))
    assert unpacked.dtype == np.int32
    assert unpacked.tolist() == values


def test_a_fitness_of_thousands_of_digits_survives():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        trace = ((1, 2**15000), (7, 2**14999 - 1), (9, 0))
        assert unpack_trace(pack_trace(trace)) == trace
    finally:
        sys.set_int_max_str_digits(before)


NARROW, MIDDLE, WIDE = (
    st.integers(-(2**bits), 2**bits - 1) | st.sampled_from([-(2**bits), 2**bits - 1]) for bits in (7, 15, 31)
)


@given(st.data(), st.integers(0, 120), st.integers(0, 6))
def test_many_programs_are_packed_as_one_by_one(data, length, count):
    """Whatever mixture of widths, on both sides of the length from which programs are compressed."""
    rows = [
        data.draw(
            st.lists(data.draw(st.sampled_from([NARROW, MIDDLE, WIDE])), min_size=length, max_size=length)
        )
        for _ in range(count)
    ]
    programs = np.array(rows, dtype=np.int32).reshape(count, length)
    one_by_one = [pack_program(program) for program in programs]
    assert pack_programs(programs) == one_by_one
    assert pack_programs(list(programs)) == one_by_one
    assert pack_programs(programs[::-1]) == one_by_one[::-1]
    assert pack_programs(np.asfortranarray(programs)) == one_by_one


@pytest.mark.parametrize("edge", [-129, -128, 127, 128, -32_769, -32_768, 32_767, 32_768])
def test_the_narrowest_width_is_taken_for_each_program(edge):
    programs = np.array([[1, 2, 3], [0, edge, 0], [4, 5, 6]], dtype=np.int32)
    packed = pack_programs(programs)
    assert packed == [pack_program(program) for program in programs]
    assert [unpack_program(data).tolist() for data in packed] == programs.tolist()
    assert len(packed[1]) == 1 + 3 * (1 if -128 <= edge < 128 else 2 if -32_768 <= edge < 32_768 else 4)


def test_programs_of_different_lengths_are_packed_too():
    programs = [np.arange(5, dtype=np.int32), np.arange(300, dtype=np.int32)]
    assert pack_programs(programs) == [pack_program(program) for program in programs]


def test_programs_are_compact():
    assert len(pack_program(np.arange(30, dtype=np.int32))) == 31
    assert len(pack_program(np.zeros(10_000, dtype=np.int32))) < 100


def test_what_is_not_a_program_is_refused():
    with pytest.raises(ValueError, match="numbers of 0 bytes"):
        unpack_program(b"\x80\x04pickle")


def test_traces_hold_any_fitness():
    trace = ((1, 2**200 - 1), (17, 3), (10**15, 0))
    assert unpack_trace(pack_trace(trace)) == trace
