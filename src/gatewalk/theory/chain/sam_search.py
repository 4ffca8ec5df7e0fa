"""Exact running times of the (1+λ) CGP: the search is a Markov chain, and the chain is solved.

>>> round(exact("and:4", nodes=3).expected_iterations, 2)
91.54
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import Any

import numpy as np

from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.genotype import Genes, check
from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import Settings, settings
from gatewalk.theory.chain.distribution import Distribution, distribution_of
from gatewalk.theory.chain.hitting_times import (
    LevelTime,
    Times,
    level_times,
    reported,
    start_probabilities,
    times_of,
)
from gatewalk.theory.chain.markov_chain import Chain, TellProgress, build, frame_of
from gatewalk.theory.chain.node_states import Floats
from gatewalk.theory.chain.phases import part_of
from gatewalk.theory.chain.program_lookup import class_of_program, program_of_class
from gatewalk.theory.chain.result import ExactResult
from gatewalk.theory.chain.size_check import MEMORY, check_size
from gatewalk.theory.chain.walk import Flags
from gatewalk.theory.known_settings import check_known, picked_ends, tie_acceptance

ROUNDING = 1e-12  # of probabilities that solving a linear system gave


@dataclass(frozen=True, eq=False, repr=False)
class Exact:
    """The running time of a search by single active-gene mutation, from its solved Markov chain.

    Attributes
    ----------
    settings
        The search.
    times
        The solved chain.
    start
        The probability of each unsolved class of programs at the start.
    mean, square
        The first two moments of the iterations from each class, over searches that end (all, unless
        `p_never` is positive).

    Examples
    --------
    >>> from gatewalk.theory import exact
    >>> found = exact("and:3", nodes=2)
    >>> round(found.expected_iterations, 3), round(found.std_iterations, 3)
    (22.58, 22.927)
    """

    settings: Settings
    times: Times
    start: Floats
    mean: Floats
    square: Floats

    def __repr__(self) -> str:
        return repr(self.result).replace("ExactResult", "Exact", 1)

    def _repr_html_(self) -> str:
        return self.result._repr_html_()

    @property
    def chain(self) -> Chain:
        return self.times.chain

    @property
    def states(self) -> int:
        """The number of genotypes."""
        return self.chain.genotypes

    @property
    def classes(self) -> int:
        """The number of states of the chain that was solved: classes and the solved state."""
        return self.chain.classes + 1

    @property
    def p_solved_at_start(self) -> float:
        """The probability that the start is solved."""
        law = self._law
        solved = self.chain.genotypes - int(self.chain.size.sum())
        return 1.0 - (1.0 - solved / self.chain.genotypes) ** law.starts

    @cached_property
    def p_never(self) -> float:
        """The probability that the target is never found."""
        if self.times.hopeful.all():
            return 0.0
        if not self.times.hopeful.any():
            return 1.0 - self.p_solved_at_start
        return float(self.start @ (1.0 - self.times.ends))

    @property
    def never_improving(self) -> int:
        """The number of genotypes from which the target cannot be found."""
        return int(self.chain.size[~self.times.hopeful].sum())

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
        """The expected iterations from the program from which they are most."""
        if not self.times.hopeful.all():
            return inf
        return float(self.mean.max()) if self.mean.size else 0.0

    @cached_property
    def worst_start(self) -> Genes | None:
        """A program from which the search takes longest."""
        if not self.mean.size:
            return None
        return program_of_class(self.chain, int(np.argmax(np.where(self._may_never_end, inf, self.mean))))

    @cached_property
    def _may_never_end(self) -> Flags:
        """The classes from which one may come to a program that cannot improve."""
        return self.times.ends < 1.0 - ROUNDING

    def expected_from(self, genes: Sequence[int] | Genes) -> float:
        """The expected iterations from a given program."""
        found = class_of_program(self.chain, check(self.chain.shape, genes))
        if found is None:
            return 0.0
        return inf if self._may_never_end[found] else float(self.mean[found])

    def levels(self, *, watch: TellProgress | None = None) -> list[LevelTime]:
        """The expected iterations at each fitness and sub-level, worst first, none left uncounted."""
        return level_times(self.times, self.start, watch=watch)

    def distribution(self, *, most: int = 200_000, watch: TellProgress | None = None) -> Distribution:
        """The distribution of the iterations."""
        times = self.times
        return distribution_of(
            times.walk,
            times.hopeful,
            times.ends,
            self.start,
            uncounted=self._law.uncounted,
            most=most,
            watch=watch,
        )

    @property
    def result(self) -> ExactResult:
        """The numbers in one."""
        return ExactResult(
            settings=self.settings,
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
        """The keys of the command line's contract."""
        return self.result.record()

    @property
    def _law(self) -> CgpLaw:
        assert isinstance(self.settings.law, CgpLaw)
        return self.settings.law


