"""What several tests of campaigns need: the content of a store without its times."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

Contents = Callable[[Path], list[tuple[object, ...]]]


@pytest.fixture
def contents() -> Contents:
    """Every run of a store with its cell and trace, in the order of keys, times left out."""

    def read(store: Path) -> list[tuple[object, ...]]:
        query = """
            SELECT run.key, cell.key, cell.law, cell.budget, cell.seed, run.run, run.iterations,
                run.evaluations, run.elementary_steps, run.solved, run.fitness, run.gates,
                run.generalisation, run.evaluation, run.program, trace.data
            FROM run JOIN cell ON cell.id = run.cell LEFT JOIN trace ON trace.run = run.id
            ORDER BY run.key"""
        with closing(sqlite3.connect(store)) as connection:
            rows = connection.execute(query).fetchall()
            counted = connection.execute("SELECT sum(finished), sum(solved) FROM cell").fetchone()
        assert counted == (len(rows), sum(row[9] for row in rows)) or not rows
        return rows

    return read
