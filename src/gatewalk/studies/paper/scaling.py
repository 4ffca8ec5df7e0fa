"""How running times grow with n: exponents for And_n, bases for Xor_n, with confidence intervals.

Curves are fitted by maximum likelihood with censored runs (`analysis.growth`). Intervals are by the
delete-a-group jackknife (Kott 2001): the fit is repeated without each of a few groups of runs, which
takes a dozen fits per curve, where a bootstrap takes hundreds.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
from scipy import stats

from gatewalk.analysis.growth import MODELS as CURVES
from gatewalk.analysis.growth import Fit, fit
from gatewalk.analysis.statistics import Interval, Sample
from gatewalk.errors import InputError
from gatewalk.studies.paper.experiments import Cells, line
from gatewalk.studies.paper.models import MODELS, SELECTIONS, XOR_MODELS

GROUPS = 10
LEAST_SIZES = 3
POWER, POWER_LOG, EXPONENTIAL = CURVES


@dataclass(frozen=True)
class Scaling:
    """A fitted curve of one model: its rate (exponent or base) with a 95 % interval.

    best: the curve with the least AIC of c n^a, c n^a log n and c b^n. sizes: the n with a success.
    """

    part: str
    profile: str
    selection: str
    model: str
    fit: Fit
    interval: Interval
    best: str
    sizes: tuple[int, ...]
    runs: int


def scalings(cells: Cells, part: str, profile: str, *, least: int = 0) -> list[Scaling]:
    """One per selection and model, from n >= least on: powers of n for And_n, exponentials for Xor_n."""
    xor = part == "xor"
    found = []
    for selection in SELECTIONS[:1] if xor else SELECTIONS:
        for model in XOR_MODELS if xor else MODELS:
            found_cells = line(cells, part, profile, selection, model.name)
            data = {n: cell.all_runs for n, cell in found_cells.items() if n >= least}
            scaled = scaling(data, exponential=xor)
            if scaled is not None:
                curve, interval, best = scaled
                sizes = tuple(n for n, runs in data.items() if runs.successes)
                runs = next(iter(data.values())).runs
                found.append(
                    Scaling(part, profile, selection, model.name, curve, interval, best, sizes, runs)
                )
    return found


def scaling(data: dict[int, Sample], *, exponential: bool = False) -> tuple[Fit, Interval, str] | None:
    """The fit, the interval of its rate and the best curve; None if there are too few successes."""
    if sum(runs.successes > 0 for runs in data.values()) < LEAST_SIZES:
        return None
    wanted = EXPONENTIAL if exponential else POWER
    fits = {curve.name: fit(data, curve) for curve in CURVES}
    chosen = fits[wanted.name]
    best = min(fits.values(), key=lambda found: found.aic).model.formula
    groups = min(GROUPS, *(runs.runs for runs in data.values()))
    rates = []
    for group in range(groups):
        left = {n: _without(runs, group, groups) for n, runs in data.items()}
        try:
            rates.append(_slope(fit(left, wanted)))
        except InputError:  # without this group there are too few successes
            continue
    if len(rates) < 2:
        return chosen, Interval(-np.inf, np.inf), best
    middle, count = _slope(chosen), len(rates)
    spread = sqrt((count - 1) / count * float(np.sum((np.array(rates) - np.mean(rates)) ** 2)))
    reach = float(stats.t.ppf(0.975, count - 1)) * spread
    low, high = middle - reach, middle + reach
    return chosen, Interval(exp(low), exp(high)) if exponential else Interval(low, high), best


def _slope(found: Fit) -> float:
    return log(found.rate) if found.model == EXPONENTIAL else found.rate


def _without(data: Sample, group: int, groups: int) -> Sample:
    kept = np.arange(data.runs) % groups != group
    return Sample(data.iterations[kept], data.solved[kept])
