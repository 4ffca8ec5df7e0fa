"""All arrays of a small program in one, for kernels that live in registers.

With n + D <= 63 sources, everything about a source has a place in a row of 64 words, and the rows
lie in one array at fixed offsets: the processor then needs one register for all of them, and the
place of a gene tells its node. Place 63 of a row stands for the output.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.bits import nth
from gatewalk.cgp.core import Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean, by_stream, drawn_genes, kind_and_rank
from gatewalk.cgp.loops import rolled
from gatewalk.cgp.offspring import Sam
from gatewalk.cgp.registers import Registers, below_from, pick
from gatewalk.jit import inlined
from gatewalk.popcount import popcount

LARGEST = 63  # sources
OUTPUT = np.uint64(63)
# Rows: the gate and the two sources read by each node; sets of sources; values; valid values.
GATE, FIRST, SECOND = np.uint64(0), np.uint64(64), np.uint64(128)
CONE, DOMINATORS, WITHOUT, VALUE = np.uint64(192), np.uint64(256), np.uint64(320), np.uint64(384)
SKIP_FROM, SKIP = np.uint64(448), np.uint64(640)  # three rows each, as the genes
SLOTS = np.uint64(832)  # what SAM draws from: the place of a gene, other values in the upper half
LOG = np.uint64(1088)  # changes of an offspring: the place of a gene, old value in the upper half
LOG_ROOM = 512
WORDS = 1088 + LOG_ROOM
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_PLACE = np.uint64(63)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)

Words = NDArray[np.uint64]


def places_of(layout: Layout) -> NDArray[np.int64]:
    """The place of every gene; an output gene is the first source of the output."""
    genes = np.arange(layout.owner.size)
    places = (genes % layout.block) * 64 + layout.inputs + layout.owner
    places[layout.nodes * layout.block :] = int(FIRST + OUTPUT)
    return places.astype(np.int64)


def words_of(layout: Layout) -> Words:
    """A workspace with its constants filled in, and for every input its cone."""
    words = np.zeros(WORDS, dtype=np.uint64)
    places = places_of(layout)
    words[places + int(SKIP_FROM)] = layout.skip_from
    words[places + int(SKIP)] = layout.skip
    words[int(CONE) : int(CONE) + layout.inputs] = _ONE << np.arange(layout.inputs, dtype=np.uint64)
    return words


def put_slots(words: Words, layout: Layout, lean: Lean) -> int:
    """Write the slots of all genes that are drawn from; returns their number."""
    others = (layout.choices - 1).astype(np.uint64)
    slots = (places_of(layout).astype(np.uint64) | others << _HALF)[drawn_genes(lean, layout)]
    words[int(SLOTS) : int(SLOTS) + slots.size] = slots
    return int(slots.size)


@inlined
def load_genes(words: Words, places: NDArray[np.int64], genes: NDArray[np.int64]) -> None:
    """Copy a program in."""
    for gene in range(np.uint64(genes.size)):
        words[np.uint64(places[gene])] = np.uint64(genes[gene])


@inlined
def store_genes(words: Words, places: NDArray[np.int64], core: Core) -> None:
    """Copy the program out, as the parent and as the child."""
    for gene in range(np.uint64(places.size)):
        value = np.int64(words[np.uint64(places[gene])])
        core.genes[gene] = value
        core.child[gene] = value


@inlined
def new_value(
    words: Words, registers: Registers, place: np.uint64, others: np.uint64, spare: np.uint64, far: bool
) -> tuple[np.uint64, Registers]:
    """NewValue (Algorithm 2) for a gene with other values. far: some genes skip values."""
    value, registers = below_from(registers, spare, others)
    current = words[place]
    if far:
        skip_from, skip = words[place + SKIP_FROM], words[place + SKIP]
        if current >= skip_from:
            current -= skip
        value += np.uint64(value >= current)
        if value >= skip_from:
            value += skip
    else:
        value += np.uint64(value >= current)
    return value, registers


@inlined
def first_entries(words: Words, logged: np.uint64) -> np.uint64:
    """Keep the first entry of each gene in the log; returns how many there are."""
    kept = _ZERO
    for position in range(logged):
        entry = words[LOG + position]
        is_first = True
        for earlier in range(kept):
            is_first &= words[LOG + earlier] & _LOW != entry & _LOW
        if is_first:
            words[LOG + kept] = entry
            kept += _ONE
    return kept


@inlined
def undo(words: Words, logged: np.uint64) -> None:
    """Give the logged genes their old values back, the last one first."""
    while logged != _ZERO:
        rolled()
        logged -= _ONE
        entry = words[LOG + logged]
        words[entry & _LOW] = entry >> _HALF


@inlined
def give(words: Words, logged: np.uint64, place: np.uint64, value: np.uint64) -> np.uint64:
    """Give a gene a value; returns how many changes are in the log, which has room for one more."""
    words[LOG + logged] = place | words[place] << _HALF
    words[place] = value
    return logged + _ONE


@inlined
def sam(
    words: Words,
    slots: np.uint64,
    registers: Registers,
    active: np.uint64,
    picked_ends: bool,
    far: bool,
    logged: np.uint64,
) -> tuple[Sam, Registers]:
    """SAM (Algorithm 3), every elementary step drawn; `active` has a bit for each source and for the output.

    One branch at the end of a turn, since the processor guesses wrong whether a gene is active, and whether
    it can change: one that cannot is given the value that it has.
    """
    touched = steps = _ZERO
    while True:
        choice, spare, registers = pick(registers, slots)
        slot = words[SLOTS + choice]
        steps += _ONE
        place, others = slot & _LOW, slot >> _HALF
        old = words[place]
        value, registers = new_value(words, registers, place, others, spare, far)
        value = value if others != _ZERO else old
        owner = _ONE << (place & _PLACE)
        moved = owner if others != _ZERO else _ZERO
        logged = give(words, logged, place, value)
        touched |= moved
        if active & (owner if picked_ends else moved) != _ZERO:
            return Sam(place, others != _ZERO, old, logged, touched, steps, True), registers
        if logged == np.uint64(LOG_ROOM):
            logged = first_entries(words, logged)


@inlined
def drift(
    words: Words,
    slots: np.uint64,
    registers: Registers,
    active: np.uint64,
    picked_ends: bool,
    far: bool,
    logged: np.uint64,
) -> tuple[Sam, Registers]:
    """What SAM changes before it changes an active gene."""
    made, registers = sam(words, slots, registers, active, picked_ends, far, logged)
    words[made.record] = made.old
    logged = made.logged - _ONE
    return Sam(made.record, False, made.old, logged, made.touched & ~active, made.steps, True), registers


@inlined
def lean_sam(
    words: Words,
    slots: np.uint64,
    registers: Registers,
    active: np.uint64,
    inputs: np.uint64,
    lean: Lean,
    picked_ends: bool,
    far: bool,
) -> tuple[Sam, Registers]:
    """SAM without waste (see `lean`): the active change, and the others if it leads to an inactive node."""
    kinds = np.uint64(len(lean.kinds))
    nodes = (active & ~(_ONE << OUTPUT)) >> inputs
    count = np.uint64(popcount(nodes))
    place = others = spare = _ZERO
    while True:
        choice, spare, registers = pick(registers, kinds * count + _ONE)
        index = slots - _ONE
        if choice != kinds * count:
            kind, rank = kind_and_rank(choice, count)
            index = nth(nodes, rank) * kinds + kind
        slot = words[SLOTS + index]
        place, others = slot & _LOW, slot >> _HALF
        if picked_ends or others != _ZERO:
            break
    if others == _ZERO:
        return Sam(place, False, _ZERO, _ZERO, _ZERO, _ZERO, False), registers
    old = words[place]
    value, registers = new_value(words, registers, place, others, spare, far)
    logged = give(words, _ZERO, place, value)
    owner = place & _PLACE
    touched = _ONE << owner
    read = _ONE << words[FIRST + owner] | _ONE << words[SECOND + owner]
    if (read >> inputs) & ~nodes == _ZERO:
        return Sam(place, True, old, logged, touched, _ZERO, False), registers
    end, registers = drift(words, slots, registers, active, picked_ends, far, logged)
    return Sam(place, True, old, end.logged, touched | end.touched, end.steps, True), registers


@inlined
def ending_genes(
    words: Words, slots: np.uint64, active: np.uint64, inputs: np.uint64, lean: Lean, picked_ends: bool
) -> np.uint64:
    """How many genes end SAM's loop when picked."""
    if picked_ends or not lean.fixed:
        return np.uint64(len(lean.kinds)) * np.uint64(popcount((active & ~(_ONE << OUTPUT)) >> inputs)) + _ONE
    ending = _ZERO
    for slot in range(slots):
        record = words[SLOTS + slot]
        ending += np.uint64(record >> _HALF != _ZERO and (active >> (record & _PLACE)) & _ONE != _ZERO)
    return np.uint64(ending)


