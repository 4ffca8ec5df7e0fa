"""Runs under way, advanced in slices: `begin`, `advance`, `result`; `saving` turns one into bytes and back.

A session makes runs of one search one after the other, from the seeds to columns. Runs of Cartesian GP are
given to a kernel, as many as fit into memory, and one call makes many of them. In all other cases (trees; the
reference implementation; waiting times drawn) every run has a walk of its own. Both ways give the same runs.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import words_for
from gatewalk.boolean.training import TrainingSet, generalisation_ability
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.circuit.circuit import evaluate
from gatewalk.errors import MOST
from gatewalk.search.options import Search
from gatewalk.search.runs import Logged, Run, Runs, runs_of
from gatewalk.search.seeds import (
    check_runs,
    check_seed,
    entropy,
    first_stream,
    samples_of_runs,
    training_of_run,
    validation_of_run,
)

if TYPE_CHECKING:
    from gatewalk.cgp.operators import OwnObserver
    from gatewalk.cgp.walk import Walk

MOST_GENES = 1 << 24  # in the programs of all runs that a kernel is given at once: 64 MiB
MOST_WORDS = 1 << 20  # in their samples: 8 MiB
Arrays = dict[str, NDArray[Any]]


class RunWalk(Protocol):
    """One run under way, of any algorithm."""

    @property
    def evaluation(self) -> str: ...
    @property
    def offspring(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def solved(self) -> bool: ...
    @property
    def fitness(self) -> int: ...
    @property
    def program(self) -> NDArray[np.int32]: ...
    @property
    def improvements(self) -> list[tuple[int, int]]:
        """(offspring, fitness) at the start and at each improvement since this walk began."""
        ...

    def advance(self, limit: int) -> None:
        """Search until solved or until there were `limit` offspring."""
        ...

    def saved(self) -> Arrays:
        """The arrays from which the run can be continued."""
        ...


@dataclass(eq=False)
class Session:
    """Runs of a search under way: what `begin` returns and `advance` changes.

    search, seed, runs: what determines the runs, and their numbers.
    walk: the run under way or, if there is none, the one made last, unless a kernel makes the runs.
    kernel: the runs that a kernel was given.
    begun: how many runs were begun, or given to a kernel.
    delivered: how many runs `advance_runs` has returned.
    programs: how many programs were evaluated, in all runs.
    seconds: the time spent on iterations of this run.
    earlier: its improvements before it was last saved.
    observer: who watches the runs; what it has seen is not saved with a run.

    >>> import gatewalk as gw
    >>> session = gw.begin(gw.search_for("xor:6", nodes="n"), seed=1, run=0)
    >>> gw.advance(session, 1000)
    >>> session.iterations
    1000
    """

    search: Search
    seed: int
    runs: Sequence[int]
    walk: RunWalk | None = field(default=None, repr=False)
    kernel: Walk | None = field(default=None, repr=False)
    begun: int = 0
    delivered: int = 0
    programs: int = 0
    seconds: float = 0.0
    earlier: list[tuple[int, int]] = field(default_factory=list, repr=False)
    observer: OwnObserver | None = None
    times: list[NDArray[np.float64]] = field(default_factory=list, repr=False)  # of runs to be delivered

    @property
    def is_under_way(self) -> bool:
        """Whether a run has begun and is not over."""
        if self.kernel is not None:
            return self.kernel.is_under_way
        return self.walk is not None and not self.walk.solved and self.walk.offspring < self.search.limit

    @property
    def over(self) -> int:
        """How many runs are over."""
        if self.kernel is not None:
            return self.begun - self.kernel.size + self.kernel.done
        return self.begun - self.is_under_way

    @property
    def finished(self) -> bool:
        """Whether all runs are over."""
        return self.over == len(self.runs)

    @property
    def not_begun(self) -> Sequence[int]:
        """The numbers of the runs that are neither over nor under way."""
        return self.runs[self.over + self.is_under_way :]

    @property
    def run(self) -> int:
        """The number of the run under way or, if there is none, of the one made last."""
        return self.runs[self.over if self.is_under_way else max(0, self.over - 1)]

    @property
    def iterations(self) -> int:
        """Offspring of this run so far, less those that the law does not count."""
        return max(0, self.current.offspring - self.search.law.uncounted)

    @property
    def fitness(self) -> int:
        """Mismatches of this run's parent on its training set."""
        return self.current.fitness

    @property
    def improvements(self) -> list[tuple[int, int]]:
        """(offspring, fitness) of the start of this run and of each improvement."""
        return self.earlier + self.current.improvements

    @property
    def observed(self) -> dict[str, int]:
        """What the observer has counted in this run, by the name of its column."""
        return {} if self.observer is None else cast(Any, self.current).observed

    @property
    def current(self) -> RunWalk | Walk:
        """The run under way or, if there is none, the one made last."""
        walk = self.walk if self.kernel is None else self.kernel
        if walk is None:
            raise ValueError("no run has begun")
        return walk


