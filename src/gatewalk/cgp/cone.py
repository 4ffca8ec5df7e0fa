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
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import Lean
from gatewalk.cgp.loops import rolled
from gatewalk.cgp.mutation import SAM_PICKED
from gatewalk.cgp.offspring import accepts, may_go_on, settle, write_back
from gatewalk.cgp.registers import load
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.workspace import (
    CONE,
    FIRST,
    GATE,
    OUTPUT,
    SECOND,
    VALUE,
    Words,
    count_undrawn,
    load_genes,
    next_offspring,
    pay_for_accepted,
    places_of,
    put_slots,
    store_genes,
    undo,
    words_of,
)
from gatewalk.jit import Int, inlined, outlined
from gatewalk.popcount import popcount

# What is computed: tables with any gates or with AND alone; parity vectors; cones and nothing else.
TABLE, TABLE_OF_AND, PARITY, SETS = range(4)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Cone(NamedTuple):
    """words: see `workspace`. state: active sources; all sources below this one are as their genes say.

    kind: what is computed, as the length of a tuple, which makes it a constant to the compiler; so far,
    whether some genes skip values. gates: algebraic normal form of each gate, then all ones if it reads its
    second input. wanted, mask: the target's word and its rows.
    """

    words: Words
    places: NDArray[np.int64]
    state: NDArray[np.uint64]
    gates: NDArray[np.uint64]
    kind: tuple[int, ...]
    slots: np.uint64
    far: tuple[int, ...]
    lean: Lean
    wanted: np.uint64
    mask: np.uint64


def room_of(layout: Layout, training: TrainingSet, lean: Lean) -> Cone:
    """Room to walk on a table of at most 64 rows."""
    only_and = len(layout.arities) == 1 and (layout.anf[0, :4] & _ONE).tolist() == [0, 0, 0, 1]
    room = _room(layout, TABLE_OF_AND if only_and else TABLE, lean)
    room.words[int(VALUE) : int(VALUE) + layout.inputs] = training.inputs[:, 0]
    return room._replace(wanted=np.uint64(training.outputs[0, 0]), mask=np.uint64(last_mask(training.rows)))


def symbolic_room_of(layout: Layout, lean: Lean, *, parity: bool) -> Cone:
    """Room to walk on the complete table of AND with {AND}, or of XOR with {XOR}."""
    room = _room(layout, PARITY if parity else SETS, lean)
    room.words[int(VALUE) : int(VALUE) + layout.inputs] = _ONE << np.arange(layout.inputs, dtype=np.uint64)
    return room


def _room(layout: Layout, kind: int, lean: Lean) -> Cone:
    words = words_of(layout)
    slots = put_slots(words, layout, lean)
    gates = np.zeros((len(layout.arities), 8), dtype=np.uint64)
    gates[:, :4] = layout.anf[:, :4]
    gates[layout.arities > 1, 4] = ~_ZERO
    everyone = np.uint64((1 << layout.inputs) - 1)
    return Cone(
        words,
        places_of(layout),
        np.zeros(2, dtype=np.uint64),
        gates,
        (0,) * kind,
        np.uint64(slots),
        (0,) * bool(layout.skip.any()),
        lean,
        everyone,
        everyone,
    )


@inlined
def compute(words: Words, gates: NDArray[np.uint64], source: np.uint64) -> None:
    """The value and the cone of a node with any gate of at most two inputs."""
    gate, a, b = words[GATE + source], words[FIRST + source], words[SECOND + source]
    x, y = words[VALUE + a], words[VALUE + b]
    without = gates[gate, 0] ^ (gates[gate, 1] & x)
    factor = gates[gate, 2] ^ (gates[gate, 3] & x)
    words[VALUE + source] = without ^ (y & factor)
    words[CONE + source] = words[CONE + a] | (words[CONE + b] & gates[gate, 4]) | _ONE << source


