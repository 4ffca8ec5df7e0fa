"""The running times of a cell, some of them censored, and what is read off them directly.

A run that used its budget up is censored: its running time is only known to be larger. Each
function says how it treats such runs. The default statistic is the expected running time ERT; statistics
of the successful runs alone always come with the success rate, because without it they mislead.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatewalk.errors import InputError
from gatewalk.numbers import number

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """A confidence interval, which can be unpacked.

    >>> found = success_rate(sample([3, 5, 9], [True, True, False])).interval
    >>> round(found.low, 3), round(found.high, 3)
    (0.208, 0.939)
    """

    low: float
    high: float


@dataclass(frozen=True)
class Sample:
    """The running times of a cell, made by `sample`: of a censored run, the iterations that it was given.

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
    """The running times of a cell, checked. Of a censored run, iterations are what it was given.

    >>> sample([3, 5, 10], [True, True, False]).successes
    2
    """
    times = np.asarray(iterations, dtype=np.float64).ravel()
    mask = np.asarray(solved, dtype=np.bool_).ravel()
    if times.size == 0:
        raise InputError("there are no runs; a statistic needs at least one")
    if times.shape != mask.shape:
        raise InputError(f"{times.size} running times but {mask.size} marks of success")
    if not (np.isfinite(times).all() and (times >= 0).all()):
        raise InputError("running times must be finite and not negative")
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

    >>> round(success_rate(sample([3, 5, 9], [True, True, False])).rate, 3)
    0.667
    """
    return SuccessRate(
        successes=data.successes,
        runs=data.runs,
        rate=data.successes / data.runs,
        interval=wilson(data.successes, data.runs, confidence=confidence),
    )


def wilson(events: int, trials: int, *, confidence: float = 0.95) -> Interval:
    """Wilson's score interval of a probability, from independent trials.

    >>> low, high = wilson(30, 100)
    >>> round(low, 4), round(high, 4)
    (0.2189, 0.3958)
    """
    deviations = NormalDist().inv_cdf((1 + confidence) / 2)
    squared = deviations**2
    middle = (2 * events + squared) / (2 * (trials + squared))
    half = deviations * sqrt(4 * events * (trials - events) / trials + squared) / (2 * (trials + squared))
    return Interval(0.0 if events == 0 else middle - half, 1.0 if events == trials else middle + half)


def ert(data: Sample) -> float:
    """The expected running time ERT: the iterations of all runs, censored ones too, per success.

    It estimates the expected time of a search that is restarted whenever the budget is used up.

    >>> ert(sample([3, 5, 10], [True, True, False]))
    9.0
    """
    return float(data.iterations.sum()) / data.successes if data.successes else inf


def cut_alike(first: Sample, second: Sample) -> tuple[Sample, Sample, float]:
    """Both samples as if every run had been given up when the first run of either was, and that time.

    Beyond that time nothing can be compared. It is infinite, and the samples stay as they are, if no run is
    censored.

    >>> first, second, cut = cut_alike(sample([1, 2, 9], [True] * 3), sample([2, 3, 5], [True, True, False]))
    >>> cut, first.iterations.tolist(), first.successes
    (5.0, [1.0, 2.0, 5.0], 2)
    """
    cut = min(float(data.iterations[~data.solved].min(initial=inf)) for data in (first, second))
    return _given_up(first, cut), _given_up(second, cut), cut


def _given_up(data: Sample, time: float) -> Sample:
    return Sample(np.minimum(data.iterations, time), data.solved & (data.iterations <= time))


@dataclass(frozen=True)
class MeanError:
    """The mean of independent values and its standard error.

    >>> error = MeanError.of([0.0, 0.2])
    >>> error.words, error.score(0.0)
    ('0.1 ± 0.2', 1.0)
    """

    mean: float
    standard_error: float

    @classmethod
    def of(cls, values: ArrayLike) -> MeanError:
        """The mean of at least two independent values, and its standard error.

        >>> MeanError.of([0.0, 0.2])
        MeanError(mean=0.1, standard_error=0.1)
        """
        given = np.asarray(values, dtype=np.float64)
        return cls(float(given.mean()), float(given.std(ddof=1)) / sqrt(given.size))

    def score(self, expected: float) -> float:
        """How many standard errors the mean is above what is expected."""
        return (self.mean - expected) / self.standard_error

    @property
    def words(self) -> str:
        """The mean with half the width of its 95 % interval.

        >>> MeanError(0.5, 0.01).words
        '0.5 ± 0.02'
        """
        return f"{number(self.mean)} ± {number(1.96 * self.standard_error, digits=2)}"


def mean_interval(values: ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Student's interval of a mean; a single value determines none.

    >>> low, high = mean_interval([0.0, 0.2, 0.1])
    >>> round(low, 3), round(high, 3)
    (-0.148, 0.348)
    """
    given = np.asarray(values, dtype=np.float64)
    if given.size < 2:
        return Interval(-inf, inf)
    from scipy import stats

    error = MeanError.of(given)
    away = float(stats.t.ppf((1 + confidence) / 2, given.size - 1)) * error.standard_error
    return Interval(error.mean - away, error.mean + away)
