"""Campaigns on a real Dask scheduler with two workers, all processes of their own, one of them killed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from processes import PATIENCE, wait_until

from gatewalk.campaign import Campaign, grid, run
from gatewalk.campaign.cluster import LostCluster, scheduler_address
from gatewalk.campaign.results import status
from gatewalk.errors import InputError

Process = subprocess.Popen[bytes]

CAMPAIGN = Campaign(
    seed=9,
    traces=True,
    grids=(
        grid(target=["and:3", "and:4"], selection=["strict", "nonstrict"], replications=60),
        grid(target="and:4", nodes=2, budget=15_000_000, replications=6),  # cannot succeed
    ),
)


@contextlib.contextmanager
def processes():
    """A function that starts `dask` with arguments; all are ended with the block."""
    started = []

    def start(*arguments):
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        started.append(process)
        return process

    try:
        yield start
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait(PATIENCE)


@dataclass(frozen=True)
class Dask:
    """A running cluster."""

    scheduler: Path
    workers: list[Process]


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    scheduler = tmp_path_factory.mktemp("dask") / "scheduler.json"
    with processes() as start:
        start("scheduler", "--port", "0", "--scheduler-file", str(scheduler))
        worker = ("worker", "--scheduler-file", str(scheduler), "--nthreads", "1", "--no-nanny")
        workers = [start(*worker), start(*worker)]
        wait_until(scheduler.exists)
        yield Dask(scheduler, workers)


def test_interruption_keeps_what_came_back(dask, tmp_path, monkeypatch):
    monkeypatch.setattr("gatewalk.campaign.execution._CLUSTER_LIMIT", 0.3)
    monkeypatch.setattr("gatewalk.campaign.execution._WORTH_KEEPING", 0.0)
    endless = grid(target="and:4", nodes=2, budget=10**12, replications=2)
    both = Campaign(grids=(grid(target="and:2", replications=10), endless))
    store = tmp_path / "a.sqlite"

    def watch(progress):
        if progress.done == 10 and progress.tallies[1].spent_now > 0:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(both, store, dask=str(dask.scheduler), watch=watch)
    found = status(store)
    assert (found.finished, found.campaign["state"]) == (10, "interrupted")
    assert found.checkpoints >= 1


def test_the_same_rows_although_a_worker_is_killed(dask, tmp_path, contents):
    killed = []

    def watch(progress):
        if not killed and progress.done > 100:
            killed.append(progress.done)
            dask.workers[0].send_signal(signal.SIGKILL)

    store = tmp_path / "cluster.sqlite"
    run(CAMPAIGN, store, dask=str(dask.scheduler), checkpoint_seconds=0.2, watch=watch).close()
    assert killed
    assert killed[0] < 246
    assert dask.workers[0].wait(PATIENCE) == -signal.SIGKILL
    run(CAMPAIGN, tmp_path / "threads.sqlite", jobs=2).close()
    rows = contents(store)
    assert len(rows) == 4 * 60 + 6
    assert rows == contents(tmp_path / "threads.sqlite")


def test_places_without_a_scheduler(tmp_path, monkeypatch):
    monkeypatch.setattr("gatewalk.campaign.cluster._CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match="no such scheduler file"):
        run(CAMPAIGN, tmp_path / "a.sqlite", dask=str(tmp_path / "none.json"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(InputError, match="no Dask scheduler at"):
        run(CAMPAIGN, tmp_path / "a.sqlite", dask=f"tcp://127.0.0.1:{port}")


def test_a_scheduler_that_dies_is_told_in_one_line(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("gatewalk.campaign.execution._CLUSTER_LIMIT", 0.3)
    monkeypatch.setattr("gatewalk.campaign.execution._WORTH_KEEPING", 0.0)
    endless = grid(target="and:4", nodes=2, budget=10**12, replications=2)
    both = Campaign(grids=(grid(target="and:2", replications=10), endless))
    file, store = tmp_path / "scheduler.json", tmp_path / "a.sqlite"
    with processes() as start:
        scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        start("worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny")
        wait_until(file.exists)

        def watch(progress):
            if progress.done == 10 and progress.tallies[1].spent_now > 0:
                scheduler.kill()

        with pytest.raises(LostCluster, match="lost the Dask scheduler at"):
            run(both, store, dask=str(file), watch=watch)
    found = status(store)
    assert (found.finished, found.campaign["state"], found.scheduler) == (10, "failed", str(file))
    assert found.checkpoints >= 1
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "text", ["", "tcp://", "foo://h:1", "tcp://a b:1", "h:1\x1b", "tcp://h", "tcp://h:123456"]
)
def test_what_is_no_address(text):
    with pytest.raises(InputError, match="no way to reach a scheduler; give its tcp://HOST:PORT"):
        scheduler_address(text)


@pytest.mark.parametrize("text", ["h:1", "127.0.0.1:8786", "tls://node-1.x.org:8786", "tcp://[::1]:8786"])
def test_what_is_one(text):
    assert scheduler_address(text) == text


@pytest.mark.parametrize("content", ["", "[]", "{}", "[" * 5000, '{"address": 5}', '{"address": "x y"}'])
def test_files_that_are_not_a_schedulers(tmp_path, content):
    file = tmp_path / "scheduler.json"
    file.write_text(content)
    with pytest.raises(InputError, match=r"not the file of a Dask scheduler|no way to reach a scheduler"):
        scheduler_address(str(file))


def test_tls_without_certificates_says_what_to_set(tmp_path):
    with pytest.raises(InputError, match="needs certificates: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "):
        run(CAMPAIGN, tmp_path / "a.sqlite", dask="tls://127.0.0.1:8786")
