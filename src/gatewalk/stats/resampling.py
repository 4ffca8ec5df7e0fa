"""Bootstrap intervals: whole runs are resampled, each with whether it succeeded.

There is one resampler, `resamples`, which draws indices of runs in blocks; a statistic reduces the last axis
of what they select, and `percentile_interval` takes the ends. The intervals of ratios over the iterations of
many runs (`ratio_intervals`) are studentised instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from gatewalk.errors import InputError
from gatewalk.stats.sample import Floats, Interval, Sample, ert

Indices = NDArray[np.int64]

_AT_ONCE = 4_000_000  # runs drawn at once; it bounds the memory


def resamples(
    runs: int, count: int, rng: np.random.Generator, *, size: int | None = None
) -> Iterator[Indices]:
    """Resamples of so many runs, in blocks: a row has the indices of the runs drawn, with replacement.

    size: how many are drawn for a resample, if not as many as there are. The blocks bound the memory; the
    draws do not depend on them.

    >>> sum(len(block) for block in resamples(10, 2000, np.random.default_rng(0)))
    2000
    """
    size = runs if size is None else size
    block = max(1, _AT_ONCE // max(1, size))
    for first in range(0, count, block):
        yield rng.integers(0, runs, size=(min(block, count - first), size))


def percentile_interval(values: ArrayLike, confidence: float) -> Interval:
    """The values between which a share `confidence` of all lie, as order statistics, which may be infinite.

    >>> percentile_interval(range(1, 101), 0.9)
    Interval(low=5.0, high=95.0)
    """
    # Not 0.025 for 0.95: (1 - 0.95) / 2 is a little more, and 2000 times it another order statistic.
    levels = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(np.asarray(values, dtype=np.float64), levels, method="inverted_cdf")
    return Interval(float(low), float(high))


def bootstrap(
    data: Sample,
    statistic: Callable[[Sample], float],
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Interval:
    """A percentile bootstrap interval of any statistic of a sample; a single run determines none.

    The statistic of a resample without any success may be infinite. For the ERT all resamples are taken at
    once (`ert_interval`).

    >>> from gatewalk.stats import ert, sample
    >>> found = bootstrap(sample([3, 5, 10, 4], [True] * 4), ert, resamples=200)
    >>> 3 <= found.low < found.high <= 10
    True
    """
    _check(confidence)
    if statistic is ert:
        return ert_interval(data, confidence=confidence, resamples=resamples, seed=seed)
    if data.runs == 1:
        return Interval(0.0, inf)
    drawn = _draws(data.runs, resamples, seed)
    values = [statistic(Sample(data.iterations[row], data.solved[row])) for block in drawn for row in block]
    return percentile_interval(values, confidence)


def ert_interval(data: Sample, *, confidence: float = 0.95, resamples: int = 2000, seed: int = 0) -> Interval:
    """A percentile bootstrap interval of the expected running time.

    Its upper end is infinite if resamples may lack a success. A single run, or runs without any success,
    determine nothing: the interval is from 0 to infinity.

    >>> from gatewalk.stats import sample
    >>> found = ert_interval(sample([3, 5, 10, 4], [True] * 4), resamples=200)
    >>> 3 <= found.low < found.high <= 10
    True
    """
    _check(confidence)
    if data.runs == 1 or data.successes == 0:
        return Interval(0.0, inf)
    return percentile_interval(resampled_erts(data, resamples, np.random.default_rng(seed)), confidence)


def resampled_erts(data: Sample, count: int, rng: np.random.Generator) -> Floats:
    """The expected running times of so many resamples; infinite for those without a success."""
    return np.concatenate([_erts(data, block) for block in resamples(data.runs, count, rng)])


def _erts(data: Sample, drawn: Indices) -> Floats:
    spent, successes = data.iterations[drawn].sum(axis=1), data.solved[drawn].sum(axis=1)
    return np.where(successes > 0, spent / np.maximum(successes, 1), inf)


def _draws(runs: int, count: int, seed: int) -> Iterator[Indices]:
    return resamples(runs, count, np.random.default_rng(seed))


def _check(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise InputError(f"a confidence level must lie strictly between 0 and 1, not {confidence}")


MANY = 5000  # from this many runs on, `quick_ert_interval` uses the delta method, if enough of them succeeded
_ENOUGH = 30


def quick_ert_interval(
    data: Sample, *, confidence: float = 0.95, resamples: int = 400, seed: int = 0
) -> Interval:
    """`ert_interval` for a page of many cells: with thousands of runs, its limit by the delta method.

    ERT is a ratio of two means, the iterations and the successes of a run, and the interval is that of the
    ratio.

    >>> from gatewalk.stats import sample
    >>> data = sample([3, 5, 10, 8], [True, True, False, True])
    >>> quick_ert_interval(data) == ert_interval(data, resamples=400)
    True
    """
    if data.runs < MANY or data.successes < _ENOUGH:
        return ert_interval(data, confidence=confidence, resamples=resamples, seed=seed)
    value = ert(data)
    spread = float((data.iterations - value * data.solved).std(ddof=1))
    error = spread / sqrt(data.runs) / (data.successes / data.runs)
    away = float(stats.norm.ppf((1 + confidence) / 2)) * error
    return Interval(max(0.0, value - away), value + away)


RESAMPLES = 1000
SEED = 20260501  # a fixed seed for resampling, so that the same runs give the same intervals
_COLUMNS = 1000  # ratios that are processed at a time
_TAIL = 0.025


@dataclass(frozen=True)
class Scale:
    """A scale on which a ratio is studentised: the map, its inverse and its derivative."""

    to: Callable[[Floats], Floats]
    back: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]


LOGIT = Scale(
    lambda p: np.asarray(np.log(p) - np.log1p(-p)),
    lambda x: np.asarray(1 / (1 + np.exp(-x))),
    lambda p: np.asarray(1 / (p * (1 - p))),
)
IDENTITY = Scale(lambda p: p, lambda x: x, np.ones_like)


def ratio_intervals(
    events: ArrayLike,
    trials: ArrayLike,
    *,
    scale: Scale,
    least: float | Floats,
    most: float | Floats,
) -> tuple[Floats, Floats]:
    """The ends of the 95 % intervals of sum(events)/sum(trials); rows are runs, columns are ratios.

    These are rates and means over the iterations of many runs. The iterations of one run depend on each
    other, because a parent stays for many of them, so the run is the sampling unit. The interval is that of
    the studentised bootstrap (Efron and Tibshirani 1993, section 12.5). The quantiles are taken at least as
    far out as those of Student's distribution, so that intervals from few or rare events are not too narrow.

    least, most: the range of possible ratios. It is returned as the interval if the runs do not determine
    one: if fewer than two runs have trials, or the ratio is the same in all of them.

    >>> low, high = ratio_intervals([[1], [2], [3]], [[9], [9], [9]], scale=LOGIT, least=0.0, most=1.0)
    >>> bool(0 < low[0] < 6 / 27 < high[0] < 1)
    True
    """
    events, trials = np.asarray(events, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    count = events.shape[1]
    least, most = np.broadcast_to(least, count), np.broadcast_to(most, count)
    low, high = least.astype(np.float64), most.astype(np.float64)
    with np.errstate(all="ignore"):
        ratio, spread = (row[0] for row in _spread(np.ones((1, len(events))), events, trials))
        determined = np.flatnonzero((spread > 0) & (ratio > least) & (ratio < most))
    for start in range(0, determined.size, _COLUMNS):
        some = determined[start : start + _COLUMNS]
        low[some], high[some] = _ends(events[:, some], trials[:, some], ratio[some], spread[some], scale)
    return np.clip(low, least, most), np.clip(high, least, most)


def _ends(
    events: Floats, trials: Floats, ratio: Floats, spread: Floats, scale: Scale
) -> tuple[Floats, Floats]:
    student = stats.t.ppf(1 - _TAIL, np.maximum(1, (trials > 0).sum(axis=0) - 1))
    scores = _scores(events, trials, scale)
    ends = np.array([_quantiles(column[np.isfinite(column)]) for column in scores.T])
    below, above = np.minimum(ends[:, 0], -student), np.maximum(ends[:, 1], student)
    middle, unit = scale.to(ratio), spread * scale.slope(ratio)
    return scale.back(middle - above * unit), scale.back(middle - below * unit)


def _quantiles(scores: Floats) -> tuple[float, float]:
    """Both ends of the middle 95 % of the scores; 0 and 0 if there are none."""
    if not scores.size:
        return 0.0, 0.0
    low, high = np.quantile(scores, (_TAIL, 1 - _TAIL))
    return float(low), float(high)


def _scores(events: Floats, trials: Floats, scale: Scale) -> Floats:
    """The studentised distances of the resampled ratios from the ratio; not finite where undefined."""
    runs = len(events)
    middle = scale.to(events.sum(axis=0) / trials.sum(axis=0))
    scores = []
    for drawn in _draws(runs, RESAMPLES, SEED):
        size = len(drawn)
        places = drawn + runs * np.arange(size)[:, None]
        weights = np.bincount(places.ravel(), minlength=size * runs).reshape(size, runs).astype(np.float64)
        with np.errstate(all="ignore"):
            ratio, spread = _spread(weights, events, trials)
            scores.append((scale.to(ratio) - middle) / (spread * scale.slope(ratio)))
    return np.concatenate(scores)


def _spread(weights: Floats, events: Floats, trials: Floats) -> tuple[Floats, Floats]:
    """The ratio of weighted sums over runs and its standard error (the linearised one of survey sampling)."""
    runs = weights.shape[1]
    all_trials = weights @ trials
    ratio = (weights @ events) / all_trials
    squares = (
        weights @ events**2 - 2 * ratio * (weights @ (events * trials)) + ratio**2 * (weights @ trials**2)
    )
    small = 1e-12 * (weights @ events**2 + ratio**2 * (weights @ trials**2))  # rounding
    squares = np.where(squares > small, squares, 0.0)
    return ratio, np.sqrt(squares * runs / max(1, runs - 1)) / all_trials
