"""What fast kernels do around an offspring: is it accepted, is it better, what is written at the end."""

from __future__ import annotations

import numpy as np

from gatewalk.cgp.blocks import copy_all
from gatewalk.cgp.core import ACCEPTED, EAGER, LOGGED, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.registers import Registers, pick, store
from gatewalk.cgp.rule import Rule
from gatewalk.jit import inlined

_ZERO, _TWO = np.uint64(0), np.uint64(2)


@inlined
def accepts(rule: Rule, registers: Registers, parent: np.int64, child: np.int64) -> tuple[bool, Registers]:
    """Does the offspring replace the parent? See `gatewalk.cgp.rule.accepts`."""
    if rule.coin_ties and not rule.strict and child == parent:
        choice, _, registers = pick(registers, _TWO)
        return choice != _ZERO, registers
    return bool(child < parent + np.int64(not rule.strict)), registers


@inlined
def note(core: Core, offspring: np.int64, rank: np.int64) -> bool:
    """Log an offspring that is better; returns whether to go on."""
    counters = core.counters
    position = counters[LOGGED]
    core.log[position, 0] = offspring
    core.log[position, 1] = rank
    counters[LOGGED] = position + 1
    counters[RANK] = rank
    return bool(rank != 0 and position + 1 < core.log.shape[0])


@inlined
def may_go_on(core: Core) -> bool:
    """Is there something to search for, and room in the log?"""
    return bool(core.counters[RANK] > 0 and core.counters[LOGGED] < core.log.shape[0])


@inlined
def write_back(
    core: Core, registers: Registers, offspring: np.int64, steps: np.int64, kept: np.int64, eager: bool
) -> None:
    """Put back what a kernel kept in registers. kept: how many offspring it accepted."""
    store(core.stream, registers)
    core.counters[ACCEPTED] += kept
    core.counters[EAGER] = eager
    core.counters[OFFSPRING] = offspring
    core.counters[STEPS] = steps


@inlined
def keep_child(core: Core) -> None:
    """The child, which kept offspring left changed, becomes the parent."""
    copy_all(core.genes, core.child)
