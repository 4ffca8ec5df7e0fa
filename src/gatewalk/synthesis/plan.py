"""How a circuit is made cheaper: the plan of a search, what it tells while it goes on, and what it finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, get_args

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, whole_number
from gatewalk.search.evolve import check_jobs, default_jobs
from gatewalk.search.session import check_seed
from gatewalk.search.shrinking import Shrinking
from gatewalk.synthesis.price import Price, gate_prices

MOST_RUNS = 10_000

Method = Literal["resubstitution", "cgp"]
METHODS: tuple[Method, ...] = get_args(Method)
SLACKS = {"resubstitution": (4, 4), "cgp": (2, 1)}  # usual slack, and how much more every other run has


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
    method
        "resubstitution" (`resubstitution_steps.py`) or "cgp" (`search/shrinking.py`).
    slack
        A circuit is accepted up to so many units (gates, levels or a price of 1) above the best one; in every
        other run more, since now the one and now the other gets further. None: what suits the method.
    nodes, mutation, offspring
        Of "cgp": nodes of the programs (None: half as many again as the best circuit has gates, and at least
        some more), and as in `gatewalk.evolve`.
    seconds, evaluations
        When it ends: by the clock, or after so many evaluations of each run. At least one is given.
    goal
        A price, in the kernel's unit, that cannot be improved on: reaching it ends the search.
    runs, jobs, seed
        Searches with other random numbers, of which the best counts; threads; the random numbers.
    """

    gates: GateSet
    price: Price
    method: Method = "resubstitution"
    slack: int | None = None
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
        if self.slack is not None:
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


def slack_of(plan: Plan, *, run: int) -> int:
    """How much dearer than the best circuit a circuit may be, in the kernel's unit."""
    slack, more = SLACKS[plan.method]
    return ((slack if plan.slack is None else plan.slack) + (more if run % 2 else 0)) * plan.price.unit


def shrinking_of(plan: Plan, wanted: Target, *, run: int) -> Shrinking:
    """What a run of the plan keeps, and what counts."""
    return Shrinking(
        wanted=wanted,
        gates=plan.gates,
        prices=tuple(gate_prices(plan.price, plan.gates)),
        level_price=plan.price.level_unit,
        slack=slack_of(plan, run=run),
        goal=plan.goal,
        mutation=plan.mutation,
        offspring=plan.offspring,
    )
