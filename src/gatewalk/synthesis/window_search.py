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
from typing import Protocol

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.own_target import circuit_target
from gatewalk.errors import InputError
from gatewalk.search.shrinking import advance_epoch, begin_epoch
from gatewalk.synthesis.local import Freedom, resynthesise
from gatewalk.synthesis.plan import SLICE_SECONDS, Found, Plan, Progress, Watch, shrinking_of
from gatewalk.synthesis.price import Price, units_of

EPOCH = 50_000  # offspring for one window
SPARE = 20  # nodes beyond those that a window has
MOST_FREE_INPUTS = 12  # of a circuit whose windows are freed of rows that its outputs do not see
MOST_INPUTS, MOST_GATES = 8, 20  # of a window
_WINDOWS = 1 << 32  # windows have other random numbers than epochs of the whole circuit


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
    warm_up(start, plan)
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
        run.gates = gates

    seconds = None if plan.seconds is None else plan.seconds / share
    random = Random(f"{plan.seed}/{run.number}")
    circuit = descend(run.circuit, plan, run, random=random, seconds=seconds, stop=is_over, watch=note)
    units = units_of(plan.price, circuit)
    if units < run.units:
        run.circuit, run.units = circuit, units


class Counts(Protocol):
    """A run: its number, and how many windows and circuits it has tried."""

    @property
    def number(self) -> int: ...

    windows: int
    evaluations: int


def descend(
    circuit: Circuit,
    plan: Plan,
    run: Counts,
    *,
    random: Random,
    seconds: float | None = None,
    most_windows: int | None = None,
    stop: Callable[[], bool] | None = None,
    watch: Callable[[int, int, float], None] | None = None,
) -> Circuit:
    """Make windows of a circuit cheaper, one after the other; see `local.resynthesise`."""
    return resynthesise(
        circuit,
        shrink=partial(_shrink, run=run, plan=plan),
        random=random,
        seconds=seconds,
        most_windows=most_windows,
        most_inputs=_most_inputs(circuit),
        most_gates=MOST_GATES,
        freedom=_freedom(circuit),
        neutral=True,
        gates=plan.gates,
        measure=_measure(plan.price),
        stop=stop,
        watch=watch,
    ).circuit


def _most_inputs(circuit: Circuit) -> int:
    """Of a window; one that fits a word of rows where the whole circuit does: then one kernel serves both."""
    return 6 if len(circuit.input_labels) <= 6 else MOST_INPUTS


def _freedom(circuit: Circuit) -> Freedom:
    return "observable" if len(circuit.input_labels) <= MOST_FREE_INPUTS else "none"


def _measure(priced: Price) -> Callable[[Circuit], int]:
    return lambda circuit: units_of(priced, circuit)


def _shrink(wanted: Target, part: Circuit, *, run: Counts, plan: Plan) -> Circuit | None:
    """Another circuit for a window: a cheaper one, or that at which the search ended if it costs the same."""
    cost = units_of(plan.price, part)
    epoch = begin_epoch(
        replace(shrinking_of(plan, wanted, run=run.number), goal=0),
        part,
        nodes=len(part) + SPARE,
        best=cost,
        seed=plan.seed,
        run=run.number,
        number=_WINDOWS + run.windows,
    )
    run.windows += 1
    left = EPOCH if plan.evaluations is None else plan.evaluations - run.evaluations
    advance_epoch(epoch, min(EPOCH, left))
    run.evaluations += epoch.offspring
    if epoch.best < cost:
        return epoch.best_circuit
    last = epoch.circuit
    return last if units_of(plan.price, last) == cost else None


def warm_up(start: Circuit, plan: Plan) -> None:
    """Compile what tables of one word, and if need be of several, are searched by, before the clock runs."""
    for inputs in {6, _most_inputs(start)}:
        wire = Circuit(tuple(f"x{i}" for i in range(inputs)), (), (0,), ("y",))
        first = shrinking_of(plan, circuit_target(wire), run=0)
        begin_epoch(first, wire, nodes=1, best=None, seed=0, run=0, number=0)
