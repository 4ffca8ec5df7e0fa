"""Judges of large programs that mark what an offspring uses, and rank it, always in full.

They have arrays `active` and `marks`, by source (see `large`): active is not 0 for what the parent uses,
marks for what the offspring uses that was ranked last. One whose active genes are the parent's is not ranked.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gatewalk.cgp.judges import affine, reached, table
from gatewalk.cgp.judges.affine import Affine
from gatewalk.cgp.judges.reached import Reached
from gatewalk.cgp.judges.table import Plain
from gatewalk.cgp.large import Large, State
from gatewalk.cgp.program import Changes
from gatewalk.native.jit import by_kind, inlined

_ZERO = np.uint64(0)
Marked = Plain | Affine | Reached

# The rank of the offspring, with nothing known of it; its sources are marked.
rank_of: Callable[[Marked, Large], np.int64]
rank_of = by_kind({Plain: table.rank, Affine: affine.rank, Reached: reached.rank})


@inlined
def _adopt(judge: Marked) -> None:
    """Take the marks of the offspring as the parent's."""
    for source in range(judge.active.size):
        judge.active[source] = judge.marks[source]


@inlined
def take(judge: Marked, program: Large) -> np.int64:
    """See `judging.take`."""
    rank = np.int64(rank_of(judge, program))
    _adopt(judge)
    return rank


@inlined
def weigh(
    judge: Marked, program: Large, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, State]:
    """See `judging.weigh`; the rank is always exact."""
    rank = parent if changes.hits == _ZERO else np.int64(rank_of(judge, program))
    return rank, (_ZERO,)


@inlined
def keep(judge: Marked, program: Large, state: State, changes: Changes, trial: State) -> State:
    """See `judging.keep`."""
    if changes.hits != _ZERO:
        _adopt(judge)
    return state
