"""Rows, checkpoints and provenance in a store."""

import json
import os
import sqlite3
import tracemalloc
import zlib
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from gatewalk.campaign import Results, campaign, plan, run
from gatewalk.campaign.export import export
from gatewalk.campaign.packing import pack_program, pack_trace
from gatewalk.campaign.results import status
from gatewalk.campaign.spec import parse
from gatewalk.campaign.store import (
    add_runs,
    begin_campaign,
    checkpoints,
    enter_cells,
    missing_runs,
    rows_of,
    save_checkpoint,
    trace_of,
    traces,
)
from gatewalk.campaign.store import cells as stored_cells
from gatewalk.campaign.store_file import RUN, in_memory
from gatewalk.errors import InputError
from gatewalk.search.batch import Checkpoint
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.search.saving import save
from gatewalk.search.session import advance, begin

TEXT = 'seed = 3\nreplications = 6\n[grid]\ntarget = ["and:3"]\n'


def parts_of(cell, runs):
    """These runs of a cell, done, as batches hand them over."""
    return (run_many(cell.search, seed=cell.seed, runs=runs),)


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
    parts = parts_of(cell, (0, 1))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        add_runs(connection, ident, [(number, parts)], traces=False)
        once = counts(connection)
        assert once[0] == 2
        add_runs(connection, ident, [(number, parts)], traces=False)
        assert connection.execute("SELECT count(*), max(run) FROM run").fetchone() == (2, 1)
        assert counts(connection) == once
        assert missing_runs(connection, number, 4, traces=False) == [range(2, 4)]
        assert missing_runs(connection, number, 4, traces=True) == [range(4)]


def test_of_rows_partly_there_the_others_are_counted():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection, closing(in_memory()) as at_once:
        for store in (connection, at_once):
            enter_cells(store, [cell])
            begin_campaign(store, parse(TEXT), "test")
        add_runs(connection, 1, [(1, parts_of(cell, (1, 3)))], traces=False)
        add_runs(connection, 1, [(1, parts_of(cell, range(5)))], traces=True)
        add_runs(at_once, 1, [(1, parts_of(cell, range(5)))], traces=True)
        assert counts(connection) == counts(at_once)
        assert counts(connection)[0] == counts(connection)[3] == 5


def test_gaps_among_stored_runs_are_missing():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        assert missing_runs(connection, number, 6, traces=False) == [range(6)]
        add_runs(connection, ident, [(number, parts_of(cell, (1, 2, 5, 8)))], traces=False)
        assert missing_runs(connection, number, 6, traces=False) == [range(1), range(3, 5)]
        assert missing_runs(connection, number, 8, traces=False) == [range(1), range(3, 5), range(6, 8)]
        add_runs(connection, ident, [(number, parts_of(cell, (0, 3, 4)))], traces=True)
        assert missing_runs(connection, number, 6, traces=False) == []
        assert missing_runs(connection, number, 6, traces=True) == [range(1, 3), range(5, 6)]
        assert missing_runs(connection, number, 1, traces=True) == []


def test_nothing_is_read_to_know_that_no_run_is_missing():
    """However many are stored, if there are no gaps among them."""
    (cell,) = plan(parse(TEXT))
    asked = []
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        add_runs(connection, ident, [(number, parts_of(cell, range(6)))], traces=False)
        connection.set_trace_callback(asked.append)
        assert missing_runs(connection, number, 6, traces=False) == []
        assert missing_runs(connection, number, 9, traces=False) == [range(6, 9)]
    of_runs = [text for text in asked if "FROM run" in text]
    assert of_runs
    assert all(text.endswith("ORDER BY run DESC LIMIT 1") for text in of_runs)


@pytest.mark.parametrize("traced_before", [False, True])
def test_a_run_must_come_out_as_it_is_stored(traced_before):
    (cell,) = plan(parse(TEXT))
    (runs,) = parts_of(cell, (0,))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        other = replace(runs, iterations=runs.iterations + 1)
        add_runs(connection, ident, [(number, [other])], traces=traced_before)
        before = list(connection.iterdump())
        with pytest.raises(InputError, match="differently from the stored one"):
            add_runs(connection, ident, [(number, [runs])], traces=True)
        assert list(connection.iterdump()) == before


def test_a_failure_leaves_neither_rows_nor_counts():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        before = list(connection.iterdump())
        (good,) = parts_of(cell, (0,))
        bad = replace(good, fitness=[object()])
        with pytest.raises((sqlite3.Error, TypeError)):
            add_runs(connection, ident, [(number, [good, bad])], traces=True)
        assert list(connection.iterdump()) == before


def test_sums_of_iterations_may_exceed_64_bits():
    (cell,) = plan(parse(TEXT))
    (runs,) = parts_of(cell, (0, 1))
    long = replace(runs, iterations=np.full(2, 2**62, dtype=np.int64))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        add_runs(connection, ident, [(number, [long])], traces=False)
        assert counts(connection)[2] == 2.0**63


