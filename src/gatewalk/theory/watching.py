"""Seeded runs under the microscope: the same runs as `evolve`, with what the proofs speak of recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Event
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import target
from gatewalk.cgp import walk as walks
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout, layout_of
from gatewalk.errors import InputError, whole_number
from gatewalk.search.cgp_search import shape_of, start_many
from gatewalk.search.session import cell_of, check_seed, rows_of_run
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
    """One run: its end, its counts by level (which mean nothing without levels), and its trace.

    trace: rows of `levels.TRACE_COLUMNS`. fitness: the mismatches on the training set that each rank in it
    stands for; without a table to count on, ranks only say which of two programs is fitter.
    """

    run: int
    iterations: int
    solved: bool
    program: NDArray[np.int32]
    tally: levels.Tally
    trace: NDArray[np.int64]
    fitness: dict[int, int]


def has_levels(made: Settings) -> bool:
    """Conjunctions of {and}, and by duality disjunctions of {or}: the inputs in reach decide fitness."""
    family = target(made.target).family
    return family in ("and", "or") and made.gates == (family,)


def check_watchable(made: Settings) -> None:
    """The microscope follows the (1+1) CGP, offspring by offspring."""
    if made.algorithm != "cgp":
        raise InputError(f"observe follows the (1+1) CGP, not {made.algorithm}: use --algorithm cgp")
    if made.offspring != 1:
        raise InputError(f"observe follows one offspring at a time: use --lambda 1, not {made.offspring}")
    if isinstance(made.law, CgpLaw) and made.law.waiting != "walked":
        raise InputError(
            f"observe follows every offspring: use --option waiting=walked, not {made.law.waiting}"
        )


def layout_for(made: Settings) -> Layout:
    """The layout of the programs of these settings, as observers need it."""
    return layout_of(shape_of(made))


def begin_watched(made: Settings, observer: Any, *, seed: int, run: int) -> walks.Walk:
    """The run that `evolve` makes, with its first parent, before its first iteration.

    Whatever evaluation was asked for, the fastest that can be observed is taken: it does not change the run.
    """
    check_seed(seed)
    whole_number("run", run, least=0, most=2**64 - 1)
    fastest = replace(made, evaluation="auto")
    rows, _ = rows_of_run(fastest, seed=seed, run=run)
    walk = start_many(fastest, rows, seed=seed, cell=cell_of(made), runs=[run], observer=observer)
    walks.advance(walk, 0)
    return walk


def slices(walk: walks.Walk, stop: Event | None = None) -> Iterator[None]:
    """Go on to the end of the run, or until `stop` is set; what was seen can be taken after every slice."""
    while not walk.finished and not (stop and stop.is_set()):
        walks.advance(walk, SLICE)
        yield


def watch_run(
    made: Settings, *, seed: int, run: int, record: Moments | None = None, stop: Event | None = None
) -> Watched:
    """One run of `evolve`, watched."""
    check_watchable(made)
    when = record or Moments()
    trace = levels.trace_of(improvements=when.improvements, powers=when.powers, every=when.every)
    observer = levels.level_observer(layout_for(made), trace, limited=_limited(made.law))
    walk = begin_watched(made, observer, seed=seed, run=run)
    levels.see_start(observer, walk.program, walk.rank)
    rows = [levels.take_rows(trace)]
    rows += [levels.take_rows(trace) for _ in slices(walk, stop)]
    found = np.concatenate(rows)
    return Watched(
        run=run,
        iterations=walk.offspring,
        solved=walk.solved,
        program=walk.program,
        tally=observer.tally,
        trace=found,
        fitness={rank: walk.fitness_of(rank) for rank in np.unique(found[:, 1]).tolist()},
    )


def _limited(law: object) -> bool:
    return isinstance(law, CgpLaw) and law.levels_back is not None


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
