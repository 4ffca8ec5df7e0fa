"""What a walk by resubstitution has in memory: arrays that its kernels change in place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

# Places in `State.counts`.
GATES, COST, BEST, SLACK, GOAL, STEPS, WORDS = range(7)

Words = NDArray[np.uint64]
Places = NDArray[np.int32]


class GateArrays(NamedTuple):
    """The gates of a set. arities, tables: of each, the table on two inputs (a gate of one input reads the
    first). prices: of each, level_price: of each level of depth.

    first, fitting: for values that must be 1 in some rows of a gate's table and 0 in others, numbered
    `ones | zeros << 4`, `fitting[first[number] : first[number + 1]]` are the gates that have them; twice the
    gate's place in the set, and one more if its sources have to be exchanged.
    """

    arities: Places
    tables: NDArray[np.uint8]
    prices: NDArray[np.int64]
    level_price: np.int64
    first: Places
    fitting: Places


class Wiring(NamedTuple):
    """A circuit: by gate, its place in the set and its two sources; by output, its source."""

    functions: Places
    sources: Places
    outputs: Places


class Scratch(NamedTuple):
    """order: the gates that outputs need, each after those it reads. marks, stack: to find it.

    negated: the columns of all sources if a gate is negated; depends: those that depend on it. divisors: the
    sources that do not. ones, zeros: the rows on which the gate must be 1, and 0; looked_at: which words of
    them are not empty, and `counts[WORDS]` tells how many. levels: of all sources.
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
    """A walk. columns: the values of all sources, inputs first; cares: of every output, the rows that count.

    counts: gates and cost now, the cost of the cheapest circuit so far, slack, goal, the steps so far, and
    the words of rows on which the gate in question counts.
    """

    now: Wiring
    best: Wiring
    columns: Words
    cares: Words
    counts: NDArray[np.int64]
    stream: Words
    scratch: Scratch
