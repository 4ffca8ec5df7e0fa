"""Curves of growth fitted to running times by maximum likelihood: one fit, or many resamples at once.

The expected time at n is the model's curve mu(n). Running times are taken as gamma distributed around it:
sums of geometric waiting times, as fitness levels make them, are close to gamma, one dominating wait is the
exponential (shape 1), and without censoring the fitted curve estimates the mean whatever the true
distribution (the gamma score for the mean is that of quasi-likelihood). The shape may change with n as a
power of n. A censored run contributes Pr(T > budget), a run that was solved at its start Pr(T < 1).

A bootstrap fits the same curve to hundreds of resamples. They all begin at the fit of all runs, which is
near, so Newton's method needs a handful of steps, and NumPy does each step of all of them together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from gatewalk.errors import InputError
from gatewalk.stats.sample import Floats, Sample

BySize = Mapping[int, Sample]  # running times by n


@dataclass(frozen=True)
class Model:
    """A model of growth: log mu(n) = log c + slope * x(n) + offset(n).

    parameter: from the slope to the parameter in the formula, such as from log b to b.

    >>> from gatewalk.stats.growth_fit import MODELS
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
    >>> from gatewalk.stats.growth_fit import MODELS, fit
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


CONVERGED = 1e-3  # a fit has ended when no slope of the log-likelihood is steeper
_STEP = 1e-3  # of logarithms, for derivatives of what has no formula
_MOST_STEPS, _MOST_HALVINGS = 30, 30  # of Newton's method, and of each of its steps


@dataclass(frozen=True)
class Counts:
    """Sufficient statistics per n, so that a likelihood costs the same for ten runs and ten thousand."""

    n: Floats
    solved: Floats
    total: Floats
    log_total: Floats
    at_start: Floats
    group: NDArray[np.intp]
    budget: Floats
    censored: Floats


def counted(cells: BySize) -> Counts:
    """What a likelihood needs of these runs."""
    n = np.array(sorted(cells), dtype=np.float64)
    rows = [cells[int(value)] for value in n]
    later = [data.times[data.times > 0] for data in rows]
    cut = [np.unique(data.iterations[~data.solved], return_counts=True) for data in rows]
    return Counts(
        n=n,
        solved=np.array([times.size for times in later], dtype=np.float64),
        total=np.array([times.sum() for times in later]),
        log_total=np.array([np.log(times).sum() for times in later]),
        at_start=np.array([(data.times == 0).sum() for data in rows], dtype=np.float64),
        group=np.repeat(np.arange(n.size), [budgets.size for budgets, _ in cut]),
        budget=np.concatenate([budgets for budgets, _ in cut]),
        censored=np.concatenate([counts for _, counts in cut]).astype(np.float64),
    )


def log_likelihood(data: Counts, mean: Floats, shape: Floats) -> float:
    """The log-likelihood of all runs, from the mean and the gamma shape at each n."""
    return float(_seen(data, mean, shape).sum() + _hidden(data, mean, shape).sum())


def _seen(data: Counts, mean: Floats, shape: Floats) -> Floats:
    """Per n, the log-likelihood of runs whose time is known."""
    rate = shape / mean
    value: Floats = data.solved * (shape * np.log(rate) - special.gammaln(shape))
    value += (shape - 1) * data.log_total - rate * data.total
    return value


def _hidden(data: Counts, mean: Floats, shape: Floats) -> Floats:
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


def slopes(data: Counts, mean: Floats, shape: Floats) -> tuple[Floats, Floats]:
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


