"""How often strict runs from uniform starts come to Theorem 4's programs, and what this says of E[T].

The search is the (1+1) CGP* on And_n with D = n - 1 nodes. When it first uses n - 1 or more inputs it is
solved, or at a program X one input short, where it stays until it is solved (`gatewalk.theory.one_short`):

    E[T] = E[iterations before] + E[1/p(X)] >= P(X is a trap) / p,    p the chance of Theorem 4.

`trap_arrivals` counts seeded runs up to X; the time at X, of order n^6, need not be waited for. The lower end
of Clopper and Pearson (1934) for P(X is a trap), times 1/p, is a lower bound on E[T] that fails with at most
the chance stated. `exact_trap_arrivals` has the probabilities themselves where the chain can be solved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from threading import Event

from gatewalk.cgp import waiting
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.search import cgp_waiting
from gatewalk.search.seeds import cell_of
from gatewalk.search.session import check_seed
from gatewalk.search.settings import Settings, settings
from gatewalk.search.threads import runs_on_threads
from gatewalk.theory.chain.markov_chain import TellProgress
from gatewalk.theory.one_short import OneShort, one_short
from gatewalk.theory.penultimate import check_inputs, expected_iterations

MOST_INPUTS = 200
SLICE = 1 << 26  # iterations between two looks at whether to stop: about a second


@dataclass(frozen=True)
class Arrival:
    """A run up to its first program that uses n - 1 or more inputs.

    iterations: until there. found: the program if it is one input short, None if it is solved.
    """

    run: int
    iterations: int
    found: OneShort | None

    @property
    def expected_iterations(self) -> float:
        """The expected iterations of the whole run, given what is known of it."""
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
    >>> found = trap_arrivals(5, runs=20, seed=1)
    >>> len(found.arrivals), 0 <= found.traps <= 20
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
        """How many came to one of Theorem 4's programs."""
        return sum(item.found is not None and item.found.is_trap for item in self.arrivals)

    def lower_share(self, confidence: float = 0.99) -> float:
        """A lower bound on the chance to come to a trap (Clopper and Pearson, one-sided)."""
        return clopper_pearson(self.traps, self.runs, confidence)[0]

    def lower_bound(self, confidence: float = 0.99) -> float:
        """A lower bound on E[T] from a uniform start, wrong with a chance of at most 1 - confidence."""
        return self.lower_share(confidence) * float(expected_iterations(self.n))

    def mean(self) -> tuple[float, float]:
        """An estimate of E[T] and its standard error: the last wait of each run is its expectation."""
        times = [item.expected_iterations for item in self.arrivals]
        middle = sum(times) / self.runs
        spread = sum((time - middle) ** 2 for time in times)
        return middle, sqrt(spread / max(1, self.runs - 1) / self.runs)


def clopper_pearson(events: int, trials: int, confidence: object) -> tuple[float, float]:
    """One-sided limits of a probability, below and above, each wrong with a chance of at most 1 - confidence.

    Examples
    --------
    >>> low, high = clopper_pearson(30, 100, 0.99)
    >>> round(low, 4), round(high, 4)
    (0.1983, 0.4181)
    """
    whole_number("trials", trials, least=1)
    whole_number("events", events, least=0, most=trials)
    if not isinstance(confidence, float) or not 0.0 < confidence < 1.0:
        raise InputError(f"confidence is {shown(confidence)}; it must be a number between 0 and 1, as 0.99")
    from scipy import stats

    low = stats.beta.ppf(1 - confidence, events, trials - events + 1) if events > 0 else 0.0
    high = stats.beta.ppf(confidence, events + 1, trials - events) if events < trials else 1.0
    return float(low), float(high)


def trap_settings(n: int) -> Settings:
    """The search: And_n, D = n - 1, strict selection, a uniform start, waiting times drawn."""
    check_inputs(n)
    whole_number("n", n, least=3, most=MOST_INPUTS)
    return settings(f"and:{n}", nodes=n - 1, selection="strict", options={"waiting": "drawn"})


