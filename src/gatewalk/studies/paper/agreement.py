"""Do the published numbers look like our runs? A test per cell of Table 2 and a chi-square per model.

The hypothesis is that the published 30 runs were drawn from the distribution of ours. For a cell: the
difference of the means of successful runs in standard errors (Student's t with the pooled standard
deviation, so that skewness mostly cancels); whether the difference of the medians is one that samples
of these sizes from our runs have; Fisher's exact test of the successes. For a model: the differences as
normal scores, squared and summed over n, chi-square distributed with one degree of freedom per n.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from scipy import stats

from gatewalk.analysis.statistics import Sample, SuccessfulRuns, successful_runs
from gatewalk.studies.paper.experiments import Cells, Place, line
from gatewalk.studies.paper.models import MODELS, SELECTIONS
from gatewalk.studies.paper.published import REPLICATIONS, Row, figure, table2

RESAMPLES = 2000
LEAST = 5  # successes on each side below which means are not compared
WINDOW = 8  # sizes to either side whose runs share a standard deviation in Figure 3
BORDERLINE, DIFFERENT = 0.05, 0.001


@dataclass(frozen=True)
class Agreement:
    """A published cell beside ours. p-values are two-sided; NaN where nothing can be compared.

    own_errors: the difference of the means with our standard deviation alone instead of the pooled one.
    """

    place: Place
    published: Row
    measured: SuccessfulRuns
    standard_errors: float
    p_mean: float
    p_median: float
    p_successes: float
    verdict: str
    own_errors: float = nan


@dataclass(frozen=True)
class ChiSquare:
    """The squared differences of one model's means, summed over n, and the probability of more.

    far: the sizes more than three standard errors off. p_rest: the probability without these.
    """

    profile: str
    selection: str
    model: str
    statistic: float
    degrees: int
    p_value: float
    far: tuple[int, ...] = ()
    p_rest: float = nan

    @property
    def verdict(self) -> str:
        if not self.degrees:
            return "nothing to compare"
        word = _word(self.p_value)
        if word == "differs" and self.p_rest >= BORDERLINE and 10 * len(self.far) <= self.degrees:
            return f"differs, by n = {', '.join(map(str, self.far))} alone"
        return word


def _summed(profile: str, selection: str, model: str, scores: dict[int, float]) -> ChiSquare:
    squares = {n: score**2 for n, score in scores.items()}
    far = tuple(n for n, square in squares.items() if square > 9)
    total, rest = sum(squares.values()), sum(square for n, square in squares.items() if n not in far)
    return ChiSquare(
        profile=profile,
        selection=selection,
        model=model,
        statistic=float(total),
        degrees=len(squares),
        p_value=_more(total, len(squares)),
        far=far,
        p_rest=_more(rest, len(squares) - len(far)),
    )


def _more(statistic: float, degrees: int) -> float:
    return float(stats.chi2.sf(statistic, degrees)) if degrees else nan


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
    own = nan
    if distance == distance and ours.std > 0:
        own = (row.mean - ours.mean) / (ours.std * sqrt(1 / row.successes + 1 / data.successes))
    return Agreement(place, row, ours, distance, p_mean, p_median, p_successes, verdict, own)


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
    """Is the difference of the medians one that two samples of these sizes from our runs have?

    Both sizes are resampled, since ours is known from a sample too; published medians are rounded.
    """
    if min(row.successes, data.successes) < LEAST:
        return nan
    rng = np.random.default_rng(seed)
    theirs = np.median(rng.choice(data.times, (RESAMPLES, row.successes)), axis=1)
    ours = np.median(rng.choice(data.times, (RESAMPLES, data.successes)), axis=1)
    drawn, seen = theirs - ours, row.median - float(np.median(data.times))
    above = (1 + np.count_nonzero(drawn >= seen - 0.5)) / (RESAMPLES + 1)
    below = (1 + np.count_nonzero(drawn <= seen + 0.5)) / (RESAMPLES + 1)
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
    scores = {
        cell.place.n: _normal_score(cell.p_mean)
        for cell in compared
        if (cell.place.profile, cell.place.selection, cell.place.model) == (profile, selection, model)
        and cell.p_mean == cell.p_mean
    }
    return _summed(profile, selection, model, scores)


def chi_squares(compared: list[Agreement], profile: str) -> list[ChiSquare]:
    """One per selection and model."""
    return [
        chi_square(compared, profile, selection, model.name) for selection in SELECTIONS for model in MODELS
    ]


def together(parts: Iterable[ChiSquare], name: str) -> ChiSquare:
    """Several models as one."""
    chosen = list(parts)
    statistic, degrees = sum(part.statistic for part in chosen), sum(part.degrees for part in chosen)
    return ChiSquare(
        chosen[0].profile, chosen[0].selection, name, statistic, degrees, _more(statistic, degrees)
    )


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
    scores = {}
    for n, ours in values.items():
        mean = published.get((selection, model, n))
        near = [other - other.mean() for m, other in values.items() if abs(m - n) <= WINDOW and other.size]
        spread = float(np.sqrt(np.mean(np.concatenate(near) ** 2))) if near else 0.0
        if mean is not None and ours.size >= LEAST and spread > 0:
            error = spread * sqrt(1 / REPLICATIONS + 1 / ours.size)
            scores[n] = (mean - float(ours.mean())) / error
    return _summed(profile, selection, model, scores)
