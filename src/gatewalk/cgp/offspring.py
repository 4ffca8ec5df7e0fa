"""What the fast kernels share: one offspring by SAM, kept or dropped, counters in registers.

The child is changed in place and differs from the parent in the logged genes only. A gene that
SAM picks twice is logged twice; a log that ran over means a copy of the whole program.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.core import ACCEPTED, LOGGED, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.registers import Registers, pick
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.slots import Slots, draw_slot, draw_value, gene_of, others_of, owner_of
from gatewalk.jit import inlined

_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


@inlined
def log_change(core: Core, logged: np.uint64, gene: np.uint64) -> np.uint64:
    """Log a changed gene; returns how many changes there were."""
    if logged < np.uint64(core.touched.size):
        core.touched[logged] = np.int64(gene)
    return logged + _ONE


@inlined
def undo(core: Core, logged: np.uint64) -> None:
    """Make the child the parent's copy again."""
    if logged > np.uint64(core.touched.size):
        for gene in range(np.uint64(core.genes.size)):
            core.child[gene] = core.genes[gene]
        return
    for position in range(logged):
        changed = np.uint64(core.touched[position])
        core.child[changed] = core.genes[changed]


@inlined
def keep(core: Core, logged: np.uint64) -> None:
    """Make the parent the child's copy."""
    if logged > np.uint64(core.touched.size):
        for gene in range(np.uint64(core.genes.size)):
            core.genes[gene] = core.child[gene]
        return
    for position in range(logged):
        changed = np.uint64(core.touched[position])
        core.genes[changed] = core.child[changed]


@inlined
def sam_by_word(
    core: Core, slots: Slots, registers: Registers, active: np.uint64, picked_ends: bool
) -> tuple[np.uint64, bool, np.uint64, np.int64, Registers]:
    """SAM (Algorithm 3) where `active` has a bit for each source and for the outputs.

    Returns the slot that ended it, whether its gene changed, the changes logged, the elementary
    steps and the stream.
    """
    logged = _ZERO
    steps = np.int64(0)
    while True:
        record, spare, registers = draw_slot(slots, registers)
        steps += 1
        is_active = (active >> owner_of(record)) & _ONE != _ZERO
        if others_of(record) == _ZERO:
            if is_active and picked_ends:
                return record, False, logged, steps, registers
            continue
        gene = gene_of(record)
        value, registers = draw_value(slots, registers, record, spare, np.uint64(core.child[gene]))
        core.child[gene] = np.int64(value)
        logged = log_change(core, logged, gene)
        if is_active:
            return record, True, logged, steps, registers


@inlined
def sam_by_bytes(
    core: Core, slots: Slots, registers: Registers, active: NDArray[np.uint8], picked_ends: bool
) -> tuple[np.uint64, bool, np.uint64, np.int64, Registers]:
    """As `sam_by_word`, with a byte for each source and one for the outputs."""
    logged = _ZERO
    steps = np.int64(0)
    while True:
        record, spare, registers = draw_slot(slots, registers)
        steps += 1
        is_active = active[owner_of(record)] != 0
        if others_of(record) == _ZERO:
            if is_active and picked_ends:
                return record, False, logged, steps, registers
            continue
        gene = gene_of(record)
        value, registers = draw_value(slots, registers, record, spare, np.uint64(core.child[gene]))
        core.child[gene] = np.int64(value)
        logged = log_change(core, logged, gene)
        if is_active:
            return record, True, logged, steps, registers


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
def settle(core: Core, offspring: np.int64, rank: np.int64) -> None:
    """Count an accepted offspring and log it if it is better."""
    counters = core.counters
    counters[ACCEPTED] += 1
    if rank < counters[RANK]:
        position = counters[LOGGED]
        core.log[position, 0] = offspring
        core.log[position, 1] = rank
        counters[LOGGED] = position + 1
    counters[RANK] = rank


@inlined
def write_counters(core: Core, offspring: np.int64, steps: np.int64) -> None:
    """Put the counters that a kernel kept in registers back."""
    core.counters[OFFSPRING] = offspring
    core.counters[STEPS] = steps