def exact(
    target_name: str,
    *,
    lump: bool = True,
    memory: int = MEMORY,
    watch: TellProgress | None = None,
    **options: Any,
) -> Exact:
    """Solve the Markov chain of a search by single active-gene mutation.

    Parameters
    ----------
    target_name
        The target.
    lump
        Treat programs alike that a symmetry exchanges; without it every genotype is a state.
    memory
        Refuse what would take more bytes.
    watch
        Told what is being done, and how much of it.
    **options
        The options of `gatewalk.settings`.

    Returns
    -------
    Exact
        The moments of the running time, from the start and from any program, and its distribution.

    Examples
    --------
    >>> found = exact("and:3", nodes=3, selection="strict")
    >>> round(found.expected_iterations, 2)
    38.42
    """
    return solved(settings(target_name, **options), lump=lump, memory=memory, watch=watch)


def solved(
    made: Settings,
    *,
    training: TrainingSet | None = None,
    lump: bool = True,
    memory: int = MEMORY,
    watch: TellProgress | None = None,
) -> Exact:
    """Solve the chain of these settings; SAM only. training: the rows of a sampled set."""
    chain = built(made, training=training, lump=lump, memory=memory, watch=part_of(watch, 0.0, 0.2))
    law = made.law
    assert isinstance(law, CgpLaw)
    times = times_of(chain, watch=part_of(watch, 0.2, 0.95))
    mean, square = reported(times, law.uncounted, watch=part_of(watch, 0.95, 1.0))
    return Exact(made, times, start_probabilities(chain, law.starts), mean, square)


def built(
    made: Settings,
    *,
    training: TrainingSet | None = None,
    lump: bool = True,
    memory: int = MEMORY,
    watch: TellProgress | None = None,
) -> Chain:
    """The chain of these settings, not solved yet; SAM only. training: the rows of a sampled set."""
    check_known(made)
    law = made.law
    if made.algorithm != "cgp" or not isinstance(law, CgpLaw):
        raise InputError(f"the chain of genotypes is for cgp, not {made.algorithm}: trees have their own")
    if made.start != "random":
        raise InputError(f"exact times are for random starts, not --start {made.start}")
    if (made.training == "complete") != (training is None):
        raise InputError(
            "a sampled training set is part of the chain: for the complete set leave --training out, "
            "for sampled ones use gatewalk.theory.exact_sets or gatewalk exact --sets"
        )
    if made.mutation != "sam":
        raise InputError(f"levels, quantiles and single starts are known for sam, not {made.mutation}")
    check_size(made, training=training, lump=lump, memory=memory)
    rows = complete(made.wanted) if training is None else training
    frame = frame_of(shape_of(made), rows, lump=lump, watch=part_of(watch, 0.0, 0.3))
    return build(
        frame,
        tie=tie_acceptance(made),
        picked_ends=picked_ends(law),
        offspring=made.offspring,
        watch=part_of(watch, 0.3, 1.0),
    )
