"""95 % intervals of rates and means over the iterations of many runs, with the run as the sampling unit.

The iterations of one run depend on each other, because a parent stays for many of them. So whole runs are
resampled. A statistic is the ratio of two sums over runs, of events and of trials. Its interval is that of
the studentised bootstrap (Efron and Tibshirani 1993, section 12.5). The quantiles are taken at least as far
out as those of Student's distribution, so that intervals from few or rare events are not too narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Values = NDArray[np.float64]
RESAMPLES = 1000
SEED = 20260501  # a fixed seed for resampling, so that the same runs give the same intervals
_CHUNK = 4_000_000  # resampled runs that are in memory at a time
_COLUMNS = 1000  # ratios that are processed at a time
_TAIL = 0.025


@dataclass(frozen=True)
class Scale:
    """A scale on which a ratio is studentised: the map, its inverse and its derivative."""

    to: Callable[[Values], Values]
    back: Callable[[Values], Values]
    slope: Callable[[Values], Values]


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
    least: float | Values,
    most: float | Values,
) -> tuple[Values, Values]:
    """The ends of the 95 % intervals of sum(events)/sum(trials); rows are runs, columns are ratios.

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
        ratio, spread = (one[0] for one in _spread(np.ones((1, len(events))), events, trials))
        told = np.flatnonzero((spread > 0) & (ratio > least) & (ratio < most))
    for start in range(0, told.size, _COLUMNS):
        some = told[start : start + _COLUMNS]
        low[some], high[some] = _ends(events[:, some], trials[:, some], ratio[some], spread[some], scale)
    return np.clip(low, least, most), np.clip(high, least, most)


def _ends(
    events: Values, trials: Values, ratio: Values, spread: Values, scale: Scale
) -> tuple[Values, Values]:
    from scipy import stats

    student = stats.t.ppf(1 - _TAIL, np.maximum(1, (trials > 0).sum(axis=0) - 1))
    scores = _scores(events, trials, scale)
    ends = np.array([_quantiles(one[np.isfinite(one)]) for one in scores.T])
    below, above = np.minimum(ends[:, 0], -student), np.maximum(ends[:, 1], student)
    middle, unit = scale.to(ratio), spread * scale.slope(ratio)
    return scale.back(middle - above * unit), scale.back(middle - below * unit)


def _quantiles(scores: Values) -> tuple[float, float]:
    """Both ends of the middle 95 % of the scores; 0 and 0 if there are none."""
    if not scores.size:
        return 0.0, 0.0
    low, high = np.quantile(scores, (_TAIL, 1 - _TAIL))
    return float(low), float(high)


def _scores(events: Values, trials: Values, scale: Scale) -> Values:
    """The studentised distances of the resampled ratios from the ratio; not finite where undefined."""
    runs = len(events)
    random = np.random.default_rng(SEED)
    middle = scale.to(events.sum(axis=0) / trials.sum(axis=0))
    found, done = [], 0
    while done < RESAMPLES:
        size = min(RESAMPLES - done, max(1, _CHUNK // runs))
        drawn = random.integers(0, runs, size=(size, runs)) + runs * np.arange(size)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=size * runs).reshape(size, runs).astype(np.float64)
        with np.errstate(all="ignore"):
            ratio, spread = _spread(weights, events, trials)
            scores = (scale.to(ratio) - middle) / (spread * scale.slope(ratio))
        found.append(scores)
        done += size
    return np.concatenate(found)


def _spread(weights: Values, events: Values, trials: Values) -> tuple[Values, Values]:
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