def begin(search: Search, *, seed: int, run: int, told: bool = False) -> Session:
    """A run before its first iteration, to be advanced, saved and read.

    told: whether the fitness is computed elsewhere; the run then goes on by `ask` and `tell`.

    >>> import gatewalk as gw
    >>> session = gw.begin(gw.search_for("and:6"), seed=1, run=0)
    >>> session.iterations
    0
    """
    session = session_of(search, seed=seed, runs=(run,))
    if told:
        from gatewalk.search import asking

        session.walk, session.begun = asking.start(search, first_stream(search, seed, run)), 1
    else:
        begin_run(session)
    return session


def session_of(
    search: Search, *, seed: int, runs: Sequence[int], observer: OwnObserver | None = None
) -> Session:
    """A session of these runs, none of which has begun."""
    check_seed(seed)
    check_runs(runs)
    return Session(search, seed, runs, observer=observer)


def begin_run(session: Session) -> None:
    """Begin the next run, with no iteration yet."""
    _begin_run(session)
    if session.kernel is not None:
        _advance_kernel(session, session.kernel, 0)


def continued(
    search: Search, arrays: Arrays, *, seed: int, run: int, seconds: float, earlier: list[tuple[int, int]]
) -> Session:
    """A session of the run whose walk gave these arrays; they were checked before."""
    session = Session(search, seed, (run,), begun=1, programs=search.starts, seconds=seconds, earlier=earlier)
    training = training_of_run(search, seed=seed, run=run)
    if isinstance(search, CgpSearch) and has_kernel(search):
        from gatewalk.cgp import walk

        session.kernel = walk.start(search, training, entropy=entropy(search, seed), runs=[run])
        walk.resume(session.kernel, arrays)
    else:
        session.walk = _restored(search, training, arrays)
    return session


def saved_arrays(session: Session) -> Arrays:
    """The arrays from which the run under way can be continued."""
    if session.kernel is not None:
        from gatewalk.cgp import walk

        return walk.saved(session.kernel)
    if session.walk is None:
        raise ValueError("no run has begun")
    return session.walk.saved()


def advance(session: Session, iterations: int | None = None) -> None:
    """Continue for about so many iterations, in whole generations; None: until all runs are over.

    >>> import gatewalk as gw
    >>> session = gw.begin(gw.search_for("and:6"), seed=1, run=0)
    >>> gw.advance(session)
    >>> session.finished
    True
    """
    while not session.finished:
        _advance(session, MOST if iterations is None else max(1, iterations))
        if iterations is not None:
            return


def advance_runs(session: Session, programs: int) -> Runs | None:
    """Evaluate about so many programs; returns the runs that were finished, or None if there are none."""
    if has_kernel(session.search):
        if session.over == session.delivered and not session.finished:
            _advance(session, programs)
        return _delivery(session)
    finished: list[Run] = []
    goal = session.programs + programs
    while True:
        if session.over > session.delivered:
            finished.append(result(session))
            session.delivered += 1
        if session.finished or session.programs >= goal:
            return runs_of(finished) if finished else None
        _advance(session, goal - session.programs)


def result(session: Session) -> Run:
    """The run under way or, if there is none, the one made last; `solved` is false if it is not solved yet.

    >>> import gatewalk as gw
    >>> session = gw.begin(gw.search_for("and:6"), seed=1, run=0)
    >>> gw.advance(session)
    >>> gw.result(session).fitness
    0
    """
    search, walk = session.search, session.current
    program = walk.program.copy()
    validation = validation_of_run(search, seed=session.seed, run=session.run)
    generalisation = None
    if validation is not None:
        outputs = evaluate(search.circuit_of(program), validation.inputs)
        generalisation = generalisation_ability(outputs, validation)
    return Run(
        search=search,
        seed=session.seed,
        run=session.run,
        iterations=session.iterations,
        evaluations=search.starts + walk.offspring,
        elementary_steps=walk.steps,
        solved=walk.solved,
        fitness=walk.fitness,
        gates=search.gates_of(program),
        generalisation=generalisation,
        seconds=session.seconds,
        evaluation=walk.evaluation,
        program=program,
        improvements=tuple(session.improvements),
        observed=session.observed,
    )


def has_kernel(search: Search) -> bool:
    """Whether a kernel makes runs of this search, many in one call."""
    is_walked = isinstance(search, CgpSearch) and search.law.waiting == "walked"
    return is_walked and search.evaluation != "reference"


def _started(session: Session, *, run: int) -> RunWalk:
    """The walk of one run; that of the run before, which is over, may give its arrays."""
    search, seed = session.search, session.seed
    after: Any = session.walk
    training = training_of_run(search, seed=seed, run=run)
    if search.evaluation == "reference":
        from gatewalk.search import twins

        stream = first_stream(search, seed, run)
        return twins.start(search, training, stream=stream, observer=session.observer)
    if isinstance(search, CgpSearch):
        from gatewalk.cgp import waiting

        return waiting.start(search, training, entropy=entropy(search, seed), run=run)
    from gatewalk.tgp import walk

    return walk.start(search, training, stream=first_stream(search, seed, run), after=after)


