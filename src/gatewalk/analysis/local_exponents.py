"""Local exponents: by which power of n the expected time grows from each size to the next.

A straight line on two logarithmic axes has the same exponent everywhere; exponents that rise or fall with n
show a curve that no single power fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite, log, sqrt

import numpy as np

from gatewalk.analysis.statistics import Floats, Interval, Sample, ert


@dataclass(frozen=True)
class LocalExponent:
    """The growth exponent from one size to the next.

    Attributes
    ----------
    n
        The two sizes.
    exponent, interval
        The exponent with its 95 % bootstrap interval.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> cells = {n: sample([n**3] * 5, [True] * 5) for n in (2, 4)}
    >>> [(one.n, round(one.exponent, 6)) for one in local_exponents(cells)]
    [((2, 4), 3.0)]
    """

    n: tuple[int, int]
    exponent: float
    interval: Interval

    @property
    def at(self) -> float:
        """The middle of the two sizes on a logarithmic axis."""
        return sqrt(self.n[0] * self.n[1])


def local_exponents(
    cells: Mapping[int, Sample], *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0
) -> tuple[LocalExponent, ...]:
    """The growth exponent from each size to the next, where the ERT at both sizes is finite and positive.

    Parameters
    ----------
    cells
        Running times by n.
    confidence
        As 0.95.
    resamples, seed
        How many bootstrap resamples, and their seed.

    Returns
    -------
    tuple of LocalExponent
        In the order of the sizes.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> cells = {n: sample([n**3] * 5, [True] * 5) for n in (2, 4, 8)}
    >>> [round(one.exponent, 6) for one in local_exponents(cells)]
    [3.0, 3.0]
    """
    rng = np.random.default_rng(seed)
    known = {n: data for n, data in sorted(cells.items()) if n > 0 and isfinite(ert(data)) and ert(data) > 0}
    drawn = {n: _resampled(data, resamples, rng) for n, data in known.items()}
    found = []
    for small, large in pairwise(known):
        step = log(large / small)
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = np.log(drawn[large] / drawn[small]) / step
        slopes = slopes[~np.isnan(slopes)]
        levels = [(1 - confidence) / 2, (1 + confidence) / 2]
        low, high = np.quantile(slopes, levels, method="inverted_cdf")
        exponent = log(ert(known[large]) / ert(known[small])) / step
        found.append(LocalExponent((small, large), exponent, Interval(float(low), float(high))))
    return tuple(found)


def _resampled(data: Sample, resamples: int, rng: np.random.Generator) -> Floats:
    """The ERT of bootstrap resamples of the runs; infinite for resamples without a success."""
    draws = rng.integers(0, data.runs, (resamples, data.runs))
    spent, successes = data.iterations[draws].sum(axis=1), data.solved[draws].sum(axis=1)
    with np.errstate(divide="ignore"):
        return np.where(successes > 0, spent / np.maximum(successes, 1), np.inf)
