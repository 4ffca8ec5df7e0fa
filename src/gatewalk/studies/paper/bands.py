"""Percentile bootstrap bands of means and expected running times, for hundreds of cells at once.

Whole runs are resampled as in `analysis.bootstrap`, but both statistics are computed on arrays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.analysis.statistics import Interval, Sample

RESAMPLES = 1000
Floats = NDArray[np.float64]


def mean_band(values: Floats, *, confidence: float = 0.95, seed: int = 0) -> Interval:
    """The interval of the mean; for a single value, that value."""
    return _percentiles(values[_draws(values.size, seed)].mean(axis=1), confidence)


def ert_band(data: Sample, *, confidence: float = 0.95, seed: int = 0) -> Interval:
    """The interval of the ERT; its upper end is infinite if resamples may lack a success."""
    draws = _draws(data.runs, seed)
    spent, successes = data.iterations[draws].sum(axis=1), data.solved[draws].sum(axis=1)
    with np.errstate(divide="ignore"):
        return _percentiles(np.where(successes > 0, spent / successes, np.inf), confidence)


def _draws(size: int, seed: int) -> NDArray[np.int32]:
    return np.random.default_rng(seed).integers(0, size, (RESAMPLES, size), dtype=np.int32)


def _percentiles(values: Floats, confidence: float) -> Interval:
    levels = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(values, levels, method="inverted_cdf")
    return Interval(float(low), float(high))
