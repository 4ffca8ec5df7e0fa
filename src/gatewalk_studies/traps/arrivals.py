"""How often strict runs from uniform starts arrive at Theorem 4's programs, and what follows for E[T].

The search is the (1+1) CGP* on And_n with D = n - 1 nodes. When it first uses n - 1 or more inputs it is
solved, or at a program X one input short, where it stays until it is solved (`gatewalk.theory.one_short`):

    E[T] = E[iterations before] + E[1/p(X)] >= P(X is a trap) / p,    p the chance of Theorem 4.

`trap_arrivals` makes seeded runs up to X; the time at X, of order n^6, is not simulated. The lower limit of
Clopper and Pearson (1934) for P(X is a trap), times 1/p, is a lower bound on E[T] that fails with at most the
stated probability. `exact_trap_arrivals` computes the probabilities themselves if the chain can be solved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from threading import Event

from gatewalk.cgp import waiting
from gatewalk.errors import whole_number
from gatewalk.search import cgp_waiting
from gatewalk.search.scheduler import runs_on_threads
from gatewalk.search.seeds import cell_of
from gatewalk.search.session import check_seed
from gatewalk.search.settings import Settings, settings
from gatewalk.stats.sample import clopper_pearson
from gatewalk.theory.chain.result import TellProgress
from gatewalk.theory.conjunctions import check_inputs, expected_iterations
from gatewalk.theory.one_short import OneShort, one_short

MOST_INPUTS = 200
SLICE = 1 << 26  # iterations between two looks at whether to stop: about a second


@dataclass(frozen=True)
class Arrival:
    """A run up to its first program that uses n - 1 or more inputs.

    iterations: how many it took to get there. found: that program if it is one input short; None if solved.
    """

    run: int
    iterations: int
    found: OneShort | None

    @property
    def expected_iterations(self) -> float:
        """The expected iterations of the whole run, given the program at which it arrived."""
        return self.iterations + (float(1 / self.found.leaving) if self.found else 0.0)


@dataclass(frozen=True)
class TrapArrivals:
    """Where runs of the strict (1+1) CGP* on And_n with n - 1 nodes arrived one level before the optimum.

    Attributes
    ----------
    n, seed
        The number of inputs, and the seed of the runs.
    arrivals
        What each run arrived at.

    Examples
    --------
    >>> from gatewalk.theory import trap_arrivals
    >>> reached = trap_arrivals(5, runs=20, seed=1)
    >>> len(reached.arrivals), 0 <= reached.traps <= 20
    (20, True)
    """

    n: int
    seed: int
    arrivals: tuple[Arrival, ...]

    @property
    def runs(self) -> int:
        return len(self.arrivals)

    @property
    def traps(self) -> int:
        """How many runs arrived at one of Theorem 4's programs."""
        return sum(item.found is not None and item.found.is_trap for item in self.arrivals)

    def lower_share(self, confidence: float = 0.99) -> float:
        """A lower bound on the chance to arrive at a trap (Clopper and Pearson, one-sided)."""
        return clopper_pearson(self.traps, self.runs, confidence)[0]

    def lower_bound(self, confidence: float = 0.99) -> float:
        """A lower bound on E[T] from a uniform start, wrong with a chance of at most 1 - confidence."""
        return self.lower_share(confidence) * float(expected_iterations(self.n))

    def mean(self) -> tuple[float, float]:
        """An estimate of E[T] and its standard error; the last wait of each run enters as its expectation."""
        times = [item.expected_iterations for item in self.arrivals]
        middle = sum(times) / self.runs
        spread = sum((time - middle) ** 2 for time in times)
        return middle, sqrt(spread / max(1, self.runs - 1) / self.runs)


def trap_settings(n: int) -> Settings:
    """The search: And_n, D = n - 1, strict selection, a uniform start, waiting times drawn."""
    check_inputs(n)
    whole_number("n", n, least=3, most=MOST_INPUTS)
    return settings(f"and:{n}", nodes=n - 1, selection="strict", options={"waiting": "drawn"})


