"""Programs of any size without a table: {and} on and, {or} on or, affine gates on xor and xnor.

The laws are those of `small` and `affine`; here a source has a byte, so that n and D may be thousands. Going
through the nodes in falling order, each hands its mark to the sources that it reads; there is no branch in it
for the processor to guess. For conjunctions, a source is reached from above node i exactly if the highest
active node that reads it is above i: so the pass begins at the highest changed node. Paths cannot be told
apart in that way, so for affine functions it begins at the output.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.judges.affine import affine_words
from gatewalk.cgp.large import Large, State
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.program import Changes
from gatewalk.cgp.slots import owner_of
from gatewalk.native.jit import by_kind, inlined

Marks = NDArray[np.uint8]
REACHED, ODD = np.uint8(1), np.uint8(2)
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


class Reached(NamedTuple):
    """{and} on and, {or} on or. active: of the parent, by source (see `large`). marks: of the offspring.

    reader: the highest active node that reads a source in the parent; n + D is the output, -1 none.
    """

    active: Marks
    marks: Marks
    reader: NDArray[np.int32]


class Affine(NamedTuple):
    """Affine gates. marks: REACHED if a source has a path to the output, ODD if an odd number of paths.

    inverts, reads: for each gate, does it invert, and does it read its second source? inverted: is the target
    xnor?
    """

    active: Marks
    marks: Marks
    inverts: Marks
    reads: Marks
    inverted: np.uint8


Symbolic = Reached | Affine


def _marks(layout: Layout) -> tuple[Marks, Marks]:
    active, marks = np.zeros((2, layout.inputs + layout.nodes + 2), dtype=np.uint8)
    active[layout.inputs + layout.nodes] = REACHED
    return active, marks


def reached_of(layout: Layout) -> Reached:
    """Room to judge conjunctions."""
    return Reached(*_marks(layout), np.full(layout.inputs + layout.nodes, -1, dtype=np.int32))


def affine_of(layout: Layout, *, inverted: bool) -> Affine:
    """Room to judge affine functions."""
    words = affine_words(layout)
    inverts, reads = (words[:, 0] != 0).astype(np.uint8), (words[:, 4] != 0).astype(np.uint8)
    return Affine(*_marks(layout), inverts, reads, np.uint8(inverted))


@inlined
def _hand_on(program: Large, marks: Marks, top: np.uint64) -> None:
    """Conjunctions: from the nodes below source `top` down to the inputs, each to the two it reads."""
    genes, source = program.genes, top
    while source > program.inputs:
        source -= _ONE
        first = (source - program.inputs) * _THREE
        mark = marks[source]
        marks[np.uint64(genes[first + _ONE])] |= mark
        marks[np.uint64(genes[first + _TWO])] |= mark


@inlined
def _output(program: Large) -> np.uint64:
    """What the output reads."""
    return np.uint64(program.genes[program.nodes * _THREE])


@inlined
def _clear(marks: Marks, count: np.uint64) -> None:
    for source in range(count):
        marks[source] = 0


@inlined
def mark_reached(judge: Reached, program: Large) -> None:
    """Mark every source from the output on."""
    end = program.inputs + program.nodes
    _clear(judge.marks, end)
    judge.marks[_output(program)] = REACHED
    _hand_on(program, judge.marks, end)


@inlined
def _mark_below(judge: Reached, program: Large, owner: np.uint64) -> None:
    """Mark the sources below the highest changed node, given what the parent's nodes above it read."""
    marks, reader = judge.marks, judge.reader
    for source in range(owner):
        marks[source] = np.uint8(reader[source] > np.int32(owner))
    marks[owner] = REACHED
    _hand_on(program, marks, owner + _ONE)


@inlined
def missing(judge: Reached, program: Large) -> np.int64:
    """The number of inputs that are not reached."""
    count = np.int64(0)
    for source in range(program.inputs):
        count += np.int64(judge.marks[source] == 0)
    return count


