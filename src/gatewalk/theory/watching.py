"""Seeded runs under the microscope: the same runs as `evolve`, with what the proofs speak of recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp import walk as walks
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout, layout_of
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.search.cgp_search import shape_of, start_many
from gatewalk.search.sampling import training_of_run
from gatewalk.search.seeds import cell_of
from gatewalk.search.session import check_seed
from gatewalk.search.settings import Settings
from gatewalk.search.slices import slices
from gatewalk.search.threads import runs_on_threads
from gatewalk.theory import levels
from gatewalk.theory.known_settings import check_known

Tell = Callable[[int, int], None]  # a run and its iterations so far; called from any thread


@dataclass(frozen=True)
class TraceMoments:
    """When a trace has a row besides the first and the last."""

    improvements: bool = False
    powers: bool = False
    every: int = 0


def parse_moments(text: str) -> TraceMoments:
    """`improvements`, `powers` (of two) or `every:K`; several joined by commas."""
    found = {"improvements": False, "powers": False, "every": 0}
    for word in text.split(","):
        name, _, count = word.strip().partition(":")
        if name == "every" and count.isdecimal() and int(count) >= 1:
            found["every"] = int(count)
        elif name in ("improvements", "powers") and not count:
            found[name] = True
        else:
            raise InputError(f"cannot record at {shown(word)}: use improvements, powers or every:K")
    return TraceMoments(bool(found["improvements"]), bool(found["powers"]), int(found["every"]))


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
    tally: levels.LevelTally
    trace: NDArray[np.int64]
    fitness: dict[int, int]


def has_levels(made: Settings) -> bool:
    """Conjunctions of {and}, and by duality disjunctions of {or}: the inputs in reach decide fitness."""
    family = made.wanted.family
    return family in ("and", "or") and made.gates == (family,)


def level_of_fitness(made: Settings, fitness: int) -> int | None:
    """The level with this many mismatches on the complete set, 2^(n-i) - 1 (Lemma 2); None without levels."""
    return made.n + 1 - (fitness + 1).bit_length() if has_levels(made) else None


def check_watchable(made: Settings) -> None:
    """The microscope follows the (1+1) CGP, offspring by offspring."""
    check_known(made)
    if made.algorithm != "cgp":
        raise InputError(f"observe follows the (1+1) CGP, not {made.algorithm}: use --algorithm cgp")
    if made.offspring != 1:
        raise InputError(f"observe follows one offspring at a time: use --lambda 1, not {made.offspring}")
    if _law(made).waiting != "walked":
        raise InputError(
            f"observe follows every offspring: use --option waiting=walked, not {_law(made).waiting}"
        )


def _law(made: Settings) -> CgpLaw:
    if not isinstance(made.law, CgpLaw):
        raise InputError(f"observe follows the (1+1) CGP, not {made.algorithm}: use --algorithm cgp")
    return made.law


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
    rows = training_of_run(fastest, seed=seed, run=run)
    walk = start_many(fastest, rows, seed=seed, cell=cell_of(made), runs=[run], observer=observer)
    walks.advance(walk, 0)
    return walk


def watch_run(
    made: Settings,
    *,
    seed: int,
    run: int,
    record: TraceMoments | None = None,
    stop: Event | None = None,
    tell: Tell | None = None,
) -> Watched:
    """One run of `evolve`, watched."""
    check_watchable(made)
    when = record or TraceMoments()
    trace = levels.empty_trace(improvements=when.improvements, powers=when.powers, every=when.every)
    observer = levels.level_observer(layout_for(made), trace, limited=_law(made).levels_back is not None)
    walk = begin_watched(made, observer, seed=seed, run=run)
    levels.see_start(observer, walk.program, walk.rank)
    rows = [levels.take_rows(trace)]
    for _ in slices(walk, stop):
        rows.append(levels.take_rows(trace))
        if tell:
            tell(run, walk.offspring)
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


def watch_runs(
    made: Settings,
    *,
    seed: int,
    runs: Iterable[int],
    jobs: int = 1,
    record: TraceMoments | None = None,
    on_done: Callable[[Watched], None] | None = None,
    tell: Tell | None = None,
) -> list[Watched]:
    """Make runs and record their levels and sub-levels.

    Parameters
    ----------
    made
        The search, from `gatewalk.settings`.
    seed, runs
        The seed, and the numbers of the runs.
    jobs
        Threads.
    record
        The moments of which a trace is kept; None keeps none.
    on_done, tell
        Told of each finished run, and of the runs under way.

    Returns
    -------
    list of Watched
        What was recorded, in the order of the runs.

    Examples
    --------
    >>> from gatewalk import settings
    >>> len(watch_runs(settings("and:4"), seed=1, runs=range(3)))
    3
    """
    check_watchable(made)

    def one(run: int, stop: Event) -> Watched:
        return watch_run(made, seed=seed, run=run, record=record, stop=stop, tell=tell)

    return runs_on_threads(one, runs, jobs, on_done)
