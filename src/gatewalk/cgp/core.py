"""The state of a walk through programs: what every kernel changes and what a saved search keeps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.layout import Layout
from gatewalk.jit import Int, internal, outlined

OFFSPRING, STEPS, RANK, LOGGED, ACCEPTED, EAGER, WAITING, SKIPPED = range(8)  # places in `counters`
LOG_ROOM = 256


class Core(NamedTuple):
    """A walk between two generations.

    genes: the parent. child: equal to it between generations. touched, marks: which genes of the
    child were changed, so that nothing else is copied. counters: offspring evaluated, elementary
    steps, rank of the parent (0 is solved, lower is fitter), improvements in the log, offspring
    accepted, whether the last one was (`lean`), iterations until an offspring that may be better, and
    offspring of this parent that were not made (`waiting`). undrawn[e]: offspring whose steps were not
    drawn, of parents with e genes that end SAM (`lean`). log: (offspring, rank) at each improvement; a
    kernel returns when it is full.
    """

    genes: NDArray[np.int64]
    child: NDArray[np.int64]
    touched: NDArray[np.int64]
    marks: NDArray[np.uint8]
    stream: NDArray[np.uint64]
    counters: NDArray[np.int64]
    undrawn: NDArray[np.int64]
    log: NDArray[np.int64]


def core_of(genes: NDArray[np.int64], stream: NDArray[np.uint64], counters: NDArray[np.int64]) -> Core:
    """The state around a given parent."""
    return Core(
        genes,
        genes.copy(),
        np.zeros(genes.size, dtype=np.int64),
        np.zeros(genes.size, dtype=np.uint8),
        stream,
        counters,
        np.zeros(genes.size + 1, dtype=np.int64),
        np.zeros((LOG_ROOM, 2), dtype=np.int64),
    )


@internal
def change(core: Core, touched: Int, gene: Int, value: Int) -> Int:
    """Give a gene of the child a value; returns the number of touched genes."""
    core.child[gene] = value
    if core.marks[gene] == 0:
        core.marks[gene] = 1
        core.touched[touched] = gene
        touched += 1
    return touched


@internal
def keep_child(core: Core, touched: Int) -> None:
    """The child becomes the parent."""
    for position in range(touched):
        gene = core.touched[position]
        core.genes[gene] = core.child[gene]
        core.marks[gene] = 0


@internal
def drop_child(core: Core, touched: Int) -> None:
    """The child becomes a copy of the parent again."""
    for position in range(touched):
        gene = core.touched[position]
        core.child[gene] = core.genes[gene]
        core.marks[gene] = 0


@internal
def note_improvement(core: Core) -> None:
    """Log the parent's rank; the caller sees to it that there is room."""
    position = core.counters[LOGGED]
    core.log[position, 0] = core.counters[OFFSPRING]
    core.log[position, 1] = core.counters[RANK]
    core.counters[LOGGED] = position + 1


@outlined
def mark_active(layout: Layout, genes: NDArray[np.int64], active: NDArray[np.uint8]) -> None:
    """Mark the nodes with a path to an output; the place past the last node stands for outputs."""
    active[: layout.nodes] = 0
    active[layout.nodes] = 1
    for output in range(layout.outputs):
        source = genes[layout.nodes * layout.block + output]
        if source >= layout.inputs:
            active[source - layout.inputs] = 1
    for node in range(layout.nodes - 1, -1, -1):
        if active[node]:
            first = node * layout.block
            for argument in range(layout.arities[genes[first]]):
                source = genes[first + 1 + argument]
                if source >= layout.inputs:
                    active[source - layout.inputs] = 1
