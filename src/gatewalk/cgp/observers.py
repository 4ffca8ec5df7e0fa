"""Observers: named tuples that watch a search from within its loop.

An observer is a named tuple of arrays, registered with two parts of kernels: `on_change` is called for every
change of a gene while an offspring is made, `on_selection` after every generation. The loop is compiled anew
for each kind of observer; for `Nobody` the compiler removes the calls. `SizeFront` is one that is of general
use; `gatewalk.theory` has others; and users write some (`cgp.own_observers`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Layout, Shape, layout_of
from gatewalk.cgp.large import Genes, Large, mark_active
from gatewalk.native.jit import by_kind, hot_kernel, inlined


class Nobody(NamedTuple):
    """The observer of a search that nobody watches."""

    absent: bool = True


class Selected(NamedTuple):
    """What a selection came to.

    position: the index of the run in its walk. offspring: how many it has made so far.
    before, after: the rank of the parent before and after the selection.
    best: that of the best offspring; if it is worse than the parent, any rank that is.
    accepted: whether an offspring became the parent.
    """

    position: np.int64
    offspring: np.int64
    before: np.int64
    after: np.int64
    best: np.int64
    accepted: bool


@inlined
def _no_change(observer: Nobody, gene: np.uint64, old: np.uint64, value: np.uint64) -> None:
    """Nothing to do."""


@inlined
def _no_selection(observer: Nobody, program: Any, evaluator: Any, state: Any, selected: Selected) -> bool:
    """Go on."""
    return True


_ON_CHANGE: dict[type, Any] = {Nobody: _no_change}
_ON_SELECTION: dict[type, Any] = {Nobody: _no_selection}


def register(kind: type, *, on_change: Any = _no_change, on_selection: Any = _no_selection) -> None:
    """Register a kind of observer, with the parts of kernels that the loop calls.

    on_change(observer, gene, old, value): a gene of an offspring gets a value, in a large program. A gene
    with a single valid value is reported as the number after the last gene. on_selection(observer, program,
    evaluator, state, selected) -> bool: a generation is over; `evaluator` and `state` are those of the parent
    from now on. The result False ends the slice.
    """
    _ON_CHANGE[kind], _ON_SELECTION[kind] = on_change, on_selection


def is_registered(kind: type) -> bool:
    """Whether this kind of observer is known."""
    return kind in _ON_SELECTION


on_change: Callable[[Any, np.uint64, np.uint64, np.uint64], None] = by_kind(_ON_CHANGE)
on_selection: Callable[[Any, Any, Any, Any, Selected], bool] = by_kind(_ON_SELECTION)


UNSEEN = np.iinfo(np.int64).max


class SizeFront(NamedTuple):
    """For every number of gates, the fittest program that a search has had as its parent.

    A search passes through programs of all sizes and ends with the fittest one, which may be large, while a
    smaller program may be almost as fit. So whenever an offspring is accepted, it is kept here if it is
    fitter than all seen before with as many active gates. Entry g is for programs of g active gates.

    marks: scratch, to mark active sources.
    ranks: the best rank seen, `UNSEEN` if there was no such program.
    offspring: how many offspring had been made when it was seen.
    programs: the genes of the first program with that rank.
    """

    layout: Layout
    marks: NDArray[np.uint8]
    ranks: NDArray[np.int64]
    offspring: NDArray[np.int64]
    programs: Genes


def size_front(shape: Shape) -> SizeFront:
    """An observer that has seen nothing yet."""
    layout = layout_of(shape)
    return SizeFront(
        layout,
        np.zeros(layout.inputs + layout.nodes + 2, dtype=np.uint8),
        np.full(layout.nodes + 1, UNSEEN, dtype=np.int64),
        np.zeros(layout.nodes + 1, dtype=np.int64),
        np.zeros((layout.nodes + 1, layout.owner.size), dtype=np.int32),
    )


@hot_kernel
def see(observer: SizeFront, genes: Genes, rank: np.int64, offspring: np.int64) -> None:
    """Look at a program. The loop does not report the first parent; the caller must pass it to `see`."""
    layout, marks = observer.layout, observer.marks
    mark_active(layout, genes, marks)
    gates = np.int64(0)
    for source in range(layout.inputs, layout.inputs + layout.nodes):
        gates += np.int64(marks[source])
    if rank < observer.ranks[gates]:
        observer.ranks[gates] = rank
        observer.offspring[gates] = offspring
        for gene in range(observer.programs.shape[1]):
            observer.programs[gates, gene] = genes[gene]


@inlined
def see_selection(
    observer: SizeFront, program: Large, evaluator: Any, state: Any, selected: Selected
) -> bool:
    """Look at the parent whenever it is new; the search always goes on."""
    if selected.accepted:
        see(observer, program.parent, selected.after, selected.offspring)
    return True


register(SizeFront, on_selection=see_selection)
