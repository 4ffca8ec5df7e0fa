"""Comparing our runs with published statistics, for papers that print means and medians but not their runs.

The hypothesis is that the published runs were drawn from the distribution of ours. There are three tests: of
the means of successful runs (Student's t with the pooled standard deviation, so that skewness mostly
cancels); of the medians, by resampling our runs; and Fisher's exact test of the successes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from scipy import stats

from gatewalk.analysis.statistics import Sample, successful_runs
from gatewalk.report.tables import Table, number, probability
from gatewalk.studies.comparison import word

RESAMPLES = 2000
LEAST = 5  # with fewer successes on either side, means and medians are not compared


@dataclass(frozen=True, kw_only=True)
class Reported:
    """The published statistics of a cell.

    Attributes
    ----------
    runs, successes
        How many runs there were, and how many succeeded.
    mean, std, median
        Of the successful runs; NaN if not published.

    Examples
    --------
    >>> Reported(runs=30, successes=30, mean=21.0).mean
    21.0
    """

    runs: int
    successes: int
    mean: float = nan
    std: float = nan
    median: float = nan


@dataclass(frozen=True, kw_only=True)
class ReportedComparison:
    """The published statistics of a cell beside our runs.

    Attributes
    ----------
    label
        The cell.
    ours, published
        Our runs, and what is published.
    standard_errors
        The published mean minus ours, in standard errors.
    p_mean, p_median, p_successes
        Two-sided p-values; NaN where nothing can be compared.
    verdict
        "agrees", "borderline" or "differs", by the least of the p-values times their number.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> found = compare_reported("and:3", sample([3] * 9 + [4], [True] * 10), Reported(runs=10, successes=2))
    >>> found.verdict
    'differs'
    """

    label: str
    ours: Sample
    published: Reported
    standard_errors: float
    p_mean: float
    p_median: float
    p_successes: float
    verdict: str

    @property
    def p_value(self) -> float:
        """The p-value of the means; without means, that of the medians or of the successes."""
        return next(p for p in (self.p_mean, self.p_median, self.p_successes) if p == p)


def compare_reported(label: str, ours: Sample, published: Reported, *, seed: int = 0) -> ReportedComparison:
    """Compare the published statistics of a cell with our runs.

    Parameters
    ----------
    label
        The cell.
    ours, published
        Our runs, and what is published.
    seed
        The seed of the resampling of medians.

    Returns
    -------
    ReportedComparison
        The tests and the verdict.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> ours = sample(range(1, 41), [True] * 40)
    >>> compare_reported("and:3", ours, Reported(runs=30, successes=30, mean=21.0, median=20)).verdict
    'agrees'
    """
    distance, p_mean = _difference(ours, published)
    failures = [
        [published.successes, published.runs - published.successes],
        [ours.successes, ours.runs - ours.successes],
    ]
    p_successes = float(stats.fisher_exact(np.array(failures)).pvalue)
    p_median = _p_median(ours, published, seed)
    known = [p for p in (p_mean, p_median, p_successes) if p == p]
    # A cell has several tests, so the smallest p-value is corrected for their number.
    verdict = word(min(1.0, len(known) * min(known)))
    return ReportedComparison(
        label=label,
        ours=ours,
        published=published,
        standard_errors=distance,
        p_mean=p_mean,
        p_median=p_median,
        p_successes=p_successes,
        verdict=verdict,
    )


def _difference(ours: Sample, published: Reported) -> tuple[float, float]:
    """Published minus measured mean of successful runs in standard errors, and its p-value."""
    if min(published.successes, ours.successes) < LEAST or published.mean != published.mean:
        return nan, nan
    times, theirs = ours.times, published.successes
    if published.std == published.std:
        degrees = times.size + theirs - 2
        spread = (times.size - 1) * float(times.var(ddof=1)) + (theirs - 1) * published.std**2
        variance = spread / degrees
    else:
        degrees = times.size - 1
        variance = float(times.var(ddof=1))
    if variance == 0:
        return nan, nan
    distance = (published.mean - float(times.mean())) / sqrt(variance * (1 / theirs + 1 / times.size))
    return distance, float(2 * stats.t.sf(abs(distance), degrees))


def _p_median(ours: Sample, published: Reported, seed: int) -> float:
    """The p-value of the difference of the medians, for two samples of these sizes from our runs.

    Both samples are resampled, since our median is an estimate too; published medians are rounded.
    """
    if min(published.successes, ours.successes) < LEAST or published.median != published.median:
        return nan
    rng = np.random.default_rng(seed)
    theirs = np.median(rng.choice(ours.times, (RESAMPLES, published.successes)), axis=1)
    own = np.median(rng.choice(ours.times, (RESAMPLES, ours.successes)), axis=1)
    drawn, seen = theirs - own, published.median - float(np.median(ours.times))
    above = (1 + np.count_nonzero(drawn >= seen - 0.5)) / (RESAMPLES + 1)
    below = (1 + np.count_nonzero(drawn <= seen + 0.5)) / (RESAMPLES + 1)
    return float(min(1.0, 2 * min(above, below)))


def reported_table(compared: Sequence[ReportedComparison], unit: str) -> Table:
    """A row per cell."""
    rows = []
    for cell in compared:
        theirs, ours = cell.published, successful_runs(cell.ours)
        rows.append(
            (
                cell.label,
                cell.verdict,
                f"{theirs.successes}/{theirs.runs}",
                f"{ours.success.successes}/{ours.success.runs}",
                number(theirs.mean),
                number(ours.mean),
                number(theirs.median),
                number(ours.median),
                number(cell.standard_errors, 2),
                probability(cell.p_mean),
                probability(cell.p_median),
                probability(cell.p_successes),
            )
        )
    return Table(
        title="Published statistics beside ours, cell by cell",
        columns=(
            *("cell", "verdict", "solved, published", "solved, ours"),
            *("mean, published", "mean, ours", "median, published", "median, ours"),
            *("diff. / SE", "p mean", "p median", "p solved"),
        ),
        rows=tuple(rows),
        texts=2,
        note=f"{unit.capitalize()} of the successful runs only, as published. Difference: published minus "
        "measured mean in standard errors. Median: is the published one plausible for that many of our runs? "
        "Verdict: the least of the p-values of mean, median and successes, times their number; agrees from "
        "0.05, borderline from 0.001, differs below.",
    )
