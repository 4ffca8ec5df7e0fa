"""What several tests of campaigns need: the content of a store without its times, batches, short slices."""

import sqlite3
from contextlib import closing

import pytest

from gatewalk.campaign import execution
from gatewalk.search import batch as batch_module
from gatewalk.search import scheduler
from gatewalk.search.batch import run_batch


@pytest.fixture
def contents():
    """Every run of a store with its cell and trace, by key, without times; counts must agree."""

    def read(store):
        query = """
            SELECT cell.key, cell.law, cell.budget, cell.seed, run.run, run.iterations,
                run.evaluations, run.elementary_steps, run.solved, run.fitness, run.gates,
                run.generalisation, run.evaluation, run.program, trace.data
            FROM run JOIN cell ON cell.id = run.cell
                LEFT JOIN trace ON trace.cell = run.cell AND trace.run = run.run
            ORDER BY cell.key, run.run"""
        counts = """
            SELECT finished, solved, iterations, traced,
                (SELECT count(*) FROM run WHERE cell = id),
                (SELECT ifnull(sum(run.solved), 0) FROM run WHERE cell = id),
                (SELECT ifnull(sum(run.iterations), 0) FROM run WHERE cell = id),
                (SELECT count(*) FROM trace WHERE cell = id)
            FROM cell"""
        with closing(sqlite3.connect(store)) as connection:
            rows = connection.execute(query).fetchall()
            for counted in connection.execute(counts):
                assert counted[:4] == counted[4:]
        return rows

    return read


@pytest.fixture
def batches(monkeypatch):
    """A list of every batch that a campaign gives out in this process, in the order in which they begin."""
    given = []

    def noted(batch, stop):
        given.append(batch)
        return run_batch(batch, stop)

    monkeypatch.setattr(execution, "run_batch", noted)
    return given


@pytest.fixture
def short_slices(monkeypatch):
    """Batches look at the clock very often, so that their runs are cut where they like."""
    for module in (scheduler, batch_module):
        monkeypatch.setattr(module, "SLICE_SECONDS", 0.0001)
