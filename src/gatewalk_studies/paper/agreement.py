"""Whether the published numbers agree with our runs: a test per cell of Table 2 and a chi-square per model.

The hypothesis is that the published 30 runs were drawn from the distribution of ours. A cell is tested as in
`stats.comparison`. For a model, the differences of the means become normal scores, which are squared and
summed over n; the sum is chi-square distributed with one degree of freedom per n.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from gatewalk.stats import comparison
from gatewalk.stats.comparison import AGREES, LEAST, Reported, compare_reported, normal_score, verdict_of
from gatewalk.stats.sample import Sample, SuccessfulRuns, successful_runs
from gatewalk.studies.paper.experiments import Cells, Place, line
from gatewalk.studies.paper.models import MODELS, SELECTIONS
from gatewalk.studies.paper.published import REPLICATIONS, Row, figure, table2

WINDOW = 8  # in Figure 3 the standard deviation is taken over so many sizes to either side


@dataclass(frozen=True)
class Agreement:
    """A published cell compared with ours. p-values are two-sided; NaN where nothing can be compared.

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
    """The squared differences of one model's means, summed over n, and the probability of a larger sum.

    far: the sizes at which the means differ by more than three standard errors. p_rest: the probability
    without these sizes.
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
        verdict = verdict_of(self.p_value)
        if verdict == "differs" and self.p_rest >= AGREES and 10 * len(self.far) <= self.degrees:
            return f"differs, by n = {', '.join(map(str, self.far))} alone"
        return verdict


def _summed(profile: str, selection: str, model: str, scores: dict[int, float]) -> ChiSquare:
    far = tuple(n for n, score in scores.items() if score**2 > 9)
    total = comparison.chi_square(scores.values())
    rest = comparison.chi_square(score for n, score in scores.items() if n not in far)
    return ChiSquare(
        profile=profile,
        selection=selection,
        model=model,
        statistic=total.statistic,
        degrees=total.degrees,
        p_value=total.p_value,
        far=far,
        p_rest=rest.p_value,
    )


def agreement(place: Place, data: Sample, row: Row, *, seed: int = 0) -> Agreement:
    """Compare one cell."""
    ours = successful_runs(data)
    theirs = Reported(
        runs=REPLICATIONS, successes=row.successes, mean=row.mean, std=row.std, median=row.median
    )
    found = compare_reported("", data, theirs, seed=seed)
    own, distance = nan, found.standard_errors
    if distance == distance and ours.std > 0:
        own = (row.mean - ours.mean) / (ours.std * sqrt(1 / row.successes + 1 / data.successes))
    return Agreement(
        place,
        row,
        ours,
        distance,
        found.p_mean,
        found.p_median,
        found.p_successes,
        found.verdict,
        own,
    )


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
        cell.place.n: normal_score(cell.p_mean)
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
    """The chi-square of several models together."""
    chosen = list(parts)
    statistic, degrees = sum(part.statistic for part in chosen), sum(part.degrees for part in chosen)
    p_value = comparison.chi_square_tail(statistic, degrees)
    return ChiSquare(chosen[0].profile, chosen[0].selection, name, statistic, degrees, p_value)


def figure3_chi_square(cells: Cells, profile: str, selection: str, model: str, quantity: str) -> ChiSquare:
    """The same sum for the means plotted in Figure 3: "runtime" or "generalisation".

    No standard deviations were published for it, and running times on samples are heavy-tailed, with about
    one very long run in a hundred. The standard deviation is therefore that of cells within `WINDOW` of n.
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
