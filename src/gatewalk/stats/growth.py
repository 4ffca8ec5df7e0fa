"""How running times grow with n: c n^a, c n^a log n and c b^n fitted with censored runs, and compared.

Fits are by maximum likelihood (`growth_fit.py`). Intervals resample runs within each n, or leave out one
group of runs after the other (the jackknife), which takes a dozen fits where a bootstrap takes hundreds.

Two questions need no model: how times grow compared with the order that a theorem states (`excess`), and
by which power of n they grow from each size to the next (`local_exponents`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import exp, isfinite, log, sqrt

import numpy as np
from scipy import optimize, stats

from gatewalk.errors import InputError
from gatewalk.numbers import fixed
from gatewalk.stats.growth_fit import (
    MODELS,
    BySize,
    Counts,
    Fit,
    Model,
    bounded_exp,
    check_cells,
    counted,
    fit,
    fitted,
    is_enough,
    log_likelihood,
    refitted,
    resampled_counts,
    spent,
)
from gatewalk.stats.resampling import percentile_interval, resampled_erts
from gatewalk.stats.sample import Floats, Interval, Sample, ert


@dataclass(frozen=True)
class Estimate:
    """A fit with intervals of its two parameters, and its Akaike weight among the models.

    >>> from gatewalk.stats import growth, sample
    >>> times = {n: sample([0.9 * n**3, n**3, 1.1 * n**3], [True] * 3) for n in (4, 8, 16)}
    >>> power = growth(times, resamples=10).of("power")
    >>> power.rate.low < power.fit.rate < power.rate.high
    True
    """

    fit: Fit
    scale: Interval
    rate: Interval
    weight: float


@dataclass(frozen=True)
class HeldOut:
    """The mean at the largest n predicted from the smaller sizes and fitted there, with the log score."""

    model: str
    n: int
    predicted: float
    interval: Interval
    observed: float
    log_score: float


@dataclass(frozen=True)
class Growth:
    """How running times grow with n, by several models, the best by AIC first.

    held_out: every model's prediction of the largest n from the smaller ones.

    >>> from gatewalk.stats import growth, sample
    >>> times = {n: sample([0.9 * n**3, n**3, 1.1 * n**3], [True] * 3) for n in (4, 8, 16, 32)}
    >>> growth(times, resamples=10).estimates[0].fit.model.name
    'power'
    """

    estimates: tuple[Estimate, ...]
    held_out: tuple[HeldOut, ...]

    @property
    def best(self) -> Estimate:
        return self.estimates[0]

    def of(self, model: str) -> Estimate:
        """The fit of a model by its name: power, power-log or exponential."""
        return next(estimate for estimate in self.estimates if estimate.fit.model.name == model)

    def __repr__(self) -> str:
        best = self.best
        span = f"[{best.rate.low:.4g}, {best.rate.high:.4g}]"
        curve = f"{best.fit.model.formula} with c = {best.fit.scale:.4g} and {best.fit.rate:.4g} {span}"
        return f"<Growth {curve}, the best of {len(self.estimates)} models with weight {best.weight:.2f}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("model", "c", "a or b", "95 %", "Akaike weight"))
        rows = [
            f"<tr><td>{estimate.fit.model.formula}</td>"
            f"<td>{estimate.fit.scale:.4g}</td><td>{estimate.fit.rate:.4g}</td>"
            f"<td>{estimate.rate.low:.4g} – {estimate.rate.high:.4g}</td><td>{estimate.weight:.2f}</td></tr>"
            for estimate in self.estimates
        ]
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def growth(
    cells: BySize,
    *,
    confidence: float = 0.95,
    resamples: int = 200,
    seed: int = 0,
    jackknife: bool = False,
) -> Growth:
    """Fit all models of growth, compare them by AIC, and let each predict the largest n from the others.

    jackknife: whether intervals rest on ten fits of each model, a tenth of the runs left out of each, and not
        on hundreds of resamples; then nothing is predicted either.

    >>> from gatewalk.stats import sample
    >>> times = {n: sample([0.9 * n**3, n**3, 1.1 * n**3], [True] * 3) for n in (4, 8, 16, 32)}
    >>> growth(times, resamples=10).best.fit.model.formula
    'c n^a'
    >>> round(growth(times, jackknife=True).of("power").fit.rate, 1)
    3.0
    """
    check_cells(cells)
    if jackknife:
        fits = {model: fit(cells, model) for model in MODELS}
        spans = {model: _jackknifed(cells, fits[model], confidence) for model in MODELS}
        return Growth(_weighed(fits, spans), held_out=())
    rng = np.random.default_rng(seed)
    draws = resampled_counts(cells, resamples, rng)
    drawn = {model: _bootstrapped(counted(cells), model, draws) for model in MODELS}
    spans = {
        model: (
            _interval([other.scale for other in others], confidence),
            _interval([other.rate for other in others], confidence),
        )
        for model, (_, others) in drawn.items()
    }
    return Growth(
        _weighed({model: fitted for model, (fitted, _) in drawn.items()}, spans),
        held_out=_hold_out(cells, confidence=confidence, resamples=resamples, rng=rng),
    )


def _weighed(
    fits: Mapping[Model, Fit], spans: Mapping[Model, tuple[Interval, Interval]]
) -> tuple[Estimate, ...]:
    """The fits with the intervals of scale and rate and with Akaike's weights, the best first."""
    least = min(fitted.aic for fitted in fits.values())
    weights = {model: exp(-(fitted.aic - least) / 2) for model, fitted in fits.items()}
    total = sum(weights.values())
    estimates = [Estimate(fits[model], *spans[model], weights[model] / total) for model in fits]
    return tuple(sorted(estimates, key=lambda estimate: estimate.fit.aic))


