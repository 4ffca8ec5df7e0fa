"""The search for a cheaper circuit in windows: parts of a large circuit are made cheaper one after the other.

A window has few inputs, so its table is small and a search is at its fastest on it (Kocnova and
Vasicek, 2020; see `local.py`). What is found is put back if it is cheaper, and also if it costs the same:
that leads to windows which were not there before.
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
from gatewalk.synthesis.local import Freedom, resynthesise
from gatewalk.synthesis.local import Watch as WindowWatch
from gatewalk.synthesis.plan import Found, Plan, Watch, shrinking_of
from gatewalk.synthesis.price import Price, units_of
from gatewalk.synthesis.resubstitution import advance
from gatewalk.synthesis.resubstitution_search import walk_of
from gatewalk.synthesis.turns import IsOver, Run, take_turns

MOST_FREE_INPUTS = 16  # of a circuit whose windows are freed of rows that its outputs do not see
_SPARE = 20  # nodes beyond those that a window has
_WINDOWS = 1 << 32  # windows have other random numbers than what is searched whole


@dataclass(frozen=True)
class _Size:
    """Of a window: how many inputs and gates it has at most, and how long it is worked on."""

    inputs: int
    gates: int
    evaluations: int


_SIZES = {"cgp": _Size(8, 20, 50_000), "resubstitution": _Size(10, 40, 20_000)}


def search_windows(start: Circuit, plan: Plan, *, watch: Watch | None = None) -> Found:
    """Search for a cheaper circuit window by window.

    No table of all rows is needed, so the circuit may have any number of inputs. Depth is no property of a
    window, and cannot count.
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
    """Make windows of a circuit cheaper, one after the other; see `local.resynthesise`."""
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
    """Of a window; one that fits a word of rows where the whole circuit does: then one kernel serves both."""
    size = _SIZES[plan.method]
    return replace(size, inputs=6) if len(circuit.input_labels) <= 6 else size


def _freedom(circuit: Circuit) -> Freedom:
    return "observable" if len(circuit.input_labels) <= MOST_FREE_INPUTS else "none"


def _measure(priced: Price) -> Callable[[Circuit], int]:
    return lambda circuit: units_of(priced, circuit)


def _shrink(wanted: Target, part: Circuit, *, run: Run, plan: Plan, evaluations: int) -> Circuit | None:
    """Another circuit for a window: a cheaper one, or that at which the search ended if it costs the same."""
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
    """The best circuit for a window and the last one."""
    walk = walk_of(plan, wanted, part, run=run.number, number=number)
    advance(walk, steps)
    run.evaluations += walk.steps
    return walk.best_circuit, walk.circuit


def _shrink_by_cgp(
    wanted: Target, part: Circuit, run: Run, plan: Plan, offspring: int, number: int
) -> tuple[Circuit, Circuit]:
    """The best circuit for a window and the last one."""
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
    """Compile what windows are searched by, before the clock runs."""
    for inputs in {6, _size(plan, start).inputs}:
        wire = Circuit(tuple(f"x{i}" for i in range(inputs)), (), (0,), ("y",))
        _shrink(circuit_target(wire), wire, run=Run(0, wire, 0), plan=plan, evaluations=1)
