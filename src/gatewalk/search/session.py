"""Searches under way, advanced in slices: a `Session` is one run, a `Course` the runs of a cell one by one.

`saving` turns a session into bytes and back. A course goes from the seeds to columns. For Cartesian GP one
call of a kernel does many runs of it. In all other cases (trees; the literal twin; waiting times drawn;
samples of a target in which some rows do not count, which differ in size) every run is a session of its own.
Both ways give the same runs and the same columns.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import words_for
from gatewalk.boolean.training import generalisation_ability
from gatewalk.circuit.circuit import evaluate
from gatewalk.errors import whole_number
from gatewalk.search.algorithms import RunWalk, algorithm_of, runs_in_kernels
from gatewalk.search.runs import Improvements, Logged, Run, Runs, runs_of
from gatewalk.search.seeds import cell_of, samples_of_runs, training_of_run, validation_of_run
from gatewalk.search.settings import Settings

if TYPE_CHECKING:
    from gatewalk.cgp.walk import Walk

MOST_GENES = 1 << 24  # in the programs of all runs that a kernel is given at once: 64 MiB
MOST_WORDS = 1 << 20  # in their samples: 8 MiB


@dataclass(eq=False)
class Session:
    """A search under way: what `begin` returns and `advance` changes.

    Attributes
    ----------
    settings, seed, run
        What determines the search.
    walk
        The state of the search: the parent program, the random stream and the counters.
    limit
        The number of offspring that the budget allows.
    seconds
        The time spent on iterations so far.
    earlier
        The improvements before the search was last saved.

    Examples
    --------
    >>> import gatewalk as gw
    >>> session = gw.begin(gw.settings("xor:6", nodes="n"), seed=1, run=0)
    >>> gw.advance(session, 1000)
    >>> session.iterations
    1000
    """

    settings: Settings
    seed: int
    run: int
    walk: RunWalk
    limit: int
    seconds: float = 0.0
    earlier: list[tuple[int, int]] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        return self.walk.solved or self.walk.offspring >= self.limit

    @property
    def iterations(self) -> int:
        """Offspring made so far, less those that the law does not count."""
        return max(0, self.walk.offspring - self.settings.law.uncounted)

    @property
    def improvements(self) -> list[tuple[int, int]]:
        """(offspring, fitness) of the start and of each improvement."""
        return self.earlier + self.walk.improvements


def begin(settings: Settings, *, seed: int, run: int, after: Session | None = None) -> Session:
    """A search before its first iteration.

    Parameters
    ----------
    settings
        What to search for, and how.
    seed, run
        The seed, and the number of the run under this seed.
    after
        A finished search with the same settings, whose memory may be used again.

    Returns
    -------
    Session
        To be advanced, saved and read.

    Examples
    --------
    >>> import gatewalk as gw
    >>> session = gw.begin(gw.settings("and:6"), seed=1, run=0)
    >>> session.iterations
    0
    """
    check_seed(seed)
    check_run(run)
    training = training_of_run(settings, seed=seed, run=run)
    cell = cell_of(settings)
    used = None if after is None else after.walk
    walk = algorithm_of(settings).start(settings, training, seed=seed, cell=cell, run=run, after=used)
    return Session(settings, seed, run, walk, settings.budget + settings.law.uncounted)


def check_seed(seed: int) -> None:
    """Raise `InputError` if a value cannot be a seed."""
    whole_number("seed", seed, least=0)


def check_run(run: int) -> None:
    """Raise `InputError` if a value cannot be the number of a run."""
    whole_number("run", run, least=0, most=2**64 - 1)


def advance(session: Session, iterations: int | None = None) -> None:
    """Continue a search for some iterations, or to the end of its budget.

    Parameters
    ----------
    session
        The search, which is changed.
    iterations
        About how many: generations are not cut. None: until the search ends.

    Examples
    --------
    >>> import gatewalk as gw
    >>> session = gw.begin(gw.settings("and:6"), seed=1, run=0)
    >>> gw.advance(session)
    >>> gw.result(session).solved
    True
    """
    started = time.perf_counter()
    limit = session.limit
    if iterations is not None:
        per_generation = session.settings.offspring
        generations = -(-max(1, iterations) // per_generation)
        limit = min(limit, session.walk.offspring + generations * per_generation)
    algorithm_of(session.settings).advance(session.walk, limit)
    session.seconds += time.perf_counter() - started


def evaluations_of(settings: Settings, offspring: int) -> int:
    """The number of programs evaluated after so many offspring, the start included."""
    return offspring + (settings.law.starts if settings.start == "random" else 1)


def result(session: Session) -> Run:
    """The result of a search so far.

    Parameters
    ----------
    session
        The search, finished or not.

    Returns
    -------
    Run
        With `solved` false if the target has not been found yet.

    Examples
    --------
    >>> import gatewalk as gw
    >>> session = gw.begin(gw.settings("and:6"), seed=1, run=0)
    >>> gw.advance(session)
    >>> gw.result(session).fitness
    0
    """
    settings, walk = session.settings, session.walk
    algorithm = algorithm_of(settings)
    program = walk.program.copy()
    generalisation = None
    validation = validation_of_run(settings, seed=session.seed, run=session.run)
    if validation is not None:
        outputs = evaluate(algorithm.circuit(settings, program), validation.inputs)
        generalisation = generalisation_ability(outputs, validation)
    return Run(
        settings=settings,
        seed=session.seed,
        run=session.run,
        iterations=session.iterations,
        evaluations=evaluations_of(settings, walk.offspring),
        elementary_steps=walk.steps,
        solved=walk.solved,
        fitness=walk.fitness,
        gates=algorithm.gates(settings, program),
        generalisation=generalisation,
        seconds=session.seconds,
        evaluation=walk.evaluation,
        program=program,
        improvements=tuple(session.improvements),
    )


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
    runs = _columns(course, walk, finished, seconds) if seconds.size else None
    if walk.finished:
        course.walk = None
    return runs


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
