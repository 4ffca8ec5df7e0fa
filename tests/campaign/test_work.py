"""Batches: the same rows wherever they are cut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gatewalk.campaign.packing import unpack_program, unpack_trace
from gatewalk.campaign.store import Row
from gatewalk.campaign.work import Batch, row_of, work
from gatewalk.search.evolve import evolve
from gatewalk.search.settings import Settings, settings

# two nodes cannot compute and:4, so these runs use their whole budget
LONG = settings("and:4", nodes=2, budget=120_000)


def timeless(row: Row) -> Row:
    return row._replace(seconds=0.0, finished=0.0)


def in_pieces(made: Settings, runs: tuple[int, ...], stop: Callable[[], bool], limit: float) -> list[Row]:
    """Hand over and take up again until all is done."""
    rows: list[Row] = []
    first = Batch(cell=0, settings=made, seed=5, runs=runs, limit=limit, seconds=0.0, traces=True)
    todo = [first]
    pieces = 0
    while todo:
        outcome = work(todo.pop(0), stop)
        pieces += 1
        rows += outcome.rows
        kept = outcome.checkpoint
        if kept:
            todo.append(replace(first, runs=(kept.run,), checkpoint=kept, pace=outcome.pace))
        if outcome.left:
            todo.append(replace(first, runs=outcome.left, pace=outcome.pace))
    assert pieces > 2 * len(runs)
    return sorted(timeless(row) for row in rows)


def test_rows_are_the_runs_of_search() -> None:
    made = settings("and:4")
    outcome = work(Batch(cell=0, settings=made, seed=5, runs=(0, 3), seconds=60.0, traces=True))
    assert [row.run for row in outcome.rows] == [0, 3]
    for row in outcome.rows:
        run = evolve("and:4", seed=5, run=row.run)
        assert (row.iterations, row.evaluations, row.solved) == (run.iterations, run.evaluations, 1)
        assert (row.fitness, row.gates, row.elementary_steps) == (0, run.gates, run.elementary_steps)
        assert unpack_program(row.program).tolist() == run.program.tolist()
        assert row.trace is not None
        trace = unpack_trace(row.trace)
        assert trace[0][0] == 1
        assert trace[-1] == (row.evaluations, 0)


def test_cuts_do_not_change_rows() -> None:
    whole = work(Batch(cell=0, settings=LONG, seed=5, runs=(0, 1), seconds=600.0, limit=600.0, traces=True))
    assert whole.left == ()
    expected = [timeless(row) for row in whole.rows]
    assert in_pieces(LONG, (0, 1), lambda: False, limit=0.0) == expected
    assert in_pieces(LONG, (0, 1), lambda: True, limit=60.0) == expected


def test_a_stopped_batch_hands_everything_back() -> None:
    outcome = work(Batch(cell=2, settings=LONG, seed=5, runs=(4, 5, 6)), lambda: True)
    assert (outcome.cell, outcome.rows, outcome.left) == (2, (), (5, 6))
    assert outcome.checkpoint is not None
    assert outcome.checkpoint.run == 4


def test_finished_runs_do_not_wait_for_a_long_one() -> None:
    made = settings("and:3", nodes=1, budget=30_000)
    outcome = work(Batch(cell=0, settings=made, seed=5, runs=tuple(range(50)), seconds=0.0, limit=600.0))
    assert len(outcome.rows) == 1
    assert outcome.left == tuple(range(1, 50))


def test_the_start_is_at_evaluation_one_whatever_the_law() -> None:
    made = settings("and:4", profile="tinyverse")
    rows = work(Batch(cell=0, settings=made, seed=1, runs=tuple(range(20)), seconds=60.0, traces=True)).rows
    for row in rows:
        assert row.trace is not None
        trace = unpack_trace(row.trace)
        evaluations = [at for at, _ in trace]
        assert evaluations[0] == 1
        assert sorted(set(evaluations)) == evaluations
        assert trace[-1] == (row.evaluations if len(trace) > 1 else 1, 0)


def test_large_fitness_is_text() -> None:
    run = replace(evolve("and:3", seed=1), fitness=2**64)
    assert row_of(run, traced=False).fitness == "18446744073709551616"
    assert row_of(run, traced=False).trace is None
