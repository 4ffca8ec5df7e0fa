"""Small programs on larger tables: cones tell what must be computed, the first rows tell most verdicts.

For one output, n + D <= 63 and a single gate, of two inputs. A forward pass over the cones (as in
`small`) gives the active nodes of an offspring and those above a change; no other node is computed.
Rows are in two parts. The head, 512 rows, those that tell most (`row_order`), is computed first; an
offspring that is too bad already there is given up. In the tail a change that dies out is followed no
further. Every source has two sides: an offspring's values are written to the side that the parent does
not use, so that keeping it turns some sides over and dropping it costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.row_order import telling_first
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.judges.rows import padded
from gatewalk.cgp.layout import Layout, gate_words
from gatewalk.cgp.program import Changes
from gatewalk.cgp.small import OUTPUT, Small, active_of, cones_of, first_of, nodes_of, second_of
from gatewalk.native.bits import lowest, rolled
from gatewalk.native.blocks import Words, and_block, gate_block, wrong_block
from gatewalk.native.jit import inlined

LANES = (0,) * 8  # words computed together
HEAD = np.uint64(8)  # words of the head
# Active sources; all sources below this one are as their genes say; the side of each in head and tail.
State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
# The same of the offspring, but for the second: where the pass over cones began, and then where it ended.
Trial = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SIDE = np.uint64(6)  # sources of one side: 64


class Part(NamedTuple):
    """Some rows. values: side, source, word. words: of a source. wanted, mask: the target, used rows."""

    values: Words
    words: np.uint64
    wanted: Words
    mask: Words


class SmallTable(NamedTuple):
    """gates: see `gate_words`; only_and: is it AND? state: see `State`, kept between slices."""

    cones: NDArray[np.uint64]
    state: NDArray[np.uint64]
    gates: Words
    only_and: bool
    head: Part
    tail: Part


def small_table_of(layout: Layout, training: TrainingSet) -> SmallTable:
    """Room to judge on a training set."""
    ordered = telling_first(training)
    end = -(-ordered.inputs.shape[1] // int(HEAD)) * int(HEAD)
    gates = gate_words(layout)
    return SmallTable(
        cones_of(layout),
        np.zeros(4, dtype=np.uint64),
        gates.ravel(),
        (gates[0, :4] != 0).tolist() == [False, False, False, True],
        part_of(ordered, 0, int(HEAD)),
        part_of(ordered, int(HEAD), end),
    )


def part_of(training: TrainingSet, first: int, end: int) -> Part:
    """The rows of some words, as many as there are."""
    values, wanted, mask = padded(training, sources=2 * 64, first=first, words=end - first)
    return Part(values, np.uint64(end - first), wanted, mask)


@inlined
def pass_from(
    judge: SmallTable, program: Small, source: np.uint64, end: np.uint64, changed: np.uint64
) -> np.uint64:
    """The cones of all nodes from a source on; returns those that have a node of `changed` in theirs."""
    above = _ZERO
    while source < end:
        rolled()
        a, b = first_of(program, source), second_of(program, source)
        cone = judge.cones[a] | judge.cones[b] | _ONE << source
        judge.cones[source] = cone
        above |= np.uint64(cone & changed != _ZERO) << source
        source += _ONE
    return np.uint64(above)


@inlined
def place_of(part: Part, sides: np.uint64, source: np.uint64) -> np.uint64:
    """Where the values of a source begin."""
    return np.uint64((((sides >> source) & _ONE) << _SIDE | source) * part.words)


@inlined
def compute(judge: SmallTable, program: Small, part: Part, sides: np.uint64, source: np.uint64) -> np.uint64:
    """Compute a node on a part, onto the side that it does not use; returns the bits that differ."""
    values = part.values
    a = place_of(part, sides, first_of(program, source))
    b = place_of(part, sides, second_of(program, source))
    old, new = place_of(part, sides, source), place_of(part, ~sides, source)
    different = _ZERO
    if judge.only_and:
        for w in range(_ZERO, part.words, np.uint64(len(LANES))):
            different |= and_block(LANES, values, new + w, values, old + w, values, a + w, values, b + w)
    else:
        for w in range(_ZERO, part.words, np.uint64(len(LANES))):
            different |= gate_block(
                LANES, values, new + w, values, old + w, values, a + w, values, b + w, judge.gates, _ZERO
            )
    return different


@inlined
def wrong_rows(program: Small, part: Part, sides: np.uint64) -> np.int64:
    """Mismatches of the output on a part."""
    at = place_of(part, sides, first_of(program, OUTPUT))
    wrong = np.int64(0)
    for w in range(_ZERO, part.words, np.uint64(len(LANES))):
        wrong += wrong_block(LANES, part.values, at + w, part.wanted, np.uint64(w), part.mask, np.uint64(w))
    return wrong


@inlined
def compute_head(judge: SmallTable, program: Small, sides: np.uint64, needed: np.uint64) -> np.uint64:
    """Compute nodes, in rising order; returns the sides after that."""
    while needed != _ZERO:
        rolled()
        source = lowest(needed)
        needed &= needed - _ONE
        compute(judge, program, judge.head, sides, source)
        sides ^= _ONE << source
    return sides


@inlined
def compute_tail(
    judge: SmallTable,
    program: Small,
    sides: np.uint64,
    needed: np.uint64,
    active: np.uint64,
    changed: np.uint64,
) -> np.uint64:
    """As `compute_head`; nodes that were active, and whose sources stay as they are, are left out."""
    fresh = needed & ~active | changed  # without a value, or with another gene
    moved = _ZERO
    while needed != _ZERO:
        source = lowest(needed)
        needed &= needed - _ONE
        read = _ONE << first_of(program, source) | _ONE << second_of(program, source)
        if (fresh >> source) & _ONE == _ZERO and read & moved == _ZERO:
            continue
        different = compute(judge, program, judge.tail, sides, source)
        if different != _ZERO or (active >> source) & _ONE == _ZERO:
            moved |= _ONE << source
            sides ^= _ONE << source
    return sides


@inlined
def take(judge: SmallTable, program: Small) -> np.int64:
    """See `judging.take`."""
    end = program.inputs + program.nodes
    pass_from(judge, program, program.inputs, end, _ZERO)
    active = active_of(judge, program)
    needed = nodes_of(program, active)
    head = compute_head(judge, program, judge.state[2], needed)
    tail = compute_tail(judge, program, judge.state[3], needed, _ZERO, _ZERO)
    save(judge, (active, end, head, tail))
    return wrong_rows(program, judge.head, head) + wrong_rows(program, judge.tail, tail)


@inlined
def load(judge: SmallTable) -> State:
    """See `judging.load`."""
    return judge.state[0], judge.state[1], judge.state[2], judge.state[3]


@inlined
def save(judge: SmallTable, state: State) -> None:
    """See `judging.save`."""
    judge.state[0], judge.state[1], judge.state[2], judge.state[3] = state


@inlined
def weigh(
    judge: SmallTable, program: Small, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, Trial]:
    """See `judging.weigh`."""
    active, fresh, head, tail = state
    changed = nodes_of(program, changes.touched)
    first, end = min(fresh, lowest(changed | _ONE << OUTPUT)), first_of(program, OUTPUT) + _ONE
    above = pass_from(judge, program, first, end, changed)
    child = active_of(judge, program)
    needed = nodes_of(program, child & (above | ~active))
    head = compute_head(judge, program, head, needed)
    rank = wrong_rows(program, judge.head, head)
    if rank <= worst:
        tail = compute_tail(judge, program, tail, needed, active, changed)
        rank += wrong_rows(program, judge.tail, tail)
    return rank, (child, first, end, head, tail)


@inlined
def keep(judge: SmallTable, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `judging.keep`."""
    return trial[0], max(trial[1], trial[2]), trial[3], trial[4]


@inlined
def drop(judge: SmallTable, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `judging.drop`."""
    return state[0], trial[1], state[2], state[3]
