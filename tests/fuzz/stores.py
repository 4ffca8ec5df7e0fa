"""Stores: other values, other rows, another schema, damaged bytes; read by every reader, and run on."""

import sqlite3
import zlib
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from attacks import NUMBERS, TEXTS, chosen, damaged, judged

from gatewalk.campaign import Results, parse, plan, run
from gatewalk.campaign.export import export
from gatewalk.campaign.packing import pack_program, pack_trace
from gatewalk.campaign.results import status
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


def attack(source):
    """Damage a store, read all of it, export it, and run its campaign on."""
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
                    _change(source, store)
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
        for one in results.runs():
            assert one.circuit is not None
        for cell in results.cells():
            list(results.traces(cell))


def _export(path, format):
    with Results.open(path) as results:
        export(results, format, path.with_suffix(f".{format}"))
