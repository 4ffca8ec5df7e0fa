"""A small program at fixed places, for kernels that live in registers, and SAM on it.

With n + D <= 63 sources, everything about a source has a place in a row of 64, and the rows lie in two
arrays at fixed offsets: the processor then needs one register for each array, and the place of a gene
tells its node. Place 63 of a row stands for the output. Genes are bytes: a whole program is six vectors
of 32, so that the child is dropped by copying the parent, whatever the number of changes: a loop over
them would end where the processor does not expect it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.blocks import copy, copy_all, zeros
from gatewalk.cgp.core import Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import SMALL, Lean, drawn_genes
from gatewalk.cgp.registers import Registers, below_from, pick
from gatewalk.jit import inlined

LARGEST = SMALL  # sources
OUTPUT = np.uint64(63)
# Rows of genes: the gate and the two sources read by each node; of the child, then of the parent.
GATE, FIRST, SECOND, PARENT = np.uint64(0), np.uint64(64), np.uint64(128), np.uint64(192)
# Rows of words: sets of sources; values; valid values.
CONE, DOMINATORS, WITHOUT, VALUE = np.uint64(0), np.uint64(64), np.uint64(128), np.uint64(192)
SKIP_FROM, SKIP = np.uint64(256), np.uint64(448)  # three rows each, as the genes
# What SAM draws from: bits 0-9 the place of a gene, 10-15 of its node, the upper half the number of other
# values. A gene without any has a place beyond the parent, where anything may be written; where it does not
# end SAM to pick it, its node is input 0.
SLOTS = np.uint64(640)
WORDS = int(SKIP) + 3 * int(PARENT)  # up to the SKIP of a place beyond the parent, whatever is there
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_PLACE, _NODE = np.uint64(1023), np.uint64(63)
_OWNER_AT, _OTHERS_AT = np.uint64(10), np.uint64(32)

Words = NDArray[np.uint64]


class Workspace(NamedTuple):
    """genes, words: see above. places: of every gene. slots: how many genes are drawn from. above: all
    places but those of inputs, as bits. far: not empty if some genes skip values (a length is a constant
    to the compiler).
    """

    genes: NDArray[np.uint8]
    words: Words
    places: NDArray[np.int64]
    slots: np.uint64
    inputs: np.uint64
    above: np.uint64
    far: tuple[int, ...]


class Sam(NamedTuple):
    """What a call of SAM did.

    place: of the gene that ended it; changed: has it another value now? touched: the nodes with changes
    as bits. steps: elementary steps.
    """

    place: np.uint64
    changed: bool
    touched: np.uint64
    steps: np.uint64


def places_of(layout: Layout) -> NDArray[np.int64]:
    """The place of every gene; an output gene is the first source of the output."""
    genes = np.arange(layout.owner.size)
    places = (genes % layout.block) * 64 + layout.inputs + layout.owner
    places[layout.nodes * layout.block :] = int(FIRST + OUTPUT)
    return places.astype(np.int64)


def workspace_of(layout: Layout, lean: Lean) -> Workspace:
    """A workspace with its constants filled in, and for every input its cone."""
    places = places_of(layout)
    words = zeros(WORDS)
    words[places + int(SKIP_FROM)] = layout.skip_from
    words[places + int(SKIP)] = layout.skip
    words[int(CONE) : int(CONE) + layout.inputs] = _ONE << np.arange(layout.inputs, dtype=np.uint64)
    slots = slots_of(layout, lean, places)
    words[int(SLOTS) : int(SLOTS) + slots.size] = slots
    genes = zeros(3 * int(PARENT) // 8).view(np.uint8)
    inputs = np.uint64(layout.inputs)
    above = ~((_ONE << inputs) - _ONE)
    far = (0,) * bool(layout.skip.any())
    return Workspace(genes, words, places, np.uint64(slots.size), inputs, above, far)


def slots_of(layout: Layout, lean: Lean, at: NDArray[np.int64]) -> Words:
    """The slots of all genes that are drawn from, which are at these places."""
    places, others = at.astype(np.uint64), (layout.choices - 1).astype(np.uint64)
    owners = places & _NODE
    is_fixed = others == _ZERO
    places[is_fixed] += np.uint64(2) * PARENT
    if not lean.picked:
        owners[is_fixed] = _ZERO
    slots: Words = places | owners << _OWNER_AT | others << _OTHERS_AT
    return slots[drawn_genes(lean, layout)]


@inlined
def remember(space: Workspace) -> None:
    """The program becomes the parent: before the next mutation, when it is no longer on its way to memory."""
    copy(space.genes, PARENT, space.genes, _ZERO, PARENT)


@inlined
def restore(space: Workspace) -> None:
    """The child becomes a copy of the parent again."""
    copy(space.genes, _ZERO, space.genes, PARENT, PARENT)


@inlined
def load_genes(space: Workspace, genes: NDArray[np.int64]) -> None:
    """Copy a program in, as the child and as the parent."""
    for gene in range(np.uint64(genes.size)):
        space.genes[np.uint64(space.places[gene])] = np.uint8(genes[gene])
    remember(space)


@inlined
def store_genes(space: Workspace, core: Core) -> None:
    """Copy the program out, as the child and as the parent."""
    for gene in range(np.uint64(space.places.size)):
        core.genes[gene] = np.int64(space.genes[np.uint64(space.places[gene])])
    copy_all(core.child, core.genes)


@inlined
def first_of(space: Workspace, source: np.uint64) -> np.uint64:
    """The first source that a node reads, or what the output reads."""
    return np.uint64(space.genes[FIRST + source])


@inlined
def second_of(space: Workspace, source: np.uint64) -> np.uint64:
    """The second source of a node, which its gate may leave unread."""
    return np.uint64(space.genes[SECOND + source])


@inlined
def gate_of(space: Workspace, source: np.uint64) -> np.uint64:
    """The gate of a node."""
    return np.uint64(space.genes[GATE + source])


@inlined
def cone_of(space: Workspace, source: np.uint64) -> np.uint64:
    """The cone of a node that reads two sources: itself and theirs."""
    a, b = first_of(space, source), second_of(space, source)
    return np.uint64(space.words[CONE + a] | space.words[CONE + b] | _ONE << source)


@inlined
def active_of(space: Workspace) -> np.uint64:
    """The nodes in the cone of the output, and the bit of the output."""
    return np.uint64(space.words[CONE + first_of(space, OUTPUT)] & space.above | _ONE << OUTPUT)


@inlined
def node_of(place: np.uint64) -> np.uint64:
    """The node, or the output, of the gene at a place."""
    return place & _NODE


@inlined
def nodes_of(space: Workspace, sources: np.uint64) -> np.uint64:
    """The nodes of a set of sources: no inputs and no output."""
    return np.uint64(sources & space.above & ~(_ONE << OUTPUT))


@inlined
def new_value(
    space: Workspace, registers: Registers, place: np.uint64, others: np.uint64, spare: np.uint64
) -> tuple[np.uint64, Registers]:
    """NewValue (Algorithm 2) for a gene with other values."""
    value, registers = below_from(registers, spare, others)
    current = np.uint64(space.genes[place])
    if len(space.far) > 0:
        skip_from, skip = space.words[place + SKIP_FROM], space.words[place + SKIP]
        if current >= skip_from:
            current -= skip
        value += np.uint64(value >= current)
        if value >= skip_from:
            value += skip
    else:
        value += np.uint64(value >= current)
    return value, registers


@inlined
def sam(space: Workspace, registers: Registers, active: np.uint64) -> tuple[Sam, Registers]:
    """SAM (Algorithm 3), every elementary step drawn; `active` has a bit for each node and for the output.

    One branch at the end of a turn, since the processor guesses wrong whether a gene is active, and whether
    it can change.
    """
    touched = steps = _ZERO
    while True:
        choice, spare, registers = pick(registers, space.slots)
        slot = space.words[SLOTS + choice]
        steps += _ONE
        place = slot & _PLACE
        value, registers = new_value(space, registers, place, slot >> _OTHERS_AT, spare)
        space.genes[place] = np.uint8(value)
        owner = _ONE << ((slot >> _OWNER_AT) & _NODE)
        touched |= owner
        if active & owner != _ZERO:
            is_changed = slot >> _OTHERS_AT != _ZERO
            return Sam(place, is_changed, touched & space.above, steps), registers


@inlined
def next_offspring(
    space: Workspace, registers: Registers, active: np.uint64, eager: bool
) -> tuple[Sam, Registers]:
    """An offspring by SAM, of the last one if that was accepted (`eager`).

    Under both streams: in programs so small, the loop is always walked (see `lean`).
    """
    if eager:
        remember(space)
    return sam(space, registers, active)
