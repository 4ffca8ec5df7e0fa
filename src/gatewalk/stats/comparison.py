"""Are two samples of running times alike? Rank tests, effect sizes, and many comparisons as one.

Failed runs rank behind every success and tie with each other. Published runs are compared with ours by ranks;
where a paper prints means and medians but not its runs, by these. A p-value as a normal score can be squared
and summed over many cells: if nothing differs, the sum is chi-square distributed with one degree of freedom
per cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Protocol, overload

import numpy as np
from scipy import optimize, stats

from gatewalk.stats.resampling import resamples
from gatewalk.stats.sample import Floats, Interval, Sample, cut_alike
from gatewalk.stats.survival import log_rank

AGREES, DIFFERS = 0.05, 0.001  # from the first p-value on two samples agree, below the second they differ


def _ranked_last(data: Sample) -> Floats:
    """Running times of which only ranks matter, later than every success where a run failed."""
    return np.where(data.solved, data.iterations, np.finfo(np.float64).max)


@dataclass(frozen=True)
class Comparison:
    """Two samples compared by ranks. a12: the probability that a run of the first is faster.

    >>> from gatewalk.stats import sample
    >>> found = mann_whitney(sample([1, 2, 3], [True] * 3), sample([4, 5, 6], [True] * 3))
    >>> found.a12, found.effect
    (1.0, 'large')
    """

    statistic: float
    p_value: float
    a12: float
    effect: str


def vargha_delaney(first: Sample, second: Sample) -> float:
    """A12: the probability that a run of the first sample is faster, ties counting half.

    A censored run is slower than every success and ties with every other censored run. 1/2 means no
    difference, 1 that the first is always faster (Vargha and Delaney 2000, with small times better).

    >>> from gatewalk.stats import sample
    >>> vargha_delaney(sample([1, 2], [True] * 2), sample([2, 3], [True] * 2))
    0.875
    """
    a, b = _ranked_last(first), _ranked_last(second)
    ranks = stats.rankdata(np.concatenate([a, b]))
    below = ranks[: a.size].sum() - a.size * (a.size + 1) / 2
    return float(1 - below / (a.size * b.size))


def a12_interval(a12: float, first: int, second: int, *, confidence: float = 0.95) -> Interval:
    """The interval of A12 of so many runs by the fifth method of Newcombe (2006), which holds at 0 and 1 too.

    >>> found = a12_interval(1.0, 20, 20)
    >>> round(found.low, 3), found.high
    (0.899, 1.0)
    """
    z = float(stats.norm.ppf((1 + confidence) / 2))
    weight = (first + second) / 2 - 1

    def beyond(theta: float) -> float:
        spread = 1 + weight * (1 - theta) / (2 - theta) + weight * theta / (1 + theta)
        return abs(a12 - theta) - z * sqrt(theta * (1 - theta) * spread / (first * second))

    # At 0 and 1 the spread is 0, so the estimate itself is a root; the end of the interval is the other one.
    low = 0.0 if a12 <= 0 else float(optimize.brentq(beyond, 0.0, min(a12, 1 - 1e-12)))
    high = 1.0 if a12 >= 1 else float(optimize.brentq(beyond, max(a12, 1e-12), 1.0))
    return Interval(low, high)


def magnitude(a12: float) -> str:
    """Vargha and Delaney's words for an effect: negligible, small (0.56), medium (0.64), large (0.71).

    >>> magnitude(0.66), magnitude(0.34)
    ('medium', 'medium')
    """
    away = abs(a12 - 0.5)
    for limit, word in ((0.21, "large"), (0.14, "medium"), (0.06, "small")):
        if away >= limit - 1e-12:
            return word
    return "negligible"


def mann_whitney(first: Sample, second: Sample) -> Comparison:
    """The two-sided rank-sum test of Mann and Whitney (1947), with A12.

    >>> from gatewalk.stats import sample
    >>> mann_whitney(sample([1, 2, 3], [True] * 3), sample([9, 8, 7], [True] * 3)).a12
    1.0
    """
    a, b = _ranked_last(first), _ranked_last(second)
    if np.unique(np.concatenate([a, b])).size == 1:
        return Comparison(a.size * b.size / 2, 1.0, 0.5, magnitude(0.5))
    test = stats.mannwhitneyu(a, b, alternative="two-sided")
    a12 = vargha_delaney(first, second)
    return Comparison(float(test.statistic), float(test.pvalue), a12, magnitude(a12))


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for the number of tests (Holm 1979), in the same order.

    Below 0.05 after the correction, the chance of any false difference among all tests is at most 5 %.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected, least = [0.0] * len(p_values), 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = least
    return corrected


@dataclass(frozen=True)
class ChiSquare:
    """A sum of squared scores, how many they are, and the probability of a larger sum (NaN of none)."""

    statistic: float
    degrees: int
    p_value: float

    @property
    def verdict(self) -> str:
        """What the p-value says, as of a comparison."""
        return verdict_of(self.p_value) if self.degrees else "nothing to compare"


def chi_square(scores: Iterable[float]) -> ChiSquare:
    """The squares of independent normal scores, summed, such as the `score` of each of several comparisons.

    >>> total = chi_square([1.0, -2.0, 0.5])
    >>> total.statistic, total.degrees, round(total.p_value, 3), total.verdict
    (5.25, 3, 0.154, 'agrees')
    """
    squares = [float(score) ** 2 for score in scores]
    statistic, degrees = float(sum(squares)), len(squares)
    return ChiSquare(statistic, degrees, chi_square_tail(statistic, degrees))


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The probability of a larger sum of so many squares; NaN of none."""
    return float(stats.chi2.sf(statistic, degrees)) if degrees else nan


