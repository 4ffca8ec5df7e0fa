"""The search for a cheaper circuit of the same function by the loop of CGP, on tables of all rows.

The runs walk through circuits that compute the same as the start, by the loop of CGP with a judge that
accepts whatever is right and at most a slack dearer than the best circuit so far (`search/shrinking.py`).

It is an iterated local search: an epoch of the loop on the whole circuit, which may end at a circuit that is
a little dearer, and then a pass over windows of what it came to (`window_search.py`), which soon finds what
can be saved nearby. On the multiplier of four bits the windows alone come from 64 gates to 60 in a second and
stay there; the loop alone takes half a minute for that, and goes on. Where all gates have at most two inputs,
`resubstitution_search.py` gets further.
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

# Offspring in an epoch, in turn: short epochs suit small circuits, long ones larger ones.
EPOCHS = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
FIRST_SLICE = 2_000  # offspring
SPARE = 25  # nodes beyond those that a circuit needs, at least


def search_by_cgp(start: Circuit, plan: Plan, *, wanted: Target, watch: Watch | None = None) -> Found:
    """Search for a cheaper circuit; see `whole_search.search`."""
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
    """The next epoch of a run, in slices between which the clock is looked at; where it ends."""
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
    """A pass over the windows of the circuit that an epoch came to."""
    random = Random(f"{plan.seed}/{run.number}/{run.turns}")
    here = current[run.number]
    below = descend(here, plan, run, random=random, most_windows=len(here), stop=is_over)
    units = units_of(plan.price, below)
    if units < run.units:  # else the walk goes on from where it was, not from the foot of a hill it knows
        current[run.number] = run.best = below
        run.units = units
