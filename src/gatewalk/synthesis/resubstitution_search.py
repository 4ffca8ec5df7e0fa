"""Search for a cheaper circuit by resubstitution: every run is one walk (`resubstitution_steps.py`)."""

from __future__ import annotations

import time

from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.synthesis.parallel_runs import TURN_SECONDS, IsOver, Run, take_turns
from gatewalk.synthesis.plan import Found, Plan, Watch, slack_of
from gatewalk.synthesis.price import gate_prices
from gatewalk.synthesis.resubstitution import Walk, advance, begin

FIRST_TURN = 100  # steps


def search_by_resubstitution(
    start: Circuit, plan: Plan, *, wanted: Target, watch: Watch | None = None
) -> Found:
    """Search for a cheaper circuit of the target `wanted`, beginning from `start`."""
    walks = [walk_of(plan, wanted, start, run=number, number=0) for number in range(plan.runs)]
    advance(walks[0], 0)  # compiles
    lengths = [FIRST_TURN] * plan.runs

    def turn(run: Run, is_over: IsOver) -> None:
        walk, steps = walks[run.number], lengths[run.number]
        if plan.evaluations is not None:
            steps = min(steps, plan.evaluations - run.evaluations)
        began = time.perf_counter()
        advance(walk, steps)
        spent = time.perf_counter() - began
        lengths[run.number] = max(1, int(steps * min(2.0, TURN_SECONDS / max(spent, 1e-6))))
        run.evaluations = walk.steps
        run.is_done = walk.is_done
        if walk.best < run.units:
            run.best, run.units = walk.best_circuit, walk.best

    return take_turns(start, turn, plan, watch=watch)


def walk_of(plan: Plan, wanted: Target, start: Circuit, *, run: int, number: int) -> Walk:
    """Begin a walk with the options of a plan; `run` and `number` choose its random numbers."""
    return begin(
        wanted,
        start,
        gates=plan.gates,
        prices=gate_prices(plan.price, plan.gates),
        level_price=plan.price.level_unit,
        slack=slack_of(plan, run=run),
        goal=plan.goal,
        seed=plan.seed,
        run=run,
        number=number,
    )
