"""The status of a store: counts without counting, and whether someone is at it."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from gatewalk.campaign import Results, campaign, plan, run
from gatewalk.campaign.status import Status, status, stored_runs
from gatewalk.campaign.store_file import writing

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


def test_a_status_reads_few_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A status asks nothing of the runs, also while a campaign writes, and only for the last deliveries."""
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    asked: list[str] = []
    usual = Results.open

    def traced(path: Path) -> Results:
        results = usual(path)
        results.connection.set_trace_callback(asked.append)
        return results

    monkeypatch.setattr(Results, "open", traced)
    with writing(store):
        assert status(store).rate is not None
    assert not any("FROM run" in text or "FROM trace" in text for text in asked)
    deliveries = [text for text in asked if "FROM delivery" in text]
    assert deliveries
    assert all("LIMIT" in text for text in deliveries)


def test_the_rate_is_that_of_the_last_minute(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    with writing(store) as connection:
        connection.execute("UPDATE campaign SET started = started - 1000")
        connection.execute("UPDATE delivery SET stored = stored - 900")
        assert status(store).rate is None
        connection.execute("INSERT INTO delivery (campaign, runs, stored) VALUES (1, 600, ?)", (time.time(),))
        rate = status(store).rate
    assert rate == pytest.approx(10, rel=0.01)


def test_fewer_replications_than_stored(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    run(campaign(target="and:2", replications=50), store, jobs=1).close()
    run(campaign(target="and:2", replications=20), store, jobs=1).close()
    found = status(store)
    assert (found.finished, found.planned, found.more) == (20, 20, 30)


@pytest.mark.parametrize(
    ("executor", "scheduler", "threads"),
    [
        ("main thread", None, 1),
        ("12 threads", None, 12),
        ("dask tls://10.0.0.1:8786", "tls://10.0.0.1:8786", None),
        ("dask my file.json", "my file.json", None),
        ("something else", None, None),
    ],
)
def test_where_the_latest_campaign_ran(executor: str, scheduler: str | None, threads: int | None) -> None:
    found = Status(
        name="a",
        running=False,
        cells=(),
        labels=(),
        checkpoints=0,
        campaign={"executor": executor},
        rate=None,
    )
    assert (found.scheduler, found.threads, found.source) == (scheduler, threads, "")


def test_the_state_of_a_campaign_that_was_killed(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    found = status(store)
    assert found.state == "done"
    assert replace(found, campaign={"state": "running"}).state == "killed"
    assert replace(found, campaign={"state": "running"}, running=True).state == "running"
    assert replace(found, campaign={}).state == "empty"


def test_runs_that_a_plan_asks_for_and_a_store_has(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    cells = plan(SMALL)
    assert stored_runs(store, cells) == [0, 0, 0, 0]
    run(campaign(target="and:3", replications=10), store, jobs=1).close()
    assert stored_runs(store, cells) == [0, 0, 0, 10]
    assert stored_runs(store, [replace(cell, replications=4) for cell in cells]) == [0, 0, 0, 4]
