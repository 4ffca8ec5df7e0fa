"""Stores: other values, other rows, another schema, damaged bytes; read by every reader, and run on.

An attack that does not end kills the process, and so is found; so is one that takes far too much memory.
"""

import json
import os
import resource
import signal
import sqlite3
import zlib
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from attacks import NUMBERS, TEXTS, chosen, damaged, judged

from gatewalk.campaign import Results, plan, run
from gatewalk.campaign.export import export
from gatewalk.campaign.packing import pack_program, pack_trace
from gatewalk.campaign.results import status
from gatewalk.campaign.spec import parse
from gatewalk.campaign.store import Checkpoint, save_checkpoint
from gatewalk.campaign.store_file import CAMPAIGN, CELL, CHECKPOINT, DELIVERY, RUN, TRACE, writing
from gatewalk.report.store_page import as_json, page_data
from gatewalk.search.saving import save
from gatewalk.search.session import advance, begin

SPEC = """
seed = 4
traces = true
replications = 5
budget = 400
[[grid]]
target = ["and:2", "and:3"]
[[grid]]
target = "xor:3"
algorithm = ["tgp-multi", "cgp"]
training = "sample:5"
"""
TABLES = {
    "campaign": CAMPAIGN, "cell": CELL, "delivery": DELIVERY,
    "run": RUN, "trace": TRACE, "checkpoint": CHECKPOINT,
}  # fmt: skip
SCHEMAS = (
    "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM cell; END",
    "CREATE VIEW v AS SELECT * FROM run",
    "DROP TABLE trace",
    "ALTER TABLE run ADD COLUMN more",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 1",
)


