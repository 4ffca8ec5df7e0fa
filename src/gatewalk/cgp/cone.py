"""Small programs on small tables: a forward pass in which every source carries its cone.

For one output, n + D <= 63, gates of at most two inputs and at most 64 rows: the value of a source
is one word, its cone (all sources under it) another, so the active set is the cone of the output
and costs nothing. The pass has no branches; it begins at the lowest node whose genes are not those
it last saw, and ends at the one that the output reads. The same pass evaluates symbolically, for any
number of inputs that fits: {AND} on AND from the cone of the output alone (see `cone_symbolic`, which
is faster where most offspring are dropped), {XOR} on XOR with parity vectors for values: any parity
but the full one is wrong on half of the rows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.bits import lowest
from gatewalk.cgp.core import EAGER, OFFSPRING, RANK, STEPS, Core
from gatewalk.cgp.layout import Layout, gate_words, is_and_alone
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.loops import rolled
from gatewalk.cgp.registers import load
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.verdict import accepts, may_go_on, note, write_back
from gatewalk.cgp.workspace import (
    CONE,
    OUTPUT,
    VALUE,
    Workspace,
    active_of,
    first_of,
    gate_of,
    load_genes,
    next_offspring,
    restore,
    second_of,
    store_genes,
    workspace_of,
)
from gatewalk.jit import Int, inlined, outlined
from gatewalk.popcount import popcount

# What is computed: tables with any gates or with AND alone; parity vectors; cones and nothing else.
TABLE, TABLE_OF_AND, PARITY, SETS = range(4)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Cone(NamedTuple):
    """space: the program. state: active sources; all sources below this one are as their genes say.

    kind: what is computed, as the length of a tuple, which makes it a constant to the compiler. gates:
    algebraic normal form of each gate, then all ones if it reads its second input. wanted, mask: the
    target's word and its rows.
    """

    space: Workspace
    state: NDArray[np.uint64]
    gates: NDArray[np.uint64]
    kind: tuple[int, ...]
    wanted: np.uint64
    mask: np.uint64


def room_of(layout: Layout, training: TrainingSet, lean: Lean) -> Cone:
    """Room to walk on a table of at most 64 rows."""
    room = _room(layout, TABLE_OF_AND if is_and_alone(layout) else TABLE, lean)
    room.space.words[int(VALUE) : int(VALUE) + layout.inputs] = training.inputs[:, 0]
    return room._replace(wanted=np.uint64(training.outputs[0, 0]), mask=np.uint64(last_mask(training.rows)))


def symbolic_room_of(layout: Layout, lean: Lean, *, parity: bool) -> Cone:
    """Room to walk on the complete table of AND with {AND}, or of XOR with {XOR}."""
    room = _room(layout, PARITY if parity else SETS, lean)
    values = room.space.words[int(VALUE) : int(VALUE) + layout.inputs]
    values[:] = _ONE << np.arange(layout.inputs, dtype=np.uint64)
    return room


def _room(layout: Layout, kind: int, lean: Lean) -> Cone:
    everyone = np.uint64((1 << layout.inputs) - 1)
    state = np.zeros(2, dtype=np.uint64)
    return Cone(workspace_of(layout, lean), state, gate_words(layout), (0,) * kind, everyone, everyone)


@inlined
def compute(room: Cone, source: np.uint64) -> None:
    """The value and the cone of a node."""
    words, kind = room.space.words, len(room.kind)
    a, b = first_of(room.space, source), second_of(room.space, source)
    below = words[CONE + b]
    if kind == TABLE_OF_AND:
        words[VALUE + source] = words[VALUE + a] & words[VALUE + b]
    elif kind == PARITY:
        words[VALUE + source] = words[VALUE + a] ^ words[VALUE + b]
    elif kind == TABLE:
        gate = gate_of(room.space, source)
        x, y = words[VALUE + a], words[VALUE + b]
        without = room.gates[gate, 0] ^ (room.gates[gate, 1] & x)
        factor = room.gates[gate, 2] ^ (room.gates[gate, 3] & x)
        words[VALUE + source] = without ^ (y & factor)
        below &= room.gates[gate, 4]
    words[CONE + source] = words[CONE + a] | below | _ONE << source


@inlined
def pass_from(room: Cone, source: np.uint64, end: np.uint64) -> None:
    """Compute all nodes from a source on, two at a time: after the last one, a place that nobody reads."""
    while source < end:
        rolled()
        compute(room, source)
        compute(room, source + _ONE)
        source += np.uint64(2)


@inlined
def rank_of(room: Cone) -> np.int64:
    """Mismatches of a table; inputs missing from a set; 0 for the full parity vector, else 1."""
    row = CONE if len(room.kind) == SETS else VALUE
    wrong = (room.space.words[row + first_of(room.space, OUTPUT)] ^ room.wanted) & room.mask
    if len(room.kind) == PARITY:
        return np.int64(wrong != _ZERO)
    return popcount(wrong)


@outlined
def rank(layout: Layout, room: Cone, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    load_genes(room.space, genes)
    end = room.space.inputs + np.uint64(layout.nodes)
    pass_from(room, room.space.inputs, end)
    room.state[0] = active_of(room.space)
    room.state[1] = end
    return rank_of(room)


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: Cone, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    offspring, steps, kept = core.counters[OFFSPRING], core.counters[STEPS], np.int64(0)
    parent = core.counters[RANK]
    active, fresh = room.state[0], room.state[1]
    space = room.space
    registers = load(core.stream)
    going = may_go_on(core)
    accepted = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(space, registers, active, accepted)
        offspring += 1
        low, top = min(fresh, lowest(made.touched | _ONE << OUTPUT)), first_of(space, OUTPUT) + _ONE
        pass_from(room, low, top)
        child, child_active = rank_of(room), active_of(space)
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            restore(space)
        steps += np.int64(made.steps)
        kept += np.int64(accepted)
        fresh = low
        if accepted:
            fresh = max(low, top)
            active = child_active
        if child < parent:
            parent = child
            going = note(core, offspring, child)
    room.state[0], room.state[1] = active, fresh
    store_genes(space, core)
    write_back(core, registers, offspring, steps, kept, accepted)
