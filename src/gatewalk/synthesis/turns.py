"""Several runs of a search for a cheaper circuit, side by side on threads.

Whatever the search, it goes on in *turns*: short pieces of one run, between which the clock is looked at,
other runs have their turn and Ctrl-C is heard. A run depends on its start, its plan, the seed and
its number only: not on the threads, nor on the other runs.
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

TURN_SECONDS = 0.1  # about so long is a turn, where its length can be chosen


@dataclass(eq=False)
class Run:
    """A search under way: the cheapest circuit so far and what it costs.

    turns: taken so far. evaluations, windows: circuits and windows tried so far.
    gates_now: of the circuit that a long turn has come to; None between turns.
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
Turn = Callable[[Run, IsOver], None]  # takes a turn; is to end soon when it is over


def take_turns(start: Circuit, turn: Turn, plan: Plan, *, watch: Watch | None) -> Found:
    """Search until the time or the evaluations are spent, the goal is reached or Ctrl-C comes.

    Parameters
    ----------
    start
        Where all runs begin.
    turn
        One turn of a run.
    plan
        How many runs and threads, and when to end.
    watch
        Told about ten times a second how far it is.
    """
    began = time.perf_counter()
    deadline = None if plan.seconds is None else began + plan.seconds
    units = units_of(plan.price, start)
    runs = [Run(number, start, units) for number in range(plan.runs)]
    interrupted = units > plan.goal and _work(runs, turn, plan, deadline, watch, began)
    best = _best(runs)
    return Found(
        circuit=best.best,
        units=best.units,
        evaluations=sum(run.evaluations for run in runs),
        seconds=time.perf_counter() - began,
        run=best.number,
        interrupted=interrupted,
    )


def _work(
    runs: list[Run], turn: Turn, plan: Plan, deadline: float | None, watch: Watch | None, began: float
) -> bool:
    """All runs to their end; tells whether it was interrupted."""
    stop = Event()
    pool = ThreadPoolExecutor(min(plan.jobs, len(runs)))
    waiting = list(runs)
    under_way: set[Future[Run]] = set()
    interrupted = False
    try:
        while waiting or under_way:
            while waiting and len(under_way) < plan.jobs:
                under_way.add(pool.submit(_take, waiting.pop(0), turn, plan, deadline, stop))
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


def _take(run: Run, turn: Turn, plan: Plan, deadline: float | None, stop: Event) -> Run:
    """One turn, on a thread of its own."""

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
    """The cheapest circuit; of equal ones that of the first run."""
    return min(runs, key=lambda run: (run.units, run.number))


def _progress(runs: list[Run], began: float) -> Progress:
    best = _best(runs)
    under_way = best.gates_now  # read once: a thread may set it to None meanwhile
    gates = len(best.best) if under_way is None else under_way
    return Progress(gates, sum(run.evaluations for run in runs), time.perf_counter() - began)