GROUPS = 10  # of the jackknife


def _jackknifed(cells: BySize, fitted: Fit, confidence: float) -> tuple[Interval, Interval]:
    """The intervals of scale and rate by the delete-a-group jackknife (Kott 2001).

    The fit is repeated without each of ten groups of runs; if that is possible for fewer than two, nothing
    is determined.
    """
    groups = min(GROUPS, *(data.runs for data in cells.values()))
    others = []
    for group in range(groups):
        try:
            others.append(fit({n: _without(data, group, groups) for n, data in cells.items()}, fitted.model))
        except InputError:  # without this group there are too few successes
            continue
    if len(others) < 2:
        return Interval(0.0, np.inf), Interval(-np.inf, np.inf)
    slope = _reach([other.slope for other in others], confidence)
    scale = _reach([log(other.scale) for other in others], confidence)
    parameter = fitted.model.parameter
    return (
        Interval(fitted.scale * bounded_exp(-scale), fitted.scale * bounded_exp(scale)),
        Interval(parameter(fitted.slope - slope), parameter(fitted.slope + slope)),
    )


def _reach(values: list[float], confidence: float) -> float:
    """Half the width of the jackknife's interval, from the values without each group."""
    count = len(values)
    spread = sqrt((count - 1) / count * float(np.sum((np.array(values) - np.mean(values)) ** 2)))
    return float(stats.t.ppf((1 + confidence) / 2, count - 1)) * spread


def _without(data: Sample, group: int, groups: int) -> Sample:
    kept = np.arange(data.runs) % groups != group
    return Sample(data.iterations[kept], data.solved[kept])


SLACK = 0.05  # of the exponent e, for the lower-order terms that still matter at these sizes


@dataclass(frozen=True)
class Excess:
    """How running times grow compared with a stated order f: as c f(n) n^e, with the interval of e.

    >>> from gatewalk.stats import sample
    >>> times = {n: sample([n**3] * 9 + [1.01 * n**3], [True] * 10) for n in (4, 8, 16)}
    >>> round(excess(times, lambda n: n**2, resamples=10).exponent, 2)
    1.0
    """

    exponent: float
    interval: Interval
    scale: float

    @property
    def agrees(self) -> bool:
        """Whether the times agree with exactly this order."""
        return self.interval.low <= SLACK and self.interval.high >= -SLACK

    @property
    def is_within(self) -> bool:
        """Whether the times agree with an upper bound of this order."""
        return self.interval.high <= SLACK

    @property
    def words(self) -> str:
        """The exponent with its 95 % interval.

        >>> Excess(0.01, Interval(-0.02, 0.04), 3.0).words
        'e = 0.010 [−0.020, 0.040]'
        """
        exponent, low, high = (fixed(value, 3) for value in (self.exponent, *self.interval))
        return f"e = {exponent} [{low}, {high}]"


def log_linear(n: float) -> float:
    """The order n log n, for `excess`.

    >>> round(log_linear(8), 2)
    16.64
    """
    return n * log(n)


def excess(
    cells: BySize,
    order: Callable[[float], float],
    *,
    confidence: float = 0.95,
    resamples: int = 200,
    seed: int = 0,
) -> Excess:
    """Do running times grow as a theorem states? The exponent e of the fit c f(n) n^e, for the order f.

    If f is both an upper and a lower bound, expect an interval around 0. If f is only an upper bound, e may
    be below 0; if it is only a lower bound, e may be above. Because sizes are finite, lower-order terms
    shift e a little.

    >>> from math import log
    >>> from gatewalk.stats import excess, sample
    >>> times = {n: sample([n * log(n)] * 9 + [1.01 * n * log(n)], [True] * 10) for n in (4, 8, 16)}
    >>> abs(excess(times, lambda n: n * log(n), resamples=10).exponent) < 0.001
    True
    """
    check_cells(cells)
    values = {n: float(order(n)) for n in cells}
    for n, value in values.items():
        if not (isfinite(value) and value > 0):
            raise InputError(f"the order at n = {n} is {value}; it must be a positive number")

    def offset(n: Floats) -> Floats:
        return np.log([values[round(float(size))] for size in n])

    model = Model("excess", "c f(n) n^e", np.log, offset, float)
    rng = np.random.default_rng(seed)
    draws = resampled_counts(cells, resamples, rng)
    whole, others = _bootstrapped(counted(cells), model, draws)
    return Excess(whole.rate, _interval([other.rate for other in others], confidence), whole.scale)


