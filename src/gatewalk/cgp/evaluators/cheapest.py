"""The evaluator that makes circuits smaller: it accepts correct programs only, and looks for cheap ones.

The rank of an offspring is `DONE` if it is correct and costs no more than the goal, `ACCEPTABLE` if it is
correct and costs at most a slack more than the cheapest program so far, and `REFUSED` otherwise. To the loop
all acceptable programs are equally good, so it walks freely among them, also to programs that cost a little
more than the cheapest one. This way out of dead ends is threshold accepting (Dueck and Scheuer, "Threshold
accepting", 1990), measured from the best program seen as in Dueck's record-to-record travel (1993). With a
slack of 0 it is the usual search of CGP for smaller circuits (Vašíček, "Cartesian GP in optimization of
combinational circuits with hundreds of inputs and thousands of gates", 2015).

Whether a program is correct is decided by another evaluator, which stops at the first rows that are wrong.
The cost of a program is the sum of the prices of its active gates and, optionally, a price for every level of
its depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp import large
from gatewalk.cgp.evaluators import incremental, marked
from gatewalk.cgp.evaluators.incremental import Incremental
from gatewalk.cgp.evaluators.table import Plain
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Genes, Large, State
from gatewalk.cgp.program import Changes
from gatewalk.native.jit import by_kind, inlined, internal

DONE, ACCEPTABLE, REFUSED = range(3)
# Indices into `Cheapest.costs`.
BEST, SLACK, GOAL = range(3)
UNKNOWN = 1 << 62  # stands for the cost of the cheapest program before there is one
_ZERO = np.uint64(0)
_RIGHT = np.int64(0)  # mismatches of every parent, since only correct programs are accepted

Trial = tuple[np.uint64, np.int64]  # the trial of the other evaluator, and the cost of the offspring

_evaluate_anew: Any = by_kind({Incremental: incremental.evaluate_anew, Plain: marked.evaluate_anew})
_evaluate: Any = by_kind({Incremental: incremental.evaluate, Plain: marked.evaluate})
_keep: Callable[..., State] = by_kind({Incremental: incremental.keep, Plain: marked.keep})
_drop: Callable[..., State] = by_kind({Incremental: incremental.drop, Plain: large.drop})


class Cheapest(NamedTuple):
    """The arrays of the evaluator.

    active: the active sources of the parent (see `large`), kept by the evaluator `right`.
    right: the evaluator that decides whether a program is correct.
    prices: the price of each gate. level_price: the price of a level of depth.
    costs: the cost of the cheapest program so far, the slack, and the goal.
    genes: the cheapest program so far.
    marks, levels: scratch, an entry for each source.
    """

    active: NDArray[Any]
    layout: Layout
    right: Any
    prices: NDArray[np.int64]
    level_price: np.int64
    costs: NDArray[np.int64]
    genes: Genes
    marks: NDArray[np.uint8]
    levels: NDArray[np.int64]


def cheapest_of(
    layout: Layout,
    right: Incremental | Plain,
    *,
    prices: NDArray[np.int64],
    level_price: int,
    best: int | None,
    slack: int,
    goal: int,
) -> Cheapest:
    """The arrays of the evaluator. best: the cost of the cheapest program known; None: that of the start."""
    sources = layout.inputs + layout.nodes
    return Cheapest(
        right.active,
        layout,
        right,
        np.asarray(prices, dtype=np.int64),
        np.int64(level_price),
        np.array([UNKNOWN if best is None else best, slack, goal], dtype=np.int64),
        np.zeros(layout.owner.size, dtype=np.int32),
        np.zeros(sources, dtype=np.uint8),
        np.zeros(sources, dtype=np.int64),
    )


@inlined
def _depth(evaluator: Cheapest, genes: Genes) -> np.int64:
    """The number of gates on the longest path to an output; the active sources must be marked."""
    layout, levels, deepest = evaluator.layout, evaluator.levels, np.int64(0)
    for node in range(layout.nodes):
        if evaluator.marks[layout.inputs + node]:
            first, level = node * layout.block, np.int64(0)
            for argument in range(layout.arities[genes[first]]):
                level = max(level, levels[genes[first + 1 + argument]])
            levels[layout.inputs + node] = level + 1
            deepest = max(deepest, level + 1)
    return deepest


@internal
def cost_of(evaluator: Cheapest, genes: Genes) -> np.int64:
    """The cost of a program."""
    layout, marks, cost = evaluator.layout, evaluator.marks, np.int64(0)
    for source in range(marks.size):
        marks[source] = 0
    for output in range(layout.outputs):
        marks[genes[layout.nodes * layout.block + output]] = 1
    for node in range(layout.nodes - 1, -1, -1):
        if marks[layout.inputs + node]:
            first = node * layout.block
            cost += evaluator.prices[genes[first]]
            for argument in range(layout.arities[genes[first]]):
                marks[genes[first + 1 + argument]] = 1
    if evaluator.level_price != 0:
        cost += evaluator.level_price * _depth(evaluator, genes)
    return cost


@inlined
def _rank(evaluator: Cheapest, cost: np.int64) -> np.int64:
    """The rank of a correct program of this cost."""
    costs = evaluator.costs
    if cost <= costs[GOAL]:
        return np.int64(DONE)
    return np.int64(ACCEPTABLE if cost <= costs[BEST] + costs[SLACK] else REFUSED)


@inlined
def _record(evaluator: Cheapest, program: Large, cost: np.int64) -> None:
    """Keep the offspring if it is the cheapest so far."""
    if cost < evaluator.costs[BEST]:
        evaluator.costs[BEST] = cost
        for gene in range(evaluator.genes.size):
            evaluator.genes[gene] = program.genes[gene]


@inlined
def evaluate_anew(evaluator: Cheapest, program: Large) -> np.int64:
    """See `evaluators.evaluate_anew`; an incorrect program is refused."""
    if _evaluate_anew(evaluator.right, program) != _RIGHT:
        return np.int64(REFUSED)
    cost = cost_of(evaluator, program.genes)
    _record(evaluator, program, cost)
    return _rank(evaluator, cost)


@inlined
def evaluate(
    evaluator: Cheapest, program: Large, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, Trial]:
    """See `evaluators.evaluate`."""
    if changes.hits == _ZERO:
        return parent, (_ZERO, evaluator.costs[BEST])
    wrong, trial = _evaluate(evaluator.right, program, state, changes, _RIGHT, _RIGHT)
    if wrong != _RIGHT:
        return np.int64(REFUSED), (trial[0], evaluator.costs[BEST])
    cost = cost_of(evaluator, program.genes)
    return _rank(evaluator, cost), (trial[0], cost)


@inlined
def keep(evaluator: Cheapest, program: Large, state: State, changes: Changes, trial: Trial) -> State:
    """See `evaluators.keep`."""
    _record(evaluator, program, trial[1])
    return _keep(evaluator.right, program, state, changes, (trial[0],))


@inlined
def drop(evaluator: Cheapest, program: Large, state: State, changes: Changes, trial: Trial) -> State:
    """See `evaluators.drop`."""
    return _drop(evaluator.right, program, state, changes, (trial[0],))