def normal_score(p_value: float) -> float:
    """The size of a normal score with this two-sided p-value.

    >>> round(normal_score(0.05), 2)
    1.96
    """
    return float(stats.norm.isf(max(p_value, 1e-300) / 2))


def verdict_of(p_value: float) -> str:
    """What a p-value says: "agrees" from 0.05, "borderline" from 0.001, "differs" below."""
    if p_value >= AGREES:
        return "agrees"
    return "borderline" if p_value >= DIFFERS else "differs"


@dataclass(frozen=True, kw_only=True)
class CellComparison:
    """Published runs of a cell compared with ours; the verdict is that of the rank-sum test.

    ours, published: the runs, cut at the time `cut`, the smallest at which a run of either failed (infinite
    if none did). ranks: its a12 is the probability that a run of ours is faster. p_log_rank, p_successes: of
    the log-rank test and of Fisher's exact test of the successes.

    >>> from gatewalk.stats import sample
    >>> cell = compare("and:2", sample([1, 2, 3], [True] * 3), sample([4, 5, 6], [True] * 3))
    >>> cell.ranks.a12, cell.verdict
    (1.0, 'agrees')
    """

    label: str
    ours: Sample
    published: Sample
    cut: float
    ranks: Comparison
    p_log_rank: float
    p_successes: float
    verdict: str

    @property
    def p_value(self) -> float:
        """The p-value of the rank-sum test."""
        return self.ranks.p_value

    @property
    def score(self) -> float:
        """The size of the difference in standard errors, for `chi_square`."""
        return normal_score(self.p_value)


