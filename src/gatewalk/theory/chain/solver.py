"""The exact running time of any search that has a chain: SAM, point and rate mutation, and trees."""

from __future__ import annotations

from contextlib import suppress

from gatewalk.cgp.mutations import parse_mutation
from gatewalk.cgp.mutations.point import Point
from gatewalk.cgp.mutations.rate import Rate
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError, shown
from gatewalk.search.settings import Settings
from gatewalk.theory.chain.markov_chain import TellProgress
from gatewalk.theory.chain.point_rate_search import PointRateTimes, solved_point_or_rate
from gatewalk.theory.chain.ranked_search import MayNeverEnd, ranked_result
from gatewalk.theory.chain.ranked_size import about_classes, is_ranked
from gatewalk.theory.chain.result import ExactResult
from gatewalk.theory.chain.sam_search import Exact, solved
from gatewalk.theory.chain.size_check import MEMORY
from gatewalk.theory.chain.tree_search import solved_trees
from gatewalk.theory.known_settings import check_known

RANKED_FROM = 30_000  # classes; fewer are solved in a second by either chain


def exact_result(
    made: Settings, *, lump: bool = True, memory: int = MEMORY, watch: TellProgress | None = None
) -> ExactResult:
    """The exact running time of a search, from the Markov chain that its algorithm and mutation call for.

    Parameters
    ----------
    made
        The search, from `gatewalk.settings`.
    lump
        For SAM: treat programs alike that a symmetry exchanges; without it every genotype is a state.
    memory
        Refuse what would take more bytes.
    watch
        Told what is being done and how much of it.

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
    check_known(made)
    if made.algorithm in ("tgp-single", "tgp-multi"):
        return solved_trees(made, watch=watch)
    if made.algorithm != "cgp" or made.mutation is None:
        raise InputError(f"there is no exact chain for algorithm {shown(made.algorithm)}")
    mutation = parse_mutation(made.mutation)
    if isinstance(mutation, Sam):
        if lump and is_ranked(made) and about_classes(made) > RANKED_FROM:
            # Whether a search ends that no single offspring may improve, the other solver finds out.
            with suppress(MayNeverEnd):
                return ranked_result(made, memory=memory, watch=watch)
        return solved(made, lump=lump, memory=memory, watch=watch).result
    if isinstance(mutation, Point | Rate):
        return solved_point_or_rate(made, memory=memory, watch=watch).result
    raise InputError(f"exact times are for mutation sam, point:K and rate:P, not {made.mutation}")


def exact_details(
    made: Settings, *, lump: bool = True, memory: int = MEMORY, watch: TellProgress | None = None
) -> Exact | PointRateTimes:
    """The solved chain itself, which also knows the worst start and the distribution; `Exact` levels too."""
    check_known(made)
    if made.algorithm != "cgp" or made.mutation is None:
        raise InputError("levels, quantiles, tails and the worst start are known for cgp only")
    mutation = parse_mutation(made.mutation)
    if isinstance(mutation, Sam):
        return solved(made, lump=lump, memory=memory, watch=watch)
    if isinstance(mutation, Point | Rate):
        return solved_point_or_rate(made, memory=memory, watch=watch)
    raise InputError(f"exact times are for mutation sam, point:K and rate:P, not {made.mutation}")
