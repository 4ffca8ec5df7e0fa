"""Moments of T from one generation, against chains of one state, whose time is geometric."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.theory.chain.transition import Transition, moments_reported, offspring_made, squares_made

P = 0.07


def geometric(offspring: int, never: float = 0.0) -> Transition:
    """One state that each offspring solves with probability P; else it is lost with probability `never`."""
    stays = (1 - P) ** offspring * (1 - never)
    return Transition(
        offspring=offspring,
        tie=1.0,
        solved=np.array([P]),
        leaving=np.array([1 - stays]),
        best=np.array([True]),
        backwards=lambda values: stays * values,
        forwards=lambda values: stays * values,
    )


@pytest.mark.parametrize("offspring", [1, 2, 7])
def test_mean_and_square_of_a_geometric_time(offspring: int) -> None:
    one, ends = geometric(offspring), np.ones(1)
    stays = (1 - P) ** offspring
    mean = offspring_made(one, ends) / (1 - stays)
    assert mean[0] == pytest.approx(1 / P, rel=1e-12)
    square = squares_made(one, ends, mean) / (1 - stays)
    assert square[0] == pytest.approx((2 - P) / P**2, rel=1e-12)


@pytest.mark.parametrize("uncounted", [0, 1, 2, 5, 30])
@pytest.mark.parametrize("offspring", [1, 3])
def test_uncounted_iterations_of_a_geometric_time(offspring: int, uncounted: int) -> None:
    times = np.arange(1, 3000)
    chances = P * (1 - P) ** (times - 1)
    reported = np.maximum(0, times - uncounted)
    mean, square = moments_reported(
        geometric(offspring), np.ones(1), np.array([1 / P]), np.array([(2 - P) / P**2]), uncounted
    )
    assert mean[0] == pytest.approx(reported @ chances, rel=1e-10)
    assert square[0] == pytest.approx(reported.astype(float) ** 2 @ chances, rel=1e-10)


def test_searches_that_never_end_do_not_count() -> None:
    """With one offspring, E[T; it ends] solves h = k + Q h."""
    never = 0.2
    one = geometric(1, never)
    stays = (1 - P) * (1 - never)
    ends = np.array([P / (1 - stays)])
    mean = offspring_made(one, ends) / (1 - stays)
    times = np.arange(1, 2000)
    assert mean[0] == pytest.approx((times * P * stays ** (times - 1)).sum(), rel=1e-12)
