"""How running times grow with n: c n^a, c n^a log n and c b^n fitted with censored runs, and compared.

The expected time at n is the model's curve mu(n). Running times are taken as gamma distributed
around it: sums of geometric waiting times, as fitness levels make them, are close to gamma, one
dominating wait is the exponential (shape 1), and without censoring the fitted curve estimates the
mean whatever the true distribution (the gamma score for the mean is that of quasi-likelihood). The
shape may change with n as a power of n. A censored run contributes Pr(T > budget), a run that was
solved at its start Pr(T < 1). Fits are by maximum likelihood; intervals resample runs within each n,
or leave out one group of runs after the other (the jackknife), which takes a dozen fits where a bootstrap
takes hundreds.

Two questions need no model: how times grow compared with the order that a theorem states (`excess`), and
by which power of n they grow from each size to the next (`local_exponents`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import exp, isfinite, log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

from gatewalk.errors import InputError
from gatewalk.numbers import fixed
from gatewalk.stats.resampling import percentile_interval, resampled_erts
from gatewalk.stats.sample import Floats, Interval, Sample, ert

BySize = Mapping[int, Sample]  # running times by n


@dataclass(frozen=True)
class Model:
    """A model of growth: log mu(n) = log c + slope * x(n) + offset(n).

    parameter: from the slope to the parameter in the formula, such as from log b to b.

    >>> from gatewalk.stats.growth import MODELS
    >>> MODELS[0].formula
    'c n^a'
    """

    name: str
    formula: str
    x: Callable[[Floats], Floats]
    offset: Callable[[Floats], Floats]
    parameter: Callable[[float], float]

    def __repr__(self) -> str:
        return f"<Model {self.name}: {self.formula}>"


def _log_log(n: Floats) -> Floats:
    return np.log(np.log(n))


def _itself(n: Floats) -> Floats:
    return n


def bounded_exp(exponent: float) -> float:
    """exp, cut off at the range of floats, which fits to a handful of runs may leave."""
    return exp(max(-700.0, min(700.0, exponent)))


# Named functions, because a fit with lambdas could not be sent to another process.
MODELS = (
    Model("power", "c n^a", np.log, np.zeros_like, float),
    Model("power-log", "c n^a log n", np.log, _log_log, float),
    Model("exponential", "c b^n", _itself, np.zeros_like, bounded_exp),
)


@dataclass(frozen=True)
class Fit:
    """A curve fitted to running times: the constant c, and as rate the exponent a or the base b.

    shape: k1 and k2 of the gamma shape k(n) = k1 n^k2.

    >>> from gatewalk.stats import sample
    >>> from gatewalk.stats.growth import MODELS, fit
    >>> times = {n: sample([0.9 * n**3, n**3, 1.1 * n**3], [True] * 3) for n in (4, 8, 16)}
    >>> round(fit(times, MODELS[0]).rate, 1)
    3.0
    """

    model: Model
    scale: float
    rate: float
    shape: tuple[float, float]
    log_likelihood: float
    aic: float

    def __repr__(self) -> str:
        name = "b" if self.model.name == "exponential" else "a"
        return f"<Fit {self.model.formula}: c = {self.scale:.4g}, {name} = {self.rate:.4g}>"

    @property
    def slope(self) -> float:
        """The rate as the model has it: log b for c b^n."""
        return log(self.rate) if self.model.name == "exponential" else self.rate

    def mean(self, n: float) -> float:
        """The expected time mu(n) of the fitted curve."""
        at = np.array([float(n)])
        with np.errstate(over="ignore"):
            return float(np.exp(log(self.scale) + self.slope * self.model.x(at) + self.model.offset(at))[0])


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


@dataclass(frozen=True)
class _Counts:
    """Sufficient statistics per n, so that a likelihood costs the same for ten runs and ten thousand."""

    n: Floats
    solved: Floats
    total: Floats
    log_total: Floats
    at_start: Floats
    group: NDArray[np.intp]
    budget: Floats
    censored: Floats


def _count(cells: BySize) -> _Counts:
    n = np.array(sorted(cells), dtype=np.float64)
    rows = [cells[int(value)] for value in n]
    later = [data.times[data.times > 0] for data in rows]
    cut = [np.unique(data.iterations[~data.solved], return_counts=True) for data in rows]
    return _Counts(
        n=n,
        solved=np.array([times.size for times in later], dtype=np.float64),
        total=np.array([times.sum() for times in later]),
        log_total=np.array([np.log(times).sum() for times in later]),
        at_start=np.array([(data.times == 0).sum() for data in rows], dtype=np.float64),
        group=np.repeat(np.arange(n.size), [budgets.size for budgets, _ in cut]),
        budget=np.concatenate([budgets for budgets, _ in cut]),
        censored=np.concatenate([counts for _, counts in cut]).astype(np.float64),
    )


def _log_likelihood(data: _Counts, mean: Floats, shape: Floats) -> float:
    rate = shape / mean
    value = data.solved * (shape * np.log(rate) - special.gammaln(shape))
    value += (shape - 1) * data.log_total - rate * data.total
    return float(value.sum() + _hidden(data, mean, shape).sum())


def _hidden(data: _Counts, mean: Floats, shape: Floats) -> Floats:
    """Per n, the log-likelihood of runs whose time is only known to be below 1 or above their budget."""
    rate = shape / mean
    value = np.zeros_like(mean)
    if data.at_start.any():
        value += data.at_start * np.log(np.maximum(special.gammainc(shape, rate), 1e-300))
    if data.budget.size:
        k, z = shape[data.group], rate[data.group] * data.budget
        survives = special.gammaincc(k, z)
        far = (k - 1) * np.log(np.maximum(z, 1e-300)) - z - special.gammaln(k)
        logs = np.where(survives > 1e-290, np.log(np.maximum(survives, 1e-300)), far)
        value += np.bincount(data.group, weights=data.censored * logs, minlength=mean.size)
    return value


def _slopes(data: _Counts, mean: Floats, shape: Floats) -> tuple[Floats, Floats]:
    """Derivatives of the log-likelihood at each n by log mean and log shape; numerical for hidden times."""
    by_mean = shape * (data.total / mean - data.solved)
    by_shape = shape * (
        data.solved * (np.log(shape / mean) + 1 - special.digamma(shape)) + data.log_total - data.total / mean
    )
    if data.budget.size or data.at_start.any():
        up, down = exp(1e-5), exp(-1e-5)
        by_mean += (_hidden(data, mean * up, shape) - _hidden(data, mean * down, shape)) / 2e-5
        by_shape += (_hidden(data, mean, shape * up) - _hidden(data, mean, shape * down)) / 2e-5
    return by_mean, by_shape


def check_cells(cells: BySize, *, least: int = 3) -> None:
    """Refuse too little data: a curve of two parameters needs three sizes, and a success at two of them."""
    if len(cells) < least:
        raise InputError(f"a growth fit needs running times at {least} or more values of n, not {len(cells)}")
    if min(cells) < 2:
        raise InputError(f"growth can be fitted from n = 2 on, not from n = {min(cells)}")
    if sum(data.successes > 0 for data in cells.values()) < 2:
        raise InputError("a growth fit needs successful runs at two or more values of n")
    if not _took_time(cells):
        raise InputError("every successful run was solved at its start, so there is no growth to fit")


def fit(cells: BySize, model: Model) -> Fit:
    """Fit one model of growth by maximum likelihood, censored runs included, at two sizes or more.

    >>> from gatewalk.stats import sample
    >>> times = {n: sample([0.9 * n**3, n**3, 1.1 * n**3], [True] * 3) for n in (4, 8, 16)}
    >>> round(fit(times, MODELS[0]).rate, 1)
    3.0
    """
    check_cells(cells, least=2)
    return _fit(_count(cells), model, None)[0]


def _fit(data: _Counts, model: Model, start: Floats | None) -> tuple[Fit, Floats]:
    x, offset = model.x(data.n), model.offset(data.n)
    spread = float(np.ptp(x)) or 1.0
    centre, log_n = float(x.mean()), np.log(data.n)
    scaled, shape_x = (x - centre) / spread, (log_n - log_n.mean()) / (float(np.ptp(log_n)) or 1.0)

    def negative(theta: Floats) -> tuple[float, Floats]:
        mean = np.exp(np.clip(theta[0] + theta[1] * scaled + offset, -50, 500))
        shape = np.exp(np.clip(theta[2] + theta[3] * shape_x, -6, 9))
        by_mean, by_shape = _slopes(data, mean, shape)
        slopes = [by_mean.sum(), by_mean @ scaled, by_shape.sum(), by_shape @ shape_x]
        return -_log_likelihood(data, mean, shape), -np.array(slopes)

    if start is None:
        done = data.solved > 0
        rough = np.log((data.total + _spent(data))[done] / data.solved[done]) - offset[done]
        slope, level = np.polyfit(scaled[done], rough, 1) if done.sum() > 1 else (1.0, float(rough.mean()))
        start = np.array([level, slope, 0.0, 0.0])
    best = optimize.minimize(negative, start, jac=True, method="BFGS", options={"gtol": 1e-3})
    theta = np.asarray(best.x, dtype=np.float64)
    slope = theta[1] / spread
    power = theta[3] / (float(np.ptp(log_n)) or 1.0)
    found = Fit(
        model=model,
        scale=bounded_exp(theta[0] - slope * centre),
        rate=model.parameter(float(slope)),
        shape=(bounded_exp(theta[2] - power * log_n.mean()), float(power)),
        log_likelihood=-float(best.fun),
        aic=2 * 4 + 2 * float(best.fun),
    )
    return found, theta


def _spent(data: _Counts) -> Floats:
    spent = np.bincount(data.group, weights=data.budget * data.censored, minlength=data.n.size)
    return spent.astype(np.float64)


def _resampled_counts(cells: BySize, count: int, rng: np.random.Generator) -> list[_Counts]:
    """Resamples of the runs of every n to which a curve can be fitted."""
    drawn = (_resample(cells, rng) for _ in range(count))
    return [_count(resample) for resample in drawn if _enough(resample)]


def _resample(cells: BySize, rng: np.random.Generator) -> dict[int, Sample]:
    drawn = {}
    for n, data in cells.items():  # a resample of all sizes after the other: the order fixes the draws
        index = rng.integers(0, data.runs, data.runs)
        drawn[n] = Sample(data.iterations[index], data.solved[index])
    return drawn


def _enough(cells: BySize) -> bool:
    return sum(data.successes > 0 for data in cells.values()) >= 2 and _took_time(cells)


def _took_time(cells: BySize) -> bool:
    return any((data.times > 0).any() for data in cells.values())


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
    draws = _resampled_counts(cells, resamples, rng)
    drawn = {model: _bootstrapped(_count(cells), model, draws) for model in MODELS}
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
    draws = _resampled_counts(cells, resamples, rng)
    found, others = _bootstrapped(_count(cells), model, draws)
    return Excess(found.rate, _interval([other.rate for other in others], confidence), found.scale)


def _bootstrapped(data: _Counts, model: Model, draws: list[_Counts]) -> tuple[Fit, list[Fit]]:
    found, theta = _fit(data, model, None)
    return found, [_fit(draw, model, theta)[0] for draw in draws]


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
    if not _enough(smaller) or cells[largest].successes == 0:
        return ()
    draws = _resampled_counts(smaller, resamples, rng)
    last = _count({largest: cells[largest]})
    observed = mean_time(cells[largest])
    found = []
    for model in MODELS:
        curve, others = _bootstrapped(_count(smaller), model, draws)
        predicted = curve.mean(largest)
        shape = np.exp(np.clip(log(curve.shape[0]) + curve.shape[1] * log(largest), log(1e-2), log(1e3)))
        score = _log_likelihood(last, np.array([predicted]), np.array([float(shape)]))
        spread = _interval([other.mean(largest) for other in others], confidence)
        found.append(HeldOut(model.name, largest, predicted, spread, observed, score))
    return tuple(sorted(found, key=lambda held: -held.log_score))


def mean_time(data: Sample) -> float:
    """The mean of a gamma distribution fitted to one cell with its censored runs; infinite without a success.

    >>> from gatewalk.stats import sample
    >>> round(mean_time(sample([3, 5, 10], [True] * 3)), 6)
    6.0
    """
    if data.successes == 0:
        return float("inf")
    counts = _count({2: data})
    if counts.solved[0] == 0:
        return 0.0
    if counts.solved[0] == data.runs:
        return float(data.times.mean())  # maximises the likelihood for every shape

    def negative(theta: Floats) -> float:
        mean, shape = np.exp(np.clip(theta, [-50, -6], [500, 9]))
        return -_log_likelihood(counts, np.array([mean]), np.array([shape]))

    start = np.array([log(float((counts.total + _spent(counts))[0] / counts.solved[0])), 0.0])
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
