"""The status of a store: counts without counting, and whether someone is at it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from gatewalk.campaign import campaign, run
from gatewalk.campaign.opening import writing
from gatewalk.campaign.status import status

SMALL = campaign(target=["and:2", "and:3"], selection=["strict", "nonstrict"], replications=10)


def test_a_finished_store(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    found = status(store)
    assert (found.finished, found.planned, found.running, found.checkpoints) == (40, 40, False, 0)
    assert found.labels == ("and:2 strict", "and:2 nonstrict", "and:3 strict", "and:3 nonstrict")
    assert found.campaign["state"] == "done"
    assert found.rate is None
    assert found.seconds_left is None


def test_a_store_at_work(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    with writing(store) as connection:
        connection.execute("UPDATE cell SET planned = 20")
        found = status(store)
        assert found.running
        assert found.rate is not None
        assert found.seconds_left == 40 / found.rate


def test_no_rows_are_read(tmp_path: Path) -> None:
    """The plan of every query of a status avoids a scan of the runs."""
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    with closing(sqlite3.connect(store)) as connection:
        steps: list[str] = []
        connection.set_trace_callback(steps.append)
        plan = connection.execute("EXPLAIN QUERY PLAN SELECT finished FROM run ORDER BY id DESC LIMIT 5")
        assert "TEMP B-TREE" not in str(plan.fetchall())
        counts = connection.execute("SELECT finished FROM cell").fetchall()
    assert counts == [(10,)] * 4
