"""The search for a cheaper circuit in windows: parts of a large circuit are made cheaper one after the other.

A window has few inputs, so its table is small and the loop of CGP is at its fastest on it (Kocnova and
Vasicek, 2020; see `local.py`). What is found is put back if it is cheaper, and also if it costs the same:
that leads to windows which were not there before. A run depends on its start, its plan, the seed and its
number only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from threading import Event

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError
from gatewalk.search.shrinking import advance_epoch, begin_epoch
from gatewalk.synthesis.local import Freedom, resynthesise
from gatewalk.synthesis.price import Price, units_of
from gatewalk.synthesis.whole_search import SLICE_SECONDS, Found, Plan, Progress, Watch, shrinking_of

EPOCH = 50_000  # offspring for one window
SPARE = 20  # nodes beyond those that a window has
MOST_FREE_INPUTS = 12  # of a circuit whose windows are freed of rows that its outputs do not see
MOST_INPUTS = 8
MOST_GATES = 20


@dataclass(eq=False)
class _Run:
    """A search under way: its circuit, what that costs, and how many windows and circuits it has tried."""

    number: int
    circuit: Circuit
    units: int
    windows: int = 0
    evaluations: int = 0
    gates: int = field(default=0)


def search_windows(start: Circuit, plan: Plan, *, watch: Watch | None = None) -> Found:
    """Search for a cheaper circuit window by window; see `whole_search.search`.

    No table of all rows is needed, so the circuit may have any number of inputs. Depth is no property of a
    window, and cannot count.
    """
    if plan.price.level_unit:
        raise InputError(
            f"a circuit of {len(start.input_labels)} inputs and {len(start)} gates is made smaller in "
            "windows, where depth cannot count: use --cost gates, or prices of gates"
        )
    _warm_up(plan)
    began = time.perf_counter()
    units = units_of(plan.price, start)
    runs = [_Run(number, start, units, gates=len(start)) for number in range(plan.runs)]
    interrupted = _work(runs, plan, began, watch)
    best = min(runs, key=lambda run: (run.units, run.number))
    return Found(
        circuit=best.circuit,
        units=best.units,
        evaluations=sum(run.evaluations for run in runs),
        seconds=time.perf_counter() - began,
        run=best.number,
        interrupted=interrupted,
    )


def _work(runs: list[_Run], plan: Plan, began: float, watch: Watch | None) -> bool:
    """All runs on threads; tells whether it was interrupted."""
    stop = Event()
    deadline = None if plan.seconds is None else began + plan.seconds
    # With more runs than threads each gets its share of the time.
    share = -(-len(runs) // plan.jobs)
    pool = ThreadPoolExecutor(min(plan.jobs, len(runs)))
    under_way: set[Future[None]] = {pool.submit(_run, run, plan, share, stop) for run in runs}
    interrupted = False
    try:
        while under_way:
            done, under_way = wait(under_way, timeout=SLICE_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
            if watch is not None:
                watch(_progress(runs, began))
            if deadline is not None and time.perf_counter() > deadline:
                stop.set()
    except KeyboardInterrupt:
        interrupted = True
    finally:
        stop.set()
        pool.shutdown(wait=True)
    return interrupted


def _progress(runs: list[_Run], began: float) -> Progress:
    best = min(runs, key=lambda run: run.gates)
    evaluations = sum(run.evaluations for run in runs)
    return Progress(best.gates, evaluations, time.perf_counter() - began)


def _run(run: _Run, plan: Plan, share: int, stop: Event) -> None:
    """One run to its end."""

    def is_over() -> bool:
        return stop.is_set() or (plan.evaluations is not None and run.evaluations >= plan.evaluations)

    def note(gates: int, windows: int, seconds: float) -> None:
        run.gates, run.windows = gates, windows

    found = resynthesise(
        run.circuit,
        shrink=partial(_shrink, run=run, plan=plan),
        random=Random(f"{plan.seed}/{run.number}"),
        seconds=None if plan.seconds is None else plan.seconds / share,
        most_inputs=MOST_INPUTS,
        most_gates=MOST_GATES,
        freedom=_freedom(run.circuit),
        neutral=True,
        gates=plan.gates,
        measure=_measure(plan.price),
        stop=is_over,
        watch=note,
    )
    units = units_of(plan.price, found.circuit)
    if units < run.units:
        run.circuit, run.units = found.circuit, units


def _freedom(circuit: Circuit) -> Freedom:
    return "observable" if len(circuit.input_labels) <= MOST_FREE_INPUTS else "none"


def _measure(priced: Price) -> Callable[[Circuit], int]:
    return lambda circuit: units_of(priced, circuit)


def _shrink(wanted: Target, part: Circuit, *, run: _Run, plan: Plan) -> Circuit | None:
    """Another circuit for a window: a cheaper one, or that at which the search ended if it costs the same."""
    cost = units_of(plan.price, part)
    epoch = begin_epoch(
        replace(shrinking_of(plan, wanted, run=run.number), goal=0),
        part,
        nodes=len(part) + SPARE,
        best=cost,
        seed=plan.seed,
        run=run.number,
        number=run.windows,
    )
    advance_epoch(epoch, EPOCH)
    run.evaluations += epoch.offspring
    if epoch.best < cost:
        return epoch.best_circuit
    last = epoch.circuit
    return last if units_of(plan.price, last) == cost else None


def _warm_up(plan: Plan) -> None:
    """Compile what a table of one word, and what one of several, is searched by, before the clock runs."""
    from gatewalk.boolean.targets import target
    from gatewalk.circuit.target_circuit import target_circuit
    from gatewalk.synthesis.mapping import mapped

    for name in ("mux:2", "mux:5"):
        wanted = target(name)
        circuit = mapped(target_circuit(wanted), plan.gates)
        begin_epoch(
            shrinking_of(plan, wanted, run=0),
            circuit,
            nodes=len(circuit) + 1,
            best=None,
            seed=0,
            run=0,
            number=0,
        )
