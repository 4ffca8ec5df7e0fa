"""SAM on programs of any size, in place, with a log; for gates of at most two inputs.

The log holds the old value of every changed gene, so that a dropped offspring is undone backwards and a
kept one costs nothing; the parent's own array is written when a kernel returns. It has room for two
entries a gene; when it is full, only the first entry of each gene is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.bits import nth
from gatewalk.cgp.core import Core
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean, by_stream, is_short, kind_and_rank
from gatewalk.cgp.registers import Registers, pick
from gatewalk.cgp.slots import Slots, draw_slot, draw_value, gene_of, others_of, owner_of, slots_of
from gatewalk.jit import inlined, internal
from gatewalk.popcount import popcount

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
_SIX, _HALF, _LOW = np.uint64(6), np.uint64(32), np.uint64(0xFFFFFFFF)
_BLOCK = np.uint64(3)  # genes of a node

Words = NDArray[np.uint64]
Genes = NDArray[np.int64]
Active = NDArray[np.uint8] | NDArray[np.int32]


class Log(NamedTuple):
    """entries: gene in the lower, old value in the upper half. marks: a byte for each gene, zero."""

    entries: NDArray[np.uint64]
    marks: NDArray[np.uint8]


class Draws(NamedTuple):
    """What SAM draws from. active[s] is not zero for active sources, and for n + D, which stands for the
    outputs; bits: the active nodes. Both belong to the evaluation, which keeps them.
    """

    slots: Slots
    log: Log
    lean: Lean
    active: Active
    bits: Words
    inputs: np.uint64
    nodes: np.uint64
    outputs: np.uint64


def draws_of(layout: Layout, lean: Lean, active: Active, bits: Words) -> Draws:
    """SAM of a shape under a law. Needs gates of at most two inputs."""
    genes = layout.owner.size
    log = Log(np.zeros(2 * genes + 2, dtype=np.uint64), np.zeros(genes, dtype=np.uint8))
    counts = (np.uint64(count) for count in (layout.inputs, layout.nodes, layout.outputs))
    return Draws(slots_of(layout, lean), log, lean, active, bits, *counts)


class Sam(NamedTuple):
    """What a call of SAM did.

    record: the slot that ended it. changed: is that gene's value another one than `old`? logged: changes
    in the log. steps: elementary steps. drifted: were the inactive changes drawn, and the steps with them
    (see `lean`)?
    """

    record: np.uint64
    changed: bool
    old: np.uint64
    logged: np.uint64
    steps: np.uint64
    drifted: bool


@internal
def compact(log: Log, logged: np.uint64) -> np.uint64:
    """Keep the first entry of each gene; returns how many there are."""
    kept = _ZERO
    for position in range(logged):
        gene = log.entries[position] & _LOW
        if log.marks[gene] == 0:
            log.marks[gene] = 1
            log.entries[kept] = log.entries[position]
            kept += _ONE
    for position in range(kept):
        log.marks[log.entries[position] & _LOW] = 0
    return kept


@inlined
def undo(child: Genes, log: Log, logged: np.uint64) -> None:
    """Give the logged genes their old values back, the last one first."""
    while logged != _ZERO:
        logged -= _ONE
        entry = log.entries[logged]
        child[entry & _LOW] = np.int64(entry >> _HALF)


@inlined
def change(child: Genes, log: Log, logged: np.uint64, gene: np.uint64, value: np.uint64) -> np.uint64:
    """Give a gene of the child a value; returns how many changes are in the log."""
    if logged == np.uint64(log.entries.size):
        logged = compact(log, logged)
    log.entries[logged] = gene | np.uint64(child[gene]) << _HALF
    child[gene] = np.int64(value)
    return logged + _ONE


@inlined
def sam(child: Genes, draws: Draws, registers: Registers, logged: np.uint64) -> tuple[Sam, Registers]:
    """SAM (Algorithm 3), every elementary step drawn."""
    steps = _ZERO
    while True:
        record, spare, registers = draw_slot(draws.slots, registers)
        steps += _ONE
        others = others_of(record)
        gene = gene_of(record)
        old = np.uint64(child[gene])
        value, registers = draw_value(draws.slots, registers, record, spare, old)
        value = value if others != _ZERO else old
        ends = (draws.active[owner_of(record)] != 0) & (draws.lean.picked | (others != _ZERO))
        logged = change(child, draws.log, logged, gene, value)
        if ends:
            return Sam(record, others != _ZERO, old, logged, steps, True), registers


@internal
def drift(child: Genes, draws: Draws, registers: Registers, logged: np.uint64) -> tuple[Sam, Registers]:
    """What SAM changes before it changes an active gene."""
    made, registers = sam(child, draws, registers, logged)
    child[gene_of(made.record)] = np.int64(made.old)
    return Sam(made.record, False, made.old, made.logged - _ONE, made.steps, True), registers


@inlined
def count_ones(bits: Words) -> np.uint64:
    """The number of ones in a set of nodes."""
    count = _ZERO
    for word in range(np.uint64(bits.size)):
        count += np.uint64(popcount(bits[word]))
    return count


@inlined
def nth_of(bits: Words, k: np.uint64) -> np.uint64:
    """The k-th node of a set, counted from 0."""
    word = _ZERO
    here = np.uint64(popcount(bits[0]))
    while k >= here:
        k -= here
        word += _ONE
        here = np.uint64(popcount(bits[word]))
    return (word << _SIX) + nth(bits[word], k)


@inlined
def is_inactive_node(draws: Draws, source: np.uint64) -> bool:
    """Is a source a node without a path to an output?"""
    return bool(source >= draws.inputs and draws.active[source] == 0)


@inlined
def leads_to_inactive(child: Genes, draws: Draws, record: np.uint64) -> bool:
    """Does a connection of a slot's node, or its output gene, lead to an inactive node?"""
    owner = owner_of(record)
    if owner == draws.inputs + draws.nodes:
        return is_inactive_node(draws, np.uint64(child[gene_of(record)]))
    first = (owner - draws.inputs) * _BLOCK
    a, b = np.uint64(child[first + _ONE]), np.uint64(child[first + _TWO])
    return is_inactive_node(draws, a) or is_inactive_node(draws, b)


