"""Any program on any table: every active node of an offspring is computed on all rows, 64 rows a word.

The simplest judge and the one without conditions: gates of up to three inputs, constants, any number of
outputs. Only an offspring whose active genes are the parent's is not computed.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.judges.table import Table, evaluate, mark_active, table_of
from gatewalk.cgp.large import Large, State
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.program import Changes
from gatewalk.native.jit import inlined

_ZERO = np.uint64(0)


class Plain(NamedTuple):
    """Active sources of the parent and of the offspring (see `large`), and the table."""

    layout: Layout
    active: NDArray[np.uint8]
    child_active: NDArray[np.uint8]
    table: Table


def plain_of(layout: Layout, training: TrainingSet) -> Plain:
    """Room to judge on a training set."""
    active, child_active = np.zeros((2, layout.inputs + layout.nodes + 2), dtype=np.uint8)
    return Plain(layout, active, child_active, table_of(layout, training))


@inlined
def take(judge: Plain, program: Large) -> np.int64:
    """See `judging.take`."""
    mark_active(judge.layout, program.genes, judge.active)
    return np.int64(evaluate(judge.layout, program.genes, judge.active, judge.table))


@inlined
def weigh(
    judge: Plain, program: Large, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, State]:
    """See `judging.weigh`; the rank is always exact."""
    rank = parent
    if changes.hits != _ZERO:
        mark_active(judge.layout, program.genes, judge.child_active)
        rank = np.int64(evaluate(judge.layout, program.genes, judge.child_active, judge.table))
    return rank, (_ZERO,)


@inlined
def keep(judge: Plain, program: Large, state: State, changes: Changes, trial: State) -> State:
    """See `judging.keep`."""
    if changes.hits != _ZERO:
        for source in range(judge.active.size):
            judge.active[source] = judge.child_active[source]
    return state