def test_a_checkpoint_goes_when_its_run_is_stored():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        for run_number in (0, 5):
            save_checkpoint(connection, number, Checkpoint(run=run_number, state=b"x", seconds=1.0))
        add_runs(connection, ident, [(number, parts_of(cell, (0, 1)))], traces=False)
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
        assert all(stored.circuit is not None for stored in results.runs())
        for cell in results.cells():
            assert cell.search is not None
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
    ("UPDATE cell SET finished = ?", 2**63 - 1),
    ("UPDATE cell SET finished = ?", 7),
    ("UPDATE cell SET planned = ?", 2**63 - 1),
    ("UPDATE cell SET iterations = ?", 2**63 - 1),
    ("UPDATE cell SET seconds = ?", -1.0),
    ("UPDATE cell SET seconds = ?", 1e300),
    ("UPDATE run SET run = run + ?", 10**7),
    ("UPDATE run SET iterations = ?", 10**6 + 1),
    ("UPDATE run SET iterations = iterations + ?", 1),
    ("UPDATE run SET evaluations = ?", 2**63 - 1),
    ("UPDATE run SET evaluations = ?", 0),
    ("UPDATE run SET elementary_steps = ?", 0),
    ("UPDATE run SET elementary_steps = elementary_steps + ?, evaluations = 1, iterations = 0", 1),
    ("UPDATE run SET solved = ?", 0),
    ("UPDATE run SET solved = 0, fitness = ?", 1),  # with iterations to spare
    ("UPDATE run SET fitness = ?", 1),
    ("UPDATE run SET fitness = ?, solved = 0, iterations = 1000000, evaluations = 1000001", 9),
    ("UPDATE run SET fitness = ?", "9" * 6000),
    ("UPDATE run SET gates = ?", 2**63 - 1),
    ("UPDATE run SET generalisation = ?", 0.5),
    ("UPDATE run SET seconds = ?", -1.0),
    ("UPDATE run SET seconds = ?", 1e300),
    ("UPDATE trace SET data = ?", pack_trace([(1, 9), (2, 0)])),
    ("UPDATE trace SET data = ?", pack_trace([(1, 10**6000), (2, 0)])),
    ("UPDATE trace SET data = ?", pack_trace([(1, 1)])),
    ("UPDATE trace SET data = ?", pack_trace([(1, 2), (2**62, 0)])),
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


def refused_with_little_memory(path):
    tracemalloc.start()
    try:
        refused(path)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "program",
    [b"\1" + bytes(40_000_000), b"\4" + bytes(40_000_000), b"\x81" + zlib.compress(bytes(100_000_000))],
    ids=["bytes", "words", "zipped"],
)
@pytest.mark.parametrize("algorithm", ["cgp", "tgp-multi"])
def test_a_program_that_is_too_long_is_not_read(tmp_path, program, algorithm):
    path = tmp_path / "runs.sqlite"
    run(campaign(target="and:3", algorithm=algorithm, replications=3), path, jobs=1).close()
    changed(path, "UPDATE run SET program = ? WHERE run = 1", values=(program,))
    if algorithm == "tgp-multi":  # the numbers of the row may agree with the length
        changed(path, "UPDATE run SET gates = 10000000, elementary_steps = 10000000 WHERE run = 1")
    refused_with_little_memory(path)
    tracemalloc.start()
    with Results.open(path) as results, pytest.raises(InputError, match="damaged"):
        results.run(results.cells()[0], 1)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        "[" + ",".join(f"[{1 + at},{400_000 - at}]" for at in range(400_000)) + "]",
        "[" + "1," * 4_000_000 + "1]",
        f"[[1,{'9' * 350_000}],[2,0]]",
    ],
    ids=["points", "flat", "digits"],
)
def test_a_trace_that_is_too_long_is_not_parsed(store, text):
    """Its points are counted before, and there are no more than a fitness can fall."""
    changed(store, "UPDATE trace SET data = ? WHERE run = 0", values=(zlib.compress(text.encode()),))
    refused_with_little_memory(store)


@pytest.mark.parametrize("word", ["target", "gates", "start"])
def test_a_store_opens_no_file(store, word):
    """A pipe, which waits for ever: the name is refused, or its content is in the store anyway."""
    pipe = store.with_suffix(".genlib")
    os.mkfifo(pipe)
    with Results.open(store) as results:
        words = results.cells()[0].words
    options = json.dumps(words | {word: str(pipe)})
    changed(store, "UPDATE cell SET options = ? WHERE id = 1", values=(options,))
    if word == "start":
        refused(store)
    else:
        read_all(store)
    column = {"gates": "gate_set"}.get(word, word)
    changed(store, f"UPDATE cell SET {column} = ? WHERE id = 1", values=(str(pipe),))
    refused(store)


def test_a_store_needs_none_of_the_files_that_its_campaign_named(tmp_path):
    circuit, cells, path = (tmp_path / name for name in ("most.blif", "cells.genlib", "runs.sqlite"))
    circuit.write_text(".model m\n.inputs a b c\n.outputs y\n.names a b c y\n11- 1\n1-1 1\n-11 1\n.end\n")
    cells.write_text("GATE INV 1 Y=!A;\nGATE NAND2 2 Y=!(A*B);\n")
    spec = campaign(target=str(circuit), gates=str(cells), replications=3, traces=True)
    run(spec, path, jobs=1).close()
    circuit.unlink()
    cells.unlink()
    read_all(path)


