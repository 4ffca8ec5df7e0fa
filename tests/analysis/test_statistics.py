"""Statistics against hand calculations and direct counting."""

from __future__ import annotations

from math import inf, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.analysis import statistics as s
from gatewalk.errors import InputError

samples = st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=12).map(
    lambda rows: s.sample([row[0] for row in rows], [row[1] for row in rows])
)


def test_ert_counts_failed_iterations() -> None:
    assert s.ert(s.sample([10, 20, 100], [True, True, False])) == 65
    assert s.ert(s.sample([100, 100], [False, False])) == inf
    assert s.ert(s.sample([0, 0], [True, True])) == 0


def test_wilson_by_formula() -> None:
    rate = s.success_rate(s.sample(np.ones(30), [True] * 22 + [False] * 8))
    z, p, n = 1.959963984540054, 22 / 30, 30
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert rate.interval.low == pytest.approx(centre - half)
    assert rate.interval.high == pytest.approx(centre + half)
    assert (rate.successes, rate.runs, rate.rate) == (22, 30, 22 / 30)


def test_successful_runs_leave_censored_out_and_say_so() -> None:
    found = s.successful_runs(s.sample([1, 2, 3, 4, 1000], [True] * 4 + [False]))
    assert (found.mean, found.min, found.q1, found.median, found.q3, found.max) == (
        2.5,
        1,
        1.75,
        2.5,
        3.25,
        4,
    )
    assert found.std == pytest.approx(np.std([1, 2, 3, 4], ddof=1))
    assert found.success.rate == 0.8


def test_no_success_has_no_summary() -> None:
    found = s.successful_runs(s.sample([5, 5], [False, False]))
    assert isnan(found.mean)
    assert isnan(found.std)
    assert found.success.successes == 0
    assert isnan(s.successful_runs(s.sample([5], [True])).std)


@given(samples, samples)
def test_a12_by_counting_pairs(first: s.Sample, second: s.Sample) -> None:
    def key(data: s.Sample) -> list[float]:
        return [t if ok else inf for t, ok in zip(data.iterations, data.solved, strict=True)]

    wins = sum((x < y) + (x == y) / 2 for x in key(first) for y in key(second))
    assert s.vargha_delaney(first, second) == pytest.approx(wins / (first.runs * second.runs))


def test_mann_whitney() -> None:
    rng = np.random.default_rng(1)
    fast, slow = s.sample(rng.exponential(1, 80), [True] * 80), s.sample(rng.exponential(3, 80), [True] * 80)
    found = s.mann_whitney(fast, slow)
    assert found.p_value < 1e-4
    assert found.a12 > 0.65
    assert found.effect in ("medium", "large")
    same = s.mann_whitney(s.sample([9, 9], [False, False]), s.sample([9, 9, 9], [False] * 3))
    assert (same.p_value, same.a12, same.effect) == (1.0, 0.5, "negligible")


@pytest.mark.parametrize(
    ("a12", "word"), [(0.5, "negligible"), (0.44, "small"), (0.64, "medium"), (0.9, "large")]
)
def test_words_for_effects(a12: float, word: str) -> None:
    assert s.magnitude(a12) == word


@pytest.mark.parametrize(
    ("iterations", "solved", "match"),
    [
        ([], [], "no runs"),
        ([1, 2], [True], "2 running times"),
        ([-1], [True], "not negative"),
        ([inf], [True], "finite"),
    ],
)
def test_bad_data_is_refused(iterations: list[float], solved: list[bool], match: str) -> None:
    with pytest.raises(InputError, match=match):
        s.sample(iterations, solved)
