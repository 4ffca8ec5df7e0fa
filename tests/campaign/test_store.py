"""Rows, checkpoints and provenance in a store."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gatewalk.campaign import campaign, parse, plan, run
from gatewalk.campaign.identity import run_key
from gatewalk.campaign.opening import in_memory
from gatewalk.campaign.store import (
    Checkpoint,
    add_rows,
    begin_campaign,
    checkpoints,
    enter_cells,
    missing_runs,
    save_checkpoint,
)
from gatewalk.campaign.work import Batch, work
from gatewalk.errors import InputError

TEXT = 'seed = 3\nreplications = 6\n[grid]\ntarget = ["and:3"]\n'


def test_a_row_is_keyed_by_what_determines_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    run(parse(TEXT), path, jobs=1).close()
    (cell,) = plan(parse(TEXT))
    with closing(sqlite3.connect(path)) as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM run ORDER BY run")]
    assert keys == [run_key(cell.key, number) for number in range(6)]


def test_provenance_is_kept(tmp_path: Path) -> None:
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


def test_no_pickle_in_the_store(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    run(replace(parse(TEXT), traces=True), path, jobs=1).close()
    with closing(sqlite3.connect(path)) as connection:
        blobs = [b for row in connection.execute("SELECT program, key FROM run") for b in row]
        blobs += [b for (b,) in connection.execute("SELECT data FROM trace")]
    assert all(not blob.startswith(b"\x80\x04") for blob in blobs)


def test_rows_written_twice_are_one_row_and_counted_once() -> None:
    (cell,) = plan(parse(TEXT))
    rows = work(Batch(cell=0, settings=cell.settings, seed=3, runs=(0, 1))).rows
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        add_rows(connection, ident, [(number, cell.key, rows)])
        add_rows(connection, ident, [(number, cell.key, rows)])
        assert connection.execute("SELECT count(*), max(run) FROM run").fetchone() == (2, 1)
        assert connection.execute("SELECT finished FROM cell").fetchone() == (2,)
        assert missing_runs(connection, number, 4, traces=False) == [2, 3]
        assert missing_runs(connection, number, 4, traces=True) == [0, 1, 2, 3]


def test_a_trace_must_belong_to_the_run_stored() -> None:
    (cell,) = plan(parse(TEXT))
    outcome = work(Batch(cell=0, settings=cell.settings, seed=3, runs=(0,), traces=True))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        other = outcome.rows[0]._replace(iterations=outcome.rows[0].iterations + 1, trace=None)
        add_rows(connection, ident, [(number, cell.key, [other])])
        with pytest.raises(InputError, match="otherwise than stored"):
            add_rows(connection, ident, [(number, cell.key, outcome.rows)])
        assert connection.execute("SELECT count(*) FROM trace").fetchone() == (0,)


def test_a_checkpoint_goes_when_its_run_is_stored() -> None:
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        for run_number in (0, 5):
            save_checkpoint(connection, number, Checkpoint(run=run_number, state=b"x", seconds=1.0))
        add_rows(connection, ident, [(number, cell.key, work(_batch(cell)).rows)])
        assert [c.run for c in checkpoints(connection, number)] == [5]


def _batch(cell: object) -> Batch:
    return Batch(cell=0, settings=cell.settings, seed=3, runs=(0, 1))  # type: ignore[attr-defined]


def test_the_plan_follows_the_latest_campaign(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    for replications in (3, 5, 2):
        run(campaign(target="and:2", replications=replications), path, jobs=1).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT planned, finished FROM cell").fetchall() == [(2, 5)]
