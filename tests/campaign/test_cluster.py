"""Campaigns on a real Dask scheduler with two workers, all processes of their own, one of them killed."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections import namedtuple

import pytest
from processes import PATIENCE, wait_until

import gatewalk as gw
from gatewalk.campaign import Campaign, execution, grid, run
from gatewalk.campaign.cluster import LostCluster, scheduler_address
from gatewalk.campaign.results import status
from gatewalk.errors import InputError

MINE = gw.target(lambda a, b, c: a + b + c >= 2, name="mine")
CAMPAIGN = Campaign(
    seed=9,
    traces=True,
    grids=(
        grid(target=["and:3", "and:4"], selection=["strict", "nonstrict"], replications=60),
        grid(target=MINE, mutation=gw.Rate(0.05), gates=gw.gate_set("and,mine=0xe"), replications=10),
        grid(target="and:6", training=gw.Sample(20), replications=10),
        grid(target="and:4", algorithm="tgp-multi", replications=10),
        grid(target="and:4", nodes=2, budget=15_000_000, replications=6),  # cannot succeed
    ),
)
RUNS = 4 * 60 + 3 * 10 + 6


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


Dask = namedtuple("Dask", ["scheduler", "workers"])  # the file of a scheduler, and two processes


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    scheduler = tmp_path_factory.mktemp("dask") / "scheduler.json"
    with processes() as start:
        start("scheduler", "--port", "0", "--scheduler-file", str(scheduler))
        worker = ("worker", "--scheduler-file", str(scheduler), "--nthreads", "1", "--no-nanny")
        workers = [start(*worker), start(*worker)]
        wait_until(scheduler.exists)
        yield Dask(scheduler, workers)


ENDLESS = grid(target="and:4", nodes=2, budget=10**12, replications=2)
SHORT_AND_ENDLESS = Campaign(grids=(grid(target="and:2", replications=10), ENDLESS))


@pytest.fixture
def handed_over(monkeypatch):
    """A list of the unfinished runs that workers handed over; they do so soon, and all are worth keeping."""
    checkpoints, keep = [], execution._Execution._keep

    def noted(self, outcome):
        keep(self, outcome)
        if outcome.checkpoint is not None:
            checkpoints.append(outcome.checkpoint)

    monkeypatch.setattr(execution._Execution, "_keep", noted)
    monkeypatch.setattr(execution, "_CLUSTER_LIMIT", 0.3)
    monkeypatch.setattr(execution, "_WORTH_KEEPING", 0.0)
    return checkpoints


def test_interruption_keeps_what_came_back(dask, tmp_path, handed_over):
    store = tmp_path / "a.sqlite"

    def watch(progress):
        if progress.done == 10 and handed_over:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(SHORT_AND_ENDLESS, store, dask=str(dask.scheduler), watch=watch)
    state = status(store)
    assert (state.finished, state.campaign["state"]) == (10, "interrupted")
    assert state.checkpoints >= 1


def test_the_same_rows_although_a_worker_is_killed(dask, tmp_path, contents):
    killed = []

    def watch(progress):
        if not killed and progress.done > 100:
            killed.append(progress.done)
            dask.workers[0].send_signal(signal.SIGKILL)

    store = tmp_path / "cluster.sqlite"
    run(CAMPAIGN, store, dask=str(dask.scheduler), checkpoint_seconds=0.2, watch=watch).close()
    assert killed
    assert killed[0] < RUNS
    assert dask.workers[0].wait(PATIENCE) == -signal.SIGKILL
    run(CAMPAIGN, tmp_path / "threads.sqlite", jobs=2).close()
    rows = contents(store)
    assert len(rows) == RUNS
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


def test_a_scheduler_that_dies_is_told_in_one_line(tmp_path, handed_over, capfd):
    file, store = tmp_path / "scheduler.json", tmp_path / "a.sqlite"
    with processes() as start:
        scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
        start("worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny")
        wait_until(file.exists)

        def watch(progress):
            if progress.done == 10 and handed_over:
                scheduler.kill()

        with pytest.raises(LostCluster, match="lost the Dask scheduler at"):
            run(SHORT_AND_ENDLESS, store, dask=str(file), watch=watch)
    state = status(store)
    assert (state.finished, state.campaign["state"], state.scheduler) == (10, "failed", str(file))
    assert state.checkpoints >= 1
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
