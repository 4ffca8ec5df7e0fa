"""The search for a cheaper circuit of the same function, on tables of all rows.

Several runs walk through circuits that compute the same as the start, by the loop of CGP with a judge that
accepts whatever is right and at most a slack dearer than the best circuit so far (`search/shrinking.py`). A
run depends on its start, its plan, the seed and its number only: not on the threads, nor on the other runs.

It is an iterated local search: an epoch of the loop on the whole circuit, which may end at a circuit that is
a little dearer, and then a pass over windows of what it came to (`window_search.py`), which soon finds what
can be saved nearby. On the multiplier of four bits the windows alone come from 64 gates to 60 in a second and
stay there; the loop alone takes half a minute for that, and goes on.
"""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from random import Random
from threading import Event

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError
from gatewalk.search.shrinking import advance_epoch, begin_epoch
from gatewalk.synthesis.plan import SLICE_SECONDS, Found, Plan, Progress, Watch, shrinking_of
from gatewalk.synthesis.price import units_of
from gatewalk.synthesis.window_search import descend, warm_up

# Offspring in an epoch, in turn: short epochs suit small circuits, long ones larger ones.
EPOCHS = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
FIRST_SLICE = 2_000  # offspring
MOST_INPUTS = 16  # for tables of all rows


SPARE = 25  # nodes beyond those that a circuit needs, at least


@dataclass(eq=False)
class _Run:
    """A search under way. current: where it is; best: the cheapest circuit so far. windows: tried so far."""

    number: int
    current: Circuit
    best: Circuit
    units: int
    epochs: int = 0
    evaluations: int = 0
    windows: int = 0
    is_done: bool = False


def _descend(run: _Run, plan: Plan, deadline: float | None, stop: Event) -> None:
    """A pass over the windows of the circuit that an epoch came to."""

    def is_over() -> bool:
        is_spent = plan.evaluations is not None and run.evaluations >= plan.evaluations
        return stop.is_set() or is_spent or (deadline is not None and time.perf_counter() >= deadline)

    if plan.price.level_unit or is_over():  # depth is no property of a window
        return
    random = Random(f"{plan.seed}/{run.number}/{run.epochs}")
    below = descend(run.current, plan, run, random=random, most_windows=len(run.current), stop=is_over)
    units = units_of(plan.price, below)
    if units < run.units:  # else the walk goes on from where it was, not from the foot of a hill it knows
        run.current = run.best = below
        run.units = units


def search(start: Circuit, plan: Plan, *, wanted: Target, watch: Watch | None = None) -> Found:
    """Search for a cheaper circuit.

    Parameters
    ----------
    start
        A circuit made of the gates of the plan.
    plan
        How.
    wanted
        What every circuit must compute; the start does.
    watch
        Told about ten times a second how far the search is.

    Returns
    -------
    Found
        At Ctrl-C the best circuit so far, with `interrupted` set.
    """
    if wanted.inputs > MOST_INPUTS:
        raise InputError(
            f"{wanted.inputs} inputs are too many for tables; at most {MOST_INPUTS} are searched whole"
        )
    units = units_of(plan.price, start)
    first = shrinking_of(plan, wanted, run=0)
    begin_epoch(first, start, nodes=max(1, len(start)), best=None, seed=0, run=0, number=0)  # compiles
    warm_up(start, plan)
    began = time.perf_counter()
    runs = [_Run(number, start, start, units, is_done=units <= plan.goal) for number in range(plan.runs)]
    interrupted = _work(runs, wanted, plan, began, watch)
    best = _best(runs)
    return Found(
        circuit=best.best,
        units=best.units,
        evaluations=sum(run.evaluations for run in runs),
        seconds=time.perf_counter() - began,
        run=best.number,
        interrupted=interrupted,
    )


def _work(runs: list[_Run], wanted: Target, plan: Plan, began: float, watch: Watch | None) -> bool:
    """All runs, an epoch at a time, on threads; tells whether it was interrupted."""
    stop = Event()
    deadline = None if plan.seconds is None else began + plan.seconds
    pool = ThreadPoolExecutor(min(plan.jobs, len(runs)))
    waiting = [run for run in runs if not run.is_done]
    under_way: set[Future[_Run]] = set()
    interrupted = False
    try:
        while waiting or under_way:
            while waiting and len(under_way) < plan.jobs:
                under_way.add(pool.submit(_epoch, waiting.pop(0), wanted, plan, deadline, stop))
            done, under_way = wait(under_way, timeout=SLICE_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                run = future.result()
                if run.is_done and run.units <= plan.goal and deadline is not None:
                    stop.set()
                elif not run.is_done and not stop.is_set():
                    waiting.append(run)
            if watch is not None:
                watch(_progress(runs, began))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stop.set()
        pool.shutdown(wait=True)
    return interrupted


def _best(runs: list[_Run]) -> _Run:
    """The cheapest circuit; of equal ones that of the first run."""
    return min(runs, key=lambda run: (run.units, run.number))


def _progress(runs: list[_Run], began: float) -> Progress:
    best, evaluations = _best(runs), sum(run.evaluations for run in runs)
    return Progress(len(best.best), evaluations, time.perf_counter() - began)


def _epoch(run: _Run, wanted: Target, plan: Plan, deadline: float | None, stop: Event) -> _Run:
    """The next epoch of a run, in slices between which the clock is looked at."""
    size = len(run.best)
    nodes = plan.nodes or max(size + SPARE, 3 * size // 2)
    nodes = max(nodes, len(run.current))
    epoch = begin_epoch(
        shrinking_of(plan, wanted, run=run.number),
        run.current,
        nodes=nodes,
        best=run.units,
        seed=plan.seed,
        run=run.number,
        number=run.epochs,
    )
    limit = EPOCHS[run.epochs % len(EPOCHS)]
    if plan.evaluations is not None:
        limit = min(limit, plan.evaluations - run.evaluations)
    before, slice_size = run.evaluations, FIRST_SLICE
    while epoch.offspring < limit and not epoch.is_done and not stop.is_set():
        at = time.perf_counter()
        if deadline is not None and at >= deadline:
            break
        advance_epoch(epoch, min(slice_size, limit - epoch.offspring))
        run.evaluations = before + epoch.offspring
        if epoch.best < run.units:
            run.best, run.units = epoch.best_circuit, epoch.best
        spent = time.perf_counter() - at
        slice_size = max(1, int(slice_size * min(2.0, SLICE_SECONDS / max(spent, 1e-6))))
    run.current = epoch.circuit
    run.epochs += 1
    if not epoch.is_done and not stop.is_set():
        _descend(run, plan, deadline, stop)
    is_late = deadline is not None and time.perf_counter() >= deadline
    is_spent = plan.evaluations is not None and run.evaluations >= plan.evaluations
    run.is_done = run.units <= plan.goal or is_late or is_spent
    return run
