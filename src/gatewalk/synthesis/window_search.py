"""Search for a cheaper circuit in windows: parts of a large circuit are made cheaper one after the other.

A window has few inputs, so its table is small and a search is fast on it (Kocnova and Vasicek, 2020; see
`resynthesis.py`). A cheaper circuit is put in place of the window. So is one that costs the same: it opens up
windows that were not there before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.own_target import circuit_target
from gatewalk.errors import InputError
from gatewalk.search.shrinking import advance_epoch, begin_epoch
from gatewalk.synthesis.parallel_runs import IsOver, Run, take_turns
from gatewalk.synthesis.plan import Found, Plan, Watch, shrinking_of
from gatewalk.synthesis.price import Price, units_of
from gatewalk.synthesis.resubstitution import advance
from gatewalk.synthesis.resubstitution_search import walk_of
from gatewalk.synthesis.resynthesis import Freedom, resynthesise
from gatewalk.synthesis.resynthesis import Watch as WindowWatch

MOST_FREE_INPUTS = 16  # up to so many inputs of the circuit, don't-cares of its windows are used
_SPARE = 20  # a program for a window has so many nodes more than the window has gates
_WINDOWS = 1 << 32  # numbers of walks from here on belong to windows, so no window repeats a whole search


@dataclass(frozen=True)
class _Size:
    """The most inputs and gates of a window, and how many evaluations are spent on it."""

    inputs: int
    gates: int
    evaluations: int


_SIZES = {"cgp": _Size(8, 20, 50_000), "resubstitution": _Size(10, 40, 20_000)}


def search_windows(start: Circuit, plan: Plan, *, watch: Watch | None = None) -> Found:
    """Search for a cheaper circuit window by window.

    No complete table is needed, so the circuit may have any number of inputs. The depth of the circuit is not
    a property of one window, so it cannot be part of the cost.
    """
    if plan.price.level_unit:
        raise InputError(
            f"a circuit of {len(start.input_labels)} inputs and {len(start)} gates is made smaller in "
            "windows, where depth cannot count: use --cost gates, or prices of gates"
        )
    warm_up(start, plan)

    def turn(run: Run, is_over: IsOver) -> None:
        def tell(gates: int, windows: int, seconds: float) -> None:
            run.gates_now = gates

        random = Random(f"{plan.seed}/{run.number}/{run.turns}")
        size = len(run.best)
        found = descend(run.best, plan, run, random=random, most_windows=size, stop=is_over, watch=tell)
        units = units_of(plan.price, found)
        if units <= run.units:
            run.best, run.units = found, units

    return take_turns(start, turn, plan, watch=watch)


def descend(
    circuit: Circuit,
    plan: Plan,
    run: Run,
    *,
    random: Random,
    most_windows: int,
    stop: IsOver,
    watch: WindowWatch | None = None,
) -> Circuit:
    """Make windows of a circuit cheaper one after the other, by `resynthesis.resynthesise`."""
    size = _size(plan, circuit)
    return resynthesise(
        circuit,
        shrink=partial(_shrink, run=run, plan=plan, evaluations=size.evaluations),
        random=random,
        most_windows=most_windows,
        most_inputs=size.inputs,
        most_gates=size.gates,
        freedom=_freedom(circuit),
        neutral=True,
        gates=plan.gates,
        measure=_measure(plan.price),
        stop=stop,
        watch=watch,
    ).circuit


def _size(plan: Plan, circuit: Circuit) -> _Size:
    """The size of windows. If the circuit's rows fit one word, so do a window's: one kernel serves both."""
    size = _SIZES[plan.method]
    return replace(size, inputs=6) if len(circuit.input_labels) <= 6 else size


def _freedom(circuit: Circuit) -> Freedom:
    return "observable" if len(circuit.input_labels) <= MOST_FREE_INPUTS else "none"


def _measure(priced: Price) -> Callable[[Circuit], int]:
    return lambda circuit: units_of(priced, circuit)


def _shrink(wanted: Target, part: Circuit, *, run: Run, plan: Plan, evaluations: int) -> Circuit | None:
    """A circuit to replace a window, or None.

    It is the cheapest circuit found if that is cheaper than the window, else the last one if it costs the
    same.
    """
    left = evaluations if plan.evaluations is None else plan.evaluations - run.evaluations
    number = _WINDOWS + run.windows
    run.windows += 1
    shrink = _shrink_by_cgp if plan.method == "cgp" else _shrink_by_resubstitution
    best, last = shrink(wanted, part, run, replace(plan, goal=0), min(evaluations, left), number)
    cost = units_of(plan.price, part)
    if units_of(plan.price, best) < cost:
        return best
    return last if units_of(plan.price, last) == cost else None


def _shrink_by_resubstitution(
    wanted: Target, part: Circuit, run: Run, plan: Plan, steps: int, number: int
) -> tuple[Circuit, Circuit]:
    """The cheapest circuit for a window, and the one at which the walk ended."""
    walk = walk_of(plan, wanted, part, run=run.number, number=number)
    advance(walk, steps)
    run.evaluations += walk.steps
    return walk.best_circuit, walk.circuit


def _shrink_by_cgp(
    wanted: Target, part: Circuit, run: Run, plan: Plan, offspring: int, number: int
) -> tuple[Circuit, Circuit]:
    """The cheapest circuit for a window, and the one at which the loop ended."""
    cost = units_of(plan.price, part)
    epoch = begin_epoch(
        shrinking_of(plan, wanted, run=run.number),
        part,
        nodes=len(part) + _SPARE,
        best=cost,
        seed=plan.seed,
        run=run.number,
        number=number,
    )
    advance_epoch(epoch, offspring)
    run.evaluations += epoch.offspring
    return epoch.best_circuit if epoch.best < cost else part, epoch.circuit


def warm_up(start: Circuit, plan: Plan) -> None:
    """Compile the kernels that search windows, before the time limit begins to run."""
    for inputs in {6, _size(plan, start).inputs}:
        wire = Circuit(tuple(f"x{i}" for i in range(inputs)), (), (0,), ("y",))
        _shrink(circuit_target(wire), wire, run=Run(0, wire, 0), plan=plan, evaluations=1)
