"""Models of growth and the results of fitting them; `gatewalk.analysis.growth` does the fitting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

import numpy as np

from gatewalk.analysis.statistics import Floats, Interval


@dataclass(frozen=True)
class Model:
    """A model of growth: log mu(n) = log c + rate * x(n) + offset(n).

    Attributes
    ----------
    name, formula
        What it is called, and how it is written.
    x, offset
        The functions of n.
    parameter
        The function from the rate to the parameter in the formula, such as from log b to b.

    Examples
    --------
    >>> from gatewalk.analysis.growth import MODELS
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
    """A curve fitted to running times.

    Attributes
    ----------
    model
        Which curve.
    scale, rate
        The constant c, and the exponent a or the base b.
    shape
        k1 and k2 of the gamma shape k(n) = k1 n^k2.
    log_likelihood, aic
        How well it fits.

    Examples
    --------
    >>> from gatewalk.analysis import fit, sample
    >>> from gatewalk.analysis.growth import MODELS
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

    def mean(self, n: float) -> float:
        """The expected time mu(n) of the fitted curve."""
        at = np.array([float(n)])
        slope = log(self.rate) if self.model.name == "exponential" else self.rate
        with np.errstate(over="ignore"):
            return float(np.exp(log(self.scale) + slope * self.model.x(at) + self.model.offset(at))[0])


@dataclass(frozen=True)
class Estimate:
    """A fit with bootstrap intervals of its two parameters, and its Akaike weight among the models."""

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
    """How running times grow with n, by several models.

    Attributes
    ----------
    estimates
        Every model's estimate, the best by AIC first.
    held_out
        Every model's prediction of the largest n from the smaller ones.

    Examples
    --------
    >>> from gatewalk.analysis import growth, sample
    >>> times = {n: sample([0.9 * n**3, n**3, 1.1 * n**3], [True] * 3) for n in (4, 8, 16, 32)}
    >>> growth(times, resamples=10).estimates[0].fit.model.name
    'power'
    """

    estimates: tuple[Estimate, ...]
    held_out: tuple[HeldOut, ...]

    @property
    def best(self) -> Estimate:
        return self.estimates[0]

    def __repr__(self) -> str:
        best = self.best
        span = f"[{best.rate.low:.4g}, {best.rate.high:.4g}]"
        curve = f"{best.fit.model.formula} with c = {best.fit.scale:.4g} and {best.fit.rate:.4g} {span}"
        return f"<Growth {curve}, the best of {len(self.estimates)} models with weight {best.weight:.2f}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("model", "c", "a or b", "95 %", "Akaike weight"))
        rows = [
            f"<tr><td>{one.fit.model.formula}</td><td>{one.fit.scale:.4g}</td><td>{one.fit.rate:.4g}</td>"
            f"<td>{one.rate.low:.4g} – {one.rate.high:.4g}</td><td>{one.weight:.2f}</td></tr>"
            for one in self.estimates
        ]
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"
