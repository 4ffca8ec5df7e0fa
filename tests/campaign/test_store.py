"""Rows, checkpoints and provenance in a store."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gatewalk.campaign import Cell, campaign, parse, plan, run
from gatewalk.campaign.batch import Batch, run_batch
from gatewalk.campaign.finished import Finished
from gatewalk.campaign.store import (
    add_runs,
    begin_campaign,
    enter_cells,
    missing_runs,
    save_checkpoint,
)
from gatewalk.campaign.store_file import in_memory
from gatewalk.campaign.stored import Checkpoint, checkpoints
from gatewalk.errors import InputError

TEXT = 'seed = 3\nreplications = 6\n[grid]\ntarget = ["and:3"]\n'


def found(cell: Cell, runs: Sequence[int], *, traces: bool = False) -> tuple[Finished, ...]:
    """These runs of a cell, done."""
    batch = Batch(cell=0, settings=cell.settings, seed=3, runs=runs, seconds=60.0, traces=traces)
    return run_batch(batch).parts


def counts(connection: sqlite3.Connection) -> tuple[int, ...]:
    query = "SELECT finished, solved, iterations, traced FROM cell"
    return tuple(connection.execute(query).fetchone())


def test_a_row_is_known_by_what_determines_it(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    run(parse(TEXT), path, jobs=1).close()
    (cell,) = plan(parse(TEXT))
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT cell.key, run.run FROM run JOIN cell ON cell.id = run.cell ORDER BY run.run"
        assert connection.execute(query).fetchall() == [(cell.key, number) for number in range(6)]
        with pytest.raises(sqlite3.IntegrityError, match="UNIQUE"):
            connection.execute("INSERT INTO run SELECT * FROM run WHERE run = 3")


def test_every_run_has_its_delivery(tmp_path: Path) -> None:
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
        blobs = [b for (b,) in connection.execute("SELECT program FROM run")]
        blobs += [b for (b,) in connection.execute("SELECT key FROM cell")]
        blobs += [b for (b,) in connection.execute("SELECT data FROM trace")]
    assert all(not blob.startswith(b"\x80\x04") for blob in blobs)


def test_rows_written_twice_are_one_row_and_counted_once() -> None:
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


def test_of_rows_partly_there_the_others_are_counted() -> None:
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


def test_gaps_among_stored_runs_are_missing() -> None:
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


def test_nothing_is_read_to_know_that_no_run_is_missing() -> None:
    """However many are stored, if there are no gaps among them."""
    (cell,) = plan(parse(TEXT))
    asked: list[str] = []
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
def test_a_run_must_come_out_as_it_is_stored(traced_before: bool) -> None:
    (cell,) = plan(parse(TEXT))
    (part,) = found(cell, (0,), traces=True)
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        other = replace(part.runs, iterations=part.runs.iterations + 1)
        traces = part.traces if traced_before else None
        add_runs(connection, ident, [(number, [Finished(runs=other, traces=traces)])])
        before = list(connection.iterdump())
        with pytest.raises(InputError, match="otherwise than stored"):
            add_runs(connection, ident, [(number, [part])])
        assert list(connection.iterdump()) == before


def test_a_failure_leaves_neither_rows_nor_counts() -> None:
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        before = list(connection.iterdump())
        (good,) = found(cell, (0,))
        bad = replace(good, runs=replace(good.runs, fitness=[object()]))  # type: ignore[list-item]
        with pytest.raises((sqlite3.Error, TypeError)):
            add_runs(connection, ident, [(number, [good, bad])])
        assert list(connection.iterdump()) == before


def test_sums_of_iterations_may_exceed_64_bits() -> None:
    (cell,) = plan(parse(TEXT))
    (part,) = found(cell, (0, 1))
    long = replace(part, runs=replace(part.runs, iterations=np.full(2, 2**62, dtype=np.int64)))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        add_runs(connection, begin_campaign(connection, parse(TEXT), "test"), [(number, [long])])
        assert counts(connection)[2] == 2.0**63


def test_a_checkpoint_goes_when_its_run_is_stored() -> None:
    (cell,) = plan(parse(TEXT))
    with closing(in_memory()) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, parse(TEXT), "test")
        for run_number in (0, 5):
            save_checkpoint(connection, number, Checkpoint(run=run_number, state=b"x", seconds=1.0))
        add_runs(connection, ident, [(number, found(cell, (0, 1)))])
        assert [c.run for c in checkpoints(connection, number)] == [5]


def test_the_plan_follows_the_latest_campaign(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    for replications in (3, 5, 2):
        run(campaign(target="and:2", replications=replications), path, jobs=1).close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT planned, finished FROM cell").fetchall() == [(2, 5)]
