"""For every number of gates, the fittest program that a search has had as its parent.

A search passes through programs of all sizes, and ends with the fittest one, which may be large. A smaller
program may be almost as fit. `SizeFront` is an observer of the loop (`gatewalk.cgp.observing`): whenever an
offspring is accepted, it keeps the program if it is fitter than all seen before with as many active gates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.judges.table import mark_active
from gatewalk.cgp.large import Genes, Large
from gatewalk.cgp.layout import Layout, layout_of
from gatewalk.cgp.observing import register
from gatewalk.native.jit import hot_kernel, inlined

UNSEEN = np.iinfo(np.int64).max


class SizeFront(NamedTuple):
    """The best programs so far; entry g is for programs of g active gates.

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
def on_selection(
    observer: SizeFront,
    program: Large,
    accepted: bool,
    before: np.int64,
    after: np.int64,
    offspring: np.int64,
) -> bool:
    """Look at the parent whenever it is new; the search always goes on."""
    if accepted:
        see(observer, program.parent, after, offspring)
    return True


register(SizeFront, on_selection=on_selection)
