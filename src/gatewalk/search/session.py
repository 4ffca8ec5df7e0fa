"""A seeded search that can be advanced in slices; `saving` turns it into bytes and back."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from gatewalk.boolean.training import generalisation_ability
from gatewalk.circuit.circuit import evaluate
from gatewalk.errors import whole_number
from gatewalk.search.algorithms import Walk, algorithm_of
from gatewalk.search.run import Run
from gatewalk.search.sampling import training_of_run, validation_of_run
from gatewalk.search.seeds import cell_of
from gatewalk.search.settings import Settings


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
    walk: Walk
    limit: int
    seconds: float = 0.0
    earlier: list[tuple[int, int]] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        return self.walk.solved or self.walk.offspring >= self.limit

    @property
    def iterations(self) -> int:
        """Offspring made so far, less those the law does not count."""
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
    """Refuse what cannot be a seed."""
    whole_number("seed", seed, least=0)


def check_run(run: int) -> None:
    """Refuse what cannot be the number of a run."""
    whole_number("run", run, least=0, most=2**64 - 1)


def advance(session: Session, iterations: int | None = None) -> None:
    """Continue a search for some iterations, or to the end of its budget.

    Parameters
    ----------
    session
        The search, which is changed.
    iterations
        About how many: generations are not cut. None goes on until the search ends.

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
    """Programs evaluated, the start included."""
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
