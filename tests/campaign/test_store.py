"""Rows, checkpoints and provenance in a store."""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from gatewalk.campaign import Results, campaign, parse, plan, run
from gatewalk.campaign.batch import Batch, run_batch
from gatewalk.campaign.export import export
from gatewalk.campaign.packing import pack_program, pack_trace, unpack_trace
from gatewalk.campaign.results import status
from gatewalk.campaign.store import (
    Checkpoint,
    FinishedRuns,
    add_runs,
    begin_campaign,
    checkpoints,
    enter_cells,
    finished,
    missing_runs,
    rows_of,
    save_checkpoint,
    trace_of,
)
from gatewalk.campaign.store_file import RUN, in_memory
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import settings

TEXT = 'seed = 3\nreplications = 6\n[grid]\ntarget = ["and:3"]\n'


def found(cell, runs, *, traces=False):
    """These runs of a cell, done."""
    batch = Batch(cell=0, settings=cell.settings, seed=3, runs=runs, seconds=60.0, traces=traces)
    return run_batch(batch).parts


def counts(connection):
    query = "SELECT finished, solved, iterations, traced FROM cell"
    return tuple(connection.execute(query).fetchone())


def test_a_row_is_known_by_what_determines_it(tmp_path):
    path = tmp_path / "a.sqlite"
    run(parse(TEXT), path, jobs=1).close()
    (cell,) = plan(parse(TEXT))
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT cell.key, run.run FROM run JOIN cell ON cell.id = run.cell ORDER BY run.run"
        assert connection.execute(query).fetchall() == [(cell.key, number) for number in range(6)]
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            connection.execute("INSERT INTO run SELECT * FROM run WHERE run = 3")


def test_every_run_has_its_delivery(tmp_path):
    path = tmp_path / "a.sqlite"
    for replications in (3, 5):
        run(campaign(target="and:2", replications=replications), path, jobs=1).close()
    with closing(sqlite3.connect(path)) as connection:
        query = """SELECT run, campaign, stored BETWEEN started AND stopped FROM run
            JOIN delivery ON delivery.id = run.delivery JOIN campaign ON campaign.id = delivery.campaign
            ORDER BY run"""
        assert connection.execute(query).fetchall() == [(r, 1 if r < 3 else 2, 1) for r in range(5)]
        (delivered,) = connection.execute("SELECT sum(runs) FROM delivery").fetchone()
        assert delivered == 5


def test_provenance_is_kept(tmp_path):
    path = tmp_path / "a.sqlite"
    run(parse(TEXT, "spec.toml"), path, jobs=1).close()
    with closing(sqlite3.connect(path)) as connection:
        text, source, packages, processor, executor, started, stopped, state = connection.execute(
            "SELECT text, source, packages, processor, executor, started, stopped, state FROM campaign"
        ).fetchone()
    assert (text, source, executor, state) == (TEXT, "spec.toml", "main thread", "done")
    assert {"python", "numpy", "numba"} <= json.loads(packages).keys()
    assert processor
    assert started < stopped


def test_no_pickle_in_the_store(tmp_path):
    path = tmp_path / "a.sqlite"
    run(replace(parse(TEXT), traces=True), path, jobs=1).close()
    with closing(sqlite3.connect(path)) as connection:
        blobs = [b for (b,) in connection.execute("SELECT program FROM run")]
        blobs += [b for (b,) in connection.execute("SELECT key FROM cell")]
        blobs += [b for (b,) in connection.execute("SELECT data FROM trace")]
    assert all(not blob.startswith(b"\x80\x04") for blob in blobs)


def test_rows_written_twice_are_one_row_and_counted_once():
    (cell,) = plan(parse(TEXT))
    parts = found(cell, (0, 1))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        add_runs(connection, ident, [(number, parts)])
        once = counts(connection)
        assert once[0] == 2
        add_runs(connection, ident, [(number, parts)])
        assert connection.execute("SELECT count(*), max(run) FROM run").fetchone() == (2, 1)
        assert counts(connection) == once
        assert missing_runs(connection, number, 4, traces=False) == [range(2, 4)]
        assert missing_runs(connection, number, 4, traces=True) == [range(4)]