@inlined
def pass_from(room: Cone, source: np.uint64, end: np.uint64) -> None:
    """Compute all nodes from a source on."""
    words = room.words
    if len(room.kind) == SETS:
        while source < end:
            rolled()
            a, b = words[FIRST + source], words[SECOND + source]
            words[CONE + source] = words[CONE + a] | words[CONE + b] | _ONE << source
            source += _ONE
    elif len(room.kind) == TABLE_OF_AND:
        while source < end:
            rolled()
            a, b = words[FIRST + source], words[SECOND + source]
            words[VALUE + source] = words[VALUE + a] & words[VALUE + b]
            words[CONE + source] = words[CONE + a] | words[CONE + b] | _ONE << source
            source += _ONE
    elif len(room.kind) == PARITY:
        while source < end:
            rolled()
            a, b = words[FIRST + source], words[SECOND + source]
            words[VALUE + source] = words[VALUE + a] ^ words[VALUE + b]
            words[CONE + source] = words[CONE + a] | words[CONE + b] | _ONE << source
            source += _ONE
    else:
        while source < end:
            rolled()
            compute(words, room.gates, source)
            source += _ONE


@inlined
def rank_of(room: Cone) -> np.int64:
    """Mismatches of a table; inputs missing from a set; 0 for the full parity vector, else 1."""
    row = CONE if len(room.kind) == SETS else VALUE
    wrong = (room.words[row + room.words[FIRST + OUTPUT]] ^ room.wanted) & room.mask
    if len(room.kind) == PARITY:
        return np.int64(wrong != _ZERO)
    return popcount(wrong)


@inlined
def active_of(words: Words) -> np.uint64:
    """The active sources and the bit of the output."""
    return np.uint64(words[CONE + words[FIRST + OUTPUT]] | _ONE << OUTPUT)


@outlined
def rank(layout: Layout, room: Cone, genes: NDArray[np.int64]) -> Int:
    """Evaluate a program and take it as the parent."""
    load_genes(room.words, room.places, genes)
    inputs = np.uint64(layout.inputs)
    end = inputs + np.uint64(layout.nodes)
    pass_from(room, inputs, end)
    room.state[0] = active_of(room.words)
    room.state[1] = end
    return rank_of(room)


@outlined
def advance(core: Core, layout: Layout, rule: Rule, room: Cone, limit: Int) -> None:
    """Walk until solved, until `limit` offspring in all, or until the log is full."""
    offspring, steps = core.counters[OFFSPRING], core.counters[STEPS]
    parent, pending = core.counters[RANK], np.int64(0)
    active, fresh = room.state[0], room.state[1]
    picked_ends = rule.mutation == SAM_PICKED
    words, slots, far = room.words, room.slots, len(room.far) > 0
    inputs = np.uint64(layout.inputs)
    registers = load(core.stream)
    going = may_go_on(core)
    eager = core.counters[EAGER] != 0
    while going and offspring < limit:
        made, registers = next_offspring(
            words, slots, registers, active, inputs, room.lean, eager, picked_ends, far
        )
        steps += np.int64(made.steps)
        offspring += 1
        child = parent
        low = min(fresh, lowest(made.touched | _ONE << OUTPUT))
        if made.changed:
            top = words[FIRST + OUTPUT] + _ONE
            pass_from(room, low, top)
            fresh = max(low, top)
            child = rank_of(room)
        accepted, registers = accepts(rule, registers, parent, child)
        if not accepted:
            undo(words, made.logged)
            fresh = low
            pending += np.int64(not made.drifted)
            eager = False
            continue
        if not made.changed:
            fresh = low
        late, more, registers = pay_for_accepted(
            core, words, slots, registers, active, inputs, room.lean, picked_ends, far, made, pending
        )
        steps += more
        fresh = min(fresh, lowest(late | _ONE << OUTPUT))
        pending = np.int64(0)
        if made.changed:
            active = active_of(words)
        eager = True
        going = not settle(core, offspring, child)
        parent = child
    count_undrawn(core, words, slots, active, inputs, room.lean, picked_ends, pending)
    room.state[0], room.state[1] = active, fresh
    store_genes(words, room.places, core)
    core.counters[EAGER] = eager
    write_back(core, registers, offspring, steps)
