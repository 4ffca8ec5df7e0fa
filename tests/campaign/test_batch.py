"""Batches: the same runs wherever they are cut."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace

import pytest

from gatewalk.campaign import batch as batch_module
from gatewalk.campaign.batch import Batch, Outcome, check_outcome, run_batch
from gatewalk.campaign.finished import Finished, rows_of
from gatewalk.campaign.packing import unpack_trace
from gatewalk.campaign.schema import RUN
from gatewalk.campaign.stored import Checkpoint
from gatewalk.errors import InputError
from gatewalk.search.evolve import evolve
from gatewalk.search.settings import Settings, settings

# two nodes cannot compute and:4, so these runs use their whole budget
LONG = settings("and:4", nodes=2, budget=120_000)
SAMPLED = settings("and:4", nodes=2, budget=30_000, training="sample:15")
TREE = settings("xor:4", algorithm="tgp-single", gates="and", budget=20_000)

Rows = list[tuple[object, ...]]


def rows(*outcomes: Outcome) -> Rows:
    """All that is stored of finished runs, with their traces, times left out, by number."""
    found: Rows = []
    for part in (part for outcome in outcomes for part in outcome.parts):
        traces = part.traces if part.traces is not None else [None] * len(part)
        for row, trace in zip(rows_of(part.runs, cell=0, delivery=0), traces, strict=True):
            values = dict(zip((column.name for column in RUN), row, strict=True))
            del values["seconds"], values["delivery"]
            found.append((*values.values(), trace))
    return sorted(found, key=lambda row: row[:2])


def in_pieces(search: Settings, runs: tuple[int, ...], stop: Callable[[], bool], limit: float) -> Rows:
    """Hand over and take up again until all is done."""
    first = Batch(cell=0, settings=search, seed=5, runs=runs, limit=limit, seconds=0.0, traces=True)
    todo, outcomes = [first], []
    while todo:
        outcome = run_batch(todo.pop(0), stop)
        outcomes.append(outcome)
        kept = outcome.checkpoint
        if kept:
            todo.append(replace(first, runs=(kept.run,), checkpoint=kept, pace=outcome.pace))
        if outcome.left:
            todo.append(replace(first, runs=outcome.left, pace=outcome.pace))
    assert len(outcomes) > 2 * len(runs)
    return rows(*outcomes)


def test_rows_are_the_runs_of_search() -> None:
    outcome = run_batch(
        Batch(cell=0, settings=settings("and:4"), seed=5, runs=(0, 3), seconds=60.0, traces=True)
    )
    assert outcome.finished == 2
    assert outcome.checkpoint is None
    runs = [run for part in outcome.parts for run in part.runs]
    traces = [unpack_trace(trace) for part in outcome.parts for trace in part.traces or ()]
    assert [run.run for run in runs] == [0, 3]
    for found, trace in zip(runs, traces, strict=True):
        run = evolve("and:4", seed=5, run=found.run)
        assert found.record() | {"seconds": 0} == run.record() | {"seconds": 0}
        assert found.elementary_steps == run.elementary_steps
        assert found.program.tolist() == run.program.tolist()
        assert trace == tuple((offspring + 1, fitness) for offspring, fitness in run.improvements)
        assert trace[0][0] == 1
        assert trace[-1] == (found.evaluations, 0)


@pytest.mark.parametrize("search", [LONG, SAMPLED, TREE], ids=["kernel", "sampled", "tree"])
def test_cuts_do_not_change_rows(search: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run_batch(
        Batch(cell=0, settings=search, seed=5, runs=(0, 1), seconds=600.0, limit=600.0, traces=True)
    )
    assert not whole.left
    assert whole.finished == 2
    expected = rows(whole)
    monkeypatch.setattr(batch_module, "SLICE_SECONDS", 0.0001)
    assert in_pieces(search, (0, 1), lambda: False, limit=0.0) == expected
    assert in_pieces(search, (0, 1), lambda: True, limit=60.0) == expected


def test_a_checkpoint_is_finished_before_the_runs_behind_it() -> None:
    batch = Batch(cell=0, settings=LONG, seed=5, runs=(4, 5, 6), seconds=600.0, limit=600.0)
    cut = run_batch(batch, lambda: True)
    assert cut.checkpoint is not None
    rest = run_batch(replace(batch, checkpoint=cut.checkpoint))
    assert [number for part in rest.parts for number in part.runs.run.tolist()] == [4, 5, 6]
    assert rows(rest) == rows(run_batch(batch))


def test_a_stopped_batch_hands_everything_back() -> None:
    outcome = run_batch(Batch(cell=2, settings=LONG, seed=5, runs=(4, 5, 6)), lambda: True)
    assert (outcome.cell, outcome.parts, outcome.left) == (2, (), (5, 6))
    assert outcome.checkpoint is not None
    assert outcome.checkpoint.run == 4


def test_finished_runs_do_not_wait_for_the_others() -> None:
    search = settings("and:3", nodes=1, budget=30_000)
    outcome = run_batch(Batch(cell=0, settings=search, seed=5, runs=range(500), seconds=0.0, limit=600.0))
    assert 1 <= outcome.finished < 100
    under_way = 0 if outcome.checkpoint is None else 1
    assert outcome.left == range(outcome.finished + under_way, 500)


def test_the_time_of_a_batch_is_kept_to() -> None:
    endless = settings("and:4", nodes=2, budget=10**12)
    outcome = run_batch(Batch(cell=0, settings=endless, seed=5, runs=(0, 1), limit=0.2))
    assert outcome.spent < 2
    assert outcome.checkpoint is not None
    assert outcome.pace > 10_000


@pytest.mark.parametrize("traces", [False, True])
def test_outcomes_travel(traces: bool) -> None:
    batch = Batch(cell=0, settings=settings("and:4"), seed=5, runs=range(50), seconds=60.0, traces=traces)
    outcome = run_batch(pickle.loads(pickle.dumps(batch)))
    again = pickle.loads(pickle.dumps(outcome))
    assert again.finished == 50
    assert rows(again) == rows(outcome)
    assert all((part.traces is not None) == traces for part in again.parts)
    assert all(run.improvements == () for part in again.parts for run in part.runs)


def test_the_start_is_at_evaluation_one_whatever_the_law() -> None:
    search = settings("and:4", profile="tinyverse")
    outcome = run_batch(Batch(cell=0, settings=search, seed=1, runs=range(20), seconds=60.0, traces=True))
    checked = 0
    for part in outcome.parts:
        for run, packed in zip(part.runs, part.traces or (), strict=True):
            trace = unpack_trace(packed)
            evaluations = [at for at, _ in trace]
            assert evaluations[0] == 1
            assert sorted(set(evaluations)) == evaluations
            assert trace[-1] == (run.evaluations if len(trace) > 1 else 1, 0)
            checked += 1
    assert checked == 20


def test_a_part_counts_its_runs() -> None:
    (part,) = run_batch(Batch(cell=0, settings=LONG, seed=1, runs=(3,), seconds=60.0)).parts
    assert isinstance(part, Finished)
    assert len(part) == 1


def damaged(kept: Checkpoint) -> list[Checkpoint]:
    """Checkpoints that cannot be used: rubbish, cut short, and of another run."""
    other = run_batch(Batch(cell=0, settings=LONG, seed=5, runs=(8,), limit=0.0)).checkpoint
    assert other is not None
    return [
        replace(kept, state=b""),
        replace(kept, state=kept.state[:-7]),
        replace(kept, state=kept.state.replace(b'"seed": 5', b'"seed": 6')),
        replace(kept, state=other.state),
    ]


def test_a_run_whose_checkpoint_is_damaged_is_begun_anew() -> None:
    first = Batch(cell=0, settings=LONG, seed=5, runs=(4,), limit=0.0, traces=True)
    kept = run_batch(first).checkpoint
    assert kept is not None
    whole = run_batch(replace(first, limit=600.0, seconds=600.0))
    for checkpoint in damaged(kept):
        outcome = run_batch(replace(first, checkpoint=checkpoint, limit=600.0, seconds=600.0))
        assert outcome.began_anew == 4
        assert rows(outcome) == rows(whole)
    assert run_batch(replace(first, checkpoint=kept, limit=600.0, seconds=600.0)).began_anew is None


def test_outcomes_of_a_batch_pass() -> None:
    for search in (LONG, SAMPLED, TREE):
        batch = Batch(cell=3, settings=search, seed=5, runs=(0, 1, 2), traces=True, limit=0.01)
        outcome = run_batch(batch)
        assert check_outcome(batch, outcome) is outcome


def test_outcomes_that_cannot_be_are_refused() -> None:
    batch = Batch(cell=3, settings=settings("and:4"), seed=5, runs=(0, 1, 2), traces=True, pace=1e9)
    good = run_batch(batch)
    (part,) = good.parts
    runs = part.runs

    def with_runs(**columns: object) -> Outcome:
        return replace(good, parts=(replace(part, runs=replace(runs, **columns)),))  # type: ignore[arg-type]

    programs = runs.programs.copy()
    programs[1, 2] = 10**6
    wrong: list[object] = [
        None,
        replace(good, cell=4),
        replace(good, left=(7,)),
        replace(good, parts=()),
        replace(good, parts=(part, part)),
        with_runs(seed=6),
        with_runs(settings=settings("and:5")),
        with_runs(run=runs.run + 1),
        with_runs(iterations=-runs.iterations - 1),
        with_runs(iterations=runs.iterations[:2]),
        with_runs(fitness=[-1, 0, 0]),
        with_runs(seconds=runs.seconds * float("nan")),
        with_runs(programs=programs),
        with_runs(programs=programs[:, :5]),
        with_runs(programs=programs[:2]),
        replace(good, parts=(replace(part, traces=[]),)),
    ]
    for outcome in wrong:
        with pytest.raises(InputError):
            check_outcome(batch, outcome)