@overload
def compare(label: str, ours: Sample, published: Sample) -> CellComparison: ...
@overload
def compare(label: str, ours: Sample, published: Reported) -> ReportedComparison: ...
def compare(label: str, ours: Sample, published: Sample | Reported) -> CellComparison | ReportedComparison:
    """Compare what is published of a cell with our runs: its runs, or else its statistics.

    label: the name of the cell.
    published: runs, which are compared by ranks; or statistics. For these, the hypothesis is that the
        published runs were drawn from the distribution of ours, and there are three tests: of the means of
        successful runs (Student's t with the pooled standard deviation, so that skewness mostly cancels); of
        the medians, by resampling our runs; and Fisher's exact test of the successes.

    >>> from gatewalk.stats import sample
    >>> runs = compare("and:2", sample([1, 2, 9], [1, 1, 1]), sample([2, 3, 5], [1, 1, 0]))
    >>> runs.cut, runs.ours.successes, runs.verdict
    (5.0, 2, 'agrees')
    >>> printed = Reported(runs=30, successes=30, mean=21.0, median=20)
    >>> compare("and:3", sample(range(1, 41), [True] * 40), printed).verdict
    'agrees'
    """
    if isinstance(published, Reported):
        return _compare_statistics(label, ours, published)
    ours, published, cut = cut_alike(ours, published)
    ranks = mann_whitney(ours, published)
    return CellComparison(
        label=label,
        ours=ours,
        published=published,
        cut=cut,
        ranks=ranks,
        p_log_rank=log_rank(ours, published).p_value,
        p_successes=_fisher(ours, published),
        verdict=verdict_of(ranks.p_value),
    )


LEAST = 5  # with fewer successes on either side, means and medians are not compared
_RESAMPLES = 2000


@dataclass(frozen=True, kw_only=True)
class Reported:
    """The published statistics of a cell: mean, std and median of its successful runs, NaN if not published.

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
    """The published statistics of a cell compared with our runs.

    standard_errors: the published mean minus ours, in standard errors. p_mean, p_median, p_successes:
    two-sided; NaN where nothing can be compared. verdict: by the least of the p-values times their number.

    >>> from gatewalk.stats import sample
    >>> printed = Reported(runs=30, successes=30, mean=90.0)
    >>> compare("and:3", sample(range(1, 41), [True] * 40), printed).verdict
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

    @property
    def score(self) -> float:
        """The size of the difference in standard errors, for `chi_square`."""
        return normal_score(self.p_value)


def _compare_statistics(label: str, ours: Sample, published: Reported) -> ReportedComparison:
    distance, p_mean = _difference_of_means(ours, published)
    p_median = _p_median(ours, published)
    p_successes = _fisher(ours, published)
    known = [p for p in (p_mean, p_median, p_successes) if p == p]
    return ReportedComparison(
        label=label,
        ours=ours,
        published=published,
        standard_errors=distance,
        p_mean=p_mean,
        p_median=p_median,
        p_successes=p_successes,
        # A cell has several tests, so the smallest p-value is corrected for their number.
        verdict=verdict_of(min(1.0, len(known) * min(known))),
    )


def _fisher(ours: Sample, published: Sample | Reported) -> float:
    counts = [[side.successes, side.runs - side.successes] for side in (ours, published)]
    return float(stats.fisher_exact(np.array(counts)).pvalue)


def _difference_of_means(ours: Sample, published: Reported) -> tuple[float, float]:
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


def _p_median(ours: Sample, published: Reported) -> float:
    """The p-value of the difference of the medians, for two samples of these sizes from our runs.

    Both samples are resampled, since our median is an estimate too; published medians are rounded.
    """
    if min(published.successes, ours.successes) < LEAST or published.median != published.median:
        return nan
    rng = np.random.default_rng(0)

    def medians(size: int) -> Floats:
        drawn = resamples(ours.successes, _RESAMPLES, rng, size=size)
        return np.concatenate([np.median(ours.times[block], axis=1) for block in drawn])

    theirs, own = medians(published.successes), medians(ours.successes)
    drawn, seen = theirs - own, published.median - float(np.median(ours.times))
    above = (1 + np.count_nonzero(drawn >= seen - 0.5)) / (_RESAMPLES + 1)
    below = (1 + np.count_nonzero(drawn <= seen + 0.5)) / (_RESAMPLES + 1)
    return float(min(1.0, 2 * min(above, below)))


class Compared(Protocol):
    """A cell compared with a published one: either with its runs or with its statistics."""

    @property
    def label(self) -> str: ...
    @property
    def p_value(self) -> float: ...
    @property
    def score(self) -> float: ...
    @property
    def verdict(self) -> str: ...