def trap_arrivals(
    n: int, *, runs: int, seed: int, jobs: int = 1, on_done: Callable[[Arrival], None] | None = None
) -> TrapArrivals:
    """Run the strict (1+1) CGP* on And_n at D = n - 1 up to the last level but one, from uniform starts.

    The runs are those of `evolve` with the option waiting=drawn and the numbers 0 to runs - 1. A run takes
    some milliseconds up to n = 20, and about a second at n = 50.

    >>> arrivals = trap_arrivals(5, runs=200, seed=1)
    >>> arrivals.runs, 0.1 < arrivals.traps / arrivals.runs < 0.4
    (200, True)
    >>> 100 < arrivals.lower_bound(0.99) < arrivals.mean()[0]
    True
    """
    settings = trap_settings(n)
    whole_number("runs", runs, least=1)
    check_seed(seed)

    def arrive(run: int, stop: Event) -> Arrival:
        return _arrival(settings, seed, run, stop)

    return TrapArrivals(n, seed, tuple(runs_on_threads(arrive, range(runs), jobs, on_done)))


def _arrival(settings: Settings, seed: int, run: int, stop: Event) -> Arrival:
    walk = cgp_waiting.start(settings, None, seed=seed, cell=cell_of(settings), run=run)
    while walk.fitness > 1 and not stop.is_set():  # 2^(n-i) - 1 with i inputs in use (Lemma 2)
        waiting.advance(walk.search, walk.offspring + SLICE)
    kind = one_short(walk.program.tolist(), settings.n) if walk.fitness == 1 else None
    return Arrival(run, walk.offspring, kind)


@dataclass(frozen=True)
class ExactArrivals:
    """Where strict runs on And_n with n - 1 nodes arrive one level before the optimum, exactly.

    Attributes
    ----------
    n
        The number of inputs.
    expected_iterations
        E[T] from a uniform start.
    shares
        The chance to arrive at each kind of program that is one input short.

    Examples
    --------
    >>> from gatewalk.theory import exact_trap_arrivals
    >>> kind, share = exact_trap_arrivals(3).shares[0]
    >>> kind.changes, round(share, 4)
    (2, 0.1228)
    """

    n: int
    expected_iterations: float
    shares: tuple[tuple[OneShort, float], ...]

    @property
    def trap_share(self) -> float:
        """The chance to arrive at one of Theorem 4's programs."""
        return sum(share for kind, share in self.shares if kind.is_trap)

    @property
    def last_wait(self) -> float:
        """The expected iterations at programs one input short: E[1/p(X)]."""
        return sum(share * float(1 / kind.leaving) for kind, share in self.shares)


def exact_trap_arrivals(n: int, *, on_progress: TellProgress | None = None) -> ExactArrivals:
    """Where a strict run from a uniform start arrives one level before the optimum, from the solved chain.

    n: 3 to 6; 6 takes a minute or two and 3 GB. on_progress: told what is being done, and how much of it.

    >>> arrivals = exact_trap_arrivals(3)
    >>> round(arrivals.expected_iterations, 2), round(arrivals.trap_share, 4)
    (149.48, 0.1228)
    """
    from gatewalk.theory.chain.sam.chain import build_chain, programs_of_segment
    from gatewalk.theory.chain.solved_chain import solve

    check_inputs(n)
    search = settings(f"and:{n}", nodes=n - 1, selection="strict")
    chain = build_chain(search, on_progress=on_progress)
    solved = solve(search, chain, on_progress=on_progress)
    # A parent that was left never returns.
    arrives = solved.visits(on_progress=on_progress) * solved.transition.leaving
    shares: dict[OneShort, float] = {}
    for segment in chain.at_level(chain.levels.index(1)):
        chances = arrives[segment.classes].tolist()
        for share, genes in zip(chances, programs_of_segment(chain, segment), strict=True):
            kind = one_short(genes.tolist(), n)
            assert kind is not None
            shares[kind] = shares.get(kind, 0.0) + share
    return ExactArrivals(n, solved.expected_iterations, tuple(shares.items()))
