"""Which node becomes active last: a model of the last levels of strict runs on And_n, D = n - 1, n large.

While no inactive node reads an unused input, the next improvement most probably sets both connections of
some inactive node w and points one of the connections that pass over w at it. There are 1 + (active nodes
after w) of these (`one_short`), each as likely as any other up to factors 1 + O(1/n), and as
many choices of the unused input as there are inactive nodes, m. So in the model

    the next node to become active is w with a chance proportional to 1 + (active nodes after w),

and the wait for it is 1/(m sum_w (1 + active nodes after w)) in units of Theorem 4's time. The model is not a
theorem about runs; that runs behave like it is an observation of this study.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import gatewalk as gw

MOST_NODES = 18  # the work doubles with each node


@dataclass(frozen=True)
class Filling:
    """The solution of the model, which begins with all nodes inactive.

    left: left[r] is the chance that the node with r nodes after it is the last to become active.
    before: the expected time until one inactive node is left, in units of Theorem 4's time.
    """

    left: tuple[float, ...]
    before: float

    @property
    def last_wait(self) -> float:
        """The expected wait for the last node, in units of Theorem 4's time."""
        return sum(share / (after + 1) for after, share in enumerate(self.left))


def filling(nodes: int) -> Filling:
    """Solve the model by following the chance of every set of active nodes.

    >>> [round(share, 4) for share in filling(3).left]
    [0.3889, 0.3333, 0.2778]
    """
    if not 1 <= nodes <= MOST_NODES:
        raise gw.InputError(f"the model has {nodes} nodes; give it 1 to {MOST_NODES}")
    sets = np.arange(1 << nodes)
    active = (sets[:, None] >> np.arange(nodes) & 1).astype(np.bool_)  # [set, nodes after]
    after: NDArray[np.int64] = np.cumsum(active, axis=1) - active
    rates: NDArray[np.float64] = np.where(active, 0.0, 1.0 + after)
    total, inactive = rates.sum(axis=1), (~active).sum(axis=1)
    chance = np.zeros(sets.size)
    chance[0] = 1.0
    before = 0.0
    for missing in range(nodes, 1, -1):
        here = sets[inactive == missing]
        before += float((chance[here] / (missing * total[here])).sum())
        for node in range(nodes):
            free = here[~active[here, node]]  # no two of them lead to the same set
            chance[free | 1 << node] += chance[free] * rates[free, node] / total[free]
    return Filling(tuple(float(chance[sets[-1] ^ 1 << node]) for node in range(nodes)), before)
