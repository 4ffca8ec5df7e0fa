"""Lemma 5 against solved linear systems, a simulated chain and its own inequalities."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.errors import InputError
from gatewalk.theory import three_state

half = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(49, 100), max_denominator=1000)


@given(p=half, q=half, r=half, s=half)
def test_expectations_solve_the_chain(p: Fraction, q: Fraction, r: Fraction, s: Fraction) -> None:
    first, second = three_state.expected_from_first(p, q, r, s), three_state.expected_from_second(p, q, r, s)
    assert first == 1 + q * second + (1 - p - q) * first
    assert second == 1 + s * first + (1 - r - s) * second


@given(p=half, q=half, r=half, s=half, cut=st.fractions(min_value=Fraction(1, 10), max_value=1))
def test_both_upper_bounds_hold(p: Fraction, q: Fraction, r: Fraction, s: Fraction, cut: Fraction) -> None:
    exact = three_state.expected_from_first(p, q, r, s)
    assert exact <= three_state.upper_bound(q, r, s)
    assert exact <= three_state.upper_bound_from_estimates((p + q) * cut, r * cut, min(Fraction(1), s / cut))


def test_simulated_chain() -> None:
    p, q, r, s = 0.02, 0.2, 0.1, 0.3
    rng = np.random.default_rng(5)
    runs = 20_000
    state = np.ones(runs, dtype=int)
    time = np.zeros(runs)
    while (state < 3).any():
        time += state < 3
        u = rng.random(runs)
        one, two = state == 1, state == 2
        state = np.where(one & (u < p), 3, np.where(one & (u < p + q), 2, state))
        state = np.where(two & (u < r), 3, np.where(two & (u < r + s), 1, state))
    expected = three_state.expected_from_first(p, q, r, s)
    assert abs(time.mean() - expected) < 5.5 * time.std() / runs**0.5  # false alarm < 1e-6


@pytest.mark.parametrize(
    ("p", "q", "r", "s"),
    [(0.1, 0.0, 0.1, 0.1), (0.1, 0.1, 0.0, 0.1), (0.6, 0.6, 0.1, 0.1), (-0.1, 0.1, 0.1, 0.1)],
)
def test_assumptions_are_checked(p: float, q: float, r: float, s: float) -> None:
    with pytest.raises(InputError, match="Lemma 5"):
        three_state.expected_from_first(p, q, r, s)


def test_estimates_are_checked() -> None:
    with pytest.raises(InputError, match="estimates"):
        three_state.upper_bound_from_estimates(0.0, 0.1, 0.1)