@inlined
def count_undrawn(
    core: Core,
    words: Words,
    slots: np.uint64,
    active: np.uint64,
    inputs: np.uint64,
    lean: Lean,
    picked_ends: bool,
    pending: np.int64,
) -> None:
    """Note rejected offspring of the parent whose elementary steps were not drawn."""
    if pending != 0:
        core.undrawn[ending_genes(words, slots, active, inputs, lean, picked_ends)] += pending


@inlined
def _literal_offspring(
    words: Words,
    slots: np.uint64,
    registers: Registers,
    active: np.uint64,
    inputs: np.uint64,
    lean: Lean,
    eager: bool,
    picked_ends: bool,
    far: bool,
) -> tuple[Sam, Registers]:
    """An offspring by SAM. eager: was the last one accepted?"""
    return sam(words, slots, registers, active, picked_ends, far, _ZERO)


@inlined
def _lean_offspring(
    words: Words,
    slots: np.uint64,
    registers: Registers,
    active: np.uint64,
    inputs: np.uint64,
    lean: Lean,
    eager: bool,
    picked_ends: bool,
    far: bool,
) -> tuple[Sam, Registers]:
    """An offspring by SAM, without waste if it will hardly be accepted."""
    if eager:
        return sam(words, slots, registers, active, picked_ends, far, _ZERO)
    return lean_sam(words, slots, registers, active, inputs, lean, picked_ends, far)


