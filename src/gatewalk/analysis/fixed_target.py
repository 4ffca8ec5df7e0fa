"""Fixed targets: how long it takes until at most a given number of mismatches is left.

This is the fixed-target view of IOHanalyzer: for each fitness value, the evaluations of all runs until they
reach it or end, divided by the number of runs that reach it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from gatewalk.errors import InputError


@dataclass(frozen=True)
class TracedRun:
    """A run's improvements as (evaluations, best fitness so far), and its total number of evaluations."""

    trace: Sequence[tuple[int, int]]
    evaluations: int


def fixed_target(runs: Sequence[TracedRun]) -> dict[int, float]:
    """The expected evaluations until the best fitness is at most each value that occurs.

    Parameters
    ----------
    runs
        Runs with their best-so-far curves.

    Returns
    -------
    dict
        Evaluations by fitness, the worst fitness first.

    Examples
    --------
    >>> fixed_target([TracedRun([(1, 5), (4, 2), (9, 0)], 9), TracedRun([(1, 5), (7, 2)], 20)])
    {5: 1.0, 2: 5.5, 0: 29.0}
    """
    if not runs:
        raise InputError("no traced runs: fixed targets need at least one")
    values = sorted({fitness for run in runs for _, fitness in run.trace}, reverse=True)
    spent, reached = dict.fromkeys(values, 0), dict.fromkeys(values, 0)
    for run in runs:
        steps, place, now = list(run.trace), 0, inf
        for value in values:
            while now > value and place < len(steps):
                at, now = steps[place]
                place += 1
            if now <= value:
                spent[value] += at
                reached[value] += 1
            else:
                spent[value] += run.evaluations
    return {value: spent[value] / reached[value] if reached[value] else inf for value in values}