@inlined
def active_genes(draws: Draws) -> np.uint64:
    """How many of the genes drawn from are active."""
    return np.uint64(len(draws.lean.kinds)) * count_ones(draws.bits) + draws.outputs


@inlined
def lean_sam(child: Genes, draws: Draws, registers: Registers) -> tuple[Sam, Registers]:
    """SAM without waste (see `lean`): the active change, and the others if it leads to an inactive node."""
    kinds, count = np.uint64(len(draws.lean.kinds)), count_ones(draws.bits)
    record = spare = _ZERO
    while True:
        choice, spare, registers = pick(registers, kinds * count + draws.outputs)
        slot = kinds * (draws.nodes - count) + choice
        if choice < kinds * count:
            kind, rank = kind_and_rank(kinds, choice, count)
            slot = nth_of(draws.bits, rank) * kinds + kind
        record = draws.slots.records[slot]
        if draws.lean.picked or others_of(record) != _ZERO:
            break
    if others_of(record) == _ZERO:
        return Sam(record, False, _ZERO, _ZERO, _ZERO, False), registers
    gene = gene_of(record)
    old = np.uint64(child[gene])
    value, registers = draw_value(draws.slots, registers, record, spare, old)
    logged = change(child, draws.log, _ZERO, gene, value)
    if not leads_to_inactive(child, draws, record):
        return Sam(record, True, old, logged, _ZERO, False), registers
    end, registers = drift(child, draws, registers, logged)
    return Sam(record, True, old, end.logged, end.steps, True), registers


@internal
def ending_genes(draws: Draws) -> np.uint64:
    """How many genes end SAM's loop when picked."""
    if draws.lean.picked or not draws.lean.fixed:
        return active_genes(draws)
    ending = _ZERO
    for slot in range(np.uint64(draws.slots.records.size)):
        record = draws.slots.records[slot]
        ending += np.uint64(others_of(record) != _ZERO and draws.active[owner_of(record)] != 0)
    return np.uint64(ending)


@inlined
def _none_undrawn(core: Core, draws: Draws, pending: np.int64) -> None:
    """The literal stream has drawn everything."""


@inlined
def _count_undrawn(core: Core, draws: Draws, pending: np.int64) -> None:
    """Note rejected offspring of the parent whose elementary steps were not drawn."""
    if pending != 0:
        core.undrawn[ending_genes(draws)] += pending


@inlined
def _literal_offspring(
    child: Genes, draws: Draws, registers: Registers, eager: bool
) -> tuple[Sam, Registers]:
    """An offspring by SAM. eager: was the last one accepted?"""
    return sam(child, draws, registers, _ZERO)


@inlined
def _lean_offspring(child: Genes, draws: Draws, registers: Registers, eager: bool) -> tuple[Sam, Registers]:
    """An offspring by SAM, without waste if it will hardly be accepted and the loop would be long."""
    if eager or is_short(draws.lean, np.uint64(draws.slots.records.size), active_genes(draws)):
        return sam(child, draws, registers, _ZERO)
    return lean_sam(child, draws, registers)


@inlined
def _nothing_owed(
    core: Core, child: Genes, draws: Draws, registers: Registers, made: Sam, pending: np.int64
) -> tuple[np.int64, Registers]:
    """The literal stream has drawn everything."""
    return np.int64(0), registers


@inlined
def _pay(
    core: Core, child: Genes, draws: Draws, registers: Registers, made: Sam, pending: np.int64
) -> tuple[np.int64, Registers]:
    """Draw the inactive changes of an accepted offspring; returns the elementary steps.

    The `pending` rejected offspring before it are noted.
    """
    _count_undrawn(core, draws, pending)
    if made.drifted:
        return np.int64(0), registers
    late, registers = drift(child, draws, registers, made.logged)
    return np.int64(late.steps), registers


count_undrawn = by_stream(_none_undrawn, _count_undrawn)
next_offspring = by_stream(_literal_offspring, _lean_offspring)
pay_for_accepted = by_stream(_nothing_owed, _pay)
