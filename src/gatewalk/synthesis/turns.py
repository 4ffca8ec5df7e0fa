"""The scheduler of a minimisation: several runs side by side on threads, one loop for all methods.

A run advances in *turns*. Between two turns of a run the clock is read, Ctrl-C is answered, and other runs
take their turns on the same thread. What a turn does is up to the method: a walk takes steps for about
`TURN_SECONDS`, while an epoch of CGP or a pass over all windows is one turn however long it takes, and reads
the clock itself. The result of a run depends only on its start, its options and its number, not on the
threads or on other runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import cost_units
from gatewalk.synthesis.options import Options, Progress, Watch

TURN_SECONDS = 0.1  # the length of a turn that methods aim at


@dataclass(eq=False)
class Searcher:
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
# Takes one turn of a run, which it updates in place; ends the turn early when the search is over.
Turn = Callable[[Searcher, IsOver], None]


@dataclass(frozen=True)
class SearchResult:
    """The cheapest circuit of all runs.

    units: what it costs, in units of `Cost`. evaluations: those of all runs. run: the run that found it.
    interrupted: whether Ctrl-C ended the search.
    """

    circuit: Circuit
    units: int
    evaluations: int
    seconds: float
    run: int
    interrupted: bool


def take_turns(start: Circuit, turn: Turn, options: Options, *, watch: Watch | None) -> SearchResult:
    """Run all searches until the time or the evaluations are used up, the goal is reached or Ctrl-C comes.

    All runs begin at `start`. watch: called about ten times a second with the progress.
    """
    began = time.perf_counter()
    deadline = None if options.seconds is None else began + options.seconds
    units = cost_units(options.price, start)
    runs = [Searcher(number, start, units) for number in range(options.runs)]
    interrupted = units > options.goal and _run_all(runs, turn, options, deadline, watch, began)
    best = _best(runs)
    return SearchResult(
        circuit=best.best,
        units=best.units,
        evaluations=sum(run.evaluations for run in runs),
        seconds=time.perf_counter() - began,
        run=best.number,
        interrupted=interrupted,
    )


def _run_all(
    runs: list[Searcher],
    turn: Turn,
    options: Options,
    deadline: float | None,
    watch: Watch | None,
    began: float,
) -> bool:
    """Take turns of all runs until every run is done; returns whether Ctrl-C interrupted them."""
    stop = Event()
    pool = ThreadPoolExecutor(min(options.jobs, len(runs)))
    waiting = list(runs)
    under_way: set[Future[Searcher]] = set()
    interrupted = False
    try:
        while waiting or under_way:
            while waiting and len(under_way) < options.jobs:
                under_way.add(pool.submit(_take_turn, waiting.pop(0), turn, options, deadline, stop))
            done, under_way = wait(under_way, timeout=TURN_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                run = future.result()
                if run.units <= options.goal and deadline is not None:
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


def _take_turn(run: Searcher, turn: Turn, options: Options, deadline: float | None, stop: Event) -> Searcher:
    """Take one turn of a run, on one of the threads, and note whether the run is done."""

    def is_over() -> bool:
        is_spent = options.evaluations is not None and run.evaluations >= options.evaluations
        return stop.is_set() or is_spent or (deadline is not None and time.perf_counter() >= deadline)

    if not is_over():
        turn(run, is_over)
        run.turns += 1
        run.gates_now = None
    run.is_done = run.is_done or run.units <= options.goal or is_over()
    return run


def _best(runs: list[Searcher]) -> Searcher:
    """The run with the cheapest circuit; the first of them if several are equal."""
    return min(runs, key=lambda run: (run.units, run.number))


def _progress(runs: list[Searcher], began: float) -> Progress:
    best = _best(runs)
    gates_now = best.gates_now  # read once: a thread may set it to None meanwhile
    gates = len(best.best) if gates_now is None else gates_now
    return Progress(gates, sum(run.evaluations for run in runs), time.perf_counter() - began)
