"""Writing to a store and asking it what is there: cells, runs, checkpoints, provenance.

Every function takes the connection that `opening` gave; whatever belongs together is written in
one transaction, so that a process killed at any moment leaves whole rows only.
"""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gatewalk.boolean.targets import target
from gatewalk.campaign.identity import LAW_VERSION, run_key
from gatewalk.campaign.plan import Cell
from gatewalk.campaign.spec import Campaign
from gatewalk.errors import InputError

_PACKAGES = ("gatewalk", "numpy", "numba", "distributed")


class Row(NamedTuple):
    """The result of a run as it is stored, its cell aside."""

    run: int
    iterations: int
    evaluations: int
    elementary_steps: int
    solved: int
    fitness: int | str  # decimal text beyond 64 bits
    gates: int
    generalisation: float | None
    evaluation: str
    program: bytes
    seconds: float
    finished: float
    trace: bytes | None


@dataclass(frozen=True, kw_only=True)
class Checkpoint:
    """A run on its way: its saved session and the seconds it took so far."""

    run: int
    state: bytes
    seconds: float


def begin_campaign(connection: sqlite3.Connection, campaign: Campaign, executor: str) -> int:
    """Note what was asked, with what, and when; returns the campaign's number."""
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
    """Note how a campaign ended: "done", "interrupted" or "failed"."""
    connection.execute(
        "UPDATE campaign SET stopped = ?, state = ? WHERE id = ?", (time.time(), state, campaign)
    )


def processor() -> str:
    """The processor's name, as far as the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def enter_cells(connection: sqlite3.Connection, cells: Sequence[Cell]) -> list[int]:
    """Make sure the cells are in the store, planned as now asked for; returns their numbers."""
    numbers = []
    connection.execute("BEGIN IMMEDIATE")
    for cell in cells:
        made = cell.settings
        tree = made.algorithm.startswith("tgp")
        connection.execute(
            "INSERT INTO cell (key, law, law_version, options, seed, budget, target, algorithm, n, nodes,"
            " selection, profile, training, mutation, offspring, gate_set, start, law_options,"
            " planned) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET planned = excluded.planned",
            (
                cell.key,
                cell.law,
                LAW_VERSION,
                json.dumps(cell.options),
                cell.seed,
                made.budget,
                made.target,
                made.algorithm,
                target(made.target).inputs,
                None if tree else made.nodes,
                made.selection,
                made.profile,
                made.training,
                None if tree else made.mutation,
                made.offspring,
                ",".join(made.gates),
                made.start,
                json.dumps(made.options, sort_keys=True),
                cell.replications,
            ),
        )
        found = connection.execute("SELECT id FROM cell WHERE key = ?", (cell.key,)).fetchone()
        numbers.append(int(found[0]))
    connection.execute("COMMIT")
    return numbers


def missing_runs(connection: sqlite3.Connection, cell: int, replications: int, *, traces: bool) -> list[int]:
    """The runs below `replications` that are not stored (with traces: not stored with a trace)."""
    query = "SELECT run.run FROM run WHERE cell = ? AND run.run < ?"
    if traces:
        query += " AND EXISTS (SELECT 1 FROM trace WHERE trace.run = run.id)"
    there = {row[0] for row in connection.execute(query, (cell, replications))}
    return [run for run in range(replications) if run not in there]


def add_rows(
    connection: sqlite3.Connection, campaign: int, batches: Iterable[tuple[int, bytes, Sequence[Row]]]
) -> None:
    """Store finished runs, given as (cell's number, cell's key, rows), in one transaction.

    A run that is there already stays as it is and may only gain a trace; it must be the same run.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        for cell, key, rows in batches:
            connection.executemany(
                "INSERT OR IGNORE INTO run (key, cell, run, iterations, evaluations, elementary_steps,"
                " solved, fitness, gates, generalisation, evaluation, program, seconds, finished, campaign)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((run_key(key, row.run), cell, *row[:-1], campaign) for row in rows),
            )
            _add_traces(connection, cell, [row for row in rows if row.trace is not None])
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _add_traces(connection: sqlite3.Connection, cell: int, rows: Sequence[Row]) -> None:
    for row in rows:
        number, iterations, program = connection.execute(
            "SELECT id, iterations, program FROM run WHERE cell = ? AND run = ?", (cell, row.run)
        ).fetchone()
        if (iterations, program) != (row.iterations, row.program):
            raise InputError(
                f"run {row.run} of cell {cell} came out otherwise than stored ({row.iterations} iterations, "
                f"not {iterations}): the store was made by another law; use a new store"
            )
        connection.execute("INSERT OR REPLACE INTO trace (run, data) VALUES (?, ?)", (number, row.trace))


def save_checkpoint(connection: sqlite3.Connection, cell: int, checkpoint: Checkpoint) -> None:
    """Keep a run on its way; finishing it removes the checkpoint."""
    connection.execute(
        "INSERT OR REPLACE INTO checkpoint (cell, run, state, seconds, saved) VALUES (?, ?, ?, ?, ?)",
        (cell, checkpoint.run, checkpoint.state, checkpoint.seconds, time.time()),
    )


def checkpoints(connection: sqlite3.Connection, cell: int) -> list[Checkpoint]:
    """The runs of a cell on their way."""
    rows = connection.execute(
        "SELECT run, state, seconds FROM checkpoint WHERE cell = ? ORDER BY run", (cell,)
    )
    return [Checkpoint(run=run, state=state, seconds=seconds) for run, state, seconds in rows]
