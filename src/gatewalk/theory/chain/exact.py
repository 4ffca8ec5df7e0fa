"""The exact running time of a search, by whichever chain is its own: the door to the solver.

CGP has a chain of programs, which gives everything (`solve_chain`): one for SAM, one for point and rate
mutation, one for any mutation that a user wrote (`own`). For SAM on symmetric targets there is a second one
that gives fewer numbers of larger cases (`ranked`), and trees on conjunctions have a chain that encloses the
truth (`trees`): `exact_result` chooses among all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import inf, isnan
from typing import Any, Unpack, cast

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.cgp.operators import OwnMutation
from gatewalk.errors import InputError
from gatewalk.search.options import Search, Words, search_for, shows_words
from gatewalk.search.scheduler import OnProgress
from gatewalk.tgp.tgp_search import TgpSearch
from gatewalk.theory.assumptions import check_solvable
from gatewalk.theory.chain.point_rate import point_rate_chain
from gatewalk.theory.chain.ranked.search import MayNeverEnd, about_classes, is_ranked, ranked_result
from gatewalk.theory.chain.reach import in_a_minute, with_default_nodes
from gatewalk.theory.chain.result import ExactResult, part_of
from gatewalk.theory.chain.sam.chain import build_chain
from gatewalk.theory.chain.sam.fractions import expected_fraction
from gatewalk.theory.chain.sam.size import MEMORY, OTHERWISE, TooLarge
from gatewalk.theory.chain.solved_chain import SolvedChain, solve
from gatewalk.theory.chain.trees import solved_trees
from gatewalk.theory.conjunctions import level_of_fitness

RANKED_FROM = 30_000  # classes; fewer are solved in a second by either chain


@shows_words
def exact(
    target: object,
    *,
    lump: bool = True,
    memory: int = MEMORY,
    on_progress: OnProgress = lambda share, words: None,
    **words: Unpack[Words],
) -> SolvedChain:
    """Solve the Markov chain of a CGP search, which gives more than `exact_result`, and of fewer searches.

    target, words: as `gatewalk.search_for` takes them; but without `nodes` there are n - 1, if so few can
        compute the target.
    lump: for SAM, treat programs alike that a symmetry exchanges; without it every genotype is a state.
    memory: refuse what would take more bytes.

    >>> solved = exact("and:3", nodes=3, selection="strict")
    >>> round(solved.expected_iterations, 2)
    38.42
    """
    if isinstance(target, (CgpSearch, TgpSearch)):
        search = search_for(target, **words)
    else:
        search = with_default_nodes(lambda chosen: search_for(target, **cast("Words", chosen)), words)
    return solve_chain(search, lump=lump, memory=memory, on_progress=on_progress)


def exact_result(
    search: Search,
    *,
    lump: bool = True,
    memory: int = MEMORY,
    on_progress: OnProgress = lambda share, words: None,
) -> ExactResult:
    """The exact running time of a search, from the Markov chain that its algorithm and mutation call for.

    A search without a chain, or with one that is too large, raises `InputError`.

    lump, memory: as in `exact`.

    >>> from gatewalk import search_for
    >>> trees = search_for("and:3", algorithm="tgp-single", profile="tinyverse")
    >>> round(exact_result(trees).expected_iterations, 6)
    12.5
    """
    check_solvable(search)
    if not isinstance(search, CgpSearch):
        return solved_trees(search, on_progress=on_progress)
    if lump and is_ranked(search) and about_classes(search) > RANKED_FROM:
        # If some program has no improving offspring, only the other solver can tell whether it ends.
        with suppress(MayNeverEnd), _advising(search, lump, memory):
            return ranked_result(search, memory=memory, on_progress=on_progress)
    return solve_chain(search, lump=lump, memory=memory, on_progress=on_progress).result


def solve_chain(
    search: Search,
    *,
    lump: bool = True,
    memory: int = MEMORY,
    on_progress: OnProgress = lambda share, words: None,
) -> SolvedChain:
    """The solved chain itself, which also has the worst start, the distribution and, with SAM, the levels.

    The chain is that of all programs; where the search starts matters only when its numbers are read off.
    """
    check_solvable(search)
    if not isinstance(search, CgpSearch):
        raise InputError("levels, quantiles, tails and the worst start are available for cgp only")
    # What offspring there are does not depend on the selection.
    known = search.selection if isinstance(search.selection, str) else "nonstrict"
    anywhere = replace(search, start=None, selection=known)
    if isinstance(search.mutation, Sam):
        with _advising(search, lump, memory):
            first = part_of(on_progress, 0.0, 0.2)
            chain = build_chain(anywhere, lump=lump, memory=memory, on_progress=first)
        return solve(search, chain, on_progress=part_of(on_progress, 0.2, 1.0))
    if isinstance(search.mutation, Point | Rate):
        with _advising(search, lump, memory):
            of_all = point_rate_chain(anywhere, memory=memory)
        return solve(search, of_all, on_progress=on_progress)
    if isinstance(search.mutation, OwnMutation):
        from gatewalk.theory.chain.own.chain import own_chain

        with _advising(search, lump, memory):
            first = part_of(on_progress, 0.0, 0.2)
            of_own = own_chain(anywhere, memory=memory, on_progress=first)
        return solve(search, of_own, on_progress=part_of(on_progress, 0.2, 1.0))
    raise InputError(
        f"exact times are for mutation sam, point:K, rate:P and those of your own, not {search.mutation}"
    )


@contextmanager
def _advising(search: CgpSearch, lump: bool, memory: int) -> Iterator[None]:
    """Say with how many nodes a chain that is too large would be solved in a minute."""
    try:
        yield
    except TooLarge as error:
        advice = in_a_minute(search, lump=lump, memory=memory)
        raise InputError(f"{error.what}; {advice}; {OTHERWISE}", option="nodes") from None


@dataclass(frozen=True, kw_only=True)
class Details:
    """What to report in addition to the usual numbers.

    quantiles: probabilities; the iterations within which the search ends with each of them.
    tail: numbers of iterations; the probability of needing more than each of them.
    levels: the expected time at each level and sub-level, with SAM only.
    worst_start: the genes of the program from which the search takes longest.
    fraction: the expected time as an exact fraction.
    """

    quantiles: tuple[float, ...] = ()
    tail: tuple[int, ...] = ()
    levels: bool = False
    worst_start: bool = False
    fraction: bool = False


def result_with_details(
    search: Search, details: Details, *, lump: bool, memory: int, on_progress: OnProgress
) -> tuple[ExactResult, dict[str, Any]]:
    """Solve a search; returns the result and a record of the details, by the keys of `--json`.

    >>> from gatewalk import search_for
    >>> details = Details(quantiles=(0.5,), fraction=True)
    >>> search = search_for("and:2", nodes=1)
    >>> _, extra = result_with_details(
    ...     search, details, lump=True, memory=10**9, on_progress=lambda share, words: None
    ... )
    >>> extra
    {'quantiles': {'0.5': 2}, 'fraction': '311/132'}
    """
    fraction = None
    if details.fraction:
        on_progress(0.0, "fraction")
        fraction = expected_fraction(search)  # first, because it is refused for all but small chains
    if details in (Details(), Details(fraction=True)):
        result = exact_result(search, lump=lump, memory=memory, on_progress=on_progress)
        extra = rare(result)
    else:
        first_half = part_of(on_progress, 0.0, 0.5)
        solved = solve_chain(search, lump=lump, memory=memory, on_progress=first_half)
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


def _times(solved: SolvedChain, details: Details, on_progress: OnProgress) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if details.quantiles or details.tail:
        end = 0.75 if details.levels else 1.0
        distribution = solved.distribution(on_progress=part_of(on_progress, 0.5, end))
        reached = {p: distribution.quantile(p) for p in details.quantiles}
        if reached:
            extra["quantiles"] = {repr(p): "inf" if t == inf else int(t) for p, t in reached.items()}
        if details.tail:
            extra["tail"] = {str(t): distribution.exceeds(t) for t in details.tail}
    if details.levels:
        extra["levels"] = [
            {
                "level": level_of_fitness(solved.search, time.fitness),
                "fitness": time.fitness,
                "free": time.plus,
                "bound": time.minus,
            }
            for time in solved.levels(on_progress=part_of(on_progress, 0.75, 1.0))
        ]
    return extra
