"""What a store holds and how far its campaigns are, at any time, even while one is running.

The store keeps counts per cell, so this is fast even with a million runs.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gatewalk.campaign import stored
from gatewalk.campaign.executors import CLUSTER, MAIN_THREAD, THREADS
from gatewalk.campaign.labels import labels
from gatewalk.campaign.plan import Cell
from gatewalk.campaign.results import Results
from gatewalk.campaign.store_file import explained, running
from gatewalk.campaign.stored import StoredCell

_RECENT_SECONDS = 60.0
_MOST_DELIVERIES = 2000  # more than are stored in that time


@dataclass(frozen=True, kw_only=True)
class Status:
    """The status of a store.

    checkpoints: how many unfinished runs are saved. campaign: the row of the latest invocation. rate: recent
    runs per second; None if no campaign is running.
    """

    name: str
    running: bool
    cells: tuple[StoredCell, ...]
    labels: tuple[str, ...]
    checkpoints: int
    campaign: Mapping[str, Any]
    rate: float | None

    @property
    def planned(self) -> int:
        return sum(cell.planned for cell in self.cells)

    @property
    def finished(self) -> int:
        return sum(min(cell.finished, cell.planned) for cell in self.cells)

    @property
    def more(self) -> int:
        """Stored runs that are no longer planned, because the replications of their cells were lowered."""
        return sum(max(0, cell.finished - cell.planned) for cell in self.cells)

    @property
    def state(self) -> str:
        """The latest campaign's: running, done, interrupted, failed; killed if nobody could say; empty."""
        if self.running:
            return "running"
        noted = str(self.campaign.get("state", "empty"))
        return "killed" if noted == "running" else noted

    @property
    def source(self) -> str:
        """The file of the latest campaign; empty if it had none."""
        return str(self.campaign.get("source") or "")

    @property
    def scheduler(self) -> str | None:
        """The Dask scheduler of the latest campaign; None if it ran on this machine."""
        name = str(self.campaign.get("executor", ""))
        return name.removeprefix(CLUSTER) if name.startswith(CLUSTER) else None

    @property
    def threads(self) -> int | None:
        """The threads of the latest campaign; None if it ran on a cluster."""
        name = str(self.campaign.get("executor", ""))
        if name == MAIN_THREAD:
            return 1
        count = name.removesuffix(THREADS)
        return int(count) if count != name and count.isdecimal() and len(count) < 9 else None

    @property
    def seconds_left(self) -> float | None:
        return (self.planned - self.finished) / self.rate if self.rate else None


def status(store: str | os.PathLike[str]) -> Status:
    """The status of a store."""
    name = os.fspath(store)
    with Results.open(store) as results, explained(name):
        cells = tuple(results.cells())
        connection = results.connection
        active = running(store)
        campaign = stored.latest_campaign(connection)
        return Status(
            name=name,
            running=active,
            cells=cells,
            labels=tuple(labels([cell.values for cell in cells])),
            checkpoints=stored.checkpoint_count(connection),
            campaign=campaign,
            rate=_rate(connection, campaign) if active and campaign else None,
        )


def stored_runs(store: str | os.PathLike[str], cells: Sequence[Cell]) -> list[int]:
    """How many of the runs that a plan asks for a store has, by cell; a store need not exist."""
    if not os.path.exists(store):
        return [0 for _ in cells]
    with Results.open(store) as results:
        finished = {cell.key: cell.finished for cell in results.cells()}
    return [min(finished.get(cell.key, 0), cell.replications) for cell in cells]


def _rate(connection: sqlite3.Connection, campaign: Mapping[str, Any]) -> float | None:
    """Runs per second in the last minute, or since the campaign began."""
    now = time.time()
    since = max(campaign["started"], now - _RECENT_SECONDS)
    deliveries = stored.latest_deliveries(connection, _MOST_DELIVERIES)
    runs = sum(runs for runs, at in deliveries if at >= since)
    return runs / max(now - since, 0.1) if runs else None
