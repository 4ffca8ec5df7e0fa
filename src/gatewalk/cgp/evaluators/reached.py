"""Conjunctions of any size without a table: {and} on and, and by duality {or} on or.

The rank is the number of inputs that the output does not reach (Lemma 2). There is one byte per source, so n
and D may be thousands. The evaluator goes through the nodes in falling order; each passes its mark on to the
sources that it reads. No branch depends on the program, so the processor mispredicts none. The pass begins at
the highest changed node: a source is reached from above node i exactly if the highest active node that reads
it is above i, and that is known from the parent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Large, State
from gatewalk.cgp.program import Changes
from gatewalk.cgp.slots import owner_of
from gatewalk.native.jit import inlined

Marks = NDArray[np.uint8]
REACHED = np.uint8(1)
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


class Reached(NamedTuple):
    """The arrays of the evaluator; `marked` explains active and marks.

    reader: for each source, the highest active node of the parent that reads it; n + D if the output does, -1
        if nothing does.
    """

    active: Marks
    marks: Marks
    reader: NDArray[np.int32]


def reached_of(layout: Layout) -> Reached:
    """The arrays to evaluate conjunctions."""
    sources = layout.inputs + layout.nodes
    active, marks = np.zeros((2, sources + 2), dtype=np.uint8)
    active[sources] = REACHED
    return Reached(active, marks, np.full(sources, -1, dtype=np.int32))


@inlined
def _hand_on(program: Large, marks: Marks, top: np.uint64) -> np.int64:
    """Pass marks on from the nodes below source `top`; returns the number of inputs that are not reached."""
    genes, source = program.genes, top
    while source > program.inputs:
        source -= _ONE
        first = (source - program.inputs) * _THREE
        mark = marks[source]
        marks[np.uint64(genes[first + _ONE])] |= mark
        marks[np.uint64(genes[first + _TWO])] |= mark
    missing = np.int64(0)
    for place in range(program.inputs):
        missing += np.int64(marks[place] == 0)
    return missing


@inlined
def _mark(evaluator: Reached, program: Large, owner: np.uint64) -> np.int64:
    """Mark the sources below a node, or the output, given what the nodes above it read in the parent.

    Returns the number of inputs that are not reached.
    """
    marks, reader, end = evaluator.marks, evaluator.reader, program.inputs + program.nodes
    if owner == end:
        for source in range(end):
            marks[source] = 0
        marks[np.uint64(program.genes[program.nodes * _THREE])] = REACHED
    else:
        for source in range(owner):
            marks[source] = np.uint8(reader[source] > np.int32(owner))
        marks[owner] = REACHED
    return _hand_on(program, marks, min(owner + _ONE, end))


@inlined
def rank(evaluator: Reached, program: Large) -> np.int64:
    """Mark every source, from the output down; returns the number of inputs that are not reached."""
    return _mark(evaluator, program, program.inputs + program.nodes)


@inlined
def evaluate_anew(evaluator: Reached, program: Large) -> np.int64:
    """See `evaluators.evaluate_anew`; also finds the highest reader of every source."""
    missing = rank(evaluator, program)
    genes, reader, end = program.genes, evaluator.reader, program.inputs + program.nodes
    for source in range(end):
        evaluator.active[source] = evaluator.marks[source]
        reader[source] = -1
    for node in range(program.inputs, end):  # rising, so the highest reader is written last
        if evaluator.active[node]:
            first = (np.uint64(node) - program.inputs) * _THREE
            reader[np.uint64(genes[first + _ONE])] = np.int32(node)
            reader[np.uint64(genes[first + _TWO])] = np.int32(node)
    reader[np.uint64(genes[program.nodes * _THREE])] = np.int32(end)
    return missing


@inlined
def evaluate(
    evaluator: Reached, program: Large, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, State]:
    """See `evaluators.evaluate`; the rank is always exact."""
    missing = parent
    if changes.hits != _ZERO:
        highest = _ZERO  # the highest node with changed genes, or the output
        for number in range(changes.hits):
            highest = max(highest, owner_of(program.hit[number]))
        missing = _mark(evaluator, program, highest)
    return missing, (_ZERO,)


@inlined
def keep(evaluator: Reached, program: Large, state: State, changes: Changes, trial: State) -> State:
    """See `evaluators.keep`."""
    if changes.hits != _ZERO:
        evaluate_anew(evaluator, program)
    return state
