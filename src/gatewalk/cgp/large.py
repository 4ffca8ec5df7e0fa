"""A program of any size: genes in the order of the genotype, and a list of the genes that changed.

An offspring is kept or dropped by copying the genes on the list. If the list was too short for all changes,
all genes are copied.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.slots import gene_of, owner_of, slot_fields
from gatewalk.native.jit import hot_kernel, inlined, internal

if TYPE_CHECKING:
    from gatewalk.cgp.program import Changes

Genes = NDArray[np.int32]
State = tuple[np.uint64]  # evaluators of large programs need no state; this is a placeholder
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Large(NamedTuple):
    """The arrays of a program; `program` explains those not listed here.

    listed: the indices of the genes that were written.
    hit: the slots of those among them that are active in the parent.

    After the last gene there is an entry that is written to but never read. Source n + D, the owner of the
    output genes, is always active; source n + D + 1, the owner of genes that cannot change, never is.
    """

    genes: Genes
    parent: Genes
    slots: NDArray[np.uint64]
    skip_from: NDArray[np.uint64]
    skip: NDArray[np.uint64]
    far: bool
    places: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    inputs: np.uint64
    nodes: np.uint64
    outputs: np.uint64
    arity: np.uint64
    listed: NDArray[np.uint32]
    hit: NDArray[np.uint64]


def large_of(layout: Layout, *, picked: bool) -> Large:
    """The arrays for a program. picked: see `slots_of`."""
    count, nobody = layout.owner.size, layout.inputs + layout.nodes + 1
    places, owners = np.arange(count), layout.owner + layout.inputs
    return Large(
        np.zeros(count + 1, dtype=np.int32),
        np.zeros(count + 1, dtype=np.int32),
        *slot_fields(layout, places, owners, spare=count, nobody=nobody, picked=picked),
        np.zeros(count, dtype=np.uint32),
        np.zeros(count, dtype=np.uint64),
    )


@inlined
def touch(program: Large, touched: np.uint64, slot: np.uint64) -> np.uint64:
    """See `program.touch`."""
    if touched < np.uint64(program.listed.size):
        program.listed[touched] = gene_of(slot)
    return touched + _ONE


@inlined
def hit(program: Large, hits: np.uint64, slot: np.uint64) -> np.uint64:
    """See `program.hit`; a gene may be listed twice."""
    if hits < np.uint64(program.hit.size):
        program.hit[hits] = slot
    return hits + _ONE


@inlined
def copy_changed(to: Genes, source: Genes, program: Large, changes: Changes) -> None:
    """See `program.copy_changed`."""
    if changes.touched > np.uint64(program.listed.size):
        _copy_all(to, source)
        return
    for number in range(changes.touched):
        gene = np.uint64(program.listed[number])
        to[gene] = source[gene]


@internal
def _copy_all(to: Genes, source: Genes) -> None:
    for gene in range(to.size):
        to[gene] = source[gene]


@hot_kernel
def mark_active(layout: Layout, genes: Genes, active: NDArray[np.uint8]) -> None:
    """Mark the sources that an output depends on, and n + D, which stands for the outputs; no others."""
    end = layout.inputs + layout.nodes
    active[:end] = 0
    active[end] = 1
    for output in range(layout.outputs):
        active[genes[layout.nodes * layout.block + output]] = 1
    for node in range(layout.nodes - 1, -1, -1):
        if active[layout.inputs + node]:
            first = node * layout.block
            for argument in range(layout.arities[genes[first]]):
                active[genes[first + 1 + argument]] = 1


# Functions shared by the evaluators of large programs, which have no state, and an array `active` of the
# sources.


@inlined
def load(evaluator: Any) -> State:
    """See `evaluators.load`."""
    return (_ZERO,)


@inlined
def save(evaluator: Any, state: State) -> None:
    """See `evaluators.save`."""


@inlined
def is_active(evaluator: Any, program: Large, state: State, slot: np.uint64) -> bool:
    """See `evaluators.is_active`."""
    return bool(evaluator.active[owner_of(slot)] != 0)


@inlined
def count_active(evaluator: Any, program: Large, state: State) -> np.int64:
    """See `evaluators.count_active`."""
    count = np.int64(0)
    for source in range(program.inputs, program.inputs + program.nodes):
        count += np.int64(evaluator.active[source] != 0)
    return count


@inlined
def drop(evaluator: Any, program: Large, state: State, changes: Changes, trial: State) -> State:
    """See `evaluators.drop`: these evaluators change nothing about the parent before `keep`."""
    return state
