"""What an executor runs, wherever it is: a batch of runs of one cell, for about a second.

Runs advance in slices of a twentieth of a second, so that a batch can stop at any time: when
its time is up it hands back what is finished, what was not begun, and the run on its way as a
saved session. That is the same piece of work on a thread and on a cluster, and the rows do not
depend on where the cuts fall.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from gatewalk.campaign.identity import LAW_VERSION
from gatewalk.campaign.packing import Trace, pack_program, pack_trace
from gatewalk.campaign.store import Checkpoint, Row
from gatewalk.search.run import Run
from gatewalk.search.session import Session, advance, begin, restore, result, save
from gatewalk.search.settings import Settings

SLICE_SECONDS = 0.05
_FIRST_SLICE = 16  # iterations, until the speed of a cell is known
_LARGEST_INTEGER = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Runs of one cell to do, the first of them perhaps from a checkpoint.

    pace: iterations a second, as measured before; 0 if unknown.
    seconds: when to hand finished runs over. limit: when to hand over a run on its way.
    """

    cell: int
    settings: Settings
    seed: int
    runs: tuple[int, ...]
    checkpoint: Checkpoint | None = None
    traces: bool = False
    pace: float = 0.0
    seconds: float = 0.5
    limit: float = 60.0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of a batch. pace: iterations a second as now measured; spent: seconds it took."""

    cell: int
    rows: tuple[Row, ...]
    left: tuple[int, ...]
    checkpoint: Checkpoint | None
    pace: float
    spent: float
    law_version: int = LAW_VERSION


def work(batch: Batch, stop: Callable[[], bool] = lambda: False) -> Outcome:
    """Do a batch until it is done, its time is up or `stop`, asked after every slice, says so."""
    began = time.perf_counter()
    rows: list[Row] = []
    pace = batch.pace

    def outcome(done: int, kept: Checkpoint | None = None) -> Outcome:
        spent = time.perf_counter() - began
        left = batch.runs[done:]
        return Outcome(cell=batch.cell, rows=tuple(rows), left=left, checkpoint=kept, pace=pace, spent=spent)

    session: Session | None = None
    for position, run in enumerate(batch.runs):
        if position == 0 and batch.checkpoint is not None:
            session = restore(batch.settings, batch.checkpoint.state)
        else:
            session = begin(batch.settings, seed=batch.seed, run=run, after=session)
        while not session.finished:
            pace = _slice(session, pace)
            spent = time.perf_counter() - began
            over = stop() or spent > batch.limit or (rows and spent > batch.seconds)
            if over and not session.finished:
                return outcome(
                    position + 1, Checkpoint(run=run, state=save(session), seconds=session.seconds)
                )
        rows.append(row_of(result(session), traced=batch.traces))
        if stop() or time.perf_counter() - began > batch.seconds:
            return outcome(position + 1)
    return outcome(len(batch.runs))


def _slice(session: Session, pace: float) -> float:
    """Advance for about `SLICE_SECONDS` at this pace; returns the pace as now measured."""
    offspring, began = session.walk.offspring, time.perf_counter()
    advance(session, max(_FIRST_SLICE, int(pace * SLICE_SECONDS)))
    done, seconds = session.walk.offspring - offspring, time.perf_counter() - began
    if done < _FIRST_SLICE or seconds <= 0:
        return pace
    # A first slice may be far from typical (it may compile): speed up by degrees, slow down at once.
    return min(done / seconds, 8 * max(pace, _FIRST_SLICE / SLICE_SECONDS))


def row_of(run: Run, *, traced: bool) -> Row:
    """A run as it is stored."""
    return Row(
        run=run.run,
        iterations=run.iterations,
        evaluations=run.evaluations,
        elementary_steps=run.elementary_steps,
        solved=int(run.solved),
        fitness=run.fitness if run.fitness <= _LARGEST_INTEGER else str(run.fitness),
        gates=run.gates,
        generalisation=run.generalisation,
        evaluation=run.evaluation,
        program=pack_program(run.program),
        seconds=run.seconds,
        finished=time.time(),
        trace=pack_trace(trace_of(run)) if traced else None,
    )


def trace_of(run: Run) -> Trace:
    """(evaluations, best fitness so far) from evaluation 1 on, where the start counts as known."""
    starts = run.settings.law.starts if run.settings.start == "random" else 1
    return tuple((offspring + starts if offspring else 1, fitness) for offspring, fitness in run.improvements)
