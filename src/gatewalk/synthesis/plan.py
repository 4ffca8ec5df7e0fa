"""A search for a cheaper circuit as data: its plan, its progress reports and its result."""

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
SLACKS = {"resubstitution": (4, 4), "cgp": (2, 1)}  # the default slack, and the extra of every second run


@dataclass(frozen=True)
class Progress:
    """How far a search is. gates: those of the best circuit so far."""

    gates: int
    evaluations: int
    seconds: float


Watch = Callable[[Progress], None]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How to search for a cheaper circuit.

    Parameters
    ----------
    gates
        The gates that may be used; the start must consist of them.
    price
        What a circuit costs.
    method
        "resubstitution" (`resubstitution_steps.py`) or "cgp" (`search/shrinking.py`).
    slack
        A circuit is accepted if it costs at most so many units (gates, levels or a price of 1) more than the
        best one. Every second run has a larger slack, because which slack works better depends on the
        circuit. None: the default of the method.
    nodes, mutation, offspring
        Options of "cgp": the nodes of the programs (None: one and a half times the gates of the best circuit,
        and at least `cgp_search.SPARE` more than these), and the options of `gatewalk.evolve`.
    seconds, evaluations
        When to stop: after so many seconds, or after so many evaluations of each run. At least one is given.
    goal
        A cost, in units of `Price`, that cannot be improved on: reaching it ends the search.
    runs, jobs, seed
        How many independent searches, of which the best counts; how many threads; the seed.
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

    units: what it costs, in units of `Price`. run: the run that found it. interrupted: whether by Ctrl-C.
    """

    circuit: Circuit
    units: int
    evaluations: int
    seconds: float
    run: int
    interrupted: bool


def slack_of(plan: Plan, *, run: int) -> int:
    """How much more than the best circuit an accepted circuit may cost in this run, in units of `Price`."""
    slack, more = SLACKS[plan.method]
    return ((slack if plan.slack is None else plan.slack) + (more if run % 2 else 0)) * plan.price.unit


def shrinking_of(plan: Plan, wanted: Target, *, run: int) -> Shrinking:
    """One run of the method "cgp", as `search.shrinking` takes it."""
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
