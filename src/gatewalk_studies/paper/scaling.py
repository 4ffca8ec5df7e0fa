"""How running times grow with n: exponents for And_n, bases for Xor_n, with confidence intervals.

Curves are fitted by maximum likelihood with censored runs (`stats.growth`). Intervals are by the jackknife,
because a bootstrap of so many curves takes long.
"""

from __future__ import annotations

from dataclasses import dataclass

from gatewalk.stats.growth import MODELS as CURVES
from gatewalk.stats.growth import Fit, fit, jackknife_interval
from gatewalk.stats.sample import Interval, Sample
from gatewalk.studies.paper.experiments import Cells, line
from gatewalk.studies.paper.models import MODELS, SELECTIONS, XOR_MODELS

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
    fits = {curve.name: fit(data, curve) for curve in CURVES}
    curve = EXPONENTIAL if exponential else POWER
    fitted = fits[curve.name]
    best = min(fits.values(), key=lambda found: found.aic).model.formula
    return fitted, jackknife_interval(data, curve, fitted=fitted), best
