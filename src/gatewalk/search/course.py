"""Runs of one cell, one after the other: from the seeds to columns, in slices.

For Cartesian GP one call of a kernel does many runs. In all other cases (trees; the literal twin; waiting
times drawn; samples of a target in which some rows do not count, which differ in size) every run is a session
of its own. Both ways give the same runs and the same columns.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import words_for
from gatewalk.search.algorithms import runs_in_kernels
from gatewalk.search.improvements import Improvements, Logged
from gatewalk.search.run import Run
from gatewalk.search.runs import Runs, runs_of
from gatewalk.search.sampling import samples_of_runs, training_of_run
from gatewalk.search.seeds import cell_of
from gatewalk.search.session import Session, advance, begin, evaluations_of, result
from gatewalk.search.settings import Settings

if TYPE_CHECKING:
    from gatewalk.cgp.walk import Walk

MOST_GENES = 1 << 24  # in the programs of all runs that a kernel is given at once: 64 MiB
MOST_WORDS = 1 << 20  # in their samples: 8 MiB


@dataclass(eq=False)
class Course:
    """Runs to do, and how far they have come.

    begun: how many of the runs were given to a session or a kernel.
    session: the run under way, if there is one.
    walk: the runs that were given to a kernel, if any.
    """

    settings: Settings
    seed: int
    runs: Sequence[int]
    begun: int = 0
    session: Session | None = None
    walk: Walk | None = field(default=None, repr=False)

    @property
    def is_over(self) -> bool:
        return self.session is None and self.walk is None and self.begun == len(self.runs)

    @property
    def not_begun(self) -> Sequence[int]:
        """The runs that are neither finished nor under way."""
        if self.walk is None:
            return self.runs[self.begun :]
        over = self.walk.done + self.walk.is_under_way
        return self.runs[self.begun - self.walk.cell.runs.size + over :]


def course_of(settings: Settings, *, seed: int, runs: Sequence[int]) -> Course:
    """A course of these runs, none of which has begun."""
    return Course(settings, seed, runs)


def resumed(session: Session, *, runs: Sequence[int] = ()) -> Course:
    """A course that finishes a saved run, then does others."""
    return Course(session.settings, session.seed, runs, session=session)


def advance_course(course: Course, iterations: int) -> Runs | None:
    """Make about so many iterations; returns the runs that were finished, or None if there are none.

    Beginning a run counts as an iteration. `course.is_over` tells whether all runs are finished.
    """
    if course.walk is None and (course.session is not None or not runs_in_kernels(course.settings)):
        return _advance_sessions(course, iterations)
    if course.walk is None and course.begun < len(course.runs):
        _take_on(course)
    return None if course.walk is None else _advance_walk(course, course.walk, iterations)


def _advance_sessions(course: Course, iterations: int) -> Runs | None:
    """Do runs as sessions, one after the other; or finish a saved run, before a kernel does the others."""
    finished: list[Run] = []
    left, ended = iterations, None
    while left > 0 and not course.is_over:
        if course.session is None:
            if runs_in_kernels(course.settings):
                break
            run = course.runs[course.begun]
            course.session = begin(course.settings, seed=course.seed, run=run, after=ended)
            course.begun += 1
        session = course.session
        before = session.walk.offspring
        if not session.finished:
            advance(session, left)
        left -= session.walk.offspring - before + 1
        if session.finished:
            finished.append(result(session))
            course.session, ended = None, session
    return runs_of(finished) if finished else None


def _take_on(course: Course) -> None:
    """Give the next runs to a kernel, as many as fit into memory."""
    from gatewalk.search.cgp_search import shape_of, start_many

    settings, seed = course.settings, course.seed
    most = MOST_GENES // shape_of(settings).length
    if settings.rows is not None:
        columns = settings.wanted.inputs + settings.wanted.outputs
        most = min(most, MOST_WORDS // (2 * columns * words_for(settings.rows)))
    numbers = course.runs[course.begun : course.begun + max(1, most)]
    course.walk = start_many(
        settings,
        training_of_run(settings, seed=seed, run=numbers[0]),
        seed=seed,
        cell=cell_of(settings),
        runs=numbers,
        samples=samples_of_runs(settings, seed=seed, runs=numbers),
    )
    course.begun += len(numbers)


def _advance_walk(course: Course, walk: Walk, iterations: int) -> Runs | None:
    """Advance the runs that were given to a kernel."""
    from gatewalk.cgp import walk as kernels

    spent_before = course.session.seconds if course.session else 0.0
    first, offspring_before = walk.done, walk.offspring if walk.is_under_way else -walk.cell.starts
    started = time.perf_counter()
    programs = kernels.advance(walk, iterations)
    each = (time.perf_counter() - started) / max(1, programs)
    finished = slice(first, walk.done)
    seconds = (walk.cell.offspring[finished] + walk.cell.starts) * each
    if seconds.size:
        seconds[0] = spent_before + (walk.cell.offspring[first] - offspring_before) * each
        spent_before, offspring_before = 0.0, -walk.cell.starts
    course.session = None
    if walk.is_under_way:
        run = int(walk.cell.runs[walk.done])
        limit = walk.cell.limit
        course.session = Session(course.settings, course.seed, run, walk, limit)
        course.session.seconds = spent_before + (walk.offspring - offspring_before) * each
    found = _columns(course, walk, finished, seconds) if seconds.size else None
    if walk.finished:
        course.walk = None
    return found


def _columns(course: Course, walk: Walk, finished: slice, seconds: np.ndarray) -> Runs:
    settings, cell = course.settings, walk.cell
    offspring, ranks = cell.offspring[finished], cell.ranks[finished]
    fitness = {rank: walk.fitness_of(rank) for rank in np.unique(ranks).tolist()}
    improvements: Sequence[Improvements] = Logged(
        walk.take_log(), finished.start, len(seconds), walk.fitness_of
    )
    return Runs(
        settings=settings,
        seed=course.seed,
        evaluation=walk.evaluation,
        run=cell.runs[finished],
        iterations=np.maximum(0, offspring - settings.law.uncounted),
        evaluations=evaluations_of(settings, 0) + offspring,
        elementary_steps=cell.steps[finished],
        solved=ranks == 0,
        fitness=[fitness[rank] for rank in ranks.tolist()],
        gates=cell.gates[finished],
        generalisation=_generalisation(settings, cell.wrong[finished]),
        seconds=seconds,
        programs=cell.programs[finished],
        improvements=improvements,
    )


def _generalisation(settings: Settings, wrong: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """The share of right outputs on the rows for validation; None for complete training sets."""
    return None if settings.rows is None else 1.0 - wrong / (settings.rows * settings.wanted.outputs)