def test_a_checkpoint_of_impossible_seconds_is_not_used(store):
    (cell, _) = plan(SMALL)
    session = begin(cell.search, seed=3, run=6)
    advance(session, 2)
    head, _, body = save(session).partition(b"\n")
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        for number, seconds in ((6, 10**400), (7, 1e300)):
            state = json.dumps(json.loads(head) | {"seconds": seconds, "run": number}).encode() + b"\n" + body
            save_checkpoint(connection, 1, Checkpoint(run=number, state=state, seconds=1.0))
        save_checkpoint(connection, 1, Checkpoint(run=8, state=save(session), seconds=1e300))
    more = campaign(target=["and:2", "and:3"], replications=9, seed=3, traces=True)
    with run(more, store, jobs=1) as results, run(more, jobs=1) as fresh:
        names = set(results.columns()) - {"seconds"}
        assert all(results.columns()[name] == fresh.columns()[name] for name in names)


def test_a_cell_is_what_its_key_says(store):
    """Settings that are right by themselves, but not those under which the runs were stored."""
    with Results.open(store) as results:
        words = results.cells()[0].words
    changed(store, "UPDATE cell SET options = ? WHERE id = 1", values=(json.dumps(words | {"budget": 7}),))
    refused(store, "not those that it was stored under")


def test_a_checkpoint_that_is_damaged_is_skipped(store):
    insert = "INSERT INTO checkpoint (cell, run, state, seconds, saved) VALUES (1, ?, ?, ?, 0)"
    with closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute(insert, (3, b"good", 2.0))
        connection.execute(insert, (4, "text", 2.0))
        connection.execute(insert, (5, b"good", "long"))
        connection.execute(insert, ("x", b"good", 2.0))
        usable = checkpoints(connection, 1)
    assert [(checkpoint.run, checkpoint.state) for checkpoint in usable] == [(3, b"good")]


@pytest.mark.parametrize("reader", [Results.cells, Results.columns, lambda results: list(results.runs())])
def test_python_readers_get_the_same_line(store, reader):
    changed(store, "UPDATE cell SET n = 'x'")
    with Results.open(store) as results, pytest.raises(InputError, match="the store is damaged"):
        reader(results)


STORED = [column.name for column in RUN]
RUNS = run_many(search_for("and:3"), seed=1, runs=range(4))
SAMPLED = run_many(search_for("and:4", training="sample:9"), seed=1, runs=range(4))


def test_a_row_has_the_values_of_its_run():
    for runs in (RUNS, SAMPLED):
        for row, result in zip(rows_of(runs, cell=7, delivery=9), runs, strict=True):
            values = dict(zip(STORED, row, strict=True))
            assert (values.pop("cell"), values.pop("delivery")) == (7, 9)
            assert values.pop("program") == pack_program(result.program)
            assert values == {name: getattr(result, name) for name in values}


def test_rows_are_plain_values():
    """SQLite stores numpy's numbers as bytes without a word."""
    for row in rows_of(SAMPLED, cell=7, delivery=9):
        assert {type(value) for value in row} <= {int, bool, float, str, bytes}


def test_large_fitness_is_text():
    large = replace(RUNS, fitness=[0, 2**63 - 1, 2**63, 2**200])
    column = STORED.index("fitness")
    fitness = [row[column] for row in rows_of(large, cell=0, delivery=0)]
    assert fitness == [0, 2**63 - 1, str(2**63), str(2**200)]


@pytest.mark.parametrize(
    "words",
    [{}, {"profile": "tinyverse"}, {"training": "sample:9"}, {"algorithm": "tgp-multi"}, {"offspring": 4}],
    ids=str,
)
def test_a_trace_is_the_improvements_of_its_run(words):
    """It begins at evaluation 1 whatever the law, and ends where the run was solved."""
    (cell,) = plan(campaign(target="and:4", seed=1, **words))
    (runs,) = parts_of(cell, range(20))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        add_runs(connection, ident, [(number, [runs])], traces=True)
        (stored,) = stored_cells(connection)
        by_run = dict(traces(connection, stored))
    assert sorted(by_run) == list(range(20))
    assert any(len(trace) > 1 for trace in by_run.values())
    for result in runs:
        trace = by_run[result.run]
        assert trace == trace_of(cell.search, result.improvements)
        assert [fitness for _, fitness in trace] == [fitness for _, fitness in result.improvements]
        evaluations = [at for at, _ in trace]
        assert evaluations[0] == 1
        assert sorted(set(evaluations)) == evaluations
        if result.solved:
            assert trace[-1] == (result.evaluations if len(trace) > 1 else 1, 0)


def test_traces_only_where_they_are_wanted():
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        add_runs(connection, ident, [(number, parts_of(cell, range(4)))], traces=False)
        assert connection.execute("SELECT count(*) FROM trace").fetchone() == (0,)
        assert counts(connection)[3] == 0