def trap_arrivals(
    n: int, *, runs: int, seed: int, jobs: int = 1, on_done: Callable[[Arrival], None] | None = None
) -> TrapArrivals:
    """Run the strict (1+1) CGP* on And_n at D = n - 1 up to the last level but one, from uniform starts.

    Parameters
    ----------
    n
        The inputs, from 3. A run takes some milliseconds up to n = 20, and about a second at n = 50.
    runs, seed
        Runs 0 to runs - 1 of this seed: those of `evolve` with the option waiting=drawn.
    jobs
        Threads; they change no result.
    on_done
        Told of each run that has arrived.

    Returns
    -------
    TrapArrivals
        Where each run arrived; the count of traps, and a lower bound on E[T] at a stated confidence.

    Examples
    --------
    >>> found = trap_arrivals(5, runs=200, seed=1)
    >>> found.runs, 0.1 < found.traps / found.runs < 0.4
    (200, True)
    >>> 100 < found.lower_bound(0.99) < found.mean()[0]
    True
    """
    made = trap_settings(n)
    whole_number("runs", runs, least=1)
    check_seed(seed)

    def one(run: int, stop: Event) -> Arrival:
        return _arrival(made, seed, run, stop)

    return TrapArrivals(n, seed, tuple(runs_on_threads(one, range(runs), jobs, on_done)))


def _arrival(made: Settings, seed: int, run: int, stop: Event) -> Arrival:
    walk = cgp_waiting.start(made, None, seed=seed, cell=cell_of(made), run=run)
    while walk.fitness > 1 and not stop.is_set():  # 2^(n-i) - 1 with i inputs in use (Lemma 2)
        waiting.advance(walk.search, walk.offspring + SLICE)
    found = one_short(walk.program.tolist(), made.n) if walk.fitness == 1 else None
    return Arrival(run, walk.offspring, found)


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
    >>> found = exact_trap_arrivals(3)
    >>> kind, share = found.shares[0]
    >>> kind.changes, round(share, 4)
    (2, 0.1228)
    """

    n: int
    expected_iterations: float
    shares: tuple[tuple[OneShort, float], ...]

    @property
    def trap_share(self) -> float:
        """The chance to come to one of Theorem 4's programs."""
        return sum(share for kind, share in self.shares if kind.is_trap)

    @property
    def last_wait(self) -> float:
        """The expected iterations at programs one input short: E[1/p(X)]."""
        return sum(share * float(1 / kind.leaving) for kind, share in self.shares)


def exact_trap_arrivals(n: int, *, watch: TellProgress | None = None) -> ExactArrivals:
    """Where a strict run from a uniform start arrives one level before the optimum, from the solved chain.

    Parameters
    ----------
    n
        The number of inputs, 3 to 6; 6 takes a minute or two and 3 GB.
    watch
        Told what is being done, and how much of it.

    Returns
    -------
    ExactArrivals
        The chances of arriving at each kind of program.

    Examples
    --------
    >>> found = exact_trap_arrivals(3)
    >>> round(found.expected_iterations, 2), round(found.trap_share, 4)
    (149.48, 0.1228)
    """
    from gatewalk.theory.chain.level_solver import visits
    from gatewalk.theory.chain.program_lookup import programs_of_segment
    from gatewalk.theory.chain.sam_search import solved

    check_inputs(n)
    found = solved(settings(f"and:{n}", nodes=n - 1, selection="strict"), watch=watch)
    chain, times = found.chain, found.times
    stays = visits(chain, times.generations, found.start, times.hopeful, watch=watch)
    shares: dict[OneShort, float] = {}
    for generation in times.generations:
        segment = generation.segment
        if chain.levels[segment.level] != 1:
            continue
        arrives = stays[segment.classes] * generation.leaving  # a parent that is left never comes back
        for share, genes in zip(arrives.tolist(), programs_of_segment(chain, segment), strict=True):
            kind = one_short(genes.tolist(), n)
            assert kind is not None
            shares[kind] = shares.get(kind, 0.0) + share
    return ExactArrivals(n, found.expected_iterations, tuple(shares.items()))
