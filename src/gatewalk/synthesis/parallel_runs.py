"""Several runs of a search for a cheaper circuit, side by side on threads; one loop for all methods.

A run advances in *turns*, which are short. Between two turns of a run the clock is read, Ctrl-C is answered,
and other runs take their turns on the same thread. The result of a run depends only on its start, its plan,
the seed and its number, not on the threads or on other runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event

from gatewalk.circuit.circuit import Circuit
from gatewalk.synthesis.plan import Found, Plan, Progress, Watch
from gatewalk.synthesis.price import units_of

TURN_SECONDS = 0.1  # the length of a turn that methods aim at


@dataclass(eq=False)
class Run:
    """A run under way.

    best, units: the cheapest circuit so far and what it costs. turns: how many were taken so far.
    evaluations, windows: how many circuits and windows were tried so far.
    gates_now: the gates of the circuit that a long turn has come to so far; None between turns.
    """

    number: int
    best: Circuit
    units: int
    turns: int = 0
    evaluations: int = 0
    windows: int = 0
    gates_now: int | None = None
    is_done: bool = False


IsOver = Callable[[], bool]
Turn = Callable[[Run, IsOver], None]  # takes one turn of a run, and ends it early when the search is over


def take_turns(start: Circuit, turn: Turn, plan: Plan, *, watch: Watch | None) -> Found:
    """Run all searches until the time or the evaluations are used up, the goal is reached or Ctrl-C comes.

    Parameters
    ----------
    start
        The circuit at which all runs begin.
    turn
        Takes one turn of a run: it updates the run in place.
    plan
        How many runs and threads, and when to stop.
    watch
        Called about ten times a second with the progress.
    """
    began = time.perf_counter()
    deadline = None if plan.seconds is None else began + plan.seconds
    units = units_of(plan.price, start)
    runs = [Run(number, start, units) for number in range(plan.runs)]
    interrupted = units > plan.goal and _run_all(runs, turn, plan, deadline, watch, began)
    best = _best(runs)
    return Found(
        circuit=best.best,
        units=best.units,
        evaluations=sum(run.evaluations for run in runs),
        seconds=time.perf_counter() - began,
        run=best.number,
        interrupted=interrupted,
    )


def _run_all(
    runs: list[Run], turn: Turn, plan: Plan, deadline: float | None, watch: Watch | None, began: float
) -> bool:
    """Take turns of all runs until every run is done; returns whether Ctrl-C interrupted them."""
    stop = Event()
    pool = ThreadPoolExecutor(min(plan.jobs, len(runs)))
    waiting = list(runs)
    under_way: set[Future[Run]] = set()
    interrupted = False
    try:
        while waiting or under_way:
            while waiting and len(under_way) < plan.jobs:
                under_way.add(pool.submit(_take_turn, waiting.pop(0), turn, plan, deadline, stop))
            done, under_way = wait(under_way, timeout=TURN_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                run = future.result()
                if run.units <= plan.goal and deadline is not None:
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


def _take_turn(run: Run, turn: Turn, plan: Plan, deadline: float | None, stop: Event) -> Run:
    """Take one turn of a run, on one of the threads, and note whether the run is done."""

    def is_over() -> bool:
        is_spent = plan.evaluations is not None and run.evaluations >= plan.evaluations
        return stop.is_set() or is_spent or (deadline is not None and time.perf_counter() >= deadline)

    if not is_over():
        turn(run, is_over)
        run.turns += 1
        run.gates_now = None
    run.is_done = run.is_done or run.units <= plan.goal or is_over()
    return run


def _best(runs: list[Run]) -> Run:
    """The run with the cheapest circuit; the first of them if several are equal."""
    return min(runs, key=lambda run: (run.units, run.number))


def _progress(runs: list[Run], began: float) -> Progress:
    best = _best(runs)
    under_way = best.gates_now  # read once: a thread may set it to None meanwhile
    gates = len(best.best) if under_way is None else under_way
    return Progress(gates, sum(run.evaluations for run in runs), time.perf_counter() - began)
