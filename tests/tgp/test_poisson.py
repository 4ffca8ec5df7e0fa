"""The number of steps is 1 + Poisson(1)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from kernels import entry
from scipy.stats import chi2, poisson

from gatewalk.tgp.poisson import MOST_STEPS, THRESHOLDS, step_count

step_count = entry(step_count)


def test_thresholds_are_the_distribution_function() -> None:
    assert all(low < high for low, high in pairwise(THRESHOLDS))
    for j, threshold in enumerate(THRESHOLDS):
        assert abs(threshold / 2**64 - poisson.cdf(j, 1)) < 1e-15


def test_the_tail_is_exact() -> None:
    """The last thresholds leave P(X > j) 2^64 words, for every j, rounded up."""
    for j in range(10, len(THRESHOLDS)):
        left = 2**64 - THRESHOLDS[j]
        wanted = poisson.sf(j, 1) * 2**64
        assert wanted * (1 - 1e-9) <= left <= wanted * (1 + 1e-9) + 1


def test_draws_follow_it() -> None:
    """Chi-square; would fail by chance once in 10^7."""
    stream = np.random.SeedSequence(11).generate_state(4, np.uint64)
    count = 40_000
    found = np.bincount([int(step_count(stream)) for _ in range(count)], minlength=MOST_STEPS + 1)
    assert found[0] == 0
    chances = poisson.pmf(np.arange(6), 1)
    wanted = count * np.append(chances, 1 - chances.sum())
    seen = np.append(found[1:7], found[7:].sum())
    assert chi2.sf(((seen - wanted) ** 2 / wanted).sum(), 6) > 1e-7
