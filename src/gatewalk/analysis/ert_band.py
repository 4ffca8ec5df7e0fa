"""A fast interval of the expected running time, for figures of many cells and for cells with very many runs.

The percentile bootstrap of `bootstrap`, with all resamples drawn at once. With thousands of runs it is
replaced by its limit: ERT is a ratio of two means, the iterations and the successes of a run, and the
interval is that of the ratio by the delta method.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
from scipy import stats

from gatewalk.analysis.statistics import Interval, Sample, ert

MANY = 5000  # from this many runs on, the delta method is used if enough of them succeeded
_ENOUGH = 30
_DRAWS = 5_000_000  # runs drawn at once; it bounds the memory


def ert_band(data: Sample, *, confidence: float = 0.95, resamples: int = 400, seed: int = 0) -> Interval:
    """The interval of the expected running time; its upper end may be infinite.

    Parameters
    ----------
    data
        Running times of one cell.
    confidence
        As 0.95.
    resamples, seed
        How many bootstrap resamples, and their seed.

    Examples
    --------
    >>> from gatewalk.analysis import ert_interval, sample
    >>> data = sample([3, 5, 10, 8], [True, True, False, True])
    >>> ert_band(data) == ert_interval(data, resamples=400)
    True
    """
    if data.runs == 1 or data.successes == 0:
        return Interval(0.0, inf)
    if data.runs >= MANY and data.successes >= _ENOUGH:
        return _by_deltas(data, confidence)
    rng = np.random.default_rng(seed)
    block = max(1, _DRAWS // data.runs)
    found = []
    for first in range(0, resamples, block):
        draws = rng.integers(0, data.runs, size=(min(block, resamples - first), data.runs))
        solved = data.solved[draws].sum(axis=1)
        times = data.iterations[draws].sum(axis=1)
        found.append(np.where(solved > 0, times / np.maximum(solved, 1), inf))
    values = np.concatenate(found)
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2], method="inverted_cdf")
    return Interval(float(low), float(high))


def _by_deltas(data: Sample, confidence: float) -> Interval:
    value = ert(data)
    spread = float((data.iterations - value * data.solved).std(ddof=1))
    error = spread / sqrt(data.runs) / (data.successes / data.runs)
    away = float(stats.norm.ppf((1 + confidence) / 2)) * error
    return Interval(max(0.0, value - away), value + away)
