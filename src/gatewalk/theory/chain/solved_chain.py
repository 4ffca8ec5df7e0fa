"""A solved chain: all that is known of the running time of a search, from its start and from any program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import Any, Protocol

import numpy as np

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Genes
from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.assumptions import tie_acceptance
from gatewalk.theory.chain.distribution import Distribution, distribution_of
from gatewalk.theory.chain.offspring_sums import geometric, log_of_rest
from gatewalk.theory.chain.own.acceptance import acceptance
from gatewalk.theory.chain.result import ExactResult, part_of
from gatewalk.theory.chain.sam.node_states import Floats, Ints
from gatewalk.theory.chain.solving import (
    Flags,
    Offspring,
    Transition,
    hopeful_states,
    moments_reported,
    offspring_made,
    solve_system,
    squares_made,
    start_shares,
    transition_of,
    visits,
)

ROUNDING = 1e-12  # the rounding error of probabilities that come from a linear system
SAME = 1e-10  # times whose relative difference is smaller may be equal


class Chain(Offspring, Protocol):
    """A chain whose states are classes of programs.

    size: how many programs each state has.
    genotypes: how many there are, solved ones included.
    solved_states: how many states the solved ones are counted as.
    """

    @property
    def size(self) -> Ints: ...

    @property
    def genotypes(self) -> int: ...

    @property
    def solved_states(self) -> int: ...

    @property
    def levels(self) -> Sequence[int]:
        """The mismatches of each level."""
        ...

    def program_of(self, state: int) -> Genes:
        """One program of this state."""
        ...

    def state_of(self, genes: Sequence[int] | Genes) -> int | None:
        """The state of a program; None if it is solved."""
        ...

    def has_free_connection(self, level: int) -> Flags:
        """Which states of a level are at the sub-level i+ of Theorem 6."""
        ...


@dataclass(frozen=True)
class LevelTime:
    """Expected iterations at one fitness: without a free connection (i- of Theorem 6) and with one (i+)."""

    fitness: int
    minus: float
    plus: float

    @property
    def total(self) -> float:
        return self.minus + self.plus


@dataclass(frozen=True, eq=False, repr=False)
class SolvedChain:
    """The running time of a search, from its solved Markov chain.

    start: the probability of each unsolved state at the start, which is certain if the search has a start.
    ends: the probability that the search ends, from each state.
    mean, square: the first two moments of the reported iterations from each state, over searches that end
        (all, unless `p_never` is positive).

    >>> from gatewalk.theory import exact
    >>> solved = exact("and:3", nodes=2)
    >>> round(solved.expected_iterations, 3), round(solved.std_iterations, 3)
    (22.58, 22.927)
    """

    search: CgpSearch
    chain: Chain
    transition: Transition
    hopeful: Flags
    start: Floats
    ends: Floats
    mean: Floats
    square: Floats

    def __repr__(self) -> str:
        return repr(self.result).replace("ExactResult", type(self).__name__, 1)

    def _repr_html_(self) -> str:
        return self.result._repr_html_()

    @property
    def states(self) -> int:
        """The number of genotypes."""
        return self.chain.genotypes

    @property
    def classes(self) -> int:
        """The number of states of the chain that was solved, solved ones included."""
        return self.chain.level_start[-1] + self.chain.solved_states

    @property
    def p_solved_at_start(self) -> float:
        """The probability that the start is solved."""
        if self.search.start is not None:
            return 1.0 - float(self.start.sum())
        solved = self.chain.genotypes - int(self.chain.size.sum())
        return 1.0 - (1.0 - solved / self.chain.genotypes) ** self.search.law.starts

    @cached_property
    def p_never(self) -> float:
        """The probability that the target is never found."""
        if self.hopeful.all():
            return 0.0
        if not self.hopeful.any():
            return 1.0 - self.p_solved_at_start
        # A start from which every search ends must not become infinite by rounding.
        return float(self.start @ np.where(self._may_never_end, 1.0 - self.ends, 0.0))

    @property
    def never_improving(self) -> int:
        """The number of genotypes from which the target cannot be found."""
        return int(self.chain.size[~self.hopeful].sum())

    @cached_property
    def expected_if_solved(self) -> float:
        """The expected iterations of the searches that end; nan if none does."""
        ending = 1.0 - self.p_never
        return float(self.start @ self.mean) / ending if ending > 1e-15 else float("nan")

    @property
    def expected_iterations(self) -> float:
        """The expected iterations from the start; infinite if the search may never end."""
        return inf if self.p_never > 0 else float(self.start @ self.mean)

    @property
    def std_iterations(self) -> float:
        """The standard deviation of the iterations."""
        if self.p_never > 0:
            return inf
        return sqrt(max(0.0, float(self.start @ self.square) - self.expected_iterations**2))

    @property
    def worst_start_expected(self) -> float:
        """The expected iterations from the worst program to begin from."""
        if not self.hopeful.all():
            return inf
        return float(self.mean.max()) if self.mean.size else 0.0

    @cached_property
    def worst_start(self) -> Genes | None:
        """A program from which the search takes longest: the first, whatever rounding says among equals."""
        if not self.mean.size:
            return None
        times = np.where(self._may_never_end, inf, self.mean)
        return self.chain.program_of(int(np.argmax(times >= (1.0 - SAME) * times.max())))

    @cached_property
    def _may_never_end(self) -> Flags:
        """The states from which the search may arrive at a program that cannot improve."""
        return self.ends < 1.0 - ROUNDING

    def expected_from(self, genes: Sequence[int] | Genes) -> float:
        """The expected iterations from a given program."""
        state = self.chain.state_of(genes)
        if state is None:
            return 0.0
        return inf if self._may_never_end[state] else float(self.mean[state])

    def visits(self, *, on_progress: OnProgress = lambda share, words: None) -> Floats:
        """The expected number of generations that begin in each state; 0 where no search ends."""
        return visits(self.transition, self.start, self.hopeful, on_progress=on_progress)

    def levels(self, *, on_progress: OnProgress = lambda share, words: None) -> list[LevelTime]:
        """The expected iterations at each fitness and sub-level, worst first, none left uncounted.

        They end when the search ends or can no longer end.
        """
        numbers = range(len(self.chain.levels))
        is_plus = [self.chain.has_free_connection(number) for number in numbers]
        made = geometric(log_of_rest(self.transition.solved), self.transition.offspring)
        spent = self.visits(on_progress=on_progress) * made
        times = []
        for level, plus in zip(self.transition.levels, is_plus, strict=True):
            here = spent[level.at]
            fitness = self.chain.levels[level.number]
            times.append(LevelTime(fitness, minus=float(here[~plus].sum()), plus=float(here[plus].sum())))
        return times[::-1]

    def distribution(
        self,
        *,
        most: int = 200_000,
        until: int | None = None,
        on_progress: OnProgress = lambda share, words: None,
    ) -> Distribution:
        """The distribution of the iterations; with `until`, only so far: then the rest counts as never."""
        return distribution_of(
            self.transition,
            self.hopeful,
            self.ends,
            self.start,
            uncounted=self.search.law.uncounted,
            most=most,
            until=until,
            on_progress=on_progress,
        )

    @property
    def result(self) -> ExactResult:
        """The numbers that `gatewalk exact` reports."""
        return ExactResult(
            search=self.search,
            states=self.states,
            classes=self.classes,
            expected_iterations=self.expected_iterations,
            std_iterations=self.std_iterations,
            worst_start_expected=self.worst_start_expected,
            p_solved_at_start=self.p_solved_at_start,
            p_never=self.p_never,
            expected_if_solved=self.expected_if_solved,
        )

    def record(self) -> dict[str, Any]:
        """The keys of `gatewalk exact --json`."""
        return self.result.record()


def solve(
    search: CgpSearch, chain: Chain, *, on_progress: OnProgress = lambda share, words: None
) -> SolvedChain:
    """Solve the chain of a search for the first two moments from every state."""
    law, accept = search.law, acceptance(search, chain.levels)
    tie = tie_acceptance(search) if accept is None else 1.0
    transition = transition_of(chain, offspring=search.offspring, tie=tie, accept=accept)
    hopeful = hopeful_states(chain, ties=tie > 0, accept=accept)
    ends = np.ones(transition.states)

    def system(constant: Floats, what: str, begin: float, end: float) -> Floats:
        phase = part_of(on_progress, begin, end)
        return solve_system(transition, constant, hopeful, what=what, on_progress=phase)

    if not hopeful.all():
        ends = system(transition.solved_soon, "hope", 0.0, 0.2)
    mean = system(offspring_made(transition, ends), "mean", 0.2, 0.6)
    square = system(squares_made(transition, ends, mean), "deviation", 0.6, 0.95)
    last = part_of(on_progress, 0.95, 1.0)
    mean, square = moments_reported(transition, ends, mean, square, law.uncounted, on_progress=last)
    if search.start is None:
        start = start_probabilities(chain, law.starts)
    else:
        start = certain_start(chain, search.start)
    return SolvedChain(search, chain, transition, hopeful, start, ends, mean, square)


def certain_start(chain: Chain, genes: Sequence[int]) -> Floats:
    """The probability of each state if the search starts at this program; all are 0 if it is solved."""
    result = np.zeros(chain.size.size)
    state = chain.state_of(genes)
    if state is not None:
        result[state] = 1.0
    return result


def start_probabilities(chain: Chain, starts: int) -> Floats:
    """The probability of each state as the best of so many uniform programs."""
    uniform = chain.size / chain.genotypes
    spans = [slice(*span) for span in zip(chain.level_start[:-1], chain.level_start[1:], strict=True)]
    shares = start_shares([float(uniform[at].sum()) for at in spans], starts)
    result = np.zeros(uniform.size)
    for at, share in zip(spans, shares, strict=True):
        result[at] = uniform[at] * share
    return result
