"""Slots: for each gene a word with all that a mutation needs to know about it (`program` has the layout)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Layout
from gatewalk.errors import InputError
from gatewalk.native.jit import inlined

GENE_BITS, OWNER_BITS = 24, 20
FUNCTION, OUTPUT = np.uint64(0), np.uint64(255)  # kinds of genes; those between are connections 0, 1, ...
_GENE = np.uint64((1 << GENE_BITS) - 1)
_OWNER = np.uint64((1 << OWNER_BITS) - 1)
_OWNER_AT = np.uint64(GENE_BITS)
_OTHERS_AT = np.uint64(GENE_BITS + OWNER_BITS)

Places = NDArray[np.int64]
Words = NDArray[np.uint64]


def slots_of(
    layout: Layout, places: Places, owners: Places, *, spare: int, nobody: int, picked: bool
) -> NDArray[np.uint64]:
    """The slots of all genes, given their indices (`places`) and the sources that they belong to (`owners`).

    A gene with a single valid value is written to the index `spare`, and belongs to the source `nobody`,
    unless SAM ends when an active gene is `picked`.
    """
    if layout.owner.size + 1 >= 1 << GENE_BITS or layout.inputs + layout.nodes + 1 >= 1 << OWNER_BITS:
        raise InputError(
            f"a program of {layout.nodes:,} nodes is too large: at most {(1 << OWNER_BITS) - 2:,} inputs and "
            f"nodes, and {(1 << GENE_BITS) - 2:,} genes, can be evolved"
        )
    is_fixed = layout.choices == 1
    at = np.where(is_fixed, spare, places).astype(np.uint64)
    of = np.where(is_fixed & (not picked), nobody, owners).astype(np.uint64)
    others = (layout.choices - 1).astype(np.uint64)
    return np.asarray(at | of << _OWNER_AT | others << _OTHERS_AT)


def slot_fields(
    layout: Layout, places: Places, owners: Places, *, spare: int, nobody: int, picked: bool
) -> tuple[Words, Words, Words, bool, Places, NDArray[np.uint8], np.uint64, np.uint64, np.uint64, np.uint64]:
    """The fields from `slots` to `arity` that small and large programs share, see `program`."""
    skip_from, skip = np.zeros((2, spare + 1), dtype=np.uint64)
    skip_from[places], skip[places] = layout.skip_from, layout.skip
    slots = slots_of(layout, places, owners, spare=spare, nobody=nobody, picked=picked)
    kinds = (np.arange(layout.owner.size) % layout.block).astype(np.uint8)
    kinds[layout.nodes * layout.block :] = OUTPUT
    inputs, nodes, outputs = np.uint64(layout.inputs), np.uint64(layout.nodes), np.uint64(layout.outputs)
    arity = np.uint64(layout.block - 1)
    return slots, skip_from, skip, bool(layout.skip.any()), places, kinds, inputs, nodes, outputs, arity


@inlined
def gene_of(slot: np.uint64) -> np.uint64:
    """The index of the gene in the arrays of a program."""
    return slot & _GENE


@inlined
def owner_of(slot: np.uint64) -> np.uint64:
    """The source number of the node that the gene belongs to."""
    return (slot >> _OWNER_AT) & _OWNER


@inlined
def others_of(slot: np.uint64) -> np.uint64:
    """How many valid values the gene has besides the current one."""
    return slot >> _OTHERS_AT
