"""Runs under rate mutation, watched: how many offspring are actively identical to their parents.

`IdenticalObserver` is an observer that is compiled into the loop of the search (`gatewalk.cgp.observing`), so
the run that is watched is the same run that `evolve` makes. The expected numbers are in
`identical_offspring`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.judges.table import mark_active
from gatewalk.cgp.large import Genes, Large
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.observing import register
from gatewalk.errors import InputError
from gatewalk.native.jit import hot_kernel, inlined
from gatewalk.search.settings import Settings
from gatewalk.search.slices import slices
from gatewalk.search.threads import runs_on_threads
from gatewalk.theory.watching import begin_watched, check_watchable, layout_for

ACTIVE, CHANGEABLE, HITS = range(3)  # places in `IdenticalObserver.place`


class IdenticalObserver(NamedTuple):
    """The observer of one run.

    marks: the active sources of the parent. place: the number of its active nodes, of its active genes that
    can change, and of those that the current offspring has changed. tally[g]: how many offspring parents with
    g such genes had, and how many of these were identical. nodes: the active nodes of the parents, summed
    over offspring.
    """

    layout: Layout
    marks: NDArray[np.uint8]
    place: NDArray[np.int64]
    tally: NDArray[np.int64]
    nodes: NDArray[np.int64]


def observer_of(layout: Layout) -> IdenticalObserver:
    """An observer that has counted nothing yet."""
    return IdenticalObserver(
        layout,
        np.zeros(layout.inputs + layout.nodes + 2, dtype=np.uint8),
        np.zeros(3, dtype=np.int64),
        np.zeros((layout.owner.size + 1, 2), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@hot_kernel
def look(observer: IdenticalObserver, genes: Genes) -> None:
    """Mark and count what is active in a new parent."""
    layout, marks = observer.layout, observer.marks
    mark_active(layout, genes, marks)
    active, changeable = np.int64(0), np.int64(0)
    for node in range(layout.nodes):
        active += np.int64(marks[layout.inputs + node])
    for gene in range(layout.owner.size):
        if marks[layout.inputs + layout.owner[gene]] and layout.choices[gene] > 1:
            changeable += 1
    observer.place[ACTIVE], observer.place[CHANGEABLE] = active, changeable


@inlined
def on_change(observer: IdenticalObserver, gene: np.uint64, old: np.uint64, value: np.uint64) -> None:
    """Count a change of an active gene. Numbers beyond the last gene stand for genes that cannot change."""
    place, layout = np.int64(gene), observer.layout
    if place < layout.owner.size and observer.marks[layout.inputs + layout.owner[place]]:
        observer.place[HITS] += 1


@inlined
def on_selection(
    observer: IdenticalObserver,
    program: Large,
    accepted: bool,
    before: np.int64,
    after: np.int64,
    offspring: np.int64,
) -> bool:
    """Count an offspring; if it became the parent, look at it."""
    place = observer.place
    observer.tally[place[CHANGEABLE], 0] += 1
    observer.nodes[0] += place[ACTIVE]
    if place[HITS] == 0:
        observer.tally[place[CHANGEABLE], 1] += 1
    elif accepted:  # otherwise the same nodes are active as before
        look(observer, program.parent)
    place[HITS] = 0
    return True


register(IdenticalObserver, on_change=on_change, on_selection=on_selection)


@dataclass(frozen=True, eq=False)
class Identical:
    """The identical offspring that were counted in runs.

    genes, offspring, identical: for every number of active genes that can change, how many offspring parents
    with so many of them had, and how many of these were identical. nodes: the mean number of active nodes.
    """

    genes: NDArray[np.int64]
    offspring: NDArray[np.int64]
    identical: NDArray[np.int64]
    nodes: float


def check_rate(settings: Settings) -> None:
    """Raise `InputError` unless the mutation is rate:P: under others a gene could change and change back."""
    check_watchable(settings)
    if not (settings.mutation or "").startswith("rate:"):
        raise InputError(f"identical offspring are counted under --mutation rate:P, not {settings.mutation}")


def rate_of(settings: Settings) -> float:
    """The probability P of rate:P."""
    check_rate(settings)
    return float((settings.mutation or "").partition(":")[2])


def identical_runs(settings: Settings, *, seed: int, runs: Iterable[int], jobs: int = 1) -> Identical:
    """The runs of `evolve` with these settings and numbers, watched.

    Examples
    --------
    >>> from gatewalk.search.settings import settings
    >>> search = settings("xor:3", nodes=3, mutation="rate:0.1", budget=100)
    >>> found = identical_runs(search, seed=1, runs=range(2))
    >>> bool((found.identical <= found.offspring).all())
    True
    """
    check_rate(settings)
    layout = layout_for(settings)

    def one(run: int, stop: Event) -> tuple[NDArray[np.int64], int]:
        observer = observer_of(layout)
        walk = begin_watched(settings, observer, seed=seed, run=run)
        look(observer, walk.program)
        for _ in slices(walk, stop):
            pass  # the observer itself does the counting
        return observer.tally, int(observer.nodes[0])

    found = runs_on_threads(one, runs, jobs)
    tally = np.sum([item[0] for item in found], axis=0)
    (seen,) = np.nonzero(tally[:, 0])
    offspring = tally[seen, 0]
    nodes = sum(item[1] for item in found) / max(1, int(offspring.sum()))
    return Identical(seen, offspring, tally[seen, 1], nodes)
