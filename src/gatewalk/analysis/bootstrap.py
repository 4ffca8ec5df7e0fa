"""Bootstrap intervals over runs: whole runs are resampled, each with whether it succeeded.

Percentile intervals, or bias-corrected and accelerated ones (Efron 1987) through SciPy.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Literal

import numpy as np
from scipy import stats

from gatewalk.analysis.statistics import Interval, Sample, ert
from gatewalk.errors import InputError

Statistic = Callable[[Sample], float]


def bootstrap(
    data: Sample,
    statistic: Statistic,
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    method: Literal["percentile", "BCa"] = "percentile",
    seed: int = 0,
) -> Interval:
    """A bootstrap confidence interval of any statistic of a sample.

    The statistic of a resample without any success may be infinite. Percentile intervals can contain
    such values; BCa intervals cannot, and are refused in that case.

    Parameters
    ----------
    data
        The sample.
    statistic
        A function of a sample.
    confidence
        As 0.95.
    resamples, seed
        How many resamples, and their seed.
    method
        "percentile" or "BCa".

    Returns
    -------
    Interval
        With the given confidence.

    Examples
    --------
    >>> from gatewalk.analysis import ert, sample
    >>> found = bootstrap(sample([3, 5, 10, 4], [True] * 4), ert, resamples=200)
    >>> 3 <= found.low < found.high <= 10
    True
    """
    if not 0 < confidence < 1:
        raise InputError(f"a confidence level lies strictly between 0 and 1, not {confidence}")
    if data.runs == 1:
        return Interval(0.0, inf)

    def of(index: np.ndarray) -> float:
        index = index.astype(np.intp)
        return statistic(Sample(data.iterations[index], data.solved[index]))

    rng = np.random.default_rng(seed)
    runs = np.arange(data.runs)
    if method == "percentile":
        draws = rng.integers(0, data.runs, size=(resamples, data.runs))
        values = np.array([of(draw) for draw in draws])
        low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2], method="inverted_cdf")
        return Interval(float(low), float(high))
    if not np.isfinite(of(runs)) or (data.successes < data.runs and data.successes < 5):
        raise InputError("BCa intervals need at least five successes: use percentile intervals")
    result = stats.bootstrap(
        (runs,),
        of,
        vectorized=False,
        confidence_level=confidence,
        n_resamples=resamples,
        method="BCa",
        rng=rng,
    )
    return Interval(float(result.confidence_interval.low), float(result.confidence_interval.high))


def ert_interval(data: Sample, *, confidence: float = 0.95, resamples: int = 2000, seed: int = 0) -> Interval:
    """A percentile bootstrap interval of the expected running time.

    Parameters
    ----------
    data
        The sample.
    confidence
        As 0.95.
    resamples, seed
        How many resamples, and their seed.

    Returns
    -------
    Interval
        Its upper end may be infinite.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> found = ert_interval(sample([3, 5, 10, 4], [True] * 4), resamples=200)
    >>> 3 <= found.low < found.high <= 10
    True
    """
    return bootstrap(data, ert, confidence=confidence, resamples=resamples, seed=seed)
