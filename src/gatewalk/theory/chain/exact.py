"""The exact running time of a search, by whichever chain is its own: the door to the solver.

CGP with SAM, point or rate mutation has a chain of programs, which gives everything (`solve_chain`). For SAM
on symmetric targets there is a second one that gives fewer numbers of larger cases (`ranked`), and trees on
conjunctions have a chain that encloses the truth (`trees`): `exact_result` chooses among all of them.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import inf, isnan
from typing import Any

from gatewalk.cgp.mutations import parse_mutation
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError, shown
from gatewalk.search.settings import Settings, settings
from gatewalk.theory.assumptions import check_taught
from gatewalk.theory.chain.point_rate import point_rate_chain
from gatewalk.theory.chain.ranked.search import MayNeverEnd, about_classes, is_ranked, ranked_result
from gatewalk.theory.chain.result import ExactResult, TellProgress, part_of
from gatewalk.theory.chain.sam.chain import build_chain
from gatewalk.theory.chain.sam.fractions import expected_fraction
from gatewalk.theory.chain.sam.size import MEMORY
from gatewalk.theory.chain.solved_chain import SolvedChain, solve
from gatewalk.theory.chain.trees import solved_trees
from gatewalk.theory.conjunctions import level_of_fitness

RANKED_FROM = 30_000  # classes; fewer are solved in a second by either chain


def exact(
    target_name: str,
    *,
    lump: bool = True,
    memory: int = MEMORY,
    on_progress: TellProgress | None = None,
    **options: Any,
) -> SolvedChain:
    """Solve the Markov chain of a CGP search.

    Parameters
    ----------
    target_name
        The target.
    lump
        For SAM: treat programs alike that a symmetry exchanges; without it every genotype is a state.
    memory
        Refuse what would take more bytes.
    on_progress
        Told what is being done, and how much of it.
    **options
        The options of `gatewalk.settings`.

    Returns
    -------
    SolvedChain
        The moments of the running time, from the start and from any program, and its distribution.

    Examples
    --------
    >>> solved = exact("and:3", nodes=3, selection="strict")
    >>> round(solved.expected_iterations, 2)
    38.42
    """
    made = settings(target_name, **options)
    return solve_chain(made, lump=lump, memory=memory, on_progress=on_progress)


def exact_result(
    settings: Settings, *, lump: bool = True, memory: int = MEMORY, on_progress: TellProgress | None = None
) -> ExactResult:
    """The exact running time of a search, from the Markov chain that its algorithm and mutation call for.

    Parameters
    ----------
    settings
        The search, from `gatewalk.settings`.
    lump
        For SAM: treat programs that a symmetry exchanges as one state; without it, every genotype is a state.
    memory
        Refuse chains that would take more bytes than this.
    on_progress
        Called with the name of the current phase and the share that is done.

    Returns
    -------
    ExactResult
        The expectation, the deviation and more.

    Raises
    ------
    InputError
        If the search has no chain, or one that is too large.

    Examples
    --------
    >>> from gatewalk import settings
    >>> trees = settings("and:3", algorithm="tgp-single", profile="tinyverse")
    >>> round(exact_result(trees).expected_iterations, 6)
    12.5
    """
    check_taught(settings)
    if settings.algorithm in ("tgp-single", "tgp-multi"):
        return solved_trees(settings, on_progress=on_progress)
    if settings.algorithm != "cgp":
        raise InputError(f"there is no exact chain for algorithm {shown(settings.algorithm)}")
    if lump and is_ranked(settings) and about_classes(settings) > RANKED_FROM:
        # If some program has no improving offspring, only the other solver can tell whether it ends.
        with suppress(MayNeverEnd):
            return ranked_result(settings, memory=memory, on_progress=on_progress)
    return solve_chain(settings, lump=lump, memory=memory, on_progress=on_progress).result


def solve_chain(
    settings: Settings, *, lump: bool = True, memory: int = MEMORY, on_progress: TellProgress | None = None
) -> SolvedChain:
    """The solved chain itself, which also has the worst start, the distribution and, with SAM, the levels."""
    check_taught(settings)
    if settings.algorithm != "cgp" or settings.mutation is None:
        raise InputError("levels, quantiles, tails and the worst start are available for cgp only")
    mutation = parse_mutation(settings.mutation)
    if isinstance(mutation, Sam):
        told = part_of(on_progress, 0.0, 0.2)
        chain = build_chain(settings, lump=lump, memory=memory, on_progress=told)
        return solve(settings, chain, on_progress=part_of(on_progress, 0.2, 1.0))
    if isinstance(mutation, Point | Rate):
        return solve(settings, point_rate_chain(settings, memory=memory), on_progress=on_progress)
    raise InputError(f"exact times are for mutation sam, point:K and rate:P, not {settings.mutation}")


@dataclass(frozen=True, kw_only=True)
class Details:
    """What to report in addition to the usual numbers.

    quantiles: probabilities; the iterations within which the search ends with each of them. tail: numbers of
    iterations; the probability of needing more than each of them. levels: the expected time at each level
    and sub-level, with SAM only. worst_start: the genes of the program from which the search takes longest.
    fraction: the expected time as an exact fraction.
    """

    quantiles: tuple[float, ...] = ()
    tail: tuple[int, ...] = ()
    levels: bool = False
    worst_start: bool = False
    fraction: bool = False


def result_with_details(
    settings: Settings, details: Details, *, lump: bool, memory: int, on_progress: TellProgress
) -> tuple[ExactResult, dict[str, Any]]:
    """Solve a search; returns the result and a record of the details, by the keys of `--json`.

    >>> from gatewalk import settings
    >>> details = Details(quantiles=(0.5,), fraction=True)
    >>> _, extra = result_with_details(
    ...     settings("and:2", nodes=1), details, lump=True, memory=10**9, on_progress=lambda what, done: None
    ... )
    >>> extra
    {'quantiles': {'0.5': 2}, 'fraction': '311/132'}
    """
    fraction = None
    if details.fraction:
        on_progress("fraction", 0.0)
        fraction = expected_fraction(settings)  # first, because it is refused for all but small chains
    if details in (Details(), Details(fraction=True)):
        result = exact_result(settings, lump=lump, memory=memory, on_progress=on_progress)
        extra = rare(result)
    else:
        told = part_of(on_progress, 0.0, 0.5)
        solved = solve_chain(settings, lump=lump, memory=memory, on_progress=told)
        result = solved.result
        extra = rare(result) | _times(solved, details, on_progress)
        if details.levels or details.worst_start:
            extra["worst_start"] = None if solved.worst_start is None else solved.worst_start.tolist()
    if fraction is not None:
        extra["fraction"] = str(fraction)
    return result, extra


def rare(result: ExactResult) -> dict[str, Any]:
    """What is said only where it is not zero: the chance of a search that never ends, errors of rounding."""
    extra: dict[str, Any] = {}
    if result.p_never > 0:
        known = None if isnan(result.expected_if_solved) else result.expected_if_solved
        extra |= {"p_never": result.p_never, "expected_if_solved": known}
    if result.error > 0:
        extra |= {"error": result.error, "std_error": result.std_error}
    return extra


def _times(solved: SolvedChain, details: Details, on_progress: TellProgress) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if details.quantiles or details.tail:
        told = part_of(on_progress, 0.5, 0.75 if details.levels else 1.0)
        distribution = solved.distribution(on_progress=told)
        reached = {p: distribution.quantile(p) for p in details.quantiles}
        if reached:
            extra["quantiles"] = {repr(p): "inf" if t == inf else int(t) for p, t in reached.items()}
        if details.tail:
            extra["tail"] = {str(t): distribution.exceeds(t) for t in details.tail}
    if details.levels:
        extra["levels"] = [
            {
                "level": level_of_fitness(solved.settings, time.fitness),
                "fitness": time.fitness,
                "free": time.plus,
                "bound": time.minus,
            }
            for time in solved.levels(on_progress=part_of(on_progress, 0.75, 1.0))
        ]
    return extra
