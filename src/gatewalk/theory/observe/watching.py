"""Runs that are watched: the same seeded runs as `evolve` makes, with an observer compiled into their loop.

`watch` makes the runs, whatever is watched: levels (`levels`), the drift (`drift`), or anything else for
which there is an observer (`gatewalk.cgp.observers`). It rests on `follow`, which makes runs of any kind side
by side, shows progress and answers Ctrl-C.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from gatewalk.cgp import walk as walks
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Layout, layout_of
from gatewalk.cgp.walk import Walk
from gatewalk.search.options import Search
from gatewalk.search.scheduler import OnProgress, Slice, Stop, mapped, threads
from gatewalk.search.seeds import check_run, check_seed, entropy, training_of_run
from gatewalk.theory.assumptions import Assumption, check_taught, require

Observer = TypeVar("Observer")
Result = TypeVar("Result")
Slices = Iterator[None]
GoOn = Callable[[int], bool]  # told the iterations of a run after every slice; whether to make the next one


def _waiting(search: Search) -> str:
    return search.law.waiting if isinstance(search, CgpSearch) else "walked"


WATCHABLE = (  # a (1+1) CGP whose offspring are all made one by one
    Assumption(
        "algorithm",
        lambda search: f"observe follows the (1+1) CGP, not {search.algorithm}: use --algorithm cgp",
        lambda search: isinstance(search, CgpSearch),
    ),
    Assumption(
        "lambda",
        lambda search: f"observe follows one offspring at a time: use --lambda 1, not {search.offspring}",
        lambda search: search.offspring == 1,
    ),
    Assumption(
        "waiting",
        lambda search: (
            f"observe follows every offspring: use --option waiting=walked, not {_waiting(search)}"
        ),
        lambda search: _waiting(search) == "walked",
    ),
)


def watch(
    search: Search,
    observer_of: Callable[[Layout], Observer],
    read: Callable[[int, Walk, Observer, Slices], Result],
    *,
    needs: Iterable[Assumption] = (),
    seed: int,
    runs: Iterable[int],
    jobs: int = 1,
    on_done: Callable[[Result], None] = lambda result: None,
    on_progress: OnProgress = lambda share, words: None,
) -> list[Result]:
    """Make runs, each with an observer of its own, and return what was read from them, in their order.

    observer_of: makes the observer of a run, which has seen nothing yet.
    read: is given the number of the run, its walk at the first parent, the observer and an iterator. It shows
        the first parent to the observer, goes through the iterator, which makes the run slice by slice, and
        returns what is to be kept.
    needs: what is asked of the search in addition to `WATCHABLE`.
    """
    check_taught(search)
    require((*WATCHABLE, *needs), search)
    assert isinstance(search, CgpSearch)
    # The fastest evaluation that can be observed is used, whatever was chosen; it does not change the runs.
    fastest = replace(search, evaluation="auto")
    layout = layout_of(fastest.shape)

    def make(run: int, go_on: GoOn) -> Result:
        observer = observer_of(layout)
        walk = begin_watched(fastest, observer, seed=seed, run=run)
        return read(run, walk, observer, _slices(walk, go_on))

    return follow(search, make, runs=runs, jobs=jobs, on_done=on_done, on_progress=on_progress)


def begin_watched(search: CgpSearch, observer: Any, *, seed: int, run: int) -> Walk:
    """Begin the run that `evolve` makes, with an observer; it has its first parent and no iteration yet."""
    check_seed(seed)
    check_run(run)
    training = training_of_run(search, seed=seed, run=run)
    walk = walks.start(search, training, entropy=entropy(search, seed), runs=[run], observer=observer)
    walks.advance(walk, 0)
    return walk


def _slices(walk: Walk, go_on: GoOn) -> Slices:
    """Make a run; yields after every slice."""
    piece = Slice()
    while not walk.finished:
        began = time.perf_counter()
        made = walks.advance(walk, piece.steps)
        piece.took(made, seconds=time.perf_counter() - began)
        yield
        if not go_on(walk.offspring):
            return


def follow(
    search: Search,
    make: Callable[[int, GoOn], Result],
    *,
    runs: Iterable[int],
    jobs: int = 1,
    on_done: Callable[[Result], None] = lambda result: None,
    on_progress: OnProgress = lambda share, words: None,
) -> list[Result]:
    """What `make` returns for every run, in their order; at Ctrl-C, runs under way are lost.

    make: is given the number of a run and a function, which it calls after every slice with the iterations so
        far. If that says no, the run is to end there.

    >>> import gatewalk as gw
    >>> search = gw.search_for("and:4", nodes=8)
    >>> def fitness_after_ten(run, go_on):
    ...     session = gw.begin(search, seed=1, run=run)
    ...     gw.advance(session, 10)
    ...     return session.fitness
    >>> len(follow(search, fitness_after_ten, runs=range(3)))
    3
    """
    numbers = list(runs)
    finished = 0
    under_way: dict[int, int] = {}  # the iterations of each run

    def follow_one(run: int, stop: Stop) -> list[Result]:
        is_interrupted = False

        def go_on(iterations: int) -> bool:
            nonlocal is_interrupted
            under_way[run] = iterations
            is_interrupted = stop()
            return not is_interrupted

        result = make(run, go_on)
        under_way.pop(run, None)
        return [] if is_interrupted else [result]

    def deliver(results: list[Result]) -> None:
        nonlocal finished
        for result in results:
            finished += 1
            on_done(result)

    def tick() -> None:
        iterations = list(under_way.values())
        shares = sum(min(1.0, made / max(1, search.limit)) for made in iterations)
        words = f"{finished:,} of {len(numbers):,} runs"
        if iterations:
            words += f", {iterations[-1]:,} iterations"
        on_progress(min(1.0, (finished + shares) / max(1, len(numbers))), words)

    jobs = min(threads(jobs), max(1, len(numbers)))
    made = mapped(follow_one, numbers, jobs=jobs, on_done=deliver, tick=tick)
    return [result for results in made for result in results]
