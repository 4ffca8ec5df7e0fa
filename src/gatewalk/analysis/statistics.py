"""Statistics of running times in which some runs are censored.

A run that used its budget up is censored: its running time is only known to be larger. Each
function says how it treats such runs. The default statistic is the expected running time ERT; statistics
of the successful runs alone always come with the success rate, because without it they mislead.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from gatewalk.errors import InputError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A confidence interval.

    Attributes
    ----------
    low, high
        Its ends.

    Examples
    --------
    >>> found = success_rate(sample([3, 5, 9], [True, True, False])).interval
    >>> round(found.low, 3), round(found.high, 3)
    (0.208, 0.939)
    """

    low: float
    high: float


@dataclass(frozen=True)
class Sample:
    """The running times of a cell; `sample` makes one.

    Attributes
    ----------
    iterations
        Of every run; of a censored run, what it was given.
    solved
        Whether the run succeeded.

    Examples
    --------
    >>> data = sample([3, 5, 10], [True, True, False])
    >>> data.runs, data.successes, data.times.tolist()
    (3, 2, [3.0, 5.0])
    """

    iterations: Floats
    solved: NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"<Sample of {self.runs} runs, {self.successes} solved>"

    @property
    def runs(self) -> int:
        return self.iterations.size

    @property
    def successes(self) -> int:
        return int(self.solved.sum())

    @property
    def times(self) -> Floats:
        """Iterations of the successful runs."""
        return self.iterations[self.solved]


def sample(iterations: ArrayLike, solved: ArrayLike) -> Sample:
    """The running times of a cell, checked.

    Parameters
    ----------
    iterations
        Of every run; of a censored run, what it was given.
    solved
        Whether the run succeeded.

    Returns
    -------
    Sample
        For the statistics and figures of this package.

    Examples
    --------
    >>> sample([3, 5, 10], [True, True, False]).successes
    2
    """
    times = np.asarray(iterations, dtype=np.float64).ravel()
    mask = np.asarray(solved, dtype=np.bool_).ravel()
    if times.size == 0:
        raise InputError("no runs: a statistic needs at least one")
    if times.shape != mask.shape:
        raise InputError(f"{times.size} running times but {mask.size} marks of success")
    if not (np.isfinite(times).all() and (times >= 0).all()):
        raise InputError("running times are finite and not negative")
    return Sample(times, mask)


@dataclass(frozen=True)
class SuccessRate:
    """The number of successes and of runs, the success rate and its Wilson interval."""

    successes: int
    runs: int
    rate: float
    interval: Interval


def success_rate(data: Sample, *, confidence: float = 0.95) -> SuccessRate:
    """The fraction of solved runs with Wilson's score interval; censored runs are the failures.

    Parameters
    ----------
    data
        The sample.
    confidence
        Of the interval, as 0.95.

    Returns
    -------
    SuccessRate
        The fraction with its interval.

    Examples
    --------
    >>> round(success_rate(sample([3, 5, 9], [True, True, False])).rate, 3)
    0.667
    """
    test = stats.binomtest(data.successes, data.runs)
    ci = test.proportion_ci(confidence_level=confidence, method="wilson")
    return SuccessRate(
        successes=data.successes,
        runs=data.runs,
        rate=data.successes / data.runs,
        interval=Interval(float(ci.low), float(ci.high)),
    )


def ert(data: Sample) -> float:
    """The expected running time ERT: the iterations of all runs, censored ones too, per success.

    It estimates the expected time of a search that is restarted whenever the budget is used up.

    Parameters
    ----------
    data
        The sample.

    Returns
    -------
    float
        Infinite without any success.

    Examples
    --------
    >>> ert(sample([3, 5, 10], [True, True, False]))
    9.0
    """
    return float(data.iterations.sum()) / data.successes if data.successes else inf


@dataclass(frozen=True)
class SuccessfulRuns:
    """The statistics that the paper's tables show: of the successful runs only, with the success rate."""

    success: SuccessRate
    mean: float
    std: float
    min: float
    q1: float
    median: float
    q3: float
    max: float


def successful_runs(data: Sample) -> SuccessfulRuns:
    """Mean, standard deviation (n-1) and quartiles of the successful runs; censored runs are left out.

    If any run is censored, these numbers are too low.

    Parameters
    ----------
    data
        The sample.

    Returns
    -------
    SuccessfulRuns
        NaN where there are too few runs.

    Examples
    --------
    >>> successful_runs(sample([3, 5, 9], [True, True, False])).mean
    4.0
    """
    times = data.times
    if times.size == 0:
        return SuccessfulRuns(success_rate(data), nan, nan, nan, nan, nan, nan, nan)
    low, q1, median, q3, high = (float(value) for value in np.quantile(times, [0, 0.25, 0.5, 0.75, 1]))
    std = float(times.std(ddof=1)) if times.size > 1 else nan
    return SuccessfulRuns(success_rate(data), float(times.mean()), std, low, q1, median, q3, high)


@dataclass(frozen=True)
class Comparison:
    """Two samples compared.

    Attributes
    ----------
    statistic, p_value
        Of the test.
    a12
        The probability that a run of the first is faster, ties counting half.
    effect
        How large that is, in a word.

    Examples
    --------
    >>> found = mann_whitney(sample([1, 2, 3], [True] * 3), sample([4, 5, 6], [True] * 3))
    >>> found.a12, found.effect
    (1.0, 'large')
    """

    statistic: float
    p_value: float
    a12: float
    effect: str


def vargha_delaney(first: Sample, second: Sample) -> float:
    """A12: the probability that a run of the first sample is faster, ties counting half.

    A censored run is slower than every success and ties with every other censored run. 1/2 means no
    difference, 1 that the first is always faster (Vargha and Delaney 2000, with small times better).

    Parameters
    ----------
    first, second
        The samples.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> vargha_delaney(sample([1, 2], [True] * 2), sample([2, 3], [True] * 2))
    0.875
    """
    a, b = _with_failures_last(first), _with_failures_last(second)
    ranks = stats.rankdata(np.concatenate([a, b]))
    below = ranks[: a.size].sum() - a.size * (a.size + 1) / 2
    return float(1 - below / (a.size * b.size))


def mann_whitney(first: Sample, second: Sample) -> Comparison:
    """The two-sided Mann-Whitney test of two samples, with A12.

    A censored run ranks behind every success and ties with every other censored run.

    Parameters
    ----------
    first, second
        The samples.

    Returns
    -------
    Comparison
        The statistic, the p-value and the effect.

    Examples
    --------
    >>> mann_whitney(sample([1, 2, 3], [True] * 3), sample([9, 8, 7], [True] * 3)).a12
    1.0
    """
    a, b = _with_failures_last(first), _with_failures_last(second)
    if np.unique(np.concatenate([a, b])).size == 1:
        return Comparison(a.size * b.size / 2, 1.0, 0.5, magnitude(0.5))
    test = stats.mannwhitneyu(a, b, alternative="two-sided")
    a12 = vargha_delaney(first, second)
    return Comparison(float(test.statistic), float(test.pvalue), a12, magnitude(a12))


def magnitude(a12: float) -> str:
    """Vargha and Delaney's words for an effect: negligible, small (0.56), medium (0.64), large (0.71)."""
    away = abs(a12 - 0.5)
    for limit, word in ((0.21, "large"), (0.14, "medium"), (0.06, "small")):
        if away >= limit - 1e-12:
            return word
    return "negligible"


def _with_failures_last(data: Sample) -> Floats:
    # The largest float stands for "later than every success": only ranks matter.
    return np.where(data.solved, data.iterations, np.finfo(np.float64).max)
