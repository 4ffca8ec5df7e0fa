"""SAM's elementary step for the fast kernels: which gene, which new value.

A slot is all that the step asks about a gene, packed into one word: bits 0-23 the gene, 24-43
the source number of its node (n + D for output genes), 44-63 the number of other valid values.
There is one for every gene that is drawn from, in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean, drawn_genes
from gatewalk.cgp.registers import Registers, below_from, pick
from gatewalk.jit import inlined

GENE_BITS, OWNER_BITS = 24, 20
_GENE = np.uint64((1 << GENE_BITS) - 1)
_OWNER = np.uint64((1 << OWNER_BITS) - 1)
_OWNER_AT = np.uint64(GENE_BITS)
_OTHERS_AT = np.uint64(GENE_BITS + OWNER_BITS)


class Slots(NamedTuple):
    """records: see the module. skip_from, skip: see `Ranges`; far: is there any skip?"""

    records: NDArray[np.uint64]
    skip_from: NDArray[np.uint64]
    skip: NDArray[np.uint64]
    far: bool


def fits_slots(shape: Shape) -> bool:
    """Are the numbers of this shape small enough for a slot?"""
    return shape.length < 1 << GENE_BITS and shape.inputs + shape.nodes < 1 << OWNER_BITS


def slots_of(layout: Layout, lean: Lean) -> Slots:
    """The slots of all genes that are drawn from."""
    genes = np.arange(layout.owner.size, dtype=np.uint64)
    owners = (layout.owner + layout.inputs).astype(np.uint64)
    others = (layout.choices - 1).astype(np.uint64)
    records = genes | (owners << _OWNER_AT) | (others << _OTHERS_AT)
    return Slots(
        records[drawn_genes(lean, layout)],
        layout.skip_from.astype(np.uint64),
        layout.skip.astype(np.uint64),
        bool(layout.skip.any()),
    )


@inlined
def gene_of(record: np.uint64) -> np.uint64:
    """The gene of a slot."""
    return record & _GENE


@inlined
def owner_of(record: np.uint64) -> np.uint64:
    """The source number of the node that a slot's gene belongs to."""
    return (record >> _OWNER_AT) & _OWNER


@inlined
def others_of(record: np.uint64) -> np.uint64:
    """How many valid values a slot's gene has besides the current one."""
    return record >> _OTHERS_AT


@inlined
def draw_slot(slots: Slots, registers: Registers) -> tuple[np.uint64, np.uint64, Registers]:
    """A uniform slot, and a random half word to spend on its new value."""
    choice, spare, registers = pick(registers, np.uint64(slots.records.size))
    return slots.records[choice], spare, registers


@inlined
def draw_value(
    slots: Slots, registers: Registers, record: np.uint64, spare: np.uint64, current: np.uint64
) -> tuple[np.uint64, Registers]:
    """NewValue (Algorithm 2) for a slot with other values: uniform over all valid but the current one."""
    value, registers = below_from(registers, spare, others_of(record))
    if slots.far:
        gene = gene_of(record)
        skip_from, skip = slots.skip_from[gene], slots.skip[gene]
        index = current if current < skip_from else current - skip
        value += np.uint64(value >= index)
        if value >= skip_from:
            value += skip
    else:
        value += np.uint64(value >= current)
    return value, registers
