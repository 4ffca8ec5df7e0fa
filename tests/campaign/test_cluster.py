"""Campaigns on a real Dask scheduler with two workers, all processes of their own, one of them killed."""

from __future__ import annotations

import contextlib
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gatewalk.campaign import Campaign, Progress, grid, run
from gatewalk.errors import InputError

Contents = Callable[[Path], list[tuple[object, ...]]]
Process = subprocess.Popen[bytes]

CAMPAIGN = Campaign(
    seed=9,
    traces=True,
    grids=(
        grid(target=["and:3", "and:4"], selection=["strict", "nonstrict"], replications=60),
        grid(target="and:4", nodes=2, budget=400_000, replications=6),  # cannot succeed
    ),
)


@contextlib.contextmanager
def processes() -> Iterator[Callable[..., Process]]:
    """A function that starts `dask` with arguments; all are ended with the block."""
    started: list[Process] = []

    def start(*arguments: str) -> Process:
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
            process.wait()


def test_the_same_rows_although_a_worker_is_killed(tmp_path: Path, contents: Contents) -> None:
    scheduler = tmp_path / "scheduler.json"
    with processes() as start:
        start("scheduler", "--port", "0", "--scheduler-file", str(scheduler))
        worker = ("worker", "--scheduler-file", str(scheduler), "--nthreads", "1", "--no-nanny")
        workers = [start(*worker), start(*worker)]
        while not scheduler.exists():
            with contextlib.suppress(subprocess.TimeoutExpired):
                workers[0].wait(0.05)
        killed: list[int] = []

        def watch(progress: Progress) -> None:
            if not killed and progress.done > 100:
                killed.append(progress.done)
                workers[0].send_signal(signal.SIGKILL)

        store = tmp_path / "cluster.sqlite"
        run(CAMPAIGN, store, dask=str(scheduler), checkpoint_seconds=0.2, watch=watch).close()
        assert killed
        assert killed[0] < 246
        assert workers[0].wait() == -signal.SIGKILL
    run(CAMPAIGN, tmp_path / "threads.sqlite", jobs=2).close()
    rows = contents(store)
    assert len(rows) == 4 * 60 + 6
    assert rows == contents(tmp_path / "threads.sqlite")


def test_places_without_a_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gatewalk.campaign.cluster._CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match="no such scheduler file"):
        run(CAMPAIGN, tmp_path / "a.sqlite", dask=str(tmp_path / "none.json"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(InputError, match="no Dask scheduler at"):
        run(CAMPAIGN, tmp_path / "a.sqlite", dask=f"tcp://127.0.0.1:{port}")
