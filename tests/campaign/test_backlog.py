"""Batches grow to about their time and shrink to what is left."""

from __future__ import annotations

from contextlib import closing

from gatewalk.campaign import campaign, plan
from gatewalk.campaign.backlog import backlog_of, next_batch, take_back
from gatewalk.campaign.opening import in_memory
from gatewalk.campaign.store import Checkpoint, Row, enter_cells, save_checkpoint
from gatewalk.campaign.work import Outcome


def outcome(runs: tuple[int, ...], spent: float, left: tuple[int, ...] = ()) -> Outcome:
    rows = tuple(
        Row(number, 1, 1, 1, 1, 0, 1, None, "table", b"\x01", spent / len(runs), 0.0, None) for number in runs
    )
    return Outcome(cell=0, rows=rows, left=left, checkpoint=None, pace=10.0, spent=spent)


def test_batches_follow_the_time_that_runs_take() -> None:
    cells = plan(campaign(target="and:2", replications=1000))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        backlog = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        sizes = []
        done: list[int] = []
        while (batch := next_batch(backlog)) is not None:
            assert batch.limit == 60.0
            sizes.append(len(batch.runs))
            done += batch.runs
            take_back(backlog, outcome(batch.runs, spent=len(batch.runs) * 0.01))
    assert sizes[:4] == [2, 16, 100, 100]
    assert max(sizes) == 100
    assert done == list(range(1000))
    assert backlog.tallies[0].stored == 1000


def test_what_comes_back_goes_first() -> None:
    cells = plan(campaign(target="and:2", replications=10))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        backlog = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        first = next_batch(backlog)
        assert first is not None
        take_back(backlog, outcome(first.runs[:1], spent=1.0, left=first.runs[1:]))
        again = next_batch(backlog)
        assert again is not None
        assert again.runs == (1,)
        assert again.pace == 10.0


def test_checkpoints_of_the_store_are_taken_up() -> None:
    cells = plan(campaign(target="and:2", replications=4))
    with closing(in_memory()) as connection:
        numbers = enter_cells(connection, cells)
        kept = Checkpoint(run=2, state=b"state", seconds=5.0)
        save_checkpoint(connection, numbers[0], kept)
        save_checkpoint(connection, numbers[0], Checkpoint(run=9, state=b"beyond the plan", seconds=5.0))
        backlog = backlog_of(connection, cells, numbers, traces=False, seconds=1.0, limit=60.0)
        first, second, third = (next_batch(backlog) for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.runs, first.checkpoint) == ((2,), kept)
    assert (second.runs, second.checkpoint) == ((0, 1), None)
    assert third.runs == (3,)
