"""How often rate mutation makes an offspring that equals its parent in everything that the parent uses.

Goldman and Punch (2013), "Reducing Wasted Evaluations in Cartesian Genetic Programming", EuroGP: an
offspring is actively identical to its parent if no output gene and no gene of an active node differs. It
computes the same function by the same gates, so evaluating it is a waste. Every gene is drawn independently
with probability p; an offspring is identical if none of `outputs + active * (arity + 1)` genes is drawn.

`published_chance` is exact if every drawn gene changes. That is so in their program and in `--mutation
rate:P`, both of which avoid the old value if there is another one. A gene without another value never changes
and should not be counted: the function genes of a single-gate set are such genes, for which the formula is a
lower bound. If instead a drawn gene with m values took any of them, it would keep its value with probability
1 - p (1 - 1/m), and again the formula would be a lower bound.

`identical_runs` counts them in runs: `IdenticalObserver` is compiled into the loop of the search
(`gatewalk.cgp.observers`), so the runs that are watched are the same runs that `evolve` makes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Genes, Large, mark_active
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.cgp.observers import Selected, register
from gatewalk.cgp.walk import Walk
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.native.jit import hot_kernel, inlined
from gatewalk.search.options import Search
from gatewalk.theory.assumptions import Assumption, mutation_of, require
from gatewalk.theory.observe.watching import Slices, watch

ACTIVE, CHANGEABLE, HITS = range(3)  # indices into `IdenticalObserver.current`
RATE = Assumption(  # under other mutations a gene could change and change back
    "mutation",
    lambda search: f"identical offspring are counted under --mutation rate:P, not {mutation_of(search)}",
    lambda search: isinstance(mutation_of(search), Rate),
)


def published_chance(rate: float, *, outputs: int, active: int, arity: int = 2) -> float:
    """The published formula, (1 - p)^(outputs + active (arity + 1)), for a program with so many active nodes.

    For a 3-bit multiplier with 200 active nodes and p = 0.1 %, it is more than half of all offspring:

    >>> round(published_chance(0.001, outputs=6, active=200), 3)
    0.545
    """
    whole_number("outputs", outputs, least=1)
    whole_number("active nodes", active, least=0)
    whole_number("arity", arity, least=1)
    if not 0.0 <= rate <= 1.0:
        raise InputError(f"the rate {shown(rate)} is not a probability; give a number from 0 to 1")
    return float((1.0 - rate) ** (outputs + active * (arity + 1)))


class IdenticalObserver(NamedTuple):
    """The observer of one run.

    marks: the active sources of the parent.
    current: the number of its active nodes, of its active genes that can change, and of those that the
        current offspring has changed.
    tally[g]: how many offspring parents with g such genes had, and how many of these were identical.
    nodes: the active nodes of the parents, summed over offspring.
    """

    layout: Layout
    marks: NDArray[np.uint8]
    current: NDArray[np.int64]
    tally: NDArray[np.int64]
    nodes: NDArray[np.int64]


def identical_observer(layout: Layout) -> IdenticalObserver:
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
    observer.current[ACTIVE], observer.current[CHANGEABLE] = active, changeable


@inlined
def on_change(observer: IdenticalObserver, gene: np.uint64, old: np.uint64, value: np.uint64) -> None:
    """Count a change of an active gene. Numbers beyond the last gene stand for genes that cannot change."""
    number, layout = np.int64(gene), observer.layout
    if number < layout.owner.size and observer.marks[layout.inputs + layout.owner[number]]:
        observer.current[HITS] += 1


@inlined
def on_selection(
    observer: IdenticalObserver, program: Large, evaluator: Any, state: Any, selected: Selected
) -> bool:
    """Count an offspring; if it became the parent, look at it."""
    current = observer.current
    observer.tally[current[CHANGEABLE], 0] += 1
    observer.nodes[0] += current[ACTIVE]
    if current[HITS] == 0:
        observer.tally[current[CHANGEABLE], 1] += 1
    elif selected.accepted:  # otherwise the same nodes are active as before
        look(observer, program.parent)
    current[HITS] = 0
    return True


register(IdenticalObserver, on_change=on_change, on_selection=on_selection)


@dataclass(frozen=True, eq=False)
class Identical:
    """The identical offspring that were counted in runs.

    genes, offspring, identical: for every number of active genes that can change, how many offspring parents
        with so many of them had, and how many of these were identical.
    nodes: the mean number of active nodes.
    """

    genes: NDArray[np.int64]
    offspring: NDArray[np.int64]
    identical: NDArray[np.int64]
    nodes: float


def rate_of(search: Search) -> float:
    """The probability P of rate:P."""
    require((RATE,), search)
    mutation = mutation_of(search)
    assert isinstance(mutation, Rate)
    return mutation.strength


def identical_runs(search: Search, *, seed: int, runs: Iterable[int], jobs: int = 1) -> Identical:
    """Make runs, and count the offspring that are actively identical to their parents.

    >>> from gatewalk import search_for
    >>> search = search_for("xor:3", nodes=3, mutation="rate:0.1", budget=100)
    >>> counts = identical_runs(search, seed=1, runs=range(2))
    >>> bool((counts.identical <= counts.offspring).all())
    True
    """
    counted = watch(search, identical_observer, _read_run, needs=(RATE,), seed=seed, runs=runs, jobs=jobs)
    tally = np.sum([run_tally for run_tally, _ in counted], axis=0)
    (genes,) = np.nonzero(tally[:, 0])
    offspring = tally[genes, 0]
    nodes = sum(run_nodes for _, run_nodes in counted) / max(1, int(offspring.sum()))
    return Identical(genes, offspring, tally[genes, 1], nodes)


def _read_run(
    run: int, walk: Walk, observer: IdenticalObserver, slices: Slices
) -> tuple[NDArray[np.int64], int]:
    look(observer, walk.program)
    for _ in slices:
        pass  # the observer itself does the counting
    return observer.tally, int(observer.nodes[0])
