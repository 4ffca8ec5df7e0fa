"""The search for a cheaper program of the same function, literally: the twin of `cgp/evaluators/cheapest.py`.

The loop is that of `reference.cgp`, but it minimises another rank: 0 for a correct program that costs no more
than the goal, 1 for other correct programs that cost at most a slack more than the cheapest so far, and 2 for
all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gatewalk.reference.cgp import Rules, Step, active_nodes, fitness, generation
from gatewalk.reference.stream import Stream


@dataclass(frozen=True)
class Costs:
    """The price of each function and of a level of depth, the slack and the goal."""

    prices: Sequence[int]
    level_price: int
    slack: int
    goal: int


@dataclass
class Shrunk:
    """The state of the search: parent and counters in `step`, and the cheapest program so far with its cost.

    The fitness in `step` is the rank of the parent.
    """

    step: Step
    best: list[int]
    cost: int


def cost(s: Rules, costs: Costs, x: list[int]) -> int:
    """The cost of a program."""
    level = dict.fromkeys(range(s.Nin), 0)
    total = 0
    for node in sorted(active_nodes(s, x)):
        block = x[(node - s.Nin) * (s.k + 1) : (node - s.Nin + 1) * (s.k + 1)]
        total += costs.prices[block[0]]
        reads = block[1 : 1 + s.functions[block[0]].arity]
        level[node] = 1 + max((level[v] for v in reads), default=0)
    return total + costs.level_price * max((level[v] for v in x[s.Nfunc * (s.k + 1) :]), default=0)


def shrink(s: Rules, costs: Costs, stream: Stream, *, x: list[int], limit: int) -> Iterator[Shrunk]:
    """The state after the start x, which must be correct, and after each generation."""
    state = Shrunk(Step(list(x), 0, 0, 0), list(x), cost(s, costs, x))

    def rank(s: Rules, y: list[int]) -> int:
        if fitness(s, y) > 0 or cost(s, costs, y) > state.cost + costs.slack:
            return 2
        return 1 if cost(s, costs, y) > costs.goal else 0

    state.step.fitness = rank(s, x)
    yield state
    while state.step.fitness > 0 and state.step.iterations < limit:
        generation(s, state.step, stream, limit, rank)
        if cost(s, costs, state.step.x) < state.cost:
            state.best, state.cost = state.step.x, cost(s, costs, state.step.x)
        yield state
