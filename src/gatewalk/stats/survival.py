"""Running times as distributions: Kaplan-Meier curves and quantiles, the log-rank test, ECDFs, fixed targets.

As in survival analysis, censored runs count as survivors up to their budget; nothing is assumed about how
long they would have taken. The estimators are SciPy's.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np
from scipy import stats

from gatewalk.errors import InputError
from gatewalk.stats.sample import Floats, Interval, Sample, wilson


@dataclass(frozen=True)
class Curve:
    """A step function of time: its values from each of the times on, with a pointwise confidence band.

    >>> from gatewalk.stats import sample
    >>> kaplan_meier(sample([2, 4, 8], [True, True, False])).values.round(2).tolist()
    [0.67, 0.33, 0.33]
    """

    times: Floats
    values: Floats
    low: Floats
    high: Floats


def _censored(data: Sample) -> stats.CensoredData:
    return stats.CensoredData(uncensored=data.times, right=data.iterations[~data.solved])


def kaplan_meier(data: Sample, *, confidence: float = 0.95) -> Curve:
    """Pr(T > t) after each time of success or censoring, by Kaplan and Meier, with a log-log band.

    >>> from gatewalk.stats import sample
    >>> kaplan_meier(sample([2, 4, 8], [True, True, False])).times.tolist()
    [2.0, 4.0, 8.0]
    """
    fit = stats.ecdf(_censored(data)).sf
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # undefined ends of the band are treated below
        band: Any = fit.confidence_interval(confidence_level=confidence, method="log-log")
    values = np.asarray(fit.probabilities, dtype=np.float64)
    low = np.asarray(band.low.probabilities, dtype=np.float64)
    high = np.asarray(band.high.probabilities, dtype=np.float64)
    # Where all runs or none survive, the formula is 0/0: the band closes, or keeps its last upper end.
    low = np.where(np.isnan(low), np.where(values >= 1.0, 1.0, 0.0), low)
    high = np.where(np.isnan(high), np.where(values >= 1.0, 1.0, _last_finite(high)), high)
    return Curve(np.asarray(fit.quantiles, dtype=np.float64), values, low, high)


def _last_finite(values: Floats) -> float:
    finite = values[np.isfinite(values)]
    return float(finite[-1]) if finite.size else 1.0


@dataclass(frozen=True)
class Quantile:
    """A quantile of the running time; infinite if too few runs succeeded to estimate it."""

    fraction: float
    value: float
    interval: Interval


def quantile(data: Sample, fraction: float = 0.5, *, confidence: float = 0.95) -> Quantile:
    """The least time by which a fraction of the runs has succeeded, by Kaplan and Meier.

    The interval inverts the band of the curve (Brookmeyer and Crowley 1982).

    >>> from gatewalk.stats import sample
    >>> quantile(sample([3, 5, 10], [True, True, False]), 0.25).value
    3.0
    """
    if not 0 < fraction < 1:
        raise InputError(f"the fraction of a quantile must lie strictly between 0 and 1, not {fraction}")
    curve = kaplan_meier(data, confidence=confidence)
    level = 1 - fraction
    return Quantile(
        fraction,
        _first_at_most(curve.times, curve.values, level),
        Interval(
            _first_at_most(curve.times, curve.low, level), _first_at_most(curve.times, curve.high, level)
        ),
    )


def median(data: Sample, *, confidence: float = 0.95) -> Quantile:
    """The median running time by Kaplan and Meier; runs censored above it do not change it.

    >>> from gatewalk.stats import sample
    >>> median(sample([3, 5, 10], [True, True, False])).value
    5.0
    """
    return quantile(data, 0.5, confidence=confidence)


def _first_at_most(times: Floats, values: Floats, level: float) -> float:
    reached = np.flatnonzero(values <= level + 1e-12)
    return float(times[reached[0]]) if reached.size else inf


@dataclass(frozen=True)
class LogRank:
    """The log-rank test of equal running-time distributions."""

    statistic: float
    p_value: float


def log_rank(first: Sample, second: Sample) -> LogRank:
    """The two-sided log-rank test of two samples; its p-value is 1 if neither has a success.

    >>> from gatewalk.stats import sample
    >>> log_rank(sample([1, 2, 3], [True] * 3), sample([9, 8, 7], [True] * 3)).p_value < 0.05
    True
    """
    if first.successes + second.successes == 0:
        return LogRank(nan, 1.0)
    test = stats.logrank(x=_censored(first), y=_censored(second))
    return LogRank(float(test.statistic), float(test.pvalue))


def running_time_ecdf(data: Sample) -> Curve:
    """The fraction of all runs solved within t iterations, with Wilson's band; it ends at the success rate.

    Up to the least censoring time it needs no assumptions; beyond it, censored runs count as
    not solved (the empirical running-time distribution of benchmarking).

    >>> from gatewalk.stats import sample
    >>> running_time_ecdf(sample([2, 4, 8, 8], [True, True, True, False])).values.tolist()
    [0.25, 0.5, 0.75]
    """
    times, counts = np.unique(data.times, return_counts=True)
    solved = counts.cumsum()
    band = np.array([wilson(count, data.runs) for count in solved.tolist()]).reshape(-1, 2)
    return Curve(times, solved / data.runs, band[:, 0], band[:, 1])


@dataclass(frozen=True)
class TracedRun:
    """A run's improvements as (evaluations, best fitness so far), and its total number of evaluations."""

    trace: Sequence[tuple[int, int]]
    evaluations: int


def fixed_target(runs: Sequence[TracedRun]) -> dict[int, float]:
    """The expected evaluations until the best fitness is at most each value that occurs.

    This is the fixed-target view of IOHanalyzer: the evaluations of all runs until they reach the value or
    end, divided by the number of runs that reach it.

    >>> fixed_target([TracedRun([(1, 5), (4, 2), (9, 0)], 9), TracedRun([(1, 5), (7, 2)], 20)])
    {5: 1.0, 2: 5.5, 0: 29.0}
    """
    if not runs:
        raise InputError("there are no traced runs; fixed targets need at least one")
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
