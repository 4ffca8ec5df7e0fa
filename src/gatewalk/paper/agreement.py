"""Do the published numbers look like our runs? A test per cell of Table 2 and a chi-square per model.

The hypothesis is that the published 30 runs were drawn from the distribution of ours. For a cell: the
difference of the means of successful runs in standard errors (Student's t with the pooled standard
deviation, so that skewness mostly cancels); the place of the published median among the medians of
resamples of our runs, as many as were published; Fisher's exact test of the successes. For a model:
the differences as normal scores, squared and summed over n, chi-square distributed with one degree of
freedom per n.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from scipy import stats

from gatewalk.analysis.statistics import Sample, SuccessfulRuns, successful_runs
from gatewalk.paper.experiments import Cells, Place, line
from gatewalk.paper.models import MODELS, SELECTIONS
from gatewalk.paper.published import REPLICATIONS, Row, figure, table2

RESAMPLES = 4000
LEAST = 5  # successes on each side below which means are not compared
WINDOW = 8  # sizes to either side whose runs share a standard deviation in Figure 3
BORDERLINE, DIFFERENT = 0.05, 0.001


@dataclass(frozen=True)
class Agreement:
    """A published cell beside ours. p-values are two-sided; NaN where nothing can be compared."""

    place: Place
    published: Row
    measured: SuccessfulRuns
    standard_errors: float
    p_mean: float
    p_median: float
    p_successes: float
    verdict: str


@dataclass(frozen=True)
class ChiSquare:
    """The squared differences of one model's means, summed over n, and the probability of more."""

    profile: str
    selection: str
    model: str
    statistic: float
    degrees: int
    p_value: float

    @property
    def verdict(self) -> str:
        if not self.degrees:
            return "nothing to compare"
        return _word(self.p_value)


def agreement(place: Place, data: Sample, row: Row, *, seed: int = 0) -> Agreement:
    """Compare one cell."""
    ours = successful_runs(data)
    distance, p_mean = _difference(data, row)
    failures = np.array(
        [[row.successes, REPLICATIONS - row.successes], [data.successes, data.runs - data.successes]]
    )
    p_successes = float(stats.fisher_exact(failures).pvalue)
    p_median = _p_median(data, row, seed)
    known = [p for p in (p_mean, p_median, p_successes) if p == p]
    # The three questions are asked of one cell: the smallest p-value is corrected for that.
    verdict = _word(min(1.0, len(known) * min(known)))
    return Agreement(place, row, ours, distance, p_mean, p_median, p_successes, verdict)


def _word(p: float) -> str:
    if p >= BORDERLINE:
        return "agrees"
    return "borderline" if p >= DIFFERENT else "differs"


def _difference(data: Sample, row: Row) -> tuple[float, float]:
    """Published minus measured mean of successful runs in standard errors, and its p-value."""
    if min(row.successes, data.successes) < LEAST:
        return nan, nan
    ours, theirs = data.times, row.successes
    degrees = ours.size + theirs - 2
    variance = ((ours.size - 1) * float(ours.var(ddof=1)) + (theirs - 1) * row.std**2) / degrees
    if variance == 0:
        return nan, nan
    distance = (row.mean - float(ours.mean())) / sqrt(variance * (1 / theirs + 1 / ours.size))
    return distance, _two_sided(distance, degrees)


def _two_sided(distance: float, degrees: int) -> float:
    return float(2 * stats.t.sf(abs(distance), degrees))


def _p_median(data: Sample, row: Row, seed: int) -> float:
    """Twice the smaller share of resampled medians on either side of the published one, itself included."""
    if min(row.successes, data.successes) < LEAST:
        return nan
    rng = np.random.default_rng(seed)
    drawn = np.median(rng.choice(data.times, (RESAMPLES, row.successes)), axis=1)
    # The published median is rounded to a whole number.
    above, below = np.mean(drawn >= row.median - 0.5), np.mean(drawn <= row.median + 0.5)
    return float(min(1.0, 2 * min(above, below)))


def _normal_score(p: float) -> float:
    return float(stats.norm.isf(max(p, 1e-300) / 2))


def agreements(cells: Cells, profile: str) -> list[Agreement]:
    """All cells of Table 2 that were run under this profile, in the table's order."""
    found = []
    for (selection, model, n), row in table2().items():
        place = Place("complete", profile, selection, model, n)
        if place in cells:
            found.append(agreement(place, cells[place].all_runs, row))
    return found


def chi_square(compared: Iterable[Agreement], profile: str, selection: str, model: str) -> ChiSquare:
    """Sum up the cells of one model."""
    squares = [
        _normal_score(cell.p_mean) ** 2
        for cell in compared
        if (cell.place.profile, cell.place.selection, cell.place.model) == (profile, selection, model)
        and cell.p_mean == cell.p_mean
    ]
    statistic = float(sum(squares))
    p_value = float(stats.chi2.sf(statistic, len(squares))) if squares else nan
    return ChiSquare(profile, selection, model, statistic, len(squares), p_value)


def chi_squares(compared: list[Agreement], profile: str) -> list[ChiSquare]:
    """One per selection and model."""
    return [
        chi_square(compared, profile, selection, model.name) for selection in SELECTIONS for model in MODELS
    ]


def together(parts: Iterable[ChiSquare], name: str) -> ChiSquare:
    """Several models as one."""
    chosen = list(parts)
    statistic, degrees = sum(part.statistic for part in chosen), sum(part.degrees for part in chosen)
    p_value = float(stats.chi2.sf(statistic, degrees)) if degrees else nan
    return ChiSquare(chosen[0].profile, chosen[0].selection, name, statistic, degrees, p_value)


def figure3_chi_square(cells: Cells, profile: str, selection: str, model: str, quantity: str) -> ChiSquare:
    """The same sum for the means plotted in Figure 3: "runtime" or "generalisation".

    No standard deviations were published there, and running times on samples are heavy-tailed: one
    long run in some hundred. The standard deviation is therefore that of all cells within `WINDOW` of n.
    """
    published = figure("fig3", quantity)
    found = line(cells, "incomplete", profile, selection, model)
    values = {
        n: cell.runs.times if quantity == "runtime" else cell.generalisation[cell.runs.solved]
        for n, cell in found.items()
    }
    statistic, degrees = 0.0, 0
    for n, ours in values.items():
        mean = published.get((selection, model, n))
        near = [other - other.mean() for m, other in values.items() if abs(m - n) <= WINDOW and other.size]
        spread = float(np.sqrt(np.mean(np.concatenate(near) ** 2))) if near else 0.0
        if mean is None or ours.size < LEAST or spread == 0:
            continue
        distance = (mean - float(ours.mean())) / (spread * sqrt(1 / REPLICATIONS + 1 / ours.size))
        statistic += distance**2
        degrees += 1
    p_value = float(stats.chi2.sf(statistic, degrees)) if degrees else nan
    return ChiSquare(profile, selection, model, statistic, degrees, p_value)
