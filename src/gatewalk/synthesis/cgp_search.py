"""Search for a cheaper circuit of the same function with the loop of CGP, on the complete truth table.

The loop accepts every offspring that computes the right function and costs at most a given slack more than
the best circuit so far (`search/shrinking.py`). So a run moves through circuits that all compute the same.

The search is an iterated local search. An epoch of the loop changes the whole circuit and may end at a
slightly dearer one; a pass over the windows of that circuit (`window_search.py`) then finds the savings
nearby. On the four-bit multiplier, windows alone get from 64 gates to 60 in a second and no further; the loop
alone needs half a minute to reach 60, and continues to improve. If all gates have at most two inputs,
`resubstitution_search.py` finds smaller circuits.
"""

from __future__ import annotations

import time
from random import Random

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.search.shrinking import advance_epoch, begin_epoch
from gatewalk.synthesis.parallel_runs import TURN_SECONDS, IsOver, Run, take_turns
from gatewalk.synthesis.plan import Found, Plan, Watch, shrinking_of
from gatewalk.synthesis.price import units_of
from gatewalk.synthesis.window_search import descend, warm_up

# Offspring per epoch, used in rotation: short epochs suit small circuits, long ones suit larger ones.
EPOCHS = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
FIRST_SLICE = 2_000  # offspring
SPARE = 25  # a program has at least so many nodes more than its circuit has gates


def search_by_cgp(start: Circuit, plan: Plan, *, wanted: Target, watch: Watch | None = None) -> Found:
    """Search for a cheaper circuit of the target `wanted`, beginning from `start`."""
    first = shrinking_of(plan, wanted, run=0)
    begin_epoch(first, start, nodes=max(1, len(start)), best=None, seed=0, run=0, number=0)  # compiles
    warm_up(start, plan)
    current = [start] * plan.runs

    def turn(run: Run, is_over: IsOver) -> None:
        current[run.number] = _epoch(run, current[run.number], wanted, plan, is_over)
        if run.units > plan.goal and not is_over() and not plan.price.level_unit:
            _descend(run, current, plan, is_over)

    return take_turns(start, turn, plan, watch=watch)


def _epoch(run: Run, current: Circuit, wanted: Target, plan: Plan, is_over: IsOver) -> Circuit:
    """Run the next epoch and return the circuit at which it ends.

    The epoch is cut into slices; between two of them the clock is read.
    """
    size = len(run.best)
    nodes = plan.nodes or max(size + SPARE, 3 * size // 2)
    epoch = begin_epoch(
        shrinking_of(plan, wanted, run=run.number),
        current,
        nodes=max(nodes, len(current)),
        best=run.units,
        seed=plan.seed,
        run=run.number,
        number=run.turns,
    )
    limit = EPOCHS[run.turns % len(EPOCHS)]
    if plan.evaluations is not None:
        limit = min(limit, plan.evaluations - run.evaluations)
    before, slice_size = run.evaluations, FIRST_SLICE
    while epoch.offspring < limit and not epoch.is_done and not is_over():
        at = time.perf_counter()
        advance_epoch(epoch, min(slice_size, limit - epoch.offspring))
        run.evaluations = before + epoch.offspring
        if epoch.best < run.units:
            run.best, run.units = epoch.best_circuit, epoch.best
        spent = time.perf_counter() - at
        slice_size = max(1, int(slice_size * min(2.0, TURN_SECONDS / max(spent, 1e-6))))
    return epoch.circuit


def _descend(run: Run, current: list[Circuit], plan: Plan, is_over: IsOver) -> None:
    """Make one pass over the windows of the circuit at which the epoch ended."""
    random = Random(f"{plan.seed}/{run.number}/{run.turns}")
    here = current[run.number]
    below = descend(here, plan, run, random=random, most_windows=len(here), stop=is_over)
    units = units_of(plan.price, below)
    if units < run.units:  # otherwise the next epoch begins where this one ended, not at a local optimum
        current[run.number] = run.best = below
        run.units = units
