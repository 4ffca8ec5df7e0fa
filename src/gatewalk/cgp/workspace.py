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

from gatewalk.cgp.bits import either, nth
from gatewalk.cgp.blocks import copy, zeros
from gatewalk.cgp.core import Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean, by_stream, drawn_genes, is_short, kind_and_rank
from gatewalk.cgp.registers import Registers, below_from, pick
from gatewalk.jit import inlined
from gatewalk.popcount import popcount

LARGEST = 63  # sources
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
    lean: Lean


class Sam(NamedTuple):
    """What a call of SAM did.

    place: of the gene that ended it, if it has `changed`; old: its value before. touched: the nodes with
    changes as bits. steps: elementary steps. drifted: were the inactive changes drawn, and the
    steps with them (see `lean`)?
    """

    place: np.uint64
    changed: bool
    old: np.uint64
    touched: np.uint64
    steps: np.uint64
    drifted: bool


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
    slots = slots_of(layout, lean)
    words[int(SLOTS) : int(SLOTS) + slots.size] = slots
    genes = zeros(3 * int(PARENT) // 8).view(np.uint8)
    inputs = np.uint64(layout.inputs)
    above = ~((_ONE << inputs) - _ONE)
    far = (0,) * bool(layout.skip.any())
    return Workspace(genes, words, places, np.uint64(slots.size), inputs, above, far, lean)


def slots_of(layout: Layout, lean: Lean) -> Words:
    """The slots of all genes that are drawn from."""
    places, others = places_of(layout).astype(np.uint64), (layout.choices - 1).astype(np.uint64)
    owners = places & _NODE
    is_fixed = others == _ZERO
    places[is_fixed] += np.uint64(2) * PARENT
    if not lean.picked:
        owners[is_fixed] = _ZERO
    slots: Words = places | owners << _OWNER_AT | others << _OTHERS_AT
    return slots[drawn_genes(lean, layout)]


@inlined
def load_genes(space: Workspace, genes: NDArray[np.int64]) -> None:
    """Copy a program in, as the child and as the parent."""
    for gene in range(np.uint64(genes.size)):
        place = np.uint64(space.places[gene])
        space.genes[place] = space.genes[PARENT + place] = np.uint8(genes[gene])


@inlined
def store_genes(space: Workspace, core: Core) -> None:
    """Copy the program out, as the child and as the parent."""
    for gene in range(np.uint64(space.places.size)):
        core.genes[gene] = core.child[gene] = np.int64(space.genes[np.uint64(space.places[gene])])


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
def remember(space: Workspace) -> None:
    """The program becomes the parent: before the next mutation, when it is no longer on its way to memory."""
    copy(space.genes, PARENT, space.genes, _ZERO, PARENT)


@inlined
def restore(space: Workspace) -> None:
    """The child becomes a copy of the parent again."""
    copy(space.genes, _ZERO, space.genes, PARENT, PARENT)


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
        old = np.uint64(space.genes[place])
        value, registers = new_value(space, registers, place, slot >> _OTHERS_AT, spare)
        space.genes[place] = np.uint8(value)
        owner = _ONE << ((slot >> _OWNER_AT) & _NODE)
        touched |= owner
        if active & owner != _ZERO:
            is_changed = slot >> _OTHERS_AT != _ZERO
            return Sam(place, is_changed, old, touched & space.above, steps, True), registers


@inlined
def drift(space: Workspace, registers: Registers, active: np.uint64) -> tuple[Sam, Registers]:
    """What SAM changes before it changes an active gene."""
    made, registers = sam(space, registers, active)
    space.genes[made.place] = np.uint8(made.old)
    return Sam(made.place, False, made.old, made.touched & ~active, made.steps, True), registers


@inlined
def active_slot(space: Workspace, active: np.uint64, choice: np.uint64, count: np.uint64) -> np.uint64:
    """The slot that a choice among all genes of `count` active nodes and the output stands for."""
    kinds = np.uint64(len(space.lean.kinds))
    kind, rank = kind_and_rank(kinds, choice, count)
    owner = nth(active, rank)
    index = (owner - space.inputs) * kinds + kind
    return np.uint64(space.words[SLOTS + either(owner == OUTPUT, space.slots - _ONE, index)])


@inlined
def active_genes(space: Workspace, active: np.uint64) -> np.uint64:
    """How many of the genes drawn from are active."""
    return np.uint64(len(space.lean.kinds)) * (np.uint64(popcount(active)) - _ONE) + _ONE


@inlined
def lean_sam(space: Workspace, registers: Registers, active: np.uint64) -> tuple[Sam, Registers]:
    """SAM without waste (see `lean`): the active change, and the others if it leads to an inactive node."""
    count, genes = np.uint64(popcount(active)) - _ONE, active_genes(space, active)
    choice, spare, registers = pick(registers, genes)
    slot = active_slot(space, active, choice, count)
    while space.lean.fixed and slot >> _OTHERS_AT == _ZERO:
        if space.lean.picked:
            return Sam(slot & _PLACE, False, _ZERO, _ZERO, _ZERO, False), registers
        choice, spare, registers = pick(registers, genes)
        slot = active_slot(space, active, choice, count)
    place = slot & _PLACE
    old = np.uint64(space.genes[place])
    value, registers = new_value(space, registers, place, slot >> _OTHERS_AT, spare)
    space.genes[place] = np.uint8(value)
    owner = node_of(place)
    read = _ONE << first_of(space, owner) | _ONE << second_of(space, owner)
    if nodes_of(space, read & ~active) == _ZERO:
        return Sam(place, True, old, _ONE << owner, _ZERO, False), registers
    end, registers = drift(space, registers, active)
    return Sam(place, True, old, _ONE << owner | end.touched, end.steps, True), registers


@inlined
def ending_genes(space: Workspace, active: np.uint64) -> np.uint64:
    """How many genes end SAM's loop when picked."""
    if space.lean.picked or not space.lean.fixed:
        return active_genes(space, active)
    ending = _ZERO
    for slot in range(space.slots):
        ending += (active >> ((space.words[SLOTS + slot] >> _OWNER_AT) & _NODE)) & _ONE
    return np.uint64(ending)


@inlined
def _none_undrawn(core: Core, space: Workspace, active: np.uint64, pending: np.int64) -> None:
    """The literal stream has drawn everything."""


@inlined
def _count_undrawn(core: Core, space: Workspace, active: np.uint64, pending: np.int64) -> None:
    """Note rejected offspring of the parent whose elementary steps were not drawn."""
    if pending != 0:
        core.undrawn[ending_genes(space, active)] += pending


count_undrawn = by_stream(_none_undrawn, _count_undrawn)


@inlined
def _literal_offspring(
    space: Workspace, registers: Registers, active: np.uint64, eager: bool
) -> tuple[Sam, Registers]:
    """An offspring by SAM. eager: was the last one accepted? Then it is the parent, and remembered."""
    if eager:
        remember(space)
    return sam(space, registers, active)


@inlined
def _lean_offspring(
    space: Workspace, registers: Registers, active: np.uint64, eager: bool
) -> tuple[Sam, Registers]:
    """An offspring by SAM, without waste if it will hardly be accepted and the loop would be long."""
    if eager:
        remember(space)
    if eager or is_short(space.lean, space.slots, active_genes(space, active)):
        return sam(space, registers, active)
    return lean_sam(space, registers, active)


class End(NamedTuple):
    """What the end of an offspring brought: nodes touched late, elementary steps, and how many rejected
    offspring of the parent are to be noted later.
    """

    touched: np.uint64
    steps: np.int64
    pending: np.int64


@inlined
def _end(
    core: Core, space: Workspace, registers: Registers, active: np.uint64, made: Sam, accepted: bool,
    pending: np.int64,
) -> tuple[End, Registers]:  # fmt: skip
    """Drop an offspring that is not accepted; the literal stream has drawn everything."""
    if not accepted:
        restore(space)
    return End(_ZERO, np.int64(0), np.int64(0)), registers


@inlined
def _pay_and_end(
    core: Core, space: Workspace, registers: Registers, active: np.uint64, made: Sam, accepted: bool,
    pending: np.int64,
) -> tuple[End, Registers]:  # fmt: skip
    """Draw what is owed for an offspring, or drop it.

    An accepted one needs its inactive changes; the `pending` rejected offspring before it are noted.
    """
    if not accepted:
        restore(space)
        return End(_ZERO, np.int64(0), pending + np.int64(not made.drifted)), registers
    _count_undrawn(core, space, active, pending)
    if made.drifted:
        return End(_ZERO, np.int64(0), np.int64(0)), registers
    late, registers = drift(space, registers, active)
    return End(late.touched, np.int64(late.steps), np.int64(0)), registers


next_offspring = by_stream(_literal_offspring, _lean_offspring)
conclude = by_stream(_end, _pay_and_end)
