"""Models of growth: what each predicts, and numbers that stay within the range of floats."""

from __future__ import annotations

import math
import pickle

import pytest

from gatewalk.analysis.growth_models import MODELS, Fit, Model, bounded_exp

BY_NAME = {model.name: model for model in MODELS}


def fitted(model: Model, *, rate: float, scale: float = 2.0) -> Fit:
    return Fit(model=model, scale=scale, rate=rate, shape=(1.0, 0.0), log_likelihood=0.0, aic=8.0)


@pytest.mark.parametrize(
    ("name", "rate", "expected"),
    [("power", 3.0, 2 * 8**3), ("power-log", 2.0, 2 * 64 * math.log(8)), ("exponential", 1.5, 2 * 1.5**8)],
)
def test_the_mean_follows_the_formula(name: str, rate: float, expected: float) -> None:
    assert fitted(BY_NAME[name], rate=rate).mean(8) == pytest.approx(expected)


def test_a_mean_beyond_all_floats_is_infinite_without_a_warning() -> None:
    assert fitted(BY_NAME["exponential"], rate=1e300).mean(50) == math.inf


def test_the_exponential_is_bounded_on_both_sides() -> None:
    assert bounded_exp(1.0) == math.e
    assert 0 < bounded_exp(-1e9) < 1e-300
    assert 1e300 < bounded_exp(1e9) < math.inf


def test_a_fit_can_be_sent_to_another_process() -> None:
    fit = fitted(BY_NAME["power-log"], rate=2.5)
    assert pickle.loads(pickle.dumps(fit)) == fit


def test_reprs_name_the_parameter_of_the_formula() -> None:
    assert repr(fitted(BY_NAME["exponential"], rate=1.5)) == "<Fit c b^n: c = 2, b = 1.5>"
    assert repr(fitted(BY_NAME["power"], rate=1.5)) == "<Fit c n^a: c = 2, a = 1.5>"