def test_of_rows_partly_there_the_others_are_counted():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection, closing(in_memory()) as at_once:
        for each in (connection, at_once):
            enter_cells(each, [cell])
            begin_campaign(each, parse(TEXT), "test")
        add_runs(connection, 1, [(1, found(cell, (1, 3)))])
        add_runs(connection, 1, [(1, found(cell, range(5), traces=True))])
        add_runs(at_once, 1, [(1, found(cell, range(5), traces=True))])
        assert counts(connection) == counts(at_once)
        assert counts(connection)[0] == counts(connection)[3] == 5


def test_gaps_among_stored_runs_are_missing():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        assert missing_runs(connection, number, 6, traces=False) == [range(6)]
        add_runs(connection, ident, [(number, found(cell, (1, 2, 5, 8)))])
        assert missing_runs(connection, number, 6, traces=False) == [range(1), range(3, 5)]
        assert missing_runs(connection, number, 8, traces=False) == [range(1), range(3, 5), range(6, 8)]
        add_runs(connection, ident, [(number, found(cell, (0, 3, 4), traces=True))])
        assert missing_runs(connection, number, 6, traces=False) == []
        assert missing_runs(connection, number, 6, traces=True) == [range(1, 3), range(5, 6)]
        assert missing_runs(connection, number, 1, traces=True) == []


def test_nothing_is_read_to_know_that_no_run_is_missing():
    """However many are stored, if there are no gaps among them."""
    (cell,) = plan(parse(TEXT))
    asked = []
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        add_runs(
            connection, begin_campaign(connection, parse(TEXT), "test"), [(number, found(cell, range(6)))]
        )
        connection.set_trace_callback(asked.append)
        assert missing_runs(connection, number, 6, traces=False) == []
        assert missing_runs(connection, number, 9, traces=False) == [range(6, 9)]
    of_runs = [text for text in asked if "FROM run" in text]
    assert of_runs
    assert all(text.endswith("ORDER BY run DESC LIMIT 1") for text in of_runs)


@pytest.mark.parametrize("traced_before", [False, True])
def test_a_run_must_come_out_as_it_is_stored(traced_before):
    (cell,) = plan(parse(TEXT))
    (part,) = found(cell, (0,), traces=True)
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        other = replace(part.runs, iterations=part.runs.iterations + 1)
        traces = part.traces if traced_before else None
        add_runs(connection, ident, [(number, [FinishedRuns(runs=other, traces=traces)])])
        before = list(connection.iterdump())
        with pytest.raises(InputError, match="differently from the stored one"):
            add_runs(connection, ident, [(number, [part])])
        assert list(connection.iterdump()) == before


def test_a_failure_leaves_neither_rows_nor_counts():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        before = list(connection.iterdump())
        (good,) = found(cell, (0,))
        bad = replace(good, runs=replace(good.runs, fitness=[object()]))
        with pytest.raises((sqlite3.Error, TypeError)):
            add_runs(connection, ident, [(number, [good, bad])])
        assert list(connection.iterdump()) == before


def test_sums_of_iterations_may_exceed_64_bits():
    (cell,) = plan(parse(TEXT))
    (part,) = found(cell, (0, 1))
    long = replace(part, runs=replace(part.runs, iterations=np.full(2, 2**62, dtype=np.int64)))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        add_runs(connection, begin_campaign(connection, parse(TEXT), "test"), [(number, [long])])
        assert counts(connection)[2] == 2.0**63


def test_a_checkpoint_goes_when_its_run_is_stored():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        for run_number in (0, 5):
            save_checkpoint(connection, number, Checkpoint(run=run_number, state=b"x", seconds=1.0))
        add_runs(connection, ident, [(number, found(cell, (0, 1)))])
        assert [c.run for c in checkpoints(connection, number)] == [5]


def test_the_plan_follows_the_latest_campaign(tmp_path):
    path = tmp_path / "a.sqlite"
    for replications in (3, 5, 2):
        run(campaign(target="and:2", replications=replications), path, jobs=1).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT planned, finished FROM cell").fetchall() == [(2, 5)]


SMALL = campaign(target=["and:2", "and:3"], replications=6, seed=3, traces=True)


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "runs.sqlite"
    run(SMALL, path, jobs=1).close()
    return path


def read_all(path):
    """All that a reader can ask of a store."""
    status(path)
    with Results.open(path) as results:
        results.columns()
        assert all(one.circuit is not None for one in results.runs())
        for cell in results.cells():
            assert cell.settings is not None
            list(results.traces(cell))
        export(results, "ioh", path.with_suffix(".ioh"))


