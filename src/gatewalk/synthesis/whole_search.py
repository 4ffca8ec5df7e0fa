"""The search for a cheaper circuit of the same function, on tables of all rows.

Several runs walk through circuits that compute the same as the start, by the loop of CGP with a judge that
accepts whatever is right and at most a slack dearer than the best circuit so far (`search/shrinking.py`). A
run depends on its start, its plan, the seed and its number only: not on the threads, nor on the other runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Event

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, whole_number
from gatewalk.search.evolve import check_jobs, default_jobs
from gatewalk.search.session import check_seed
from gatewalk.search.shrinking import Shrinking, advance_epoch, begin_epoch
from gatewalk.synthesis.price import Price, gate_prices, units_of

# Offspring in an epoch, in turn: short epochs suit small circuits, long ones larger ones.
EPOCHS = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
SLICE_SECONDS = 0.1
FIRST_SLICE = 2_000  # offspring
MOST_INPUTS = 16  # for tables of all rows
MOST_RUNS = 10_000


@dataclass(frozen=True)
class Progress:
    """What is known while a search goes on. gates: of the best circuit so far."""

    gates: int
    evaluations: int
    seconds: float


Watch = Callable[[Progress], None]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a circuit is made cheaper.

    Parameters
    ----------
    gates
        The gates that may be used; the start must be made of them.
    price
        What counts.
    slack
        A circuit is accepted up to so many units (gates, levels or a price of 1) above the best one; in every
        other run one more, since now the one and now the other gets further.
    nodes
        Of the programs; None: half as many again as the best circuit has gates, and at least `SPARE` more.
    mutation, offspring
        As in `gatewalk.evolve`.
    seconds, evaluations
        When it ends: by the clock, or after so many evaluations of each run. At least one is given.
    goal
        A price, in the kernel's unit, that cannot be improved on: reaching it ends the search.
    runs, jobs, seed
        Searches with other random numbers, of which the best counts; threads; the random numbers.
    """

    gates: GateSet
    price: Price
    slack: int = 2
    nodes: int | None = None
    mutation: str = "sam"
    offspring: int = 1
    seconds: float | None = None
    evaluations: int | None = None
    goal: int = 0
    runs: int = 2
    jobs: int = field(default_factory=default_jobs)
    seed: int = 0

    def __post_init__(self) -> None:
        whole_number("slack", self.slack, least=0, most=1000)
        whole_number("runs", self.runs, least=1, most=MOST_RUNS)
        check_jobs(self.jobs)
        check_seed(self.seed)
        if self.nodes is not None:
            whole_number("nodes", self.nodes, least=1, most=1 << 19)
        if self.evaluations is not None:
            whole_number("evaluations", self.evaluations, least=1)
        if self.seconds is not None and not 0 < self.seconds < 1e9:
            raise InputError(f"seconds: {self.seconds} is not a time; use a number above 0")
        if self.seconds is None and self.evaluations is None:
            raise InputError("say when to stop: give seconds, evaluations or both")


SPARE = 25  # nodes beyond those that a circuit needs, at least


@dataclass(frozen=True)
class Found:
    """The cheapest circuit that was found.

    units: its price, in the kernel's unit. run: which run found it. interrupted: by Ctrl-C.
    """

    circuit: Circuit
    units: int
    evaluations: int
    seconds: float
    run: int
    interrupted: bool


@dataclass(eq=False)
class _Run:
    """A search under way. current: where it is; best: the cheapest circuit so far."""

    number: int
    current: Circuit
    best: Circuit
    units: int
    epochs: int = 0
    evaluations: int = 0
    is_done: bool = False


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


def shrinking_of(plan: Plan, wanted: Target, *, run: int) -> Shrinking:
    """What a run of the plan keeps, and what counts."""
    return Shrinking(
        wanted=wanted,
        training=None,
        gates=plan.gates,
        prices=tuple(gate_prices(plan.price, plan.gates)),
        level_price=plan.price.level_unit,
        slack=(plan.slack + run % 2) * plan.price.unit,
        goal=plan.goal,
        mutation=plan.mutation,
        offspring=plan.offspring,
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
    is_late = deadline is not None and time.perf_counter() >= deadline
    is_spent = plan.evaluations is not None and run.evaluations >= plan.evaluations
    run.is_done = epoch.is_done or is_late or is_spent
    return run