def _curvatures(data: Counts, mean: Floats, shape: Floats) -> Floats:
    """Second derivatives of the log-likelihood at each n by log mean and log shape, as a matrix of arrays."""
    surplus = shape * (data.total / mean - data.solved)
    by_shape = shape * (
        data.solved * (np.log(shape / mean) + 1 - special.digamma(shape)) + data.log_total - data.total / mean
    )
    bend = by_shape + shape * data.solved * (1 - shape * special.polygamma(1, shape))
    of_seen = np.array([[-shape * data.total / mean, surplus], [surplus, bend]])
    if not (data.budget.size or data.at_start.any()):
        return of_seen
    factors = [exp(-_STEP), 1.0, exp(_STEP)]
    around = np.array([[_hidden(data, mean * a, shape * b) for b in factors] for a in factors])
    middle = around[1, 1]
    mixed = (around[2, 2] - around[2, 0] - around[0, 2] + around[0, 0]) / 4
    bends = around[2, 1] - 2 * middle + around[0, 1], around[1, 2] - 2 * middle + around[1, 0]
    return of_seen + np.array([[bends[0], mixed], [mixed, bends[1]]]) / _STEP**2


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
    return fitted(counted(cells), model, None)[0]


@dataclass(frozen=True)
class _Frame:
    """A model at these sizes with axes that are centred and scaled, so that all four parameters are alike.

    theta: log mu at the middle of the sizes, and its slope; the same two of log k, the shape. There may be
    many, in rows.
    """

    model: Model
    scaled: Floats
    offset: Floats
    shape_x: Floats
    centre: float
    spread: float
    log_centre: float
    log_spread: float

    def mean(self, theta: Floats) -> Floats:
        curve: Floats = theta[..., :1] + theta[..., 1:2] * self.scaled + self.offset
        return np.exp(np.clip(curve, -50, 500))

    def shape(self, theta: Floats) -> Floats:
        curve: Floats = theta[..., 2:3] + theta[..., 3:] * self.shape_x
        return np.exp(np.clip(curve, -6, 9))

    def fit(self, theta: Floats, log_likelihood: float) -> Fit:
        slope = theta[1] / self.spread
        power = theta[3] / self.log_spread
        return Fit(
            model=self.model,
            scale=bounded_exp(theta[0] - slope * self.centre),
            rate=self.model.parameter(float(slope)),
            shape=(bounded_exp(theta[2] - power * self.log_centre), float(power)),
            log_likelihood=log_likelihood,
            aic=2 * 4 - 2 * log_likelihood,
        )


def _frame(model: Model, n: Floats) -> _Frame:
    x, log_n = model.x(n), np.log(n)
    centre, spread = float(x.mean()), float(np.ptp(x)) or 1.0
    log_centre, log_spread = float(log_n.mean()), float(np.ptp(log_n)) or 1.0
    shape_x = (log_n - log_centre) / log_spread
    return _Frame(
        model, (x - centre) / spread, model.offset(n), shape_x, centre, spread, log_centre, log_spread
    )


def fitted(data: Counts, model: Model, start: Floats | None) -> tuple[Fit, Floats]:
    """The fit of one set of runs and its parameters, by BFGS from a start or from the means at each n."""
    frame = _frame(model, data.n)

    def negative(theta: Floats) -> tuple[float, Floats]:
        mean, shape = frame.mean(theta), frame.shape(theta)
        by_mean, by_shape = slopes(data, mean, shape)
        gradient = [by_mean.sum(), by_mean @ frame.scaled, by_shape.sum(), by_shape @ frame.shape_x]
        return -log_likelihood(data, mean, shape), -np.array(gradient)

    if start is None:
        done = data.solved > 0
        rough = np.log((data.total + spent(data))[done] / data.solved[done]) - frame.offset[done]
        slope, level = (
            np.polyfit(frame.scaled[done], rough, 1) if done.sum() > 1 else (1.0, float(rough.mean()))
        )
        start = np.array([level, slope, 0.0, 0.0])
    best = optimize.minimize(negative, start, jac=True, method="BFGS", options={"gtol": CONVERGED})
    theta = np.asarray(best.x, dtype=np.float64)
    return frame.fit(theta, -float(best.fun)), theta


def refitted(draws: Sequence[Counts], model: Model, start: Floats) -> list[Fit]:
    """The fits of many resamples of the same sizes, from the parameters of the fit of all runs.

    The few for which Newton's method does not converge are fitted one by one.
    """
    if not draws:
        return []
    frame, everything = _frame(model, draws[0].n), _stacked(draws)
    theta, values, done = _newton(everything, frame, np.tile(start, (len(draws), 1)))
    return [
        frame.fit(own, float(value)) if is_done else fitted(draw, model, start)[0]
        for own, value, is_done, draw in zip(theta, values, done, draws, strict=True)
    ]


