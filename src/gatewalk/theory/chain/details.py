"""An exact result with what is asked for beside it: quantiles, tails, levels, the worst start, a fraction."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan
from typing import Any

from gatewalk.search.settings import Settings
from gatewalk.theory.chain.point_rate_search import PointRateTimes
from gatewalk.theory.chain.progress import TellProgress, part_of
from gatewalk.theory.chain.rational_times import rational
from gatewalk.theory.chain.result import ExactResult
from gatewalk.theory.chain.sam_search import Exact
from gatewalk.theory.chain.solver import exact_details, exact_result
from gatewalk.theory.watching import level_of_fitness


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is asked for beside the usual numbers.

    Parameters
    ----------
    quantiles
        Probabilities: also the iterations within which the search ends with each of them.
    tail
        Numbers of iterations: also the probability to need more than each of them.
    levels
        Also the expected time at each level and sub-level; of single active-gene mutation only.
    worst_start
        Also the genes of the program from which the search takes longest.
    fraction
        Also the expected time as an exact fraction.
    """

    quantiles: tuple[float, ...] = ()
    tail: tuple[int, ...] = ()
    levels: bool = False
    worst_start: bool = False
    fraction: bool = False


def result_with_details(
    made: Settings, wanted: Wanted, *, lump: bool, memory: int, watch: TellProgress
) -> tuple[ExactResult, dict[str, Any]]:
    """Solve a search; returns the result and a record of what else was asked for, by the keys of `--json`.

    Parameters
    ----------
    made
        The search.
    wanted
        What is asked for.
    lump
        Whether programs that a symmetry exchanges are one state.
    memory
        Bytes; what would take more is refused.
    watch
        Is told what is being done, and how much of the whole is done.

    Examples
    --------
    >>> from gatewalk.search.settings import settings
    >>> wanted = Wanted(quantiles=(0.5,), fraction=True)
    >>> _, extra = result_with_details(
    ...     settings("and:2", nodes=1), wanted, lump=True, memory=10**9, watch=lambda what, done: None
    ... )
    >>> extra
    {'quantiles': {'0.5': 2}, 'fraction': '311/132'}
    """
    if wanted in (Wanted(), Wanted(fraction=True)):
        result = exact_result(made, lump=lump, memory=memory, watch=watch)
        extra = rare(result)
    else:
        exact = exact_details(made, lump=lump, memory=memory, watch=part_of(watch, 0.0, 0.5))
        result = exact.result
        extra = rare(result) | _times(exact, wanted, watch)
        if wanted.levels or wanted.worst_start:
            extra["worst_start"] = None if exact.worst_start is None else exact.worst_start.tolist()
    if wanted.fraction:
        watch("fraction", 1.0)
        extra["fraction"] = str(rational(made))
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


def _times(exact: Exact | PointRateTimes, wanted: Wanted, watch: TellProgress) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    told = part_of(watch, 0.5, 0.75 if wanted.levels else 1.0)
    distribution = exact.distribution(watch=told) if wanted.quantiles or wanted.tail else None
    if distribution and wanted.quantiles:
        reached = {p: distribution.quantile(p) for p in wanted.quantiles}
        extra["quantiles"] = {repr(p): "inf" if t == inf else int(t) for p, t in reached.items()}
    if distribution and wanted.tail:
        extra["tail"] = {str(t): distribution.exceeds(t) for t in wanted.tail}
    if wanted.levels and isinstance(exact, Exact):
        made = exact.settings
        extra["levels"] = [
            {
                "level": level_of_fitness(made, one.fitness),
                "fitness": one.fitness,
                "free": one.free,
                "bound": one.bound,
            }
            for one in exact.levels(watch=part_of(watch, 0.75, 1.0))
        ]
    return extra