@cache
def original():
    """A store with runs, traces and a checkpoint."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "runs.sqlite"
        run(parse(SPEC), path, jobs=1).close()
        cell = plan(parse(SPEC))[0]
        session = begin(cell.search, seed=4, run=4)
        advance(session, 3)
        with writing(path) as connection:
            connection.execute("DELETE FROM trace WHERE cell = 1 AND run = 4")
            connection.execute("DELETE FROM run WHERE cell = 1 AND run = 4")
            connection.execute("UPDATE cell SET finished = 4, traced = 4 WHERE id = 1")
            connection.execute(
                "UPDATE cell SET solved = (SELECT sum(solved) FROM run WHERE cell = 1) WHERE id = 1"
            )
            save_checkpoint(connection, 1, Checkpoint(run=4, state=save(session), seconds=1.0))
        return path.read_bytes()


HUGE = (999_999, 10_000_000, 2**31, 2**53 + 1, 2**61, 2**62, 2**62 + 1, 2**63 - 2, 2**63 - 1)
SECONDS = 120
MOST_MEMORY = 3 << 20  # KiB


def attack(source):
    """Damage a store, read all of it, export it, and run its campaign on."""
    original()  # the first time it compiles kernels, which takes long on a busy machine
    signal.alarm(SECONDS)
    _attack(source)
    signal.alarm(0)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < MOST_MEMORY


def _attack(source):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "runs.sqlite"
        data = original()
        if source.random() < 0.3:
            data = damaged(source, data)
        path.write_bytes(data)
        if source.random() < 0.9:
            with (
                suppress(sqlite3.Error, OverflowError, UnicodeError),
                closing(sqlite3.connect(path)) as store,
            ):
                for _ in range(source.randint(1, 3)):
                    chosen(source, (_change, _change, _huge, _row, _path, _blob))(source, store)
        judged(lambda: status(path))
        judged(lambda: _read(path))
        judged(lambda: _report(path))
        for format in ("csv", "ioh"):
            judged(lambda format=format: _export(path, format))
        judged(lambda: run(parse(SPEC), path, jobs=1).close())


def _report(path):
    with Results.open(path) as results:
        as_json(page_data(results, resamples=1))


def _change(source, store):
    table = chosen(source, sorted(TABLES))
    column = chosen(source, TABLES[table]).name
    what = source.random()
    if what < 0.1:
        store.execute(chosen(source, SCHEMAS))
    elif what < 0.2:
        store.execute(f"DELETE FROM {table} WHERE abs(random()) % 3 = 0")
    elif what < 0.3:
        with suppress(sqlite3.Error):
            store.execute(f"UPDATE {table} SET {column} = CAST(x'fffe00' AS TEXT)")
    else:
        store.execute(f"UPDATE {table} SET {column} = ?", (_value(source, store, table, column),))
    store.commit()


def _huge(source, store):
    """A huge number in a column of whole numbers, of all rows or of one."""
    table = chosen(source, sorted(TABLES))
    columns = [column.name for column in TABLES[table] if column.kind in ("count", "total", "number")]
    if columns:
        which = source.choice(("", " WHERE abs(random()) % 5 = 0"))
        store.execute(f"UPDATE {table} SET {chosen(source, columns)} = ?{which}", (chosen(source, HUGE),))
        store.commit()


def _row(source, store):
    """A row with numbers that are possible one by one, but not together or not in this cell."""
    change = chosen(
        source,
        (
            "iterations = iterations + ?, evaluations = evaluations + ?",
            "iterations = 0, evaluations = 1 + (? > 50), elementary_steps = ? % 3",
            "solved = 1 - solved, gates = gates + (? + ?) % 5",
            "fitness = ?, solved = (? % 2)",
            "elementary_steps = ?, evaluations = ?",
            "generalisation = ? / 50.0, seconds = ? * 1e11",
            "run = run + ?, delivery = delivery + ? % 2",
            "fitness = replace(hex(zeroblob(?)), '0', '9'), solved = (? % 2)",
        ),
    )
    numbers = [source.choice((source.randint(-2, 100), chosen(source, HUGE) % 10**6)) for _ in range(2)]
    where = f"cell = {source.randint(1, 6)} AND run = {source.randint(0, 4)}"
    with suppress(sqlite3.IntegrityError):
        store.execute(f"UPDATE run SET {change} WHERE {where}", numbers)
    store.commit()


def _path(source, store):
    """The path of a pipe, which nobody must open: reading from it waits for ever."""
    (_, _, file), *_ = store.execute("PRAGMA database_list")
    pipe = f"{file}.{source.choice(('fifo', 'blif', 'genlib', 'json'))}"
    with suppress(FileExistsError):
        os.mkfifo(pipe)
    word = source.choice(("target", "gates", "start"))
    for number, text in store.execute("SELECT id, options FROM cell").fetchall():
        with suppress(ValueError, TypeError):
            options = json.dumps({**json.loads(text), word: pipe})
            store.execute("UPDATE cell SET options = ? WHERE id = ?", (options, number))
    if source.random() < 0.5:
        column = {"gates": "gate_set"}.get(word, word)
        store.execute(f"UPDATE cell SET {column} = ?", (pipe,))
    store.commit()


def _blob(source, store):
    """A program, a trace or a saved search that is far too long, or much longer than its bytes."""
    points = range(source.choice((3, 2000, 300_000)))
    digits = source.choice((20, 5000, 390_000))
    falling = ",".join(f"[{1 + at},{len(points) - at}]" for at in points)
    values = (
        bytes([1]) + bytes(source.choice((200, 10**6, 2 * 10**7))),
        bytes([source.choice((1, 4)) | 128]) + zlib.compress(bytes(source.choice((2**20, 2**27)))),
        zlib.compress(f"[{falling}]".encode()),
        zlib.compress(b"[" + b"[1," + b"9" * digits + b"]," * source.choice((1, 50)) + b"[2,0]]"),
        zlib.compress(b"[[1," + b"9" * digits + b"],[2,0]]"),
        zlib.compress(b"[" + b"1," * source.choice((2**20, 2**26)) + b"1]"),
    )
    table, column = chosen(source, (("run", "program"), ("trace", "data"), ("checkpoint", "state")))
    where = source.choice(("cell = 1 AND run < 5", "cell = 3 AND run = 1", "cell = 5 AND run = 0"))
    store.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (chosen(source, values),))
    store.commit()


def _value(source, store, table, column):
    """A number, a text, bytes of the right form with other content, or the value of another row."""
    what = source.randrange(5)
    if what == 0:
        return chosen(source, NUMBERS[:20])
    if what == 1:
        return chosen(source, TEXTS)
    if what == 2:
        numbers = [source.randint(-5, 300) for _ in range(source.randint(0, 30))]
        pairs = [(source.randint(0, 9), source.randint(0, 9)) for _ in range(source.randint(0, 3))]
        forms = (
            pack_program(np.array(numbers, dtype=np.int64)),
            pack_trace(pairs),
            zlib.compress(b"[" * 999),
        )
        return chosen(source, (*forms, source.randbytes(20), b""))
    rows = store.execute(f"SELECT {column} FROM {table}").fetchall()
    value = chosen(source, rows)[0] if rows else None
    if isinstance(value, bytes) and what == 3:
        return damaged(source, value)
    return value


def _read(path):
    with Results.open(path) as results:
        results.columns()
        for run in results.runs():
            assert run.circuit is not None
            _check(run)
        for cell in results.cells():
            list(results.traces(cell))


def _check(run):
    """What is read is possible."""
    search = run.search
    assert run.run < 10_000_000
    assert run.iterations <= search.budget
    assert run.evaluations <= search.starts + search.limit
    assert run.solved == (run.fitness == 0)
    assert run.fitness <= 2**search.trained_on.inputs
    assert run.gates < run.program.size
    assert run.generalisation is None or 0 <= run.generalisation <= 1
    assert 0 <= run.seconds <= 1e12


def _export(path, format):
    with Results.open(path) as results:
        export(results, format, path.with_suffix(f".{format}"))