def _stacked(draws: Sequence[Counts]) -> Counts:
    """The sizes of all resamples, one after the other, as if they were those of a single one."""
    sizes = draws[0].n.size
    arrays = {
        name: np.concatenate([getattr(draw, name) for draw in draws])
        for name in ("n", "solved", "total", "log_total", "at_start", "budget", "censored")
    }
    return Counts(
        **arrays, group=np.concatenate([draw.group + sizes * index for index, draw in enumerate(draws)])
    )


def _newton(data: Counts, frame: _Frame, theta: Floats) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Maximise the likelihood of every resample; returns parameters, likelihoods, and which converged.

    Steps go uphill even where the likelihood is not concave, because the signs of its curvatures are
    dropped, and each is halved until the likelihood does not fall.
    """
    count, sizes = theta.shape[0], frame.scaled.size

    def values_at(theta: Floats) -> Floats:
        mean, shape = frame.mean(theta).ravel(), frame.shape(theta).ravel()
        of_sizes: Floats = _seen(data, mean, shape) + _hidden(data, mean, shape)
        values: Floats = of_sizes.reshape(count, sizes).sum(axis=1)
        return values

    one, none = np.ones(sizes), np.zeros(sizes)
    axes = np.array([[one, frame.scaled, none, none], [none, none, one, frame.shape_x]])
    values, done = values_at(theta), np.zeros(count, dtype=np.bool_)
    for _ in range(_MOST_STEPS):
        mean, shape = frame.mean(theta).ravel(), frame.shape(theta).ravel()
        first = np.reshape(slopes(data, mean, shape), (2, count, sizes))
        gradient = np.einsum("aps,als->lp", axes, first)
        done = np.abs(gradient).max(axis=1) < CONVERGED / 10
        if done.all():
            break
        second = _curvatures(data, mean, shape).reshape(2, 2, count, sizes)
        hessian = np.nan_to_num(np.einsum("aps,abls,bqs->lpq", axes, second, axes))
        curvature, directions = np.linalg.eigh(hessian)
        steep = np.abs(curvature)
        along = np.einsum("lpk,lp->lk", directions, np.nan_to_num(gradient))
        along /= np.maximum(steep, 1e-9 * (1 + steep.max(axis=1, keepdims=True)))
        step = np.einsum("lpk,lk->lp", directions, along)
        step[done] = 0
        for _ in range(_MOST_HALVINGS):
            tried = values_at(theta + step)
            falls = ~(tried >= values)
            if not falls.any():
                break
            step[falls] /= 2
        step[falls] = 0
        if not step.any():
            break
        theta = theta + step
        values = np.where(falls, values, tried)
    return theta, values, done


def spent(data: Counts) -> Floats:
    """The iterations of failed runs at each n."""
    sums = np.bincount(data.group, weights=data.budget * data.censored, minlength=data.n.size)
    return sums.astype(np.float64)


def resampled_counts(cells: BySize, count: int, rng: np.random.Generator) -> list[Counts]:
    """Resamples of the runs of every n to which a curve can be fitted."""
    drawn = (_resample(cells, rng) for _ in range(count))
    return [counted(resample) for resample in drawn if is_enough(resample)]


def _resample(cells: BySize, rng: np.random.Generator) -> dict[int, Sample]:
    drawn = {}
    for n, data in cells.items():  # a resample of all sizes after the other: the order fixes the draws
        index = rng.integers(0, data.runs, data.runs)
        drawn[n] = Sample(data.iterations[index], data.solved[index])
    return drawn


def is_enough(cells: BySize) -> bool:
    """Whether runs succeeded at two sizes or more, and some of them took time."""
    return sum(data.successes > 0 for data in cells.values()) >= 2 and _took_time(cells)


def _took_time(cells: BySize) -> bool:
    return any((data.times > 0).any() for data in cells.values())