@inlined
def _highest_hit(program: Large, hits: np.uint64) -> np.uint64:
    """The highest node, or the output, among those with changed genes."""
    highest = _ZERO
    for number in range(hits):
        highest = max(highest, owner_of(program.hit[number]))
    return highest


@inlined
def _weigh_reached(judge: Reached, program: Large, changes: Changes) -> np.int64:
    owner = _highest_hit(program, changes.hits)
    if owner == program.inputs + program.nodes:
        mark_reached(judge, program)
    else:
        _mark_below(judge, program, owner)
    return missing(judge, program)


@inlined
def rank_affine(judge: Affine, program: Large) -> np.int64:
    """Mark every source from the output on; returns the rank (see `affine`)."""
    genes, marks = program.genes, judge.marks
    end = program.inputs + program.nodes
    _clear(marks, end)
    marks[_output(program)] = REACHED | ODD
    inverted, source = judge.inverted, end
    while source > program.inputs:
        source -= _ONE
        first = (source - program.inputs) * _THREE
        gate, a, b = genes[first], np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
        mark = marks[source]
        inverted ^= judge.inverts[gate] & np.uint8(mark >> np.uint8(1))
        reached, odd = mark & REACHED, mark & ODD
        marks[a] = np.uint8((marks[a] | reached) ^ odd)
        second = np.uint8(mark * judge.reads[gate])
        marks[b] = np.uint8((marks[b] | (second & REACHED)) ^ (second & ODD))
    even = np.int64(0)
    for place in range(program.inputs):
        even += np.int64(marks[place] & ODD == 0)
    return np.int64(1) if even > 0 else np.int64(2) * np.int64(inverted)


@inlined
def _weigh_affine(judge: Affine, program: Large, changes: Changes) -> np.int64:
    return rank_affine(judge, program)


_weigh: Callable[[Symbolic, Large, Changes], np.int64]
_weigh = by_kind({Reached: _weigh_reached, Affine: _weigh_affine})


@inlined
def _adopt_affine(judge: Affine, program: Large) -> None:
    """Take the marks of the offspring as the parent's."""
    for source in range(program.inputs + program.nodes):
        judge.active[source] = judge.marks[source]


@inlined
def _adopt_reached(judge: Reached, program: Large) -> None:
    """Take an offspring as the parent: its marks, and who reads what."""
    mark_reached(judge, program)
    genes, reader, end = program.genes, judge.reader, program.inputs + program.nodes
    for source in range(end):
        judge.active[source] = judge.marks[source]
        reader[source] = -1
    for node in range(program.inputs, end):  # rising, so the highest reader is written last
        if judge.active[node]:
            first = (np.uint64(node) - program.inputs) * _THREE
            reader[np.uint64(genes[first + _ONE])] = np.int32(node)
            reader[np.uint64(genes[first + _TWO])] = np.int32(node)
    reader[_output(program)] = np.int32(end)


_adopt: Callable[[Symbolic, Large], None]
_adopt = by_kind({Reached: _adopt_reached, Affine: _adopt_affine})


@inlined
def _take_reached(judge: Reached, program: Large) -> np.int64:
    _adopt_reached(judge, program)
    return missing(judge, program)


@inlined
def _take_affine(judge: Affine, program: Large) -> np.int64:
    rank = rank_affine(judge, program)
    _adopt_affine(judge, program)
    return rank


_take: Callable[[Symbolic, Large], np.int64]
_take = by_kind({Reached: _take_reached, Affine: _take_affine})


@inlined
def take(judge: Symbolic, program: Large) -> np.int64:
    """See `judging.take`."""
    return _take(judge, program)


@inlined
def weigh(
    judge: Symbolic, program: Large, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, State]:
    """See `judging.weigh`; the rank is always exact."""
    rank = parent
    if changes.hits != _ZERO:
        rank = _weigh(judge, program, changes)
    return rank, (_ZERO,)


@inlined
def keep(judge: Symbolic, program: Large, state: State, changes: Changes, trial: State) -> State:
    """See `judging.keep`."""
    if changes.hits != _ZERO:
        _adopt(judge, program)
    return state
