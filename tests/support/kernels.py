"""Parts of kernels made callable from a test, and what kernels draw against its law."""

import numba
import numpy as np
from scipy import stats


def entry(function):
    """A kernel that does nothing but call the function."""

    @numba.njit
    def call(*arguments):
        return function(*arguments)

    return call


def check_frequencies(drawn, law):
    """Rows of `drawn` against law[row]; a false alarm in 1e7."""
    seen, counts = np.unique(drawn, axis=0, return_counts=True)
    observed = dict(zip(map(tuple, seen.tolist()), counts.tolist(), strict=True))
    assert set(observed) <= set(law), "an offspring that Algorithm 3 cannot make"
    outcomes = sorted(law, key=lambda y: law[y])
    expected = np.array([law[y] for y in outcomes]) * len(drawn)
    found = np.array([observed.get(y, 0) for y in outcomes])
    # Rare offspring are pooled until every class expects twenty.
    edges = np.searchsorted(np.cumsum(expected), np.arange(20, expected.sum() + 20, 20))
    groups = np.zeros(len(outcomes), dtype=int)
    groups[np.unique(edges[edges < len(outcomes)])] = 1
    groups = np.concatenate([[0], np.cumsum(groups)[:-1]])
    pooled_found, pooled = np.bincount(groups, found), np.bincount(groups, expected)
    if pooled[-1] < 20 and len(pooled) > 1:
        pooled_found[-2] += pooled_found[-1]
        pooled[-2] += pooled[-1]
        pooled_found, pooled = pooled_found[:-1], pooled[:-1]
    assert stats.chisquare(pooled_found, pooled).pvalue > 1e-7
