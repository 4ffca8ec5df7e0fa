"""Samples of running times that a test makes up."""

from __future__ import annotations

import numpy as np

from gatewalk.analysis.statistics import Sample, sample

_SPREAD = np.linspace(0.9, 1.1, 41)


def around(mean: float) -> Sample:
    """Forty-one successful runs that take about as long as their mean."""
    return sample(mean * _SPREAD, np.ones(41, dtype=bool))


def share(solved: int, runs: int) -> Sample:
    """Runs of a hundred iterations, of which so many succeed."""
    return sample(np.full(runs, 100.0), np.arange(runs) < solved)
