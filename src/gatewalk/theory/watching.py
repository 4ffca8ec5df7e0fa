"""Seeded runs under the microscope: the same runs as `evolve`, with what the proofs speak of recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Event
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import target
from gatewalk.cgp.core import OFFSPRING, RANK, mark_active
from gatewalk.cgp.engines import training_of
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.table import Table, evaluate, table_of
from gatewalk.cgp.walk import Walk
from gatewalk.errors import InputError
from gatewalk.search.session import Session, begin
from gatewalk.search.settings import Settings
from gatewalk.theory import levels

Result = TypeVar("Result")
SLICE = 100_000  # iterations between two looks at an interruption


@dataclass(frozen=True)
class Moments:
    """When a trace has a row besides the first and the last."""

    improvements: bool = False
    powers: bool = False
    every: int = 0


def moments(text: str) -> Moments:
    """`improvements`, `powers` (of two) or `every:K`; several joined by commas."""
    found = {"improvements": False, "powers": False, "every": 0}
    for word in text.split(","):
        name, _, count = word.strip().partition(":")
        if name == "every" and count.isdecimal() and int(count) >= 1:
            found["every"] = int(count)
        elif name in ("improvements", "powers") and not count:
            found[name] = True
        else:
            raise InputError(f"cannot record at {word!r}: use improvements, powers or every:K")
    return Moments(bool(found["improvements"]), bool(found["powers"]), int(found["every"]))


@dataclass(frozen=True, eq=False)
class Watched:
    """One run: its end, its counts by level (None if levels mean nothing here), and its trace.

    trace: rows of `levels.TRACE_COLUMNS`; `rank` there is n - level if `by_level`, else mismatches.
    """

    run: int
    iterations: int
    solved: bool
    program: NDArray[np.int64]
    by_level: bool
    tally: levels.Tally
    trace: NDArray[np.int64]


def has_levels(made: Settings) -> bool:
    """Conjunctions of {and}, and by duality disjunctions of {or}: the inputs in reach decide fitness."""
    family = target(made.target).family
    return family in ("and", "or") and made.gates == (family,)


def check_watchable(made: Settings) -> None:
    """The microscope follows the (1+1) CGP."""
    if made.algorithm != "cgp":
        raise InputError(f"observe follows the (1+1) CGP, not {made.algorithm}: use --algorithm cgp")
    if made.offspring != 1:
        raise InputError(f"observe follows one offspring at a time: use --lambda 1, not {made.offspring}")


def begin_walk(made: Settings, *, seed: int, run: int) -> tuple[Session, Walk]:
    """A run before its first iteration, whatever evaluation was asked for: it does not change the run."""
    session = begin(replace(made, evaluation="auto"), seed=seed, run=run)
    if not isinstance(session.walk, Walk):
        raise TypeError("not a walk of the CGP kernels")
    return session, session.walk


def watch_run(
    made: Settings, *, seed: int, run: int, record: Moments | None = None, stop: Event | None = None
) -> Watched:
    """One run of `evolve`, watched."""
    check_watchable(made)
    session, walk = begin_walk(made, seed=seed, run=run)
    by_level = has_levels(made) and made.training == "complete"
    layout, core = walk.layout, walk.core
    look, tally = levels.look_of(layout), levels.tally_of(layout.inputs)
    when = record or Moments()
    trace = levels.trace_of(improvements=when.improvements, powers=when.powers, every=when.every)
    table = _no_table() if by_level else table_of(layout, training_of(walk.task))
    mark_active(layout, core.genes, look.active)
    level, gates = levels.level_and_gates(layout, core.genes, look.active, look)
    limited = _limited(made.law)
    plus = levels.is_plus(layout, core.genes, look.active, look, level, gates, limited)
    # Each evaluation has ranks of its own; the loop compares its own only.
    rank = layout.inputs - level if by_level else evaluate(layout, core.genes, look.active, table)
    core.counters[RANK] = rank
    tally.first[level] = 0
    levels.write_row(trace, core, level, plus, gates, True, False, True)
    rows = []
    while (
        core.counters[RANK] > 0 and core.counters[OFFSPRING] < session.limit and not (stop and stop.is_set())
    ):
        limit = min(session.limit, int(core.counters[OFFSPRING]) + SLICE)
        levels.watch(core, layout, walk.rule, look, table, by_level, limited, tally, trace, limit)
        rows.append(trace.rows[: trace.used[0]].copy())
        trace.used[0] = 0
    rows.append(trace.rows[: trace.used[0]].copy())
    return Watched(
        run=run,
        iterations=int(core.counters[OFFSPRING]),
        solved=bool(core.counters[RANK] == 0),
        program=core.genes,
        by_level=by_level,
        tally=tally,
        trace=np.concatenate(rows),
    )


def _limited(law: object) -> bool:
    return isinstance(law, CgpLaw) and law.levels_back is not None


def _no_table() -> Table:
    words = np.zeros((1, 1), dtype=np.uint64)
    return Table(words, words, np.uint64(0))


def on_threads(
    make: Callable[[int, Event], Result],
    runs: Iterable[int],
    jobs: int,
    on_done: Callable[[Result], None] | None = None,
) -> list[Result]:
    """make(run, stop) for every run, `jobs` at a time, in order: kernels leave the interpreter free.

    When interrupted, `stop` is set; runs look at it between slices.
    """
    stop = Event()
    done = []
    pool = ThreadPoolExecutor(jobs)
    try:
        for result in pool.map(lambda run: make(run, stop), runs):
            done.append(result)
            if on_done:
                on_done(result)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
    return done


def watch_runs(
    made: Settings,
    *,
    seed: int,
    runs: Iterable[int],
    jobs: int = 1,
    record: Moments | None = None,
    on_done: Callable[[Watched], None] | None = None,
) -> list[Watched]:
    """Many runs, watched."""
    check_watchable(made)
    return on_threads(
        lambda run, stop: watch_run(made, seed=seed, run=run, record=record, stop=stop), runs, jobs, on_done
    )
