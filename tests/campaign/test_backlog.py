"""Batches grow to about their time and shrink to what is left."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import pytest

from gatewalk.campaign import Cell, backlog, campaign, plan
from gatewalk.campaign.backlog import backlog_of, next_batch, take_back
from gatewalk.campaign.batch import Batch, Outcome, run_batch
from gatewalk.campaign.finished import Finished
from gatewalk.campaign.store import add_runs, begin_campaign, enter_cells, save_checkpoint
from gatewalk.campaign.store_file import in_memory
from gatewalk.campaign.stored import Checkpoint
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import settings

SOME = Finished(runs=run_many(settings("and:2"), runs=range(1)), traces=None)


def outcome(runs: Sequence[int], spent: float, left: tuple[int, ...] = ()) -> Outcome:
    """As if these runs, all alike, had taken so long."""
    part = Finished(runs=SOME.runs.take([0] * len(runs)), traces=None)
    return Outcome(cell=0, parts=(part,), left=left, checkpoint=None, pace=10.0, spent=spent)


def finished(cell: Cell, runs: Sequence[int]) -> tuple[Finished, ...]:
    return run_batch(Batch(cell=0, settings=cell.settings, seed=cell.seed, runs=runs, seconds=60.0)).parts


def test_batches_follow_the_time_that_runs_take() -> None:
    cells = plan(campaign(target="and:2", replications=1000))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        sizes = []
        done: list[int] = []
        while (batch := next_batch(left)) is not None:
            assert batch.limit == 60.0
            sizes.append(len(batch.runs))
            done += batch.runs
            take_back(left, outcome(batch.runs, spent=len(batch.runs) * 0.01))
    assert sizes[:4] == [2, 16, 100, 100]
    assert max(sizes) == 100
    assert done == list(range(1000))
    assert left.tallies[0].stored == 1000
    assert left.tallies[0].solved == 1000
    assert left.tallies[0].seconds == pytest.approx(1000 * SOME.runs.seconds[0])


def test_a_million_short_runs_are_few_batches_and_no_list() -> None:
    cells = plan(campaign(target="and:2", replications=1_000_000))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        left = backlog_of(connection, cells, numbers, traces=False, seconds=0.5, limit=60.0)
        batches = []
        while (batch := next_batch(left)) is not None:
            assert isinstance(batch.runs, range)
            batches.append(batch.runs)
            take_back(left, outcome(batch.runs, spent=len(batch.runs) * 1e-6))
    assert max(map(len, batches)) == backlog._LARGEST_BATCH
    assert len(batches) < 100
    assert [runs.stop for runs in batches] == [runs.start for runs in batches[1:]] + [1_000_000]


def test_long_programs_make_small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that memory does not depend on their length."""
    each = SOME.program_bytes
    monkeypatch.setattr(backlog, "_LARGEST_PROGRAMS", 50 * each + 1)
    cells = plan(campaign(target="and:2", replications=1000))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        sizes = []
        while (batch := next_batch(left)) is not None:
            sizes.append(len(batch.runs))
            take_back(left, outcome(batch.runs, spent=1e-6))
    assert sizes[:4] == [2, 16, 50, 50]
    assert max(sizes) == 50


def test_what_comes_back_goes_first() -> None:
    cells = plan(campaign(target="and:2", replications=10))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        first = next_batch(left)
        assert first is not None
        take_back(left, outcome(first.runs[:1], spent=1.0, left=(1,)))
        again = next_batch(left)
        assert again is not None
        assert again.runs == (1,)
        assert again.pace == 10.0


def test_gaps_are_gathered_into_batches() -> None:
    cells = plan(campaign(target="and:2", replications=40))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        ident = begin_campaign(connection, campaign(target="and:2"), "test")
        add_runs(connection, ident, [(numbers[0], finished(cells[0], range(0, 40, 2)))])
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        assert left.tallies[0].stored == 20
        batches = []
        while (batch := next_batch(left)) is not None:
            batches.append(tuple(batch.runs))
            take_back(left, outcome(batch.runs, spent=len(batch.runs) * 0.1))
    assert batches == [(1, 3), tuple(range(5, 25, 2)), tuple(range(25, 40, 2))]


def test_checkpoints_of_the_store_are_taken_up() -> None:
    cells = plan(campaign(target="and:2", replications=4))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        kept = Checkpoint(run=2, state=b"state", seconds=5.0)
        save_checkpoint(connection, numbers[0], kept)
        save_checkpoint(connection, numbers[0], Checkpoint(run=9, state=b"beyond the plan", seconds=5.0))
        left = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        first, second, third = (next_batch(left) for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.runs, first.checkpoint) == ((2,), kept)
    assert (second.runs, second.checkpoint) == (range(2), None)
    assert third.runs == range(3, 4)
