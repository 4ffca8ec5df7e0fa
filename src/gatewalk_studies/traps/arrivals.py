"""How often strict runs from uniform starts arrive at Theorem 4's programs, and what follows for E[T].

The search is the (1+1) CGP* on And_n with D = n - 1 nodes. When it first uses n - 1 or more inputs it is
solved, or at a program X one input short, where it stays until it is solved (`one_short`):

    E[T] = E[iterations before] + E[1/p(X)] >= P(X is a trap) / p,    p the chance of Theorem 4.

`trap_arrivals` makes seeded runs up to X; the time at X, of order n^6, is not simulated. The lower limit of
Clopper and Pearson (1934) for P(X is a trap), times 1/p, is a lower bound on E[T] that fails with at most the
stated probability. `exact_trap_arrivals` computes the probabilities themselves if the chain can be solved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from scipy import stats

import gatewalk as gw
from gatewalk.theory import applied, exact, follow

from .one_short import OneShort, one_short

MOST_INPUTS = 200
MOST_ITERATIONS = 1 << 26  # between two looks at whether to stop: about a second
ENDLESS = 1 << 62  # a budget that no run uses up


@lru_cache
def trap_time(n: int) -> float:
    """E[T] from Theorem 4's start, exactly: 1/p ~ 16 n^6.

    >>> trap_time(3), trap_time(4)
    (663.0, 8602.5)
    """
    return float(applied("theorem4_expected", trap_search(n)).value)


def trap_search(n: int) -> gw.CgpSearch:
    """And_n, D = n - 1, strict selection, a uniform start."""
    if n < 3:
        raise gw.InputError(f"Theorem 4's programs need n >= 3 inputs, not {n}")
    search = gw.search_for(f"and:{n}", nodes=n - 1, selection="strict")
    assert isinstance(search, gw.CgpSearch)
    return search


@dataclass(frozen=True)
class Arrival:
    """A run up to its first program that uses n - 1 or more inputs.

    iterations: how many it took to get there.
    kind: the kind of that program if it is one input short; None if it is solved.
    """

    run: int
    iterations: int
    kind: OneShort | None

    @property
    def expected_iterations(self) -> float:
        """The expected iterations of the whole run, given the program at which it arrived."""
        return self.iterations + (float(1 / self.kind.leaving) if self.kind else 0.0)


def clopper_pearson(events: int, trials: int, confidence: float) -> tuple[float, float]:
    """One-sided limits of a probability, below and above, each wrong with a chance of at most 1 - confidence.

    >>> low, high = clopper_pearson(30, 100, 0.99)
    >>> round(low, 4), round(high, 4)
    (0.1983, 0.4181)
    """
    low = stats.beta.ppf(1 - confidence, events, trials - events + 1) if events > 0 else 0.0
    high = stats.beta.ppf(confidence, events + 1, trials - events) if events < trials else 1.0
    return float(low), float(high)


@dataclass(frozen=True)
class TrapArrivals:
    """Where runs of the strict (1+1) CGP* on And_n with n - 1 nodes arrived one level before the optimum."""

    n: int
    seed: int
    arrivals: tuple[Arrival, ...]

    @property
    def runs(self) -> int:
        return len(self.arrivals)

    @property
    def traps(self) -> int:
        """How many runs arrived at one of Theorem 4's programs."""
        return sum(arrival.kind is not None and arrival.kind.is_trap for arrival in self.arrivals)

    def lower_share(self, confidence: float = 0.99) -> float:
        """A lower bound on the chance to arrive at a trap (Clopper and Pearson, one-sided)."""
        return clopper_pearson(self.traps, self.runs, confidence)[0]

    def lower_bound(self, confidence: float = 0.99) -> float:
        """A lower bound on E[T] from a uniform start, wrong with a chance of at most 1 - confidence."""
        return self.lower_share(confidence) * trap_time(self.n)

    def mean(self) -> tuple[float, float]:
        """An estimate of E[T] and its standard error; the last wait of each run enters as its expectation."""
        times = [arrival.expected_iterations for arrival in self.arrivals]
        middle = sum(times) / self.runs
        spread = sum((time - middle) ** 2 for time in times)
        return middle, sqrt(spread / max(1, self.runs - 1) / self.runs)


def trap_arrivals(n: int, *, runs: int, seed: int, jobs: int = 1) -> TrapArrivals:
    """Run the strict (1+1) CGP* on And_n at D = n - 1 up to the last level but one, from uniform starts.

    The runs are those of `gatewalk.evolve` with the option waiting=drawn and the numbers 0 to runs - 1. A run
    takes some milliseconds up to n = 20, and about a second at n = 50.

    >>> arrivals = trap_arrivals(5, runs=200, seed=1)
    >>> arrivals.runs, 0.1 < arrivals.traps / arrivals.runs < 0.4
    (200, True)
    >>> 100 < arrivals.lower_bound(0.99) < arrivals.mean()[0]
    True
    """
    if n > MOST_INPUTS:
        raise gw.InputError(f"n is {n}; runs are followed for at most {MOST_INPUTS} inputs")
    nodes = trap_search(n).nodes
    search = gw.search_for(
        f"and:{n}", nodes=nodes, selection="strict", options={"waiting": "drawn"}, budget=ENDLESS
    )

    piece = min(MOST_ITERATIONS, int(trap_time(n) / 50))  # few runs leave X within the piece that reaches it

    def arrive(run: int, go_on: Callable[[int], bool]) -> Arrival:
        session = gw.begin(search, seed=seed, run=run)
        while session.fitness > 1:  # 2^(n-i) - 1 with i inputs in use (Lemma 2)
            gw.advance(session, piece)
            if not go_on(session.iterations):
                break
        arrived = [made for made, fitness in session.improvements if fitness == 1]
        if not arrived:
            return Arrival(run, session.iterations, None)
        if session.fitness == 0:  # the piece went on from X to the optimum
            session = gw.begin(search, seed=seed, run=run)
            gw.advance(session, arrived[0])
        return Arrival(run, arrived[0], one_short(gw.result(session).program.tolist(), n))

    return TrapArrivals(n, seed, tuple(follow(search, arrive, runs=range(runs), jobs=jobs)))


@dataclass(frozen=True)
class ExactArrivals:
    """Where strict runs on And_n with n - 1 nodes arrive one level before the optimum, exactly.

    expected_iterations: E[T] from a uniform start.
    shares: the chance to arrive at each kind of program that is one input short.
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


def exact_trap_arrivals(n: int) -> ExactArrivals:
    """Where a strict run from a uniform start arrives one level before the optimum, from the solved chain.

    n: 3 to 6; 6 takes a minute or two and 3 GB.

    >>> arrivals = exact_trap_arrivals(3)
    >>> round(arrivals.expected_iterations, 2), round(arrivals.trap_share, 4)
    (149.48, 0.1228)
    """
    search = trap_search(n)
    solved = exact(search.target, nodes=search.nodes, selection="strict")
    # A parent that was left never returns.
    arrives = solved.visits() * solved.transition.leaving
    level = solved.chain.levels.index(1)
    shares: dict[OneShort, float] = {}
    for state in range(solved.chain.level_start[level], solved.chain.level_start[level + 1]):
        kind = one_short(solved.chain.program_of(state).tolist(), n)
        assert kind is not None
        shares[kind] = shares.get(kind, 0.0) + float(arrives[state])
    return ExactArrivals(n, solved.expected_iterations, tuple(shares.items()))
