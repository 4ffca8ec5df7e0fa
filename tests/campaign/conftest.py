"""What several tests of campaigns need: the content of a store without its times."""

import sqlite3
from contextlib import closing

import pytest


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
