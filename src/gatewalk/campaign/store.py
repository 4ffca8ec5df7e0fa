"""Writing to a store: cells, runs, checkpoints and provenance. Reading is in `stored`.

Every function takes a connection from `store_file`. What belongs together is written in one transaction, so a
process that is killed at any moment leaves the store consistent.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sqlite3
import time
from collections.abc import Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from gatewalk.campaign.finished import Finished, rows_of
from gatewalk.campaign.packing import pack_programs
from gatewalk.campaign.plan import Cell
from gatewalk.campaign.schema import RUN, RUN_NUMBER
from gatewalk.campaign.spec import Campaign
from gatewalk.campaign.stored import Checkpoint, run_numbers, select
from gatewalk.errors import InputError
from gatewalk.search.column import LARGEST_COUNT, Column
from gatewalk.search.runs import Runs
from gatewalk.search.settings import cell_values

SECONDS_TO_STORE = 5e-6  # about the time to store one run
_PACKAGES = ("gatewalk", "numpy", "numba", "distributed")
_INSERT = f"INSERT OR IGNORE INTO run VALUES ({', '.join('?' for _ in RUN)})"


def begin_campaign(connection: sqlite3.Connection, campaign: Campaign, executor: str) -> int:
    """Record an invocation: what was asked for, with which software, and when; returns its number."""
    versions = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for package in _PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    text = campaign.text or repr(campaign.grids)
    values = (campaign.name, campaign.source, text, json.dumps(versions), processor(), executor, time.time())
    cursor = connection.execute(
        "INSERT INTO campaign (name, source, text, packages, processor, executor, started, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, 'running')",
        values,
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def end_campaign(connection: sqlite3.Connection, campaign: int, state: str) -> None:
    """Record how an invocation ended: "done", "interrupted" or "failed"."""
    connection.execute(
        "UPDATE campaign SET stopped = ?, state = ? WHERE id = ?", (time.time(), state, campaign)
    )


def processor() -> str:
    """The name of the processor, if the system tells it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def enter_cells(connection: sqlite3.Connection, cells: Sequence[Cell]) -> list[int]:
    """Make sure that the cells are in the store, with the replications now planned; returns their numbers."""
    numbers = []
    connection.execute("BEGIN IMMEDIATE")
    for cell in cells:
        # Store the start program itself, not the name of its file, so the store needs no other file.
        options = {**cell.options, "start": cell.settings.start}
        values = {
            "key": cell.key,
            "law": cell.law,
            "options": json.dumps(options),
            **cell_values(cell.settings, cell.seed),
            "planned": cell.replications,
        }
        connection.execute(
            f"INSERT INTO cell ({', '.join(values)}) VALUES ({', '.join('?' for _ in values)})"
            " ON CONFLICT (key) DO UPDATE SET planned = excluded.planned",
            tuple(values.values()),
        )
        found = connection.execute("SELECT id FROM cell WHERE key = ?", (cell.key,)).fetchone()
        numbers.append(int(found[0]))
    connection.execute("COMMIT")
    return numbers


def missing_runs(connection: sqlite3.Connection, cell: int, planned: int, *, traces: bool) -> list[range]:
    """The runs below `planned` that are not stored (with traces: not stored with a trace), as ranges."""
    table, count = ("trace", "traced") if traces else ("run", "finished")
    ((there,),) = select(connection, "cell", (Column(name=count, kind="count"),), "WHERE id = ?", (cell,))
    last = select(connection, table, (RUN_NUMBER,), "WHERE cell = ? ORDER BY run DESC LIMIT 1", (cell,))
    if not last or there == last[0][0] + 1:  # there are no gaps, so the numbers need not be read
        return [range(there, planned)] if there < planned else []
    return _between(run_numbers(connection, table, cell, planned), planned)


def _between(stored: NDArray[np.int64], planned: int) -> list[range]:
    """The gaps between these sorted numbers, from 0 to `planned`."""
    edges = np.concatenate(([-1], stored, [planned]))
    before = np.flatnonzero(np.diff(edges) > 1)
    first, last = (edges[before] + 1).tolist(), edges[before + 1].tolist()
    return [range(*bounds) for bounds in zip(first, last, strict=True)]


def add_runs(
    connection: sqlite3.Connection, campaign: int, found: Sequence[tuple[int, Sequence[Finished]]]
) -> None:
    """Store finished runs, each with the number of its cell, and update the counts, in one transaction.

    A run that is already stored stays as it is, except that it may gain a trace; it must be the same run.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        cursor = connection.execute(
            "INSERT INTO delivery (campaign, runs, stored) VALUES (?, ?, ?)",
            (campaign, sum(len(part) for _, parts in found for part in parts), time.time()),
        )
        assert cursor.lastrowid is not None
        for cell, parts in found:
            for part in parts:
                _add(connection, cell, cursor.lastrowid, part)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _add(connection: sqlite3.Connection, cell: int, delivery: int, part: Finished) -> None:
    runs = part.runs
    added = connection.executemany(_INSERT, rows_of(runs, cell=cell, delivery=delivery)).rowcount
    new = runs if added == len(runs) else _new_among(connection, cell, delivery, runs)
    traced = 0
    if part.traces is not None:
        rows = zip(repeat(cell), runs.run.tolist(), part.traces, strict=False)
        traced = connection.executemany("INSERT OR IGNORE INTO trace VALUES (?, ?, ?)", rows).rowcount
    iterations = sum(new.iterations.tolist())
    connection.execute(
        "UPDATE cell SET finished = finished + ?, solved = solved + ?, iterations = iterations + ?,"
        " seconds = seconds + ?, traced = traced + ? WHERE id = ?",
        (
            added,
            int(new.solved.sum()),
            iterations if iterations <= LARGEST_COUNT else float(iterations),
            float(new.seconds.sum()),
            traced,
            cell,
        ),
    )
    kept = {run for (run,) in connection.execute("SELECT run FROM checkpoint WHERE cell = ?", (cell,))}
    for run in kept and kept.intersection(runs.run.tolist()):
        connection.execute("DELETE FROM checkpoint WHERE cell = ? AND run = ?", (cell, run))


def _new_among(connection: sqlite3.Connection, cell: int, delivery: int, runs: Runs) -> Runs:
    """The runs that are new with this delivery; those that were already stored are compared."""
    new = []
    for place, program in enumerate(pack_programs(runs.programs)):
        run, iterations = int(runs.run[place]), int(runs.iterations[place])
        stored = connection.execute(
            "SELECT delivery, iterations, program FROM run WHERE cell = ? AND run = ?", (cell, run)
        ).fetchone()
        if stored[0] == delivery:
            new.append(place)
        elif stored[1:] != (iterations, program):
            raise InputError(
                f"run {run} of cell {cell} came out otherwise than stored ({iterations} iterations, "
                f"not {stored[1]}): the store was made by another law; use a new store"
            )
    return runs.take(new)


def save_checkpoint(connection: sqlite3.Connection, cell: int, checkpoint: Checkpoint) -> None:
    """Save an unfinished run. Storing the finished run removes the checkpoint."""
    connection.execute(
        "INSERT OR REPLACE INTO checkpoint (cell, run, state, seconds, saved) VALUES (?, ?, ?, ?, ?)",
        (cell, checkpoint.run, checkpoint.state, checkpoint.seconds, time.time()),
    )
