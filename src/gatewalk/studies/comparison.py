"""Published runs beside ours, cell by cell: rank sums, log-rank, successes; and all cells together.

Both samples are cut at the smallest time at which a run of either was given up: beyond it nothing can be
compared. The verdict of a cell is that of the rank-sum test (Mann and Whitney 1947), with failed runs behind
every success. For all cells together, the rank sums become normal scores, which are squared and summed. If
published and measured runs come from the same distributions, the sum is chi-square distributed with one
degree of freedom per cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, nan
from typing import Protocol

import numpy as np
from scipy import stats

from gatewalk.analysis.statistics import Comparison, Sample, ert, mann_whitney
from gatewalk.analysis.survival import log_rank, median
from gatewalk.report.tables import Table, number, probability

BORDERLINE, DIFFERENT = 0.05, 0.001


@dataclass(frozen=True, kw_only=True)
class CellComparison:
    """A published cell beside ours.

    Attributes
    ----------
    label
        The cell.
    ours, published
        The runs, cut at the time `cut`.
    cut
        The smallest time at which a run of either failed; infinite if none did.
    ranks
        The rank-sum test, whose a12 is the probability that a run of ours is faster.
    p_log_rank, p_successes
        Of the log-rank test and of Fisher's exact test of the successes.
    verdict
        "agrees", "borderline" or "differs".

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> compare("and:2", sample([1, 2, 9], [1, 1, 1]), sample([2, 3, 5], [1, 1, 1])).cut
    inf
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


class Compared(Protocol):
    """A cell compared with a published one: either with its runs or with its statistics."""

    @property
    def label(self) -> str: ...
    @property
    def p_value(self) -> float: ...
    @property
    def verdict(self) -> str: ...


@dataclass(frozen=True)
class Together:
    """All compared cells as one chi-square.

    Attributes
    ----------
    statistic, degrees, p_value
        Of the chi-square.
    agreeing
        How many cells agree.
    verdict
        "agrees", "borderline" or "differs".

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> together([compare("and:2", sample([1, 2, 9], [1, 1, 1]), sample([2, 3, 5], [1, 1, 1]))]).agreeing
    1
    """

    statistic: float
    degrees: int
    p_value: float
    agreeing: int
    verdict: str


def compare(label: str, ours: Sample, published: Sample) -> CellComparison:
    """Compare the published runs of a cell with ours.

    Parameters
    ----------
    label
        The cell.
    ours, published
        The runs.

    Returns
    -------
    CellComparison
        The tests and the verdict.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> found = compare("and:2", sample([1, 2, 9], [1, 1, 1]), sample([2, 3, 5], [1, 1, 0]))
    >>> found.cut, found.ours.successes, found.verdict
    (5.0, 2, 'agrees')
    """
    cut = min(float(data.iterations[~data.solved].min(initial=inf)) for data in (ours, published))
    ours, published = cut_at(ours, cut), cut_at(published, cut)
    counts = np.array([[s.successes, s.runs - s.successes] for s in (ours, published)])
    ranks = mann_whitney(ours, published)
    return CellComparison(
        label=label,
        ours=ours,
        published=published,
        cut=cut,
        ranks=ranks,
        p_log_rank=log_rank(ours, published).p_value,
        p_successes=float(stats.fisher_exact(counts).pvalue),
        verdict=word(ranks.p_value),
    )


def cut_at(data: Sample, time: float) -> Sample:
    """The same runs, as if they had been given up at this time."""
    late = data.iterations > time
    return Sample(np.where(late, time, data.iterations), data.solved & ~late) if late.any() else data


def word(p: float) -> str:
    """The verdict of a p-value: agrees from 0.05, borderline from 0.001, differs below."""
    if p >= BORDERLINE:
        return "agrees"
    return "borderline" if p >= DIFFERENT else "differs"


def together(compared: Sequence[Compared]) -> Together:
    """Sum up the comparisons of many cells in one chi-square.

    Parameters
    ----------
    compared
        From `compare` or `compare_reported`.

    Returns
    -------
    Together
        The sum, and how many cells agree.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> together([compare("and:2", sample([1, 2, 9], [1, 1, 1]), sample([2, 3, 5], [1, 1, 1]))]).verdict
    'agrees'
    """
    scores = [float(stats.norm.isf(max(cell.p_value, 1e-300) / 2)) for cell in compared]
    statistic, degrees = float(sum(score**2 for score in scores)), len(scores)
    p_value = float(stats.chi2.sf(statistic, degrees)) if degrees else nan
    agreeing = sum(cell.verdict == "agrees" for cell in compared)
    return Together(statistic, degrees, p_value, agreeing, word(p_value) if degrees else "nothing to compare")


def comparison_table(compared: Sequence[CellComparison], unit: str) -> Table:
    """The comparisons as a table with a row per cell."""
    return Table(
        title="Published runs beside ours, cell by cell",
        columns=(
            "cell",
            "verdict",
            "solved, published",
            "solved, ours",
            "median, published",
            "median, ours",
            "ERT, published",
            "ERT, ours",
            "cut at",
            "A12",
            "p ranks",
            "p log-rank",
            "p solved",
        ),
        rows=tuple(
            (
                cell.label,
                cell.verdict,
                _solved(cell.published),
                _solved(cell.ours),
                number(median(cell.published).value),
                number(median(cell.ours).value),
                number(ert(cell.published)),
                number(ert(cell.ours)),
                number(cell.cut) if isfinite(cell.cut) else "–",
                number(cell.ranks.a12),
                probability(cell.ranks.p_value),
                probability(cell.p_log_rank),
                probability(cell.p_successes),
            )
            for cell in compared
        ),
        texts=2,
        note=f"Times are {unit}. Medians are Kaplan-Meier's; ERT: the {unit} of all runs per success. Both "
        "samples are cut where the first run of either was given up. A12: the probability that a run of ours "
        "is faster. The verdict is that of the rank sums, failed runs last: agrees from p = 0.05, borderline "
        "from 0.001, differs below.",
    )


def _solved(data: Sample) -> str:
    return f"{data.successes}/{data.runs}"


def summary(found: Together) -> str:
    """One line on how many cells agree, and on all of them together."""
    return (
        f"Published beside ours: {found.agreeing} of {found.degrees} cells agree; together a chi-square "
        f"of {found.statistic:.1f} at {found.degrees} degrees of freedom, p = {probability(found.p_value)}."
    )
