"""Seeded runs under the microscope: the same runs as `evolve`, with what the proofs speak of recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import target
from gatewalk.cgp.core import OFFSPRING, RANK, mark_active
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.table import Table, table_of
from gatewalk.cgp.walk import Walk, training_of
from gatewalk.errors import InputError
from gatewalk.search.session import begin
from gatewalk.search.settings import Settings
from gatewalk.theory import levels

Result = TypeVar("Result")


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


def watch_run(made: Settings, *, seed: int, run: int, record: Moments | None = None) -> Watched:
    """One run of `evolve`, watched."""
    check_watchable(made)
    session = begin(made, seed=seed, run=run)
    walk = session.walk
    assert isinstance(walk, Walk)
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
    if by_level:
        core.counters[RANK] = layout.inputs - level
    tally.first[level] = 0
    levels.write_row(trace, core, level, plus, gates, True, False, True)
    rows = []
    while core.counters[RANK] > 0 and core.counters[OFFSPRING] < session.limit:
        levels.watch(core, layout, walk.rule, look, table, by_level, limited, tally, trace, session.limit)
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


def on_threads(make: Callable[[int], Result], runs: Iterable[int], jobs: int) -> list[Result]:
    """make(run) for every run, `jobs` at a time, in order: kernels leave the interpreter free."""
    if jobs == 1:
        return [make(run) for run in runs]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(make, runs))


def watch_runs(
    made: Settings, *, seed: int, runs: Iterable[int], jobs: int = 1, record: Moments | None = None
) -> list[Watched]:
    """Many runs, watched."""
    return on_threads(lambda run: watch_run(made, seed=seed, run=run, record=record), runs, jobs)