def _bootstrapped(data: Counts, model: Model, draws: list[Counts]) -> tuple[Fit, list[Fit]]:
    """The fit of all runs, and those of their resamples."""
    whole, theta = fitted(data, model, None)
    return whole, refitted(draws, model, theta)


def _interval(values: list[float], confidence: float) -> Interval:
    if not values:
        return Interval(0.0, float("inf"))
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return Interval(float(low), float(high))


def _hold_out(
    cells: BySize, *, confidence: float, resamples: int, rng: np.random.Generator
) -> tuple[HeldOut, ...]:
    largest = max(cells)
    smaller = {n: data for n, data in cells.items() if n != largest}
    if not is_enough(smaller) or cells[largest].successes == 0:
        return ()
    draws = resampled_counts(smaller, resamples, rng)
    last = counted({largest: cells[largest]})
    observed = mean_time(cells[largest])
    predictions = []
    for model in MODELS:
        curve, others = _bootstrapped(counted(smaller), model, draws)
        predicted = curve.mean(largest)
        shape = np.exp(np.clip(log(curve.shape[0]) + curve.shape[1] * log(largest), log(1e-2), log(1e3)))
        score = log_likelihood(last, np.array([predicted]), np.array([float(shape)]))
        spread = _interval([other.mean(largest) for other in others], confidence)
        predictions.append(HeldOut(model.name, largest, predicted, spread, observed, score))
    return tuple(sorted(predictions, key=lambda held: -held.log_score))


def mean_time(data: Sample) -> float:
    """The mean of a gamma distribution fitted to one cell with its censored runs; infinite without a success.

    >>> from gatewalk.stats import sample
    >>> round(mean_time(sample([3, 5, 10], [True] * 3)), 6)
    6.0
    """
    if data.successes == 0:
        return float("inf")
    counts = counted({2: data})
    if counts.solved[0] == 0:
        return 0.0
    if counts.solved[0] == data.runs:
        return float(data.times.mean())  # maximises the likelihood for every shape

    def negative(theta: Floats) -> float:
        mean, shape = np.exp(np.clip(theta, [-50, -6], [500, 9]))
        return -log_likelihood(counts, np.array([mean]), np.array([shape]))

    start = np.array([log(float((counts.total + spent(counts))[0] / counts.solved[0])), 0.0])
    return float(np.exp(optimize.minimize(negative, start, method="Nelder-Mead").x[0]))


@dataclass(frozen=True)
class LocalExponent:
    """The growth exponent from one size to the next, with its bootstrap interval."""

    n: tuple[int, int]
    exponent: float
    interval: Interval

    @property
    def at(self) -> float:
        """The middle of the two sizes on a logarithmic axis."""
        return sqrt(self.n[0] * self.n[1])


def local_exponents(
    cells: Mapping[int, Sample], *, confidence: float = 0.95, resamples: int = 1000, seed: int = 0
) -> tuple[LocalExponent, ...]:
    """The growth exponent from each size to the next, where the ERT at both sizes is finite and positive.

    A straight line on two logarithmic axes has the same exponent everywhere; exponents that rise or fall with
    n show a curve that no single power fits.

    >>> from gatewalk.stats import sample
    >>> cells = {n: sample([n**3] * 5, [True] * 5) for n in (2, 4, 8)}
    >>> [round(step.exponent, 6) for step in local_exponents(cells)]
    [3.0, 3.0]
    """
    rng = np.random.default_rng(seed)  # for all sizes, one after the other
    known = {n: data for n, data in sorted(cells.items()) if n > 0 and isfinite(ert(data)) and ert(data) > 0}
    drawn = {n: resampled_erts(data, resamples, rng) for n, data in known.items()}
    found = []
    for small, large in pairwise(known):
        step = log(large / small)
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = np.log(drawn[large] / drawn[small]) / step
        exponent = log(ert(known[large]) / ert(known[small])) / step
        interval = percentile_interval(slopes[~np.isnan(slopes)], confidence)
        found.append(LocalExponent((small, large), exponent, interval))
    return tuple(found)
