"""Published cells compared with ours: the tables of a study's page, and a line on all cells together."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from gatewalk.numbers import number, probability, running_time
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import CellComparison as CellComparison
from gatewalk.stats.comparison import Reported as Reported
from gatewalk.stats.comparison import ReportedComparison as ReportedComparison
from gatewalk.stats.comparison import Together as Together
from gatewalk.stats.comparison import compare as compare
from gatewalk.stats.comparison import compare_reported as compare_reported
from gatewalk.stats.comparison import together as together
from gatewalk.stats.sample import Sample, ert, successful_runs
from gatewalk.stats.survival import median


def comparison_table(compared: Sequence[CellComparison], unit: str) -> Table:
    """The comparisons as a table with a row per cell."""
    return Table(
        title="Published runs compared with ours, cell by cell",
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
                running_time(ert(cell.published)),
                running_time(ert(cell.ours)),
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
        f"{found.agreeing} of {found.degrees} published cells agree with ours; combined chi-square "
        f"{found.statistic:.1f} with {found.degrees} degrees of freedom, p = {probability(found.p_value)}."
    )


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
                number(cell.standard_errors, digits=2),
                probability(cell.p_mean),
                probability(cell.p_median),
                probability(cell.p_successes),
            )
        )
    return Table(
        title="Published statistics compared with ours, cell by cell",
        columns=(
            *("cell", "verdict", "solved, published", "solved, ours"),
            *("mean, published", "mean, ours", "median, published", "median, ours"),
            *("diff. / SE", "p mean", "p median", "p solved"),
        ),
        rows=tuple(rows),
        texts=2,
        note=f"{unit.capitalize()} of the successful runs only, as published. Difference: published minus "
        "measured mean in standard errors. Median: is the published median plausible for a sample of that "
        "size from our runs? Verdict: the least of the p-values of mean, median and successes, times their "
        "number; agrees from 0.05, borderline from 0.001, differs below.",
    )