@inlined
def _nothing_owed(
    core: Core,
    words: Words,
    slots: np.uint64,
    registers: Registers,
    active: np.uint64,
    inputs: np.uint64,
    lean: Lean,
    picked_ends: bool,
    far: bool,
    made: Sam,
    pending: np.int64,
) -> tuple[np.uint64, np.int64, Registers]:
    """The literal stream has drawn everything."""
    return _ZERO, np.int64(0), registers


@inlined
def _pay(
    core: Core,
    words: Words,
    slots: np.uint64,
    registers: Registers,
    active: np.uint64,
    inputs: np.uint64,
    lean: Lean,
    picked_ends: bool,
    far: bool,
    made: Sam,
    pending: np.int64,
) -> tuple[np.uint64, np.int64, Registers]:
    """Draw the inactive changes of an accepted offspring; returns the nodes and the elementary steps.

    The `pending` rejected offspring before it are noted.
    """
    count_undrawn(core, words, slots, active, inputs, lean, picked_ends, pending)
    if made.drifted:
        return _ZERO, np.int64(0), registers
    late, registers = drift(words, slots, registers, active, picked_ends, far, made.logged)
    return late.touched, np.int64(late.steps), registers


next_offspring = by_stream(_literal_offspring, _lean_offspring)
pay_for_accepted = by_stream(_nothing_owed, _pay)
