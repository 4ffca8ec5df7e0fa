"""What a store holds and how far its campaigns are, at any time, also while one is running.

Counts per cell are kept in the store, so a million rows are not counted.
"""

from __future__ import annotations

import os
import sqlite3
import time
from dataclasses import dataclass
from typing import Any

from gatewalk.campaign.labels import labels
from gatewalk.campaign.opening import explained, running
from gatewalk.campaign.results import CellSummary, Results

_RECENT_ROWS = 500
_RECENT_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Status:
    """A store at a moment. campaign: the latest invocation. rate: runs a second lately, while running."""

    name: str
    running: bool
    cells: tuple[CellSummary, ...]
    labels: tuple[str, ...]
    checkpoints: int
    campaign: dict[str, Any]
    rate: float | None

    @property
    def planned(self) -> int:
        return sum(cell.planned for cell in self.cells)

    @property
    def finished(self) -> int:
        return sum(min(cell.finished, cell.planned) for cell in self.cells)

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
        return Status(
            name=name,
            running=active,
            cells=cells,
            labels=tuple(labels([cell.values for cell in cells])),
            checkpoints=connection.execute("SELECT count(*) FROM checkpoint").fetchone()[0],
            campaign=_latest(connection),
            rate=_rate(connection) if active else None,
        )


def _latest(connection: sqlite3.Connection) -> dict[str, Any]:
    columns = ("name", "source", "executor", "processor", "packages", "started", "stopped", "state")
    row = connection.execute(f"SELECT {', '.join(columns)} FROM campaign ORDER BY id DESC LIMIT 1").fetchone()
    return dict(zip(columns, row, strict=True)) if row else {}


def _rate(connection: sqlite3.Connection) -> float | None:
    now = time.time()
    query = f"SELECT finished FROM run ORDER BY id DESC LIMIT {_RECENT_ROWS}"
    recent = [at for (at,) in connection.execute(query) if now - at < _RECENT_SECONDS]
    return len(recent) / max(now - min(recent), 0.1) if recent else None