def changed(path, *statements, values=()):
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement, values if "?" in statement else ())


def refused(path, words="the store is damaged"):
    with pytest.raises(InputError, match=words) as error:
        read_all(path)
    assert "\n" not in str(error.value)
    assert str(path) in str(error.value)


def test_a_store_that_is_whole_is_read(store):
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
def test_values_that_no_campaign_writes_are_refused(store, statement, value):
    changed(store, statement, values=(value,))
    refused(store)


@pytest.mark.parametrize("text", ["fffe", "0a0d1b5b33316dff", "41" * 5000 + "ff"])
def test_text_that_is_none_is_refused_in_one_line(store, text):
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
def test_another_schema_is_refused_before_anything_of_it_runs(store, statement):
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
def test_counts_that_are_wrong_are_found_before_writing(store, statement, words):
    changed(store, statement)
    with pytest.raises(InputError, match=words):
        run(SMALL, store, jobs=1)


def test_a_huge_value_is_not_read(store):
    changed(store, "UPDATE run SET program = zeroblob(300000000) WHERE cell = 1 AND run = 0")
    refused(store, "too big|damaged")


def test_a_cell_is_what_its_key_says(store):
    """Settings that are right by themselves, but not those under which the runs were stored."""
    with Results.open(store) as results:
        options = results.cells()[0].options
    changed(store, "UPDATE cell SET options = ? WHERE id = 1", values=(json.dumps(options | {"budget": 7}),))
    refused(store, "not those that it was stored under")


def test_a_checkpoint_that_is_damaged_is_skipped(store):
    insert = "INSERT INTO checkpoint (cell, run, state, seconds, saved) VALUES (1, ?, ?, ?, 0)"
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute(insert, (3, b"good", 2.0))
        connection.execute(insert, (4, "text", 2.0))
        connection.execute(insert, (5, b"good", "long"))
        connection.execute(insert, ("x", b"good", 2.0))
        found = checkpoints(connection, 1)
    assert [(one.run, one.state) for one in found] == [(3, b"good")]


@pytest.mark.parametrize("reader", [Results.cells, Results.columns, lambda results: list(results.runs())])
def test_python_readers_get_the_same_line(store, reader):
    changed(store, "UPDATE cell SET n = 'x'")
    with Results.open(store) as results, pytest.raises(InputError, match="the store is damaged"):
        reader(results)


STORED = [column.name for column in RUN]
RUNS = run_many(settings("and:3"), seed=1, runs=range(4))
SAMPLED = run_many(settings("and:4", training="sample:9"), seed=1, runs=range(4))


def test_a_row_has_the_values_of_its_run():
    for runs in (RUNS, SAMPLED):
        for row, one_run in zip(rows_of(runs, cell=7, delivery=9), runs, strict=True):
            values = dict(zip(STORED, row, strict=True))
            assert (values.pop("cell"), values.pop("delivery")) == (7, 9)
            assert values.pop("program") == pack_program(one_run.program)
            assert values == {name: getattr(one_run, name) for name in values}


def test_rows_are_plain_values():
    """SQLite stores numpy's numbers as bytes without a word."""
    for row in rows_of(SAMPLED, cell=7, delivery=9):
        assert {type(value) for value in row} <= {int, bool, float, str, bytes}


def test_large_fitness_is_text():
    large = replace(RUNS, fitness=[0, 2**63 - 1, 2**63, 2**200])
    place = STORED.index("fitness")
    found = [row[place] for row in rows_of(large, cell=0, delivery=0)]
    assert found == [0, 2**63 - 1, str(2**63), str(2**200)]


def test_programs_are_measured_in_either_form():
    one_by_one = replace(RUNS, programs=list(RUNS.programs))
    expected = sum(run.program.nbytes for run in RUNS)
    assert finished(RUNS, traces=False).program_bytes == expected
    assert finished(one_by_one, traces=False).program_bytes == expected


def test_traces_only_where_they_are_wanted():
    assert finished(RUNS, traces=False).traces is None
    traced = finished(RUNS, traces=True).traces
    assert traced is not None
    assert [unpack_trace(trace) for trace in traced] == [
        trace_of(run.settings, run.improvements) for run in RUNS
    ]
