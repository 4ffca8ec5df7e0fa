"""The state of a walk by resubstitution: arrays that its kernels change in place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Places in `State.counts`.
GATES, COST, BEST, SLACK, GOAL, STEPS, WORDS = range(7)

Words = NDArray[np.uint64]
Places = NDArray[np.int32]


class GateArrays(NamedTuple):
    """The gates of a set as arrays, and which of them fit given values.

    arities, tables, prices: of each gate; tables are on two inputs (a gate of one input reads the first).
    level_price: the price of a level of depth.

    first, fitting: say a table must be 1 on the rows `ones` and 0 on the rows `zeros`, both sets of the four
    rows as bits. With number = `ones | zeros << 4`, the gates with such tables are listed in
    `fitting[first[number] : first[number + 1]]`. An entry is twice the gate's place in the set, plus one if
    its two sources have to be exchanged.
    """

    arities: Places
    tables: NDArray[np.uint8]
    prices: NDArray[np.int64]
    level_price: np.int64
    first: Places
    fitting: Places


class Wiring(NamedTuple):
    """A circuit: for each gate its place in the set and its two sources; for each output its source."""

    functions: Places
    sources: Places
    outputs: Places


class Scratch(NamedTuple):
    """What a step computes about the circuit and about the gate that it tries to replace.

    order: the gates that outputs need, in topological order. marks, stack: used to find this order. negated:
    the columns of all sources if the gate is negated. depends: whether each source depends on the gate.
    divisors: the sources that do not. ones, zeros: the rows on which the gate must be 1 or 0. looked_at: the
    words of these rows that are not empty; there are `counts[WORDS]` of them. levels: the level of each
    source.
    """

    order: Places
    marks: NDArray[np.uint8]
    stack: Places
    negated: Words
    depends: NDArray[np.uint8]
    divisors: Places
    ones: Words
    zeros: Words
    looked_at: Places
    levels: Places


class State(NamedTuple):
    """A walk under way.

    now, best: the current and the cheapest circuit. columns: the values of all sources, inputs first. cares:
    the rows that count for each output. counts: numbers at the places GATES (gates now), COST (cost now),
    BEST (cost of the cheapest circuit), SLACK, GOAL, STEPS (steps so far) and WORDS (words of rows on which
    the gate of this step counts). stream: the state of the random numbers.
    """

    now: Wiring
    best: Wiring
    columns: Words
    cares: Words
    counts: NDArray[np.int64]
    stream: Words
    scratch: Scratch
