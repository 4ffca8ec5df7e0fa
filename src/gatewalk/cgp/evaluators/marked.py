"""What evaluators have in common that mark the sources an offspring uses and evaluate all of it.

They have two arrays with an entry for each source (see `large`): `active` is not 0 for the sources that the
parent uses, `marks` for those that the offspring evaluated last uses. An offspring whose active genes are
those of the parent has the parent's rank and is not evaluated.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gatewalk.cgp.evaluators import affine, reached, table
from gatewalk.cgp.evaluators.affine import Affine
from gatewalk.cgp.evaluators.reached import Reached
from gatewalk.cgp.evaluators.table import Plain
from gatewalk.cgp.large import Large, State
from gatewalk.cgp.program import Changes
from gatewalk.native.jit import by_kind, inlined

_ZERO = np.uint64(0)
Marked = Plain | Affine | Reached

# rank_of(evaluator, program) -> rank: evaluate the offspring from scratch and mark the sources that it uses.
rank_of: Callable[[Marked, Large], np.int64]
rank_of = by_kind({Plain: table.rank, Affine: affine.rank, Reached: reached.rank})


@inlined
def _adopt(evaluator: Marked) -> None:
    """The marks of the offspring become the active sources of the parent."""
    for source in range(evaluator.active.size):
        evaluator.active[source] = evaluator.marks[source]


@inlined
def evaluate_anew(evaluator: Marked, program: Large) -> np.int64:
    """See `evaluators.evaluate_anew`."""
    rank = np.int64(rank_of(evaluator, program))
    _adopt(evaluator)
    return rank


@inlined
def evaluate(
    evaluator: Marked, program: Large, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, State]:
    """See `evaluators.evaluate`; the rank is always exact."""
    rank = parent if changes.hits == _ZERO else np.int64(rank_of(evaluator, program))
    return rank, (_ZERO,)


@inlined
def keep(evaluator: Marked, program: Large, state: State, changes: Changes, trial: State) -> State:
    """See `evaluators.keep`."""
    if changes.hits != _ZERO:
        _adopt(evaluator)
    return state
