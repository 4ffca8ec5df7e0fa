"""What the fast kernels share: one offspring by SAM, kept or dropped, counters in registers.

The child is changed in place. A log holds the old value of every changed gene, so that a dropped
offspring is undone backwards and a kept one costs nothing; the parent's own array is written when
a kernel returns. The log has room for two entries a gene; when it is full, only the first entry of
each gene is kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.core import ACCEPTED, LOGGED, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.registers import Registers, pick, store
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.slots import Slots, draw_slot, draw_value, gene_of, others_of, owner_of
from gatewalk.jit import inlined

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)


class Log(NamedTuple):
    """entries: gene in the lower, old value in the upper half. marks: a byte for each gene, zero."""

    entries: NDArray[np.uint64]
    marks: NDArray[np.uint8]


def log_of(genes: int) -> Log:
    """Room for the changes of one offspring."""
    return Log(np.zeros(2 * genes + 2, dtype=np.uint64), np.zeros(genes, dtype=np.uint8))


class Sam(NamedTuple):
    """What a call of SAM did.

    record: the slot that ended it. changed: is that gene's value another one? logged: changes in the
    log. touched: their nodes as bits, where sources fit into a word. steps: elementary steps.
    """

    record: np.uint64
    changed: bool
    logged: np.uint64
    touched: np.uint64
    steps: np.uint64


@inlined
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
def undo(child: NDArray[np.int64], log: Log, logged: np.uint64) -> None:
    """Give the logged genes their old values back, the last one first."""
    while logged != _ZERO:
        logged -= _ONE
        entry = log.entries[logged]
        child[entry & _LOW] = np.int64(entry >> _HALF)


@inlined
def change(
    child: NDArray[np.int64], log: Log, logged: np.uint64, gene: np.uint64, value: np.uint64
) -> np.uint64:
    """Give a gene of the child a value; returns how many changes are in the log."""
    if logged == np.uint64(log.entries.size):
        logged = compact(log, logged)
    log.entries[logged] = gene | np.uint64(child[gene]) << _HALF
    child[gene] = np.int64(value)
    return logged + _ONE


@inlined
def sam(
    child: NDArray[np.int64],
    slots: Slots,
    log: Log,
    registers: Registers,
    active: NDArray[np.uint8] | NDArray[np.int32],
    picked_ends: bool,
) -> tuple[Sam, Registers]:
    """SAM (Algorithm 3); active[s] is not zero for active sources, and for n + D, the outputs.

    `touched` is not told.
    """
    logged = _ZERO
    steps = _ZERO
    while True:
        record, spare, registers = draw_slot(slots, registers)
        steps += _ONE
        is_active = active[owner_of(record)] != 0
        if others_of(record) == _ZERO:
            if picked_ends and is_active:
                return Sam(record, False, logged, _ZERO, steps), registers
            continue
        gene = gene_of(record)
        value, registers = draw_value(slots, registers, record, spare, np.uint64(child[gene]))
        logged = change(child, log, logged, gene, value)
        if is_active:
            return Sam(record, True, logged, _ZERO, steps), registers


@inlined
def accepts(rule: Rule, registers: Registers, parent: np.int64, child: np.int64) -> tuple[bool, Registers]:
    """Does the offspring replace the parent? See `gatewalk.cgp.rule.accepts`."""
    if child != parent:
        return bool(child < parent), registers
    if rule.strict:
        return False, registers
    if rule.coin_ties:
        choice, _, registers = pick(registers, _TWO)
        return choice != _ZERO, registers
    return True, registers


@inlined
def settle(core: Core, offspring: np.int64, rank: np.int64) -> bool:
    """Count an accepted offspring and log it if it is better; returns whether to stop."""
    counters = core.counters
    counters[ACCEPTED] += 1
    if rank == counters[RANK]:
        return False
    position = counters[LOGGED]
    core.log[position, 0] = offspring
    core.log[position, 1] = rank
    counters[LOGGED] = position + 1
    counters[RANK] = rank
    return bool(rank == 0 or position + 1 == core.log.shape[0])


@inlined
def may_go_on(core: Core) -> bool:
    """Is there something to search for, and room in the log?"""
    return bool(core.counters[RANK] > 0 and core.counters[LOGGED] < core.log.shape[0])


@inlined
def write_back(core: Core, registers: Registers, offspring: np.int64, steps: np.int64) -> None:
    """Put back what a kernel kept in registers."""
    store(core.stream, registers)
    core.counters[OFFSPRING] = offspring
    core.counters[STEPS] = steps


@inlined
def keep_child(core: Core) -> None:
    """The child, which kept offspring left changed, becomes the parent."""
    for gene in range(np.uint64(core.genes.size)):
        core.genes[gene] = core.child[gene]
