"""Runs that are watched: the same seeded runs as `evolve` makes, with an observer compiled into their loop.

`watch` makes the runs, whatever is watched: levels (`levels`), the drift (`drift`), or anything else for
which there is an observer (`gatewalk.cgp.observers`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from threading import Event
from typing import Any, TypeVar

from gatewalk.cgp import walk as walks
from gatewalk.cgp.genotype import Layout, layout_of
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.walk import Walk
from gatewalk.errors import whole_number
from gatewalk.search.cgp_search import shape_of, start_many
from gatewalk.search.scheduler import runs_on_threads, slices
from gatewalk.search.seeds import cell_of, training_of_run
from gatewalk.search.session import check_seed
from gatewalk.search.settings import Settings
from gatewalk.theory.assumptions import Assumption, check_taught, require

Observer = TypeVar("Observer")
Result = TypeVar("Result")
Slices = Iterator[None]
OnProgress = Callable[[int, int], None]  # a run and its iterations so far; called from any thread


def _waiting(settings: Settings) -> str:
    return settings.law.waiting if isinstance(settings.law, CgpLaw) else "walked"


WATCHABLE = (  # a (1+1) CGP whose offspring are all made one by one
    Assumption(
        "algorithm",
        lambda settings: f"observe follows the (1+1) CGP, not {settings.algorithm}: use --algorithm cgp",
        lambda settings: settings.algorithm == "cgp",
    ),
    Assumption(
        "lambda",
        lambda settings: f"observe follows one offspring at a time: use --lambda 1, not {settings.offspring}",
        lambda settings: settings.offspring == 1,
    ),
    Assumption(
        "waiting",
        lambda settings: (
            f"observe follows every offspring: use --option waiting=walked, not {_waiting(settings)}"
        ),
        lambda settings: _waiting(settings) == "walked",
    ),
)


def watch(
    settings: Settings,
    observer_of: Callable[[Layout], Observer],
    read: Callable[[int, Walk, Observer, Slices], Result],
    *,
    needs: Iterable[Assumption] = (),
    seed: int,
    runs: Iterable[int],
    jobs: int = 1,
    on_done: Callable[[Result], None] | None = None,
    on_progress: OnProgress | None = None,
) -> list[Result]:
    """Make runs, each with an observer of its own, and return what was read from them, in their order.

    observer_of: makes the observer of a run, which has seen nothing yet.
    read: is given the number of the run, its walk at the first parent, the observer and an iterator. It shows
        the first parent to the observer, goes through the iterator, which makes the run slice by slice, and
        returns what is to be kept.
    needs: what is asked of the search in addition to `WATCHABLE`.
    """
    check_taught(settings)
    require((*WATCHABLE, *needs), settings)
    layout = layout_for(settings)

    def reported(run: int, walk: Walk, stop: Event) -> Slices:
        for _ in slices(walk, stop):
            yield
            if on_progress:
                on_progress(run, walk.offspring)

    def watch_one(run: int, stop: Event) -> Result:
        observer = observer_of(layout)
        walk = begin_watched(settings, observer, seed=seed, run=run)
        return read(run, walk, observer, reported(run, walk, stop))

    return runs_on_threads(watch_one, runs, jobs, on_done)


def layout_for(settings: Settings) -> Layout:
    """The layout of the programs of these settings, which observers need."""
    return layout_of(shape_of(settings))


def begin_watched(settings: Settings, observer: Any, *, seed: int, run: int) -> Walk:
    """Begin the run that `evolve` makes, with an observer; it has its first parent and no iteration yet.

    The fastest evaluation that can be observed is used, whatever the settings say; it does not change the
    run.
    """
    check_seed(seed)
    whole_number("run", run, least=0, most=2**64 - 1)
    fastest = replace(settings, evaluation="auto")
    rows = training_of_run(fastest, seed=seed, run=run)
    walk = start_many(fastest, rows, seed=seed, cell=cell_of(settings), runs=[run], observer=observer)
    walks.advance(walk, 0)
    return walk
