"""Strict selection on exclusive disjunctions: programs that can never be improved, and how many there are.

All wrong programs are equally wrong, so under strict selection the parent stays until one mutation makes an
optimum of it. SAM changes one active gene, and inactive genes at will. A program of m active nodes whose
output is connected to i inputs has no optimal offspring if

    m - i >= D - n + 2,    or m - i >= D - n + 1 and the last node is inactive

(proof in docs/theory/xor-walk.md). There is such a program for all n >= 3 and D >= n - 1, so E[T] from a
uniform start is infinite. `stuck_lower` is the chance to start at one, a lower bound on the chance that the
target is never found. `gatewalk exact` computes that chance exactly if the chain can be solved.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from gatewalk.errors import InputError
from gatewalk.theory.uniform_programs import MOST_NODES, active_and_reads, used_inputs
from gatewalk.theory.xor_bounds import check_exclusive


def is_stuck(n: int, nodes: int, *, active: int, used: int, last_active: bool) -> bool:
    """Whether a program with so many active nodes and used inputs is stuck: too few nodes are spare."""
    return active - used >= nodes - n + 1 + last_active


def double_chain(n: int, nodes: int) -> list[int]:
    """A program that is stuck for all D >= 2: each node reads the one before it twice, the first an input.

    Genes as in the paper: function, connection, connection of each node, then the output.
    """
    check_exclusive(n, nodes)
    if nodes < 2:
        raise InputError("a program that is stuck for want of nodes needs D >= 2 nodes, not 1")
    genes = [0, 0, 0]
    for node in range(1, nodes):
        genes += [0, n + node - 1, n + node - 1]
    return [*genes, n + nodes - 1]


@lru_cache(maxsize=256)
def stuck_lower(n: int, nodes: int) -> float:
    """The chance that a uniform program is one of those that `is_stuck` knows.

    For n = 2 and D >= 2 it is the chance of a double chain.

    Examples
    --------
    >>> round(stuck_lower(4, 3), 4)
    0.1066
    """
    check_exclusive(n, nodes)
    if nodes > MOST_NODES:
        raise InputError(f"the chance to be stuck is computed for at most {MOST_NODES} nodes, not {nodes}")
    used = used_inputs(n, nodes + 1)
    programs = (n + nodes) * prod((n + node) ** 2 for node in range(nodes))
    total = n / programs if n == 2 and nodes >= 2 else 0.0
    for last_active in (False, True):
        chances = active_and_reads(n, nodes, last_active=last_active)
        for active in range(nodes + 1):
            few = [
                i for i in range(n + 1) if is_stuck(n, nodes, active=active, used=i, last_active=last_active)
            ]
            total += float(chances[active] @ used[:, few].sum(axis=1))
    return total