def _restored(search: Search, training: TrainingSet | None, arrays: Arrays) -> RunWalk:
    """The walk of one run that gave these arrays."""
    if search.evaluation == "reference":
        from gatewalk.search import twins

        return twins.restored(search, training, arrays)
    if isinstance(search, CgpSearch):
        from gatewalk.cgp import waiting

        return waiting.restored(search, training, arrays)
    from gatewalk.tgp import walk

    return walk.restored(search, training, arrays)


def _begin_run(session: Session) -> None:
    """Begin the next run, or give a kernel the next runs."""
    search = session.search
    session.seconds, session.earlier = 0.0, []
    if has_kernel(search):
        session.kernel = _given_to_kernel(session)
        session.begun += session.kernel.size
        return
    run = session.runs[session.begun]
    session.walk = _started(session, run=run)
    session.begun += 1
    session.programs += search.starts


def _given_to_kernel(session: Session) -> Walk:
    """A walk of the next runs, as many as fit into memory."""
    from gatewalk.cgp import walk

    search, seed = session.search, session.seed
    assert isinstance(search, CgpSearch)
    most = MOST_GENES // search.shape.length
    if search.rows is not None:
        columns = search.target.inputs + search.target.outputs
        most = min(most, MOST_WORDS // (2 * columns * words_for(search.rows)))
        if search.target.cares is not None:
            most = 1  # the samples of runs differ in size
    runs = session.runs[session.begun : session.begun + max(1, most)]
    return walk.start(
        search,
        training_of_run(search, seed=seed, run=runs[0]),
        entropy=entropy(search, seed),
        runs=runs,
        samples=samples_of_runs(search, seed=seed, runs=runs) if len(runs) > 1 else None,
        own_observer=session.observer,
    )


def _advance(session: Session, programs: int) -> None:
    """Continue the run under way, or begin the next; a kernel goes on with the runs that it was given."""
    if session.over == session.begun:
        _begin_run(session)
    if session.kernel is not None:
        _advance_kernel(session, session.kernel, programs)
        return
    walk, per_generation = session.walk, session.search.offspring
    assert walk is not None
    generations = -(-max(1, programs) // per_generation)
    before, began = walk.offspring, time.perf_counter()
    walk.advance(min(session.search.limit, before + generations * per_generation))
    session.seconds += time.perf_counter() - began
    session.programs += walk.offspring - before


def _advance_kernel(session: Session, kernel: Walk, programs: int) -> None:
    from gatewalk.cgp import walk

    starts, first, was_under_way = session.search.starts, kernel.done, kernel.is_under_way
    spent, before = (session.seconds, kernel.offspring) if was_under_way else (0.0, -starts)
    began = time.perf_counter()
    made = walk.advance(kernel, programs)
    each = (time.perf_counter() - began) / max(1, made)
    session.programs += made
    times = np.asarray((kernel.cell.offspring[first : kernel.done] + starts) * each, dtype=np.float64)
    if times.size:
        times[0] = spent + (kernel.cell.offspring[first] - before) * each
        session.times.append(times)
        session.seconds = float(times[-1])
        spent, before = 0.0, -starts
    if kernel.is_under_way:
        session.seconds = spent + (kernel.offspring - before) * each


def _delivery(session: Session) -> Runs | None:
    """The runs of a kernel that are over and were not delivered."""
    kernel, count = session.kernel, session.over - session.delivered
    if kernel is None or count == 0:
        return None
    session.delivered += count
    times, session.times = session.times, []
    if kernel.size == 1:
        return runs_of([result(session)])
    search, cell = session.search, kernel.cell
    over = slice(kernel.done - count, kernel.done)
    offspring, ranks = cell.offspring[over], cell.ranks[over]
    fitness = {rank: kernel.fitness_of(rank) for rank in np.unique(ranks).tolist()}
    outputs = search.target.outputs
    return Runs(
        search=search,
        seed=session.seed,
        evaluation=kernel.evaluation,
        run=cell.runs[over],
        iterations=np.maximum(0, offspring - search.law.uncounted),
        evaluations=search.starts + offspring,
        elementary_steps=cell.steps[over],
        solved=ranks == 0,
        fitness=[fitness[rank] for rank in ranks.tolist()],
        gates=cell.gates[over],
        generalisation=None if search.rows is None else 1.0 - cell.wrong[over] / (search.rows * outputs),
        seconds=np.concatenate(times),
        programs=cell.programs[over],
        improvements=Logged(kernel.take_log(), over.start, count, kernel.fitness_of),
        observed=kernel.observed_in(over),
    )
