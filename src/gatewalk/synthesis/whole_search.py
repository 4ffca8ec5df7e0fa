"""Search for a cheaper circuit as a whole, on the complete truth table.

By resubstitution, every run is one walk (`resubstitution.py`). If all gates have at most two inputs, it finds
the smaller circuits.

By CGP, every run is an iterated local search. An epoch of the loop (`cgp_shrinker.py`) changes the whole
circuit and may end at a slightly dearer one; a pass over the windows of that circuit (`window_search.py`)
then finds the savings nearby. On the four-bit multiplier, windows alone get from 64 gates to 60 in a second
and no further; the loop alone needs half a minute to reach 60, and continues to improve.
"""

from __future__ import annotations

import time

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import cost_units
from gatewalk.synthesis.cgp_shrinker import begin_cgp
from gatewalk.synthesis.options import Options, Watch
from gatewalk.synthesis.shrinker import Shrinker, begin
from gatewalk.synthesis.turns import TURN_SECONDS, IsOver, Searcher, SearchResult, Turn, take_turns
from gatewalk.synthesis.window_search import pass_over_windows, warm_up

# Offspring per epoch, used in rotation: short epochs suit small circuits, long ones suit larger ones.
EPOCHS = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
SPARE = 25  # a program has at least so many nodes more than its circuit has gates
FIRST_OFFSPRING = 2_000  # of an epoch, before the clock is read
FIRST_STEPS = 100  # of a walk by resubstitution


def search_whole(
    start: Circuit, options: Options, *, target: Target, watch: Watch | None = None
) -> SearchResult:
    """Search for a cheaper circuit of the target, beginning from `start`."""
    make_turn = _epochs if options.method == "cgp" else _walks
    turn = make_turn(start, options, target)  # compiles, before the clock runs
    return take_turns(start, turn, options, watch=watch)


def _walks(start: Circuit, options: Options, target: Target) -> Turn:
    """The turn of a run by resubstitution: some steps of its walk."""
    walks = [begin(options, target, start, run=number, number=0) for number in range(options.runs)]
    walks[0].advance(0)  # compiles
    lengths = [FIRST_STEPS] * options.runs

    def turn(run: Searcher, is_over: IsOver) -> None:
        walk, steps = walks[run.number], lengths[run.number]
        if options.evaluations is not None:
            steps = min(steps, options.evaluations - run.evaluations)
        lengths[run.number] = _advance(walk, steps)
        run.evaluations, run.is_done = walk.steps, walk.is_done
        _keep_best(run, walk)

    return turn


def _epochs(start: Circuit, options: Options, target: Target) -> Turn:
    """The turn of a run by CGP: an epoch, and a pass over the windows of the circuit at which it ends."""
    begin(options, target, start, run=0, number=0)  # compiles
    warm_up(start, options)
    current = [start] * options.runs

    def turn(run: Searcher, is_over: IsOver) -> None:
        here = current[run.number] = _epoch(run, current[run.number], target, options, is_over)
        if run.units <= options.goal or is_over() or options.price.level_unit:
            return
        below = pass_over_windows(here, options, run, stop=is_over)
        units = cost_units(options.price, below)
        if units < run.units:  # otherwise the next epoch begins where this one ended, not at a local optimum
            current[run.number] = run.best = below
            run.units = units

    return turn


def _epoch(run: Searcher, current: Circuit, target: Target, options: Options, is_over: IsOver) -> Circuit:
    """Run the next epoch and return the circuit at which it ends; the clock is read several times in it."""
    size = len(run.best)
    nodes = options.nodes or max(size + SPARE, 3 * size // 2)
    epoch = begin_cgp(
        options,
        target,
        current,
        run=run.number,
        number=run.turns,
        nodes=max(nodes, len(current)),
        best=run.units,
    )
    limit = EPOCHS[run.turns % len(EPOCHS)]
    if options.evaluations is not None:
        limit = min(limit, options.evaluations - run.evaluations)
    before, offspring = run.evaluations, FIRST_OFFSPRING
    while epoch.steps < limit and not epoch.is_done and not is_over():
        offspring = _advance(epoch, min(offspring, limit - epoch.steps))
        run.evaluations = before + epoch.steps
        _keep_best(run, epoch)
    return epoch.circuit


def _advance(shrinker: Shrinker, steps: int) -> int:
    """Take so many steps; returns how many should take `TURN_SECONDS`, but at most twice as many."""
    began = time.perf_counter()
    shrinker.advance(steps)
    spent = time.perf_counter() - began
    return max(1, int(steps * min(2.0, TURN_SECONDS / max(spent, 1e-6))))


def _keep_best(run: Searcher, shrinker: Shrinker) -> None:
    if shrinker.best < run.units:
        run.best, run.units = shrinker.best_circuit, shrinker.best
