"""The joint law of active nodes and used inputs of a uniform program with unlimited connections.

It is computed from the output down to the inputs. Say k connections of active nodes, or of the output, point
to uniform sources up to v. Source v is active if one of them points to it, and then adds two connections to
uniform sources below. In the end, k connections point to uniform inputs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_NODES = 100  # the work grows with D^4


def active_and_used(n: int, nodes: int) -> Floats:
    """[m, i]: the chance of m active nodes and i inputs that the output is connected to.

    >>> active_and_used(2, 1).round(4).tolist()
    [[0.0, 0.6667, 0.0], [0.0, 0.1667, 0.1667]]
    """
    chances = sum(active_and_reads(n, nodes, last_active=last) for last in (False, True))
    return np.asarray(chances @ used_inputs(n, nodes + 1))


def active_and_reads(n: int, nodes: int, *, last_active: bool) -> Floats:
    """[m, k]: the chance of m active nodes, k connections to inputs and an active last node, or not."""
    size = nodes + 2
    chances = np.zeros((nodes + 1, size))
    if last_active:
        chances[1, 2] = 1 / (n + nodes)
    else:
        chances[0, 1] = 1 - 1 / (n + nodes)
    for v in range(n + nodes - 2, n - 1, -1):
        passed = thinned(size, v / (v + 1))
        none = np.diag(np.diag(passed))
        read_on = two_more(passed - none)  # it fits: m active nodes leave at most m + 1 connections
        after = chances @ none
        after[1:] += (chances @ read_on)[:-1]
        chances = after
    return chances


def used_inputs(n: int, most: int) -> Floats:
    """[k, i]: the chance that k uniform connections to n inputs use i of them."""
    table = np.zeros((most + 1, n + 1))
    table[0, 0] = 1.0
    seen = np.arange(n + 1) / n
    for k in range(1, most + 1):
        table[k] = table[k - 1] * seen
        table[k, 1:] += table[k - 1, :-1] * (1 - seen[:-1])
    return table


def thinned(size: int, chance: float) -> Floats:
    """[k, m]: the chance that m of k remain, each with this chance; k and m below `size`."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, size, dtype=np.float64)))])
    k, m = np.arange(size)[:, None], np.arange(size)[None, :]
    gone = np.maximum(k - m, 0)
    terms = logs[k] - logs[m] - logs[gone] + m * np.log(chance) + gone * np.log1p(-chance)
    return np.where(m <= k, np.exp(np.where(m <= k, terms, 0.0)), 0.0)


def two_more(remaining: Floats) -> Floats:
    """From [k, m] to [k, m + 2]; what does not fit never happens."""
    result = np.zeros_like(remaining)
    result[:, 2:] = remaining[:, :-2]
    return result
