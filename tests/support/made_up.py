"""Samples of running times that a test makes up."""

import numpy as np

from gatewalk.stats.sample import sample

_SPREAD = np.linspace(0.9, 1.1, 41)


def around(mean):
    """Forty-one successful runs that take about as long as their mean."""
    return sample(mean * _SPREAD, np.ones(41, dtype=bool))


def share(solved, runs):
    """Runs of a hundred iterations, of which so many succeed."""
    return sample(np.full(runs, 100.0), np.arange(runs) < solved)
